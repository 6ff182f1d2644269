"""Where each card of a shuffled pack goes: hands, wild card, open card, stock (chapter 3).

Only places in the pack are handed out. The faces are looked at for one question alone: which card was turned up.
"""

from collections.abc import Iterator, Sequence

import msgspec

from poolrummy_contracts.cards import PRINTED_JOKER, Card, wild_rank_of
from poolrummy_contracts.terms import Seat, Terms

HAND = 13


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """The places of a pack after the deal; ``hands`` in order of play, ``stock`` with its top first."""

    hands: tuple[tuple[int, ...], ...]
    wild: int
    open: int
    set_aside: tuple[int, ...]
    stock: tuple[int, ...]
    wild_rank: str


def deal_out(terms: Terms, order: Sequence[Seat], faces: Sequence[Card]) -> Layout:
    """Deal from the top, one card at a time in order of play; the terms say when wild and open card are turned."""
    top = iter(range(len(faces)))
    set_aside: tuple[int, ...] = ()
    wild = opened = -1
    hands: tuple[tuple[int, ...], ...] = ()
    for step in _steps(terms):
        match step:
            case "hands":
                hands = _hands(top, len(order))
            case "open":
                opened = _take(top)
            case _:
                wild, set_aside = _turn_up(top, faces, redraw=terms.printed_wild_rule == "redraw")
    return Layout(
        hands=hands,
        wild=wild,
        open=opened,
        set_aside=set_aside,
        stock=tuple(top),
        wild_rank=wild_rank_of(faces[wild]),
    )


def _steps(terms: Terms) -> tuple[str, str, str]:
    if terms.wild_draw_point == "before_deal":
        return "wild", "hands", "open"
    if terms.open_card_point == "before_wild":
        return "hands", "open", "wild"
    return "hands", "wild", "open"


def _hands(top: Iterator[int], seats: int) -> tuple[tuple[int, ...], ...]:
    rounds = [[_take(top) for _ in range(seats)] for _ in range(HAND)]
    return tuple(zip(*rounds, strict=True))


def _turn_up(top: Iterator[int], faces: Sequence[Card], *, redraw: bool) -> tuple[int, tuple[int, ...]]:
    """The wild card, and the printed jokers that were laid aside before it."""
    aside: list[int] = []
    place = _take(top)
    while redraw and faces[place] == PRINTED_JOKER:
        aside.append(place)
        place = _take(top)
    return place, tuple(aside)


def _take(top: Iterator[int]) -> int:
    place = next(top, None)
    assert place is not None, "the pack is too small for these seats"
    return place
