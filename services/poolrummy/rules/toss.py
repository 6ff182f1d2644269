"""The toss: who draws what, and the order of play that follows from it (rules 2.1 to 2.4)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from poolrummy_contracts.cards import Card
from poolrummy_contracts.events import TossCard
from poolrummy_contracts.terms import Seat

_RANKS_UP: Final = "23456789TJQKA"
_SUITS_UP: Final = "CDHS"

Drawn = dict[Seat, tuple[Card, ...]]


def draw(faces: Sequence[Card], seats: Sequence[Seat]) -> tuple[tuple[TossCard, ...], ...]:
    """Round after round, until no two seats hold the same cards (rules 2.1 and 2.3).

    Only the seats that drew the same card draw again, in seat order, from where the pack stands.

    >>> pack = [Card("KD"), Card("KD"), Card("9S"), Card("2C"), Card("3C")]
    >>> [[(one.seat, one.card) for one in cards] for cards in draw(pack, [Seat(1), Seat(2), Seat(3)])]
    [[(1, 'KD'), (2, 'KD'), (3, '9S')], [(1, '2C'), (2, '3C')]]
    """
    pack = iter(faces)
    drawn: Drawn = dict.fromkeys(seats, ())
    rounds: list[tuple[TossCard, ...]] = []
    while tied := _tied(drawn):
        cards = tuple(TossCard(seat=seat, card=_next(pack)) for seat in tied)
        drawn.update({one.seat: (*drawn[one.seat], one.card) for one in cards})
        rounds.append(cards)
    return tuple(rounds)


def order_of_play(
    rounds: Sequence[Sequence[TossCard]], seats: Sequence[Seat], toss_orders: Literal["all", "first"]
) -> tuple[Seat, ...]:
    """The order of play: by descending card, or round the table from the highest card (rule 2.4).

    >>> cards = [TossCard(seat=Seat(n), card=Card(c)) for n, c in ((1, "TS"), (2, "KD"), (3, "KH"))]
    >>> order_of_play([cards], [Seat(1), Seat(2), Seat(3)], "all")
    (3, 2, 1)
    >>> order_of_play([cards], [Seat(1), Seat(2), Seat(3)], "first")
    (3, 1, 2)
    """
    drawn: Drawn = dict.fromkeys(sorted(seats), ())
    for cards in rounds:
        drawn.update({one.seat: (*drawn[one.seat], one.card) for one in cards})
    best_first = sorted(drawn, key=lambda seat: [strength(card) for card in drawn[seat]], reverse=True)
    if toss_orders == "all":
        return tuple(best_first)
    table = tuple(drawn)
    first = table.index(best_first[0])
    return table[first:] + table[:first]


def strength(card: Card) -> tuple[int, int]:
    """How high a card is in the toss: ace high, equal ranks by spades, hearts, diamonds, clubs (rule 2.2)."""
    return _RANKS_UP.index(card[0]), _SUITS_UP.index(card[1])


def _tied(drawn: Drawn) -> list[Seat]:
    # Before the first round nobody holds anything, so that everybody is tied, a lone seat included.
    held = Counter(drawn.values())
    return sorted(seat for seat, cards in drawn.items() if held[cards] > 1 or not cards)


def _next(pack: Iterator[Card]) -> Card:
    card = next(pack, None)
    assert card is not None, "the toss pack is too small for these seats"
    return card
