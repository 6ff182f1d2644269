"""How far the counts of a direction are from what the two players do elsewhere.

For each signal a log-likelihood ratio: how much likelier the counts are if the odds were some times the usual ones
than if they were the usual ones. And a z value: by how many standard errors the hits differ from what was expected.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from poolrummy.audit.pairs.habits import Habits, Usual, odds
from poolrummy.audit.pairs.signals import BY_NAME, SIGNALS, Signal
from poolrummy.audit.pairs.sums import Direction, Tally, signal_of

SLACK: Final = 0.1
"""By how much the odds differ from pair to pair without a pact: one standard deviation, as a share of the odds."""

MOST: Final = 2.5
"""No kind of evidence counts for more: the likelihoods trust their own model too much, and one alone marks nobody."""


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """One signal of one direction. ``expected_milli`` is the number of hits that were to be expected."""

    signal: str
    n: int
    k: int
    expected_milli: int
    z_milli: int
    score_milli: int
    """Logarithm of the likelihood ratio, at most MOST; never below log(1/2), for a pact need not use every means."""


class _Stratum(NamedTuple):
    tally: Tally
    usual: Usual

    @property
    def chance(self) -> float:
        """The variance of the hits if nothing but chance were at work."""
        return self.tally.n * self.usual.rate * (1 - self.usual.rate)


def scored(direction: Direction, habits: Habits, *, giver: str, taker: str) -> tuple[Scored, ...]:
    """Every signal of which there was a chance."""
    strata: dict[str, list[_Stratum]] = {name: [] for name in BY_NAME}
    for key, tally in sorted(direction.tallies.items()):
        if tally.n:
            name = signal_of(key)
            usual = habits.usual(BY_NAME[name], key, tally, giver=giver, taker=taker)
            strata[name].append(_Stratum(tally, usual))
    return tuple(_scored(signal, strata[signal.name]) for signal in SIGNALS if strata[signal.name])


def total_milli(found: Iterable[Scored]) -> int:
    """The evidence of a direction: the signals are taken as if they did not depend on each other."""
    return sum(one.score_milli for one in found)


def _scored(signal: Signal, strata: Sequence[_Stratum]) -> Scored:
    n, k = sum(one.tally.n for one in strata), sum(one.tally.k for one in strata)
    expected = sum(one.tally.n * one.usual.rate for one in strata)
    chance = sum(one.chance for one in strata)
    variance = chance + _uncertainty(strata)
    # Counts that scatter more than chance does say less: the evidence shrinks as the variance grows.
    ratios = [_ratio(strata, times / 1000) * chance / variance for times in signal.odds_permille]
    return Scored(
        signal=signal.name,
        n=n,
        k=k,
        expected_milli=round(1000 * expected),
        z_milli=round(1000 * (k - expected) / math.sqrt(variance)),
        score_milli=round(1000 * min(_log_mean([0.0, _log_mean(ratios)]), MOST)),
    )


def _uncertainty(strata: Sequence[_Stratum]) -> float:
    """The variance of the hits since nobody knows the usual odds: pairs differ, and habits are estimated."""
    return (SLACK * sum(one.chance for one in strata)) ** 2 + sum(one.chance**2 * one.usual.variance for one in strata)


def _ratio(strata: Iterable[_Stratum], times: float) -> float:
    """Log-likelihood ratio of odds so many times the usual ones."""
    total = 0.0
    for tally, usual in strata:
        more = times * odds(usual.rate)
        other = more / (1 + more)
        total += tally.k * math.log(other / usual.rate) + (tally.n - tally.k) * math.log((1 - other) / (1 - usual.rate))
    return total


def _log_mean(logs: list[float]) -> float:
    highest = max(logs)
    return highest + math.log(sum(math.exp(one - highest) for one in logs) / len(logs))
