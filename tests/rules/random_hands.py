"""Hands for the arranger to be tried on: as dealt, close to complete, full of jokers."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Final

from poolrummy_contracts.cards import PRINTED_JOKER, RANKS, SUITS, Card, wild_rank_of

PLACES: Final = RANKS + "A"
SHAPES: Final = ((3, 3, 3, 4), (4, 3, 3, 3), (3, 4, 3, 3), (5, 4, 4), (4, 5, 4), (5, 5, 3), (3, 5, 5), (4, 4, 5))

Hand = tuple[tuple[Card, ...], str]
"""13 cards and the wild rank."""


def dealt(draw: Random, decks: int) -> Hand:
    """13 cards off a shuffled pack whose top card is turned up."""
    pack, wild = _shuffled(draw, decks)
    return tuple(pack[:13]), wild


def near_complete(draw: Random, decks: int) -> Hand:
    """A hand that could be declared, in which up to three cards were exchanged."""
    while True:
        pack, wild = _shuffled(draw, decks)
        left = Counter(pack)
        hand: list[Card] = []
        for index, size in enumerate(draw.choice(SHAPES)):
            hand += _group(draw, left, wild, size=size, pure=index == 0, sequence=index < 2)
        if Counter(hand) <= left:
            rest = list((left - Counter(hand)).elements())
            for _ in range(draw.randrange(4)):
                mine, other = draw.randrange(13), draw.randrange(len(rest))
                hand[mine], rest[other] = rest[other], hand[mine]
            draw.shuffle(hand)
            return tuple(hand), wild


def jokers(draw: Random, decks: int) -> Hand:
    """Four to eight jokers, printed ones and cards of the wild rank, as far as the pack has them."""
    pack, wild = _shuffled(draw, decks)
    acting = [card for card in pack if card == PRINTED_JOKER or card[0] == wild]
    number = min(draw.randint(4, 8), len(acting))
    others = [card for card in pack if not (card == PRINTED_JOKER or card[0] == wild)]
    hand = acting[:number] + others[: 13 - number]
    draw.shuffle(hand)
    return tuple(hand), wild


KINDS: Final[dict[str, Callable[[Random, int], Hand]]] = {
    "dealt": dealt,
    "near": near_complete,
    "jokers": jokers,
}


def hands(kind: str, number: int, *, seed: int, decks: int = 2) -> list[Hand]:
    """The same hands for the same seed, everywhere."""
    draw = Random(f"{kind} {seed} {decks}")
    return [KINDS[kind](draw, decks) for _ in range(number)]


def _shuffled(draw: Random, decks: int) -> tuple[list[Card], str]:
    pack = [*(Card(rank + suit) for rank in RANKS for suit in SUITS), PRINTED_JOKER] * decks
    draw.shuffle(pack)
    return pack[1:], wild_rank_of(pack[0])


def _group(draw: Random, left: Counter[Card], wild: str, *, size: int, pure: bool, sequence: bool) -> list[Card]:
    """A sequence or a set, some of its cards replaced by jokers where it may be impure."""
    if not sequence and size < 5 and draw.random() < 0.5:
        rank = draw.choice(RANKS)
        group = [Card(rank + suit) for suit in draw.sample(SUITS, size)]
    else:
        suit, first = draw.choice(SUITS), draw.randrange(15 - size)
        group = [Card(rank + suit) for rank in PLACES[first : first + size]]
    acting = [card for card in left if card == PRINTED_JOKER or card[0] == wild]
    return [draw.choice(acting) if not pure and draw.random() < 0.15 else card for card in group]
