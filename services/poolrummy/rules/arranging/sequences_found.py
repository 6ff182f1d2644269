"""Which sequences save what the search has found: the way back through the tables of the suits.

Where several save the same, the first in this order is taken, so that a hand always gets the same groups: the suit of
the pure sequence as S H D C, the fewest jokers in that suit, the longest pure sequence, the lowest; then the fewest
jokers in clubs, in diamonds, in hearts; then in each suit from the lowest card up: a sequence before none, one with
fewer jokers before one with more.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple
from weakref import WeakSet

import msgspec

from poolrummy.rules.arranging.any_jokers import SuitTables, without_lowest
from poolrummy.rules.arranging.fold_any import add
from poolrummy.rules.arranging.search import Keys, Record, Vector
from poolrummy.rules.arranging.windows import LONGEST, PureRun

NOTHING: Final[Vector] = (0,)
KEPT: Final = 32_000
"""When so many suits are kept by all shapes of terms together, all are forgotten: they stay below 10 MB."""


class Line(msgspec.Struct, frozen=True, gc=False):
    """A sequence in places: its first place and its length, its cards that fill their own places, as bits.

    ``jokers`` is the number of joker cards it takes, a wild card that stands for itself among them. It holds numbers
    only and is kept by the ten thousand, so the garbage collector need not walk it: of a named tuple it would.
    """

    first: int
    length: int
    cards: int
    jokers: int
    pure: bool


Lines = tuple[Line, ...]
OfSuits = tuple[Lines, Lines, Lines, Lines]
"""The sequences of each suit, in the order S H D C."""


class Kept(NamedTuple):
    """The tables that the search has used: the vector and the record of a key."""

    vector: Callable[[int], Vector]
    record: Callable[[int], Record]


class Ways:
    """The way back through the tables of one shape; what it finds for a suit is kept from hand to hand."""

    def __init__(self, suits: SuitTables) -> None:
        self.suits = suits
        self.lines: dict[tuple[int, int], Lines] = {}
        self.pure_lines: dict[tuple[int, int, bool], Lines] = {}
        _ALL.add(self)

    def any_lines(self, kept: Kept, keys: Keys, jokers: int, target: int) -> OfSuits:
        """Sequences that save exactly so much with so many jokers."""
        bare = [self.suits.bare(key) for key in keys]
        vectors = [kept.vector(key) for key in bare]
        shares = _shares(vectors, _sums(vectors, jokers), jokers, target)
        s, h, d, c = (self._lines_in(kept, key, share) for key, share in zip(bare, shares, strict=True))
        return s, h, d, c

    def with_pure(
        self, kept: Kept, keys: Keys, jokers: int, target: int, *, second: bool, joker_group: bool
    ) -> tuple[OfSuits, bool]:
        """Sequences with a pure one that save exactly so much; and whether three jokers are the second one.

        With ``second`` there has to be a second sequence.
        """
        records = [kept.record(key) for key in keys]
        for suit, (_, pure, both, heaviest) in enumerate(records):
            if not heaviest:
                continue
            others = [record[0] if at != suit else NOTHING for at, record in enumerate(records)]
            sums = _sums(others, jokers)
            for own in range(jokers + 1):
                left = jokers - own
                other = _at(sums[-1], left)
                with_second = second and not other
                three_jokers = False
                if with_second and _at(both, own) != target and joker_group and left >= 3:
                    with_second, three_jokers = False, True
                if _at(both if with_second else pure, own) + other == target:
                    shares = _shares(others, sums, left, other)
                    shares[suit] = own
                    return self._all_lines(kept, keys, shares, suit, both=with_second), three_jokers
        raise AssertionError("the search found more than the tables can show")

    def heaviest(self, kept: Kept, keys: Keys) -> OfSuits:
        """The pure sequence of most points (rule 8.2); in the order S H D C, then the longest, then the lowest."""
        points = [kept.record(key)[3] for key in keys]
        suit = points.index(max(points))
        runs = [run for run in self.suits.runs(keys[suit]) if run[2] == points[suit]]
        found: list[Lines] = [(), (), (), ()]
        found[suit] = (_line_of(min(runs, key=_shorter)),)
        return found[0], found[1], found[2], found[3]

    def _all_lines(self, kept: Kept, keys: Keys, shares: Sequence[int], suit: int, *, both: bool) -> OfSuits:
        """The sequences of the suit with the pure one, and those of the others, each with its share of the jokers."""
        found = [
            self._pure_lines_in(kept, key, share, both=both) if at == suit else self._lines_in(kept, key, share)
            for at, (key, share) in enumerate(zip(keys, shares, strict=True))
        ]
        return found[0], found[1], found[2], found[3]

    def _pure_lines_in(self, kept: Kept, key: int, jokers: int, *, both: bool) -> Lines:
        """The sequences of one suit, a pure one first, that save the most; with ``both`` a second one among them."""
        known = self.pure_lines.get((key, jokers, both))
        if known is not None:
            return known
        _forget_if_many()
        _, pure, with_second, _ = kept.record(key)
        target = _at(with_second if both else pure, jokers)
        for run in sorted(self.suits.runs(key), key=_shorter):
            cards, length, points, wilds = run
            left = jokers - wilds
            if length > LONGEST or left < 0 or points > target:
                continue
            rest = self.suits.without_run(key, cards)
            saved = _at(kept.vector(rest), left)
            if points + saved == target and (saved or not both):
                found = (_line_of(run), *self._lines_in(kept, rest, left))
                self.pure_lines[key, jokers, both] = found
                return found
        raise AssertionError("the record of a suit says more than its pure sequences save")

    def _lines_in(self, kept: Kept, key: int, jokers: int) -> Lines:
        """The sequences of one suit that save the most with so many jokers."""
        known = self.lines.get((key, jokers))
        if known is not None:
            return known
        _forget_if_many()
        lines: list[Line] = []
        rest, unused = self.suits.bare(key), jokers
        target = _at(kept.vector(rest), jokers)
        while target:
            for step in self.suits.steps(rest):
                left = unused - step.jokers
                if left >= 0 and _at(kept.vector(step.rest), left) + step.points == target:
                    lines.append(Line(step.first, step.length, step.cards, step.jokers, pure=step.jokers == 0))
                    rest, unused, target = step.rest, left, target - step.points
                    break
            else:
                rest = without_lowest(rest)
        found = self.lines[key, jokers] = tuple(lines)
        return found


_ALL: Final[WeakSet[Ways]] = WeakSet()


def _forget_if_many() -> None:
    ways = list(_ALL)
    if sum([len(one.lines) + len(one.pure_lines) for one in ways]) > KEPT:
        for one in ways:
            one.lines.clear()
            one.pure_lines.clear()


def _shorter(run: PureRun) -> int:
    return -run[1]


def _line_of(run: PureRun) -> Line:
    """A pure run as a sequence in places; an ace, noted at both ends, stands high where the king is in the run."""
    cards, length, _, wilds = run
    low = cards & ~1 if cards & 1 and cards >> 24 & 1 else cards
    return Line((low & -low).bit_length() - 1 >> 1, length, cards, wilds, pure=True)


def _shares(vectors: Sequence[Vector], sums: Sequence[Vector], jokers: int, target: int) -> list[int]:
    """How many jokers each suit uses, where together they save the target with as few as possible."""
    shares = [0] * len(vectors)
    if not target:
        return shares
    left = 0
    while _at(sums[-1], left) != target:
        left += 1
    assert left <= jokers, "the target was found with these jokers"
    for suit in range(len(vectors) - 1, 0, -1):
        if not left:
            break
        for own in range(left + 1):
            below = _at(sums[suit - 1], left - own)
            if below + _at(vectors[suit], own) == target:
                shares[suit] = own
                left -= own
                target = below
                break
    shares[0] = left
    return shares


def _sums(vectors: Sequence[Vector], jokers: int) -> list[Vector]:
    """What the first part saves, the first two together, and so on; parts that save nothing cost no time."""
    total: Vector = NOTHING
    sums: list[Vector] = []
    for vector in vectors:
        if vector[-1]:
            total = add(total, vector, jokers) if total[-1] else vector
        sums.append(total)
    return sums


def _at(vector: Vector, jokers: int) -> int:
    """What a vector says for so many jokers; its last entry stands for all beyond."""
    return vector[jokers] if jokers < len(vector) else vector[-1]
