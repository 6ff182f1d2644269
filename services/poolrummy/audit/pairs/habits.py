"""What two players do when the other one has no part in it: the usual rate of a chance, and how sure it is.

A player's own rate is drawn towards everybody's, the more the less is known of the player, and the more alike all
players are in this: how alike they are is read from the same sums.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple

from poolrummy.audit.pairs.signals import BY_NAME, Signal
from poolrummy.audit.pairs.sums import PairSums, Person, Tallies, Tally, signal_of

Side = Literal["giver", "taker"]

FLOOR: Final = 0.002
"""No rate is taken to be nearer to 0 or 1: what was never seen is not impossible."""

PRIOR: Final = 30.0
"""The weight of everybody's rate in a player's own, in chances, where too few players say how alike they are."""

PRIOR_MIN: Final = 10.0
PRIOR_MAX: Final = 600.0
PLAYERS_MIN: Final = 10


class Usual(NamedTuple):
    """The rate to be expected between two players, and the variance of the logarithm of its odds."""

    rate: float
    variance: float


class Habits:
    """The rates of everybody, and of each player apart from a partner."""

    def __init__(self, sums: PairSums) -> None:
        self._people = sums.people
        self._all: dict[str, Tally] = {}
        of_players: dict[tuple[Side, str], list[Tally]] = {}
        for person in sums.people.values():
            for side, key, tally in _sides(person):
                # A chance with two sides stands in the habits of both; it counts once.
                if side == "giver" or BY_NAME[signal_of(key)].base == "taker":
                    self._all.setdefault(key, Tally()).add(tally.n, tally.k)
                of_players.setdefault((side, key), []).append(tally)
        self._weights = {where: likeness(tallies) for where, tallies in of_players.items()}

    def usual(self, signal: Signal, key: str, pair: Tally, *, giver: str, taker: str) -> Usual:
        """What was to be expected between these two, of whose chances ``pair`` are their own."""
        overall = bounded(self._all[key].k / self._all[key].n) if key in self._all else 0.5
        rate_odds, variance = odds(overall), 0.0
        sides: Mapping[Side, Tallies] = {"giver": self._people[giver].gives, "taker": self._people[taker].takes}
        for side, habits in sides.items():
            if signal.base not in {side, "both"}:
                continue
            weight = self._weights.get((side, key), PRIOR)
            apart = habits.get(key, Tally())
            n, k = apart.n - pair.n, apart.k - pair.k
            rate = bounded((k + weight * overall) / (n + weight))
            rate_odds *= odds(rate) / odds(overall)
            variance += 1 / ((n + weight) * rate * (1 - rate))
        return Usual(bounded(rate_odds / (1 + rate_odds)), variance)


def likeness(players: Iterable[Tally]) -> float:
    """How many chances everybody's rate weighs in a player's own: the more, the less players differ in it.

    By the method of moments: what the rates scatter beyond chance is the difference of the players.
    """
    seen = [one for one in players if one.n]
    n, k = sum(one.n for one in seen), sum(one.k for one in seen)
    if len(seen) < PLAYERS_MIN or k in {0, n}:
        return PRIOR
    rate = k / n
    scatter = sum(one.n * (one.k / one.n - rate) ** 2 for one in seen) - (len(seen) - 1) * rate * (1 - rate)
    between = scatter / (n - sum(one.n**2 for one in seen) / n)
    if between <= 0:
        return PRIOR_MAX
    return min(max(rate * (1 - rate) / between - 1, PRIOR_MIN), PRIOR_MAX)


def bounded(rate: float) -> float:
    """The rate, away from 0 and 1."""
    return min(max(rate, FLOOR), 1 - FLOOR)


def odds(rate: float) -> float:
    """The odds of a rate."""
    return rate / (1 - rate)


def _sides(person: Person) -> Iterable[tuple[Side, str, Tally]]:
    for key, tally in person.gives.items():
        yield "giver", key, tally
    for key, tally in person.takes.items():
        yield "taker", key, tally
