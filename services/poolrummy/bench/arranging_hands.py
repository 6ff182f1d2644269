"""The hands that the arranger is measured on, by chance from a number that repeats them."""

from collections.abc import Callable
from random import Random
from typing import Final

from poolrummy_contracts.cards import PRINTED_JOKER, RANKS, SUITS, Card

Asked = tuple[tuple[Card, ...], str]
"""A hand and the wild rank."""

PACK: Final = [Card(rank + suit) for rank in RANKS for suit in SUITS] * 2 + [PRINTED_JOKER] * 2
PLACES: Final = RANKS + "A"


def dealt(dice: Random, size: int = 13) -> Asked:
    """Dealt at random from two decks, and a card turned up."""
    *hand, wild = dice.sample(PACK, size + 1)
    return tuple(hand), "A" if wild == PRINTED_JOKER else wild[0]


def near_complete(dice: Random) -> Asked:
    """Four groups of natural cards, of which up to two cards were exchanged."""
    left, hand = list(PACK), list[Card]()
    for _ in range(30):
        size = min(dice.randint(3, 5), max(3, 13 - len(hand)))
        if dice.random() < 0.6:
            low, suit = dice.randint(0, 14 - size), dice.choice(SUITS)
            group = [Card(PLACES[place] + suit) for place in range(low, low + size)]
        else:
            rank = dice.choice(RANKS)
            group = [Card(rank + suit) for suit in dice.sample(SUITS, min(size, 4))]
        if all(card in left for card in group) and len(hand) + len(group) <= 13:
            hand += group
            for card in group:
                left.remove(card)
        if len(hand) > 10:
            break
    dice.shuffle(hand)
    hand = hand[dice.randint(0, 2) :]
    hand += dice.sample(left, 13 - len(hand))
    dice.shuffle(hand)
    return tuple(hand), dice.choice(RANKS)


def with_jokers(dice: Random) -> Asked:
    """Four to eight jokers."""
    wild = dice.choice(RANKS)
    jokers = [card for card in PACK if card == PRINTED_JOKER or card[0] == wild]
    others = [card for card in PACK if card != PRINTED_JOKER and card[0] != wild]
    number = dice.randint(4, 8)
    return tuple(dice.sample(jokers, number) + dice.sample(others, 13 - number)), wild


def drawn(dice: Random) -> Asked:
    """Fourteen cards, dealt at random."""
    return dealt(dice, 14)


KINDS: Final[dict[str, Callable[[Random], Asked]]] = {
    "dealt": dealt,
    "near-complete": near_complete,
    "4-8 jokers": with_jokers,
    "14 cards": drawn,
}


def hands(kind: str, number: int) -> list[Asked]:
    """So many hands of a kind, the same ones every time."""
    dice = Random(kind)  # noqa: S311 - hands of a benchmark
    return [KINDS[kind](dice) for _ in range(number)]
