"""What two cards have to do with each other: a coarse measure, the same for every player whose hand is known."""

from collections.abc import Sequence
from typing import Final

from poolrummy.rules.arranger import arrange
from poolrummy.rules.meld_rules import MeldRules, is_joker
from poolrummy_contracts.cards import RANKS, Card

_RANK: Final = {rank: place for place, rank in enumerate(RANKS)}


def tied(card: Card, other: Card) -> bool:
    """Whether the two could lie in one group: another suit of the rank, or at most two apart in the suit.

    >>> [tied(Card("7H"), Card(other)) for other in ("9H", "TH", "7S", "7H", "JK")]
    [True, False, True, False, False]
    """
    if "JK" in (card, other):
        return False
    if card[0] == other[0]:
        return card[1] != other[1]
    return card[1] == other[1] and 0 < _apart(card, other) <= 2


def ties(card: Card, hand: Sequence[Card]) -> int:
    """How many different cards of the hand it is tied to."""
    return len({other for other in hand if tied(card, other)})


def gives_up(card: Card, rest: Sequence[Card], wild: str) -> bool:
    """Whether a discard was tied to the rest while a card without any tie stayed: seldom good for the own hand."""
    if is_joker(card, wild) or not ties(card, rest):
        return False
    return any(not is_joker(other, wild) and not ties(other, (*rest, card)) for other in rest)


def fits(card: Card, hand: Sequence[Card]) -> bool:
    """Whether the card completes three in a suit, or three suits of a rank, with cards of this hand."""
    if card in hand or card == "JK":
        return False
    if len({other[1] for other in hand if other != "JK" and other[0] == card[0]}) >= 2:
        return True
    steps = {_step(card, other) for other in hand if other != "JK" and other[1] == card[1]}
    steps |= {_step(card, other, ace_high=True) for other in hand if other != "JK" and other[1] == card[1]}
    return any({low, high} <= steps for low, high in ((-2, -1), (-1, 1), (1, 2)))


def could_show(hand: Sequence[Card], wild: str, rules: MeldRules) -> bool:
    """Whether these 13 cards can be shown (rule 6.2); the arranger is asked only where it may say yes."""
    jokers = sum(1 for card in hand if is_joker(card, wild))
    loose = sum(1 for card in hand if not is_joker(card, wild) and not ties(card, hand))
    return loose <= jokers and arrange(hand, wild, rules).declarable


def _apart(card: Card, other: Card) -> int:
    return min(abs(_step(card, other)), abs(_step(card, other, ace_high=True)))


def _step(card: Card, other: Card, *, ace_high: bool = False) -> int:
    """From the card to the other one in the suit; an ace stands below the two, or above the king."""
    here, there = (13 if ace_high and one[0] == "A" else _RANK[one[0]] for one in (card, other))
    return there - here
