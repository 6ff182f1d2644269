"""Does the pair evidence find planted pairs, and leave honest ones alone? ``python -m poolrummy.testing.pair_trial``.

Signals, odds and mark of :mod:`poolrummy.audit.pairs` were chosen on the tuning seeds. What is reported comes from the
evaluation seeds, which nobody looked at before.
"""

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from typing import Final

import msgspec

from poolrummy.audit.pairs.folding import fold
from poolrummy.audit.pairs.ranking import DEALS_MIN, ranked
from poolrummy.audit.pairs.sums import PairSums
from poolrummy.testing.planted_pairs import SEATS, ClubPlan, PlantedPact, play
from poolrummy_contracts.events import TableEvent

TUNING_SEEDS: Final = (*range(1, 7), 31, 32, 41, 51, *range(101, 109), *range(111, 114), *range(121, 125))
EVALUATION_SEEDS: Final = range(401, 425)

STRENGTHS: Final = (800, 500, 300)
COMPANIONS: Final = 20
SINGLES: Final = 8
ROUNDS: Final = (16, 24, 32)
"""After so many rounds the evidence is looked at."""

STATED: Final = (PlantedPact(800, mutual=True), PlantedPact(800, mutual=False), PlantedPact(500, mutual=True))
"""The pacts of which nine in ten must be found."""

CERTAIN: Final = 0.95


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A pair of a club after some rounds, and what the ranking made of it. A ``pact`` is what was planted."""

    seed: int
    rounds: int
    players: tuple[str, str]
    pact: PlantedPact | None
    companions: bool
    deals: int
    score_milli: int
    look: bool


def club(seed: int, rounds: int = ROUNDS[-1], strengths: Sequence[int] = STRENGTHS) -> ClubPlan:
    """The club of a trial: of each strength one pair that helps each other and one in which one helps the other."""
    return ClubPlan(
        seed=seed,
        pacts=tuple(PlantedPact(strength, mutual) for strength in strengths for mutual in (True, False)),
        companions=COMPANIONS,
        singles=SINGLES,
        rounds=rounds,
    )


def judged(plan: ClubPlan, looks: Sequence[int] = ROUNDS) -> Iterator[Judged]:
    """Play the club, and judge every pair with enough common deals, and every planted one, at each look."""
    yield from watched(plan, (match.events for match in play(plan)), looks)


def watched(plan: ClubPlan, logs: Iterable[Iterable[TableEvent]], looks: Sequence[int] = ROUNDS) -> Iterator[Judged]:
    """The same of matches that were played before, in their order."""
    sums, tables = PairSums(), len(plan.players) // SEATS
    for number, log in enumerate(logs, start=1):
        fold(sums, log)
        if number % tables == 0 and number // tables in looks:
            yield from _looked(plan, sums, number // tables)


def _looked(plan: ClubPlan, sums: PairSums, rounds: int) -> Iterator[Judged]:
    planted, companions = plan.planted, set(plan.pairs)
    for pair in ranked(sums, deals_min=1).pairs:
        pact = planted.get(pair.players)
        enough = pair.deals >= DEALS_MIN
        if pact is None and not enough:
            continue
        yield Judged(
            seed=plan.seed,
            rounds=rounds,
            players=pair.players,
            pact=pact,
            companions=pact is None and pair.players in companions,
            deals=pair.deals,
            score_milli=pair.score_milli,
            look=pair.look and enough,
        )


def recall_permille(found: Iterable[Judged]) -> int:
    """How many of the planted pairs are marked."""
    planted = [one for one in found if one.pact is not None]
    return 1000 * sum(one.look for one in planted) // len(planted)


def false_permille(found: Iterable[Judged]) -> int:
    """How many of the honest pairs with enough common deals are marked, rounded up."""
    honest = [one for one in found if one.pact is None]
    return -(-1000 * sum(one.look for one in honest) // len(honest))


def interval_permille(hits: int, of: int) -> tuple[int, int]:
    """The rates that agree with so many hits at 95 % (Clopper and Pearson), rounded outwards.

    >>> interval_permille(0, 300), interval_permille(45, 48)
    ((0, 13), (828, 987))
    """
    tail = (1 - CERTAIN) / 2
    low, high = 0, 1000
    while hits and _at_least(hits, of, (low + 1) / 1000) < tail:
        low += 1
    while hits < of and 1 - _at_least(hits + 1, of, (high - 1) / 1000) < tail:
        high -= 1
    return low, high


def report(found: Sequence[Judged]) -> Iterator[str]:
    """A table: by look and planted pact how many were found, and how many honest pairs were marked."""
    yield "rounds  pairs                  pairs  common deals  marked  at 95 % in permille  score"
    for rounds, of_look in _grouped(found, lambda one: f"{one.rounds:6}"):
        kinds = [
            *_grouped(of_look, _kind),
            ("stated pacts", [one for one in of_look if one.pact in STATED]),
            ("all honest pairs", [one for one in of_look if one.pact is None]),
        ]
        for kind, group in kinds:
            deals = sum(one.deals for one in group) // len(group)
            marked = sum(one.look for one in group)
            low, high = interval_permille(marked, len(group))
            scores = sorted(one.score_milli / 1000 for one in group)
            score = f"highest {scores[-1]:.1f}" if group[0].pact is None else f"lowest {scores[0]:.1f}"
            yield f"{rounds}  {kind:<21}  {len(group):5}  {deals:12}  {marked:6}  {low:9} to {high:<6}  {score}"


def _at_least(hits: int, of: int, rate: float) -> float:
    """The chance of so many hits or more."""
    return sum(math.comb(of, one) * rate**one * (1 - rate) ** (of - one) for one in range(hits, of + 1))


def _kind(one: Judged) -> str:
    if one.pact is not None:
        return f"{one.pact.strength_permille:4} {'each other' if one.pact.mutual else 'one way'}"
    return "honest companions" if one.companions else "other honest pairs"


def _grouped(found: Sequence[Judged], key: Callable[[Judged], str]) -> Iterator[tuple[str, list[Judged]]]:
    for name, group in groupby(sorted(found, key=key), key=key):
        yield name, list(group)


def _trial(seed: int) -> list[Judged]:
    return list(judged(club(seed)))


def main(words: Sequence[str]) -> None:
    """Play the seeds that are named, or all of the evaluation, on two processes."""
    seeds = [int(word) for word in words] or list(EVALUATION_SEEDS)
    with ProcessPoolExecutor(2) as pool:
        found = [one for club_of_seed in pool.map(_trial, seeds) for one in club_of_seed]
    sys.stdout.write("\n".join(report(found)) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
