"""A hand as one integer, so that one addition packs a card and three shifts find a pure sequence (see ARRANGER.md).

Every suit has fourteen places of two bits, the ace at both ends; a place counts its cards. A suit takes 30 bits, so
an empty place parts it from the next. Above the four suits stand the points of the hand and its number of jokers.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from poolrummy_contracts.cards import PRINTED_JOKER, RANKS, SUITS

PLACES: Final = 14
SUIT_BITS: Final = 30
SHIFTS: Final = (0, 30, 60, 90)
SUIT_MASK: Final = (1 << SUIT_BITS) - 1
ALL_SUITS: Final = (1 << 4 * SUIT_BITS) - 1
SUIT_ONES: Final = sum(1 << 2 * place for place in range(PLACES))
"""The lower bit of each place of a suit."""
ONES: Final = sum(SUIT_ONES << shift for shift in SHIFTS)
LOW_ACES: Final = sum(1 << shift for shift in SHIFTS)
HIGH_ACES: Final = LOW_ACES << 26
HIGH_AND_LOW_ACE: Final = 1 | 1 << 26
RANK_ONES: Final = SUIT_ONES >> 2
"""The lower bit of each rank: the places without the second one of the ace."""
POINTS_SHIFT: Final = 4 * SUIT_BITS
POINTS_MASK: Final = (1 << 10) - 1
JOKERS_SHIFT: Final = POINTS_SHIFT + 10
VALUES: Final = (10, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10)
"""Points of a card by its place (rule 8.1)."""


class Wild(NamedTuple):
    """What the packed form has to know of the wild rank."""

    rank: str
    place: int
    mask: int
    """The bits of the wild rank in one suit."""
    mask_all: int
    tag: int
    """Stands in the key of a suit that holds wild cards: its tables depend on the wild rank."""
    code: Callable[[str], int]
    """The number to add for a card."""


def place_bits(place: int) -> int:
    """One card at a place of a suit; an ace at both of its ends.

    >>> place_bits(0) == 1 | 1 << 26, place_bits(3) == 1 << 6
    (True, True)
    """
    return 1 << 2 * place | (1 << 26 if place == 0 else 0)


def _wild(rank: str) -> Wild:
    place = RANKS.index(rank)
    codes: dict[str, int] = {PRINTED_JOKER: 1 << JOKERS_SHIFT}
    for at, name in enumerate(RANKS):
        worth = 1 << JOKERS_SHIFT if at == place else VALUES[at] << POINTS_SHIFT
        for suit, shift in zip(SUITS, SHIFTS, strict=True):
            codes[name + suit] = place_bits(at) << shift | worth
    mask = 3 * place_bits(place)
    return Wild(
        rank=rank,
        place=place,
        mask=mask,
        mask_all=sum(mask << shift for shift in SHIFTS),
        tag=(place + 1) << SUIT_BITS,
        code=codes.__getitem__,
    )


WILDS: Final = {rank: _wild(rank) for rank in RANKS}
WILDS_BY_NAME: Final = {
    **WILDS,
    **{rank + suit: wild for rank, wild in WILDS.items() for suit in SUITS},
    PRINTED_JOKER: WILDS["A"],
}
"""The same by the card turned up, or its rank; a printed joker makes the aces wild (rule 3.4)."""


def wild_of_tag(key: int) -> Wild | None:
    """The wild rank that stands in the key of a suit, if one does."""
    return WILDS[RANKS[(key >> SUIT_BITS) - 1]] if key >> SUIT_BITS else None
