"""How far the counts of a direction are from what the two players do elsewhere.

For each signal a log-likelihood ratio: how much likelier the counts are if the odds were some times the usual ones
than if they were the usual ones. And a z value: by how many standard errors the hits differ from what was expected.
"""

import math
from collections.abc import Iterable
from typing import Final

import msgspec

from poolrummy.audit.pairs.signals import BY_NAME, SIGNALS, Signal
from poolrummy.audit.pairs.sums import Direction, PairSums, Person, Tallies, Tally

PRIOR: Final = 30
"""The weight of everybody's rate in a player's own, in chances: a newcomer is taken for an average player."""

FLOOR: Final = 0.002
"""No rate is taken to be nearer to 0 or 1: what was never seen is not impossible."""

SLACK: Final = 0.1
"""How uncertain a base rate is at least, as a share of its odds: habits change from table to table."""

MOST: Final = 4.0
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


class Rates:
    """The rates of everybody, and of each player apart from a partner."""

    def __init__(self, sums: PairSums) -> None:
        self._all: dict[str, Tally] = {}
        for person in sums.people.values():
            for tallies, base in ((person.gives, "giver"), (person.takes, "taker")):
                for key, tally in tallies.items():
                    # A chance with two sides stands in the habits of both; it counts once.
                    if base == "giver" or BY_NAME[key.partition("/")[0]].base == "taker":
                        self._all.setdefault(key, Tally()).add(tally.n, tally.k)

    def usual(self, signal: Signal, key: str, pair: Tally, giver: Person, taker: Person) -> float:
        """The rate that was to be expected between these two."""
        overall = _bounded(_rate(self._all.get(key, Tally())))
        odds = _odds(overall)
        if signal.base in {"giver", "both"}:
            odds *= _odds(_apart(giver.gives, key, pair, overall)) / _odds(overall)
        if signal.base in {"taker", "both"}:
            odds *= _odds(_apart(taker.takes, key, pair, overall)) / _odds(overall)
        return _bounded(odds / (1 + odds))


def scored(direction: Direction, giver: Person, taker: Person, rates: Rates) -> tuple[Scored, ...]:
    """Every signal of which there was a chance."""
    found = (_scored(signal, direction, giver, taker, rates) for signal in SIGNALS)
    return tuple(one for one in found if one is not None)


def total_milli(found: Iterable[Scored]) -> int:
    """The evidence of a direction: the signals are taken as if they did not depend on each other."""
    return sum(one.score_milli for one in found)


def _scored(signal: Signal, direction: Direction, giver: Person, taker: Person, rates: Rates) -> Scored | None:
    strata: list[tuple[Tally, float]] = []
    for key, tally in sorted(direction.tallies.items()):
        if key.partition("/")[0] == signal.name and tally.n:
            strata.append((tally, rates.usual(signal, key, tally, giver, taker)))
    if not strata:
        return None
    n, k = sum(tally.n for tally, _ in strata), sum(tally.k for tally, _ in strata)
    expected = sum(tally.n * rate for tally, rate in strata)
    variance = sum(tally.n * rate * (1 - rate) for tally, rate in strata) + (SLACK * expected) ** 2
    ratios = [_ratio(strata, odds / 1000) for odds in signal.odds_permille]
    return Scored(
        signal=signal.name,
        n=n,
        k=k,
        expected_milli=round(1000 * expected),
        z_milli=round(1000 * (k - expected) / math.sqrt(variance)),
        score_milli=round(1000 * min(_log_mean([0.0, _log_mean(ratios)]), MOST)),
    )


def _ratio(strata: Iterable[tuple[Tally, float]], times: float) -> float:
    """Log-likelihood ratio of odds so many times the usual ones."""
    total = 0.0
    for tally, usual in strata:
        odds = times * _odds(usual)
        other = odds / (1 + odds)
        total += tally.k * math.log(other / usual) + (tally.n - tally.k) * math.log((1 - other) / (1 - usual))
    return total


def _apart(habits: Tallies, key: str, pair: Tally, overall: float) -> float:
    """A player's rate when the other one has no part in it, drawn towards everybody's."""
    all_of_it = habits.get(key, Tally())
    n, k = all_of_it.n - pair.n, all_of_it.k - pair.k
    return _bounded((k + PRIOR * overall) / (n + PRIOR))


def _rate(tally: Tally) -> float:
    return tally.k / tally.n if tally.n else 0.5


def _bounded(rate: float) -> float:
    return min(max(rate, FLOOR), 1 - FLOOR)


def _odds(rate: float) -> float:
    return rate / (1 - rate)


def _log_mean(logs: list[float]) -> float:
    highest = max(logs)
    return highest + math.log(sum(math.exp(one - highest) for one in logs) / len(logs))
