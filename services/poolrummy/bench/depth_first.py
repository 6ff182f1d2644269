"""The baseline of the arranger: a plain depth-first search for the least points, default terms, nothing remembered.

What most of the public ones do: list the groups that each card can be in, take the first card, leave it or put it into
each of them, and turn back where the points are no better than the best so far.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

from poolrummy_contracts.cards import RANKS, SUITS, Card, card_points

CAP: Final = 80
PLACES: Final = RANKS + "A"


class Choice(NamedTuple):
    """A group by the cards in it that stand for themselves, and the jokers that it needs."""

    mask: int
    jokers: int
    sequence: bool
    pure: bool


def least_points(hand: Sequence[Card], wild: str) -> int:
    """The points of a losing hand under the terms of ``house`` (rules 8.2 and 8.4)."""
    rank = "A" if wild == "JK" else wild[0]
    cards = sorted((card for card in hand if card != "JK"), key=lambda card: -card_points(card, rank))
    worth = [card_points(card, rank) for card in cards]
    plain = sum(value > 0 for value in worth)
    jokers = len(hand) - plain
    choices = _choices(cards, plain, jokers)
    best = sum(worth)
    for choice in choices:
        if choice.pure:
            best = min(best, sum(value for index, value in enumerate(worth) if not choice.mask >> index & 1))

    def go(left: int, jokers: int, sequences: int, points: int, *, pure: bool) -> None:
        nonlocal best
        if points >= best:
            return
        lowest = left & -left
        index = lowest.bit_length() - 1
        if index < 0 or index >= plain:
            if pure and sequences + (jokers >= 3) >= 2:
                best = points
            return
        for choice in by_card[index]:
            rest = choice.jokers + (choice.mask >> plain).bit_count()
            if choice.mask & left == choice.mask and rest <= jokers:
                now = pure or choice.pure
                go(left ^ choice.mask, jokers - rest, sequences + choice.sequence, points, pure=now)
        go(left ^ lowest, jokers, sequences, points + worth[index], pure=pure)

    by_card = [[choice for choice in choices if (choice.mask & -choice.mask) == 1 << index] for index in range(plain)]
    go((1 << len(cards)) - 1, jokers, 0, 0, pure=False)
    return min(best, CAP)


def _choices(cards: Sequence[Card], plain: int, jokers: int) -> list[Choice]:
    """Every group with a card that counts; wild cards, which stand last, may stand for themselves in it."""
    found: set[Choice] = set()
    for kind in SUITS + RANKS:
        inside = [index for index, card in enumerate(cards) if kind in card]
        for size in range(1, len(inside) + 1):
            for chosen in combinations(inside, size):
                lacking = _lacking([cards[index] for index in chosen], in_suit=kind in SUITS)
                if lacking is not None and lacking <= jokers and chosen[0] < plain:
                    mask = sum(1 << index for index in chosen)
                    found.add(Choice(mask, lacking, kind in SUITS, kind in SUITS and not lacking))
    return sorted(found, reverse=True)


def _lacking(cards: Sequence[Card], *, in_suit: bool) -> int | None:
    """How many jokers make a group of these cards; None where none do."""
    size = len(cards)
    if len(set(cards)) < size:
        return None
    if not in_suit:
        return max(0, 3 - size)
    low = [RANKS.index(card[0]) for card in cards]
    high = [place or len(RANKS) for place in low]
    return max(3, min(max(low) - min(low), max(high) - min(high)) + 1) - size
