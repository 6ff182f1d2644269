"""What one suit can save with any number of jokers, under any terms: the general tables of the arranger.

The entry of a suit is a vector: the points that its sequences save with 0, 1, 2 … jokers, cut where more jokers save no
more. Where the terms limit the jokers of a group, a wild card in its own place is not counted against the limit
(rule 5.7); then the wild cards of a suit stay in its key, and using one in its place still uses up one joker.
"""

# ruff: noqa: PLR1730 -- a call of max() costs three times the comparison, here where it counts

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from weakref import WeakSet

from poolrummy.rules.arranging.packed import PLACES, SUIT_MASK, SUIT_ONES, Wild, place_bits, wild_of_tag
from poolrummy.rules.arranging.search import NEVER, Record, Vector
from poolrummy.rules.arranging.windows import (
    LOCAL_ONES,
    LOCAL_PAIRS,
    LONGEST,
    PureRun,
    counted_windows,
    pure_runs,
    windows_up_to,
)

KEPT_VECTORS: Final = 48_000
KEPT_RECORDS: Final = 24_000
"""When so many are kept by all tables together, all are forgotten: they stay below 20 MB."""


class Step(NamedTuple):
    """One sequence that takes the lowest card of a suit: jokers it uses, the key that is left, points it saves.

    ``cards`` are its cards that are no jokers; it takes ``length`` places from ``first`` on.
    """

    jokers: int
    rest: int
    points: int
    cards: int
    first: int
    length: int


class SuitTables:
    """The tables for terms of one shape: longest sequence, most jokers in a group, purity of wild cards."""

    def __init__(self, *, longest: int, most_jokers: int, wild_pure: bool) -> None:
        self.longest = longest
        self.most_jokers = most_jokers
        self.limited = most_jokers < 3
        """Whether jokers are counted. From three on no window is cut out: none of five places takes more."""
        self.wild_pure = wild_pure
        self.vectors: dict[int, Vector] = {0: (0,)}
        self.records: dict[int, Record] = {0: ((0,), (NEVER,), (NEVER,), 0)}
        _ALL.add(self)
        self._paired = windows_up_to(longest, most_jokers, every=True)
        limits = self.limited or longest < LONGEST
        self._singles = self._paired if limits else windows_up_to(longest, most_jokers, every=False)

    def vector(self, key: int) -> Vector:
        """The points that the sequences of this suit save with 0, 1, 2 … jokers."""
        known = self.vectors.get(key)
        if known is not None:
            return known
        wild = wild_of_tag(key)
        plain = key if wild is None else key & SUIT_MASK & ~wild.mask
        if wild is not None and not self._in_reach(plain, wild):
            return self.vector(plain)
        place = (plain & -plain).bit_length() - 1 >> 1
        best = list(self.vector(key - (1 << 2 * place)))
        if wild is None:
            vectors = self.vectors
            near = key >> 2 * place
            windows = self._paired if near & LOCAL_PAIRS else self._singles
            for jokers, cards, points in windows[place][(near | near >> 1) & LOCAL_ONES]:
                rest = key - cards
                _improve(best, vectors.get(rest) or self.vector(rest), jokers, points)
        else:
            for step in self._counted_steps(key, plain, place, wild):
                _improve(best, self.vector(step.rest), step.jokers, step.points)
        found = self.vectors[key] = _cut(best)
        return found

    def _in_reach(self, plain: int, wild: Wild) -> bool:
        """Whether a wild card in its place can help a sequence of these cards to keep the limit of jokers.

        With a limit of two it must lie between cards; with a limit of one it may lie two places beside them.
        """
        if not plain:
            return False
        beside = 2 if self.most_jokers == 1 else -1
        low = ((plain & -plain).bit_length() - 1 >> 1) - beside
        high = (plain.bit_length() - 1 >> 1) + beside
        return low <= wild.place <= high or (wild.place == 0 and low <= PLACES - 1 <= high)

    def bare(self, key: int) -> int:
        """The key under which the vector of a suit is kept: without its wild cards where jokers are not counted."""
        return key if self.limited else plain_of(key)

    def steps(self, key: int) -> Iterator[Step]:
        """Every sequence that can take the lowest card that is no joker (rules 5.1, 5.3, 5.7, 5.8)."""
        place = lowest(key)
        wild = wild_of_tag(key)
        if wild is not None:
            yield from self._counted_steps(key, plain_of(key), place, wild)
            return
        near = key >> 2 * place
        windows = self._paired if near & LOCAL_PAIRS else self._singles
        for jokers, cards, points in windows[place][(near | near >> 1) & LOCAL_ONES]:
            # An ace that stands low is noted at both ends.
            length = jokers + cards.bit_count() - (cards & 1)
            yield Step(jokers, key - cards, points, cards, min(place, PLACES - length), length)

    def _counted_steps(self, key: int, plain: int, place: int, wild: Wild) -> Iterator[Step]:
        """The same where jokers are counted and the suit holds a wild card that may stand for itself."""
        near = plain >> 2 * place
        pattern = (near | near >> 1) & LOCAL_ONES
        longest = min(self.longest, LONGEST)
        for window in counted_windows(place, pattern, wild.place, longest, self.most_jokers):
            rest = key - window.cards
            if window.own:
                rest = _with_tag_if_wild(rest - place_bits(wild.place))
            yield Step(window.jokers, rest, window.points, window.cards, window.first, window.length)

    def record(self, key: int) -> Record:
        """What the suit of this key saves, and what it can do for the two sequences that a show needs."""
        kept = list(_ALL)
        if (
            sum([len(tables.vectors) for tables in kept]) > KEPT_VECTORS
            or sum([len(tables.records) for tables in kept]) > KEPT_RECORDS
        ):
            forget_all()
        any_way = self.vector(self.bare(key))
        pure: list[int] = [NEVER]
        both: list[int] = [NEVER]
        heaviest = 0
        for cards, length, points, wilds in self.runs(key):
            if points > heaviest:
                heaviest = points
            if length <= LONGEST:
                saved = self.vector(self.without_run(key, cards))
                _improve(pure, saved, wilds, points)
                # Without a point saved there is no second sequence in this suit.
                _improve(both, [more or NEVER for more in saved], wilds, points)
        found = self.records[key] = (any_way, _cut(pure), _cut(both), heaviest)
        return found

    def kept_record(self, key: int) -> Record:
        """The record of a key, from the table where it is there."""
        return self.records.get(key) or self.record(key)

    def runs(self, key: int) -> list[PureRun]:
        """Every pure sequence of a suit, lowest first, then shortest (rules 5.2 and 5.8)."""
        wild = wild_of_tag(key)
        seen = key & SUIT_MASK if wild is None or self.wild_pure else plain_of(key)
        present = (seen | seen >> 1) & SUIT_ONES
        if not present & present >> 2 & present >> 4:
            return []
        runs = pure_runs(present, -1 if wild is None else wild.place)
        return runs if self.longest >= PLACES - 1 else [run for run in runs if run[1] <= self.longest]

    def without_run(self, key: int, cards: int) -> int:
        """The key of the vector for what is left without a pure sequence."""
        if not self.limited:
            wild = wild_of_tag(key)
            return key - cards if wild is None else plain_of(key) - (cards & ~wild.mask)
        return _with_tag_if_wild(key - cards)

    def forget(self) -> None:
        """Empty the tables."""
        self.vectors.clear()
        self.vectors[0] = (0,)
        self.records.clear()
        self.records[0] = ((0,), (NEVER,), (NEVER,), 0)


_ALL: Final[WeakSet[SuitTables]] = WeakSet()
"""The tables of all shapes of terms that are in use: they share what may be kept."""


def forget_all() -> None:
    """Empty the tables of all shapes of terms."""
    for tables in list(_ALL):
        tables.forget()


def plain_of(key: int) -> int:
    """A key without its wild cards."""
    wild = wild_of_tag(key)
    return key if wild is None else key & SUIT_MASK & ~wild.mask


def _with_tag_if_wild(key: int) -> int:
    """The key without its tag where the last wild card has left the suit."""
    wild = wild_of_tag(key)
    return key if wild is None or key & wild.mask else key & SUIT_MASK


def lowest(key: int) -> int:
    """The lowest place of a suit that holds a card that is no joker."""
    plain = plain_of(key)
    return (plain & -plain).bit_length() - 1 >> 1


def without_lowest(key: int) -> int:
    """The key without one card of its lowest place; an ace may still stand above the king."""
    return key - (1 << 2 * lowest(key))


def _improve(best: list[int], saved: Sequence[int], jokers: int, points: int) -> None:
    """Take over what is better with a sequence of so many jokers and points beside what the rest saves."""
    end = len(best)
    for more in saved:
        if jokers < end:
            if more + points > best[jokers]:
                best[jokers] = more + points
        else:
            # Further jokers add to the end; the numbers between are filled by what fewer jokers save.
            while len(best) < jokers:
                best.append(best[-1])
            best.append(max(best[-1], more + points))
        jokers += 1


def _cut(vector: list[int]) -> Vector:
    """The vector as it rises, without the end where it rises no more."""
    best = vector[0]
    last = 0
    for index, points in enumerate(vector):
        if points > best:
            best = points
            last = index
        else:
            vector[index] = best
    del vector[last + 1 :]
    return tuple(vector)
