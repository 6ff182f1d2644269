"""What two cards have to do with each other: a coarse measure, the same for every player whose hand is known."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from poolrummy.rules.arranger import arrange
from poolrummy.rules.meld_rules import MeldRules, is_joker
from poolrummy_contracts.cards import RANKS, Card

_SUITS: Final = "SHDC"
_LINE: Final = RANKS + RANKS[:1]
"""The ranks as they stand in a suit: the ace below the two, and above the king."""


def tied(card: Card, other: Card) -> bool:
    """Whether the two could lie in one group: another suit of the rank, or at most two apart in the suit.

    >>> [tied(Card("7H"), Card(other)) for other in ("9H", "TH", "7S", "7H", "JK")]
    [True, False, True, False, False]
    """
    return other in _TIED[card]


def ties(card: Card, hand: Sequence[Card]) -> int:
    """How many different cards of the hand it is tied to."""
    return len(_TIED[card].intersection(hand))


def gives_up(card: Card, rest: Sequence[Card], wild: str) -> bool:
    """Whether a discard was tied to the rest while a card without any tie stayed: seldom good for the own hand."""
    if is_joker(card, wild) or not ties(card, rest):
        return False
    held = {card, *rest}
    return any(not is_joker(other, wild) and held.isdisjoint(_TIED[other]) for other in rest)


def fits(card: Card, hand: Sequence[Card]) -> bool:
    """Whether the card completes three in a suit, or three suits of a rank, with cards of this hand."""
    return card not in hand and any(one in hand and other in hand for one, other in _COMPLETES[card])


def could_show(hand: Sequence[Card], wild: str, rules: MeldRules) -> bool:
    """Whether these 13 cards can be shown (rule 6.2); the arranger is asked only where it may say yes."""
    jokers = sum(1 for card in hand if is_joker(card, wild))
    loose = sum(1 for card in hand if not is_joker(card, wild) and not ties(card, hand))
    return loose <= jokers and arrange(hand, wild, rules).declarable


def _runs(card: Card) -> list[set[Card]]:
    """Every three in the suit that the card is part of."""
    lines = [{Card(rank + card[1]) for rank in _LINE[at : at + 3]} for at in range(len(_LINE) - 2)]
    return [line for line in lines if card in line]


def _sets(card: Card) -> list[set[Card]]:
    """Every three suits of the rank that the card is part of."""
    return [{card, Card(card[0] + one), Card(card[0] + other)} for one, other in combinations(_others(card), 2)]


def _others(card: Card) -> str:
    return _SUITS.replace(card[1], "")


_CARDS: Final = tuple(Card(rank + suit) for rank in RANKS for suit in _SUITS)
_TIED: Final = {card: frozenset[Card]().union(*_runs(card), *_sets(card)) - {card} for card in _CARDS} | {
    Card("JK"): frozenset[Card]()
}
_COMPLETES: Final = {
    card: tuple((one, other) for group in (*_runs(card), *_sets(card)) for one, other in [sorted(group - {card})])
    for card in _CARDS
} | {Card("JK"): ()}
