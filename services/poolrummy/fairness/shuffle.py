"""An order of n cards from a stream of draws, each order equally likely (R2)."""

from collections.abc import Iterator
from typing import Final

DRAW_VALUES: Final = 1 << 16


def accepted_below(bound: int) -> int:
    """The largest multiple of the bound that a 16-bit draw can reach: draws from there on are skipped.

    >>> accepted_below(106), accepted_below(256)
    (65508, 65536)
    """
    assert 1 <= bound <= DRAW_VALUES, f"no 16-bit draw decides among {bound}"
    return DRAW_VALUES - DRAW_VALUES % bound


def bounded(bound: int, stream: Iterator[int]) -> int:
    """The next number from 0 to ``bound - 1``; every one has the same number of draws that give it.

    >>> bounded(106, iter([65508, 65535, 213]))
    1
    """
    limit = accepted_below(bound)
    return next(draw for draw in stream if draw < limit) % bound


def order(n: int, stream: Iterator[int]) -> tuple[int, ...]:
    """Where each position's card comes from: Fisher-Yates from the top over 0 … n-1.

    >>> order(4, iter([0, 0, 0]))
    (1, 2, 3, 0)
    """
    places = list(range(n))
    for last in range(n - 1, 0, -1):
        drawn = bounded(last + 1, stream)
        places[last], places[drawn] = places[drawn], places[last]
    return tuple(places)
