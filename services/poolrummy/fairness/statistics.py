"""The seven tests that laboratories ask for, on final output: whole orders of a pack (R6).

Orders are permutations of the cards by number, so that each test has an exact distribution to be held against:
chi-square over position x card (the two fixed margins take (n-1)^2 degrees of freedom), and the same over the order of
one deal as seen from the next.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

import msgspec

LEVEL: Final = 0.99
Order = Sequence[int]
_PROBES: Final = (0, 1, 13, 26, 39, 52, 78, 105)
"""Positions that the tests over single positions look at."""
_SYMBOLS: Final = 8
_TOP: Final = 3
"""Cards from the top that the test for duplicates compares."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """A test: its figure, how improbable that is in either direction, and whether it passes at 99 %."""

    name: str
    figure: float
    p: float
    passed: bool


def seven_tests(orders: Iterable[Order], n: int) -> list[Outcome]:
    """All seven over these orders of ``n`` cards, in one pass."""
    counting = _Counting(n)
    for order in orders:
        counting.take(order)
    return counting.outcomes()


class _Counting:
    def __init__(self, n: int) -> None:
        self.n = n
        self.deals = 0
        self.cells = [0] * (n * n)
        self.relative = [0] * (n * n)
        self.tops: Counter[tuple[int, ...]] = Counter()
        self.columns: list[list[int]] = [[] for _ in _PROBES]
        self._before: Order | None = None

    def take(self, order: Order) -> None:
        n, cells = self.n, self.cells
        self.deals += 1
        for base, card in zip(range(0, n * n, n), order, strict=True):
            cells[base + card] += 1
        if self._before is not None:
            relative = self.relative
            for card, now in zip(self._before, order, strict=True):
                relative[card * n + now] += 1
        self._before = order
        self.tops[tuple(order[:_TOP])] += 1
        for column, place in zip(self.columns, _PROBES, strict=True):
            column.append(order[min(place, n - 1)])

    def outcomes(self) -> list[Outcome]:
        return [
            self._chi_square("chi-square", self.cells, self.deals),
            self._chi_square("overlaps", self.relative, self.deals - 1),
            self._coupons(),
            self._runs(),
            self._interplay(),
            self._serial(),
            self._duplicates(),
        ]

    def _chi_square(self, name: str, cells: Sequence[int], deals: int) -> Outcome:
        """Position x card; and card of one deal x card at the same position of the next (overlapping pairs)."""
        n = self.n
        expected = deals / n
        square = sum((count - expected) ** 2 for count in cells) / expected * (n - 1) / n
        return _of_square(name, square, (n - 1) ** 2)

    def _coupons(self) -> Outcome:
        """How many deals it takes at a position until each of eight symbols has been seen."""
        lengths = [length for column in self.columns for length in _sets(column, self.n // _SYMBOLS * _SYMBOLS)]
        mean = sum(_SYMBOLS / left for left in range(1, _SYMBOLS + 1))
        variance = sum(_SYMBOLS * (_SYMBOLS - left) / left**2 for left in range(1, _SYMBOLS + 1))
        if not lengths:
            return _of_z("coupon collector", 0.0)
        z = (sum(lengths) / len(lengths) - mean) / math.sqrt(variance / len(lengths))
        return _of_z("coupon collector", z)

    def _runs(self) -> Outcome:
        """Runs above and below the middle at a position, deal after deal."""
        square = 0.0
        for column in self.columns:
            runs = 1 + sum((left < self.n // 2) != (right < self.n // 2) for left, right in pairwise(column))
            changes = len(column) - 1
            square += (runs - 1 - changes / 2) ** 2 / (changes / 4)
        return _of_square("runs", square, len(self.columns))

    def _interplay(self) -> Outcome:
        """Correlation of two positions of one deal: without replacement it is -1/(n-1), and nothing else."""
        pairs = list(pairwise(self.columns))
        return self._correlated("interplay correlation", pairs, -1 / (self.n - 1))

    def _serial(self) -> Outcome:
        """Correlation of a position with itself in the next deal."""
        return self._correlated("serial correlation", [(column[:-1], column[1:]) for column in self.columns], 0.0)

    def _correlated(self, name: str, pairs: Sequence[tuple[Sequence[int], Sequence[int]]], expected: float) -> Outcome:
        middle, variance = (self.n - 1) / 2, (self.n**2 - 1) / 12
        square = 0.0
        for left, right in pairs:
            product = sum((a - middle) * (b - middle) for a, b in zip(left, right, strict=True))
            square += (product / len(left) / variance - expected) ** 2 * len(left)
        return _of_square(name, square, len(pairs))

    def _duplicates(self) -> Outcome:
        """Pairs of deals that begin with the same three cards."""
        possible = math.perm(self.n, _TOP)
        found = sum(count * (count - 1) // 2 for count in self.tops.values())
        expected = self.deals * (self.deals - 1) / 2 / possible
        return _of_z("duplicates", (found - expected) / math.sqrt(expected * (1 - 1 / possible)))


def position_by_face(counts: Sequence[Sequence[int]], copies: Sequence[int]) -> float:
    """How far position x face is from even, in standard deviations, where a pack holds several copies of a face.

    ``counts`` holds a row for each position, ``copies`` how often each face lies in the pack.
    """
    n, packs = len(counts), sum(counts[0]) if counts else 0
    if not packs or n < 2 or len(copies) < 2:
        return 0.0
    square = sum(
        (count - packs * copy / n) ** 2 / (packs * copy / n)
        for row in counts
        for count, copy in zip(row, copies, strict=True)
    )
    free = (n - 1) * (len(copies) - 1)
    return (square * (n - 1) / n - free) / math.sqrt(2 * free)


def chi_square_p(square: float, free: int) -> float:
    """How probable a figure this large is: Wilson and Hilferty's cube root, good to some 0.001 where it matters.

    >>> round(chi_square_p(20.09, 8), 2), round(chi_square_p(11311.0, 11025), 2)
    (0.01, 0.03)
    """
    spread = 2 / (9 * free)
    return _upper(((square / free) ** (1 / 3) - (1 - spread)) / math.sqrt(spread))


def _sets(column: Sequence[int], usable: int) -> Iterator[int]:
    """How many draws each complete set of symbols took; cards that give no symbol are passed over."""
    seen: set[int] = set()
    length = 0
    for card in column:
        if card >= usable:
            continue
        length += 1
        seen.add(card % _SYMBOLS)
        if len(seen) == _SYMBOLS:
            yield length
            seen.clear()
            length = 0


def _of_square(name: str, square: float, free: int) -> Outcome:
    return _outcome(name, square, chi_square_p(square, free))


def _of_z(name: str, z: float) -> Outcome:
    return _outcome(name, z, _upper(z))


def _outcome(name: str, figure: float, upper: float) -> Outcome:
    p = 2 * min(upper, 1 - upper)
    return Outcome(name=name, figure=round(figure, 4), p=round(p, 6), passed=p >= 1 - LEVEL)


def _upper(z: float) -> float:
    return math.erfc(z / math.sqrt(2)) / 2
