"""A feeling for a hand, in microseconds: which cards belong together, and how far the hand is from a show.

It is a rule of thumb, so that a robot does not ask the arranger before it may help; what may be shown, and what a
hand counts, the arranger alone says.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from poolrummy.rules.meld_rules import is_joker
from poolrummy_contracts.cards import POINTS, RANKS, Card

JOKER: Final = 1000
IN_RUN: Final = 200
IN_SET: Final = 120
NEXT: Final = 30
ONE_APART: Final = 18
PAIR: Final = 22
GROUPED: Final = 100
"""A card worth at least this lies in a run or a set already."""

_RANK: Final = {rank: place for place, rank in enumerate(RANKS)}


class Sense(msgspec.Struct, frozen=True, kw_only=True):
    """What a hand feels like: the worth of each card in the order of the hand, jokers, loose cards, a pure run."""

    worth: tuple[int, ...]
    jokers: int
    loose: int
    has_run: bool

    @property
    def near_show(self) -> bool:
        """Whether it is worth asking the arranger: each joker may tie two loose cards, one card is laid off."""
        return self.has_run and self.loose <= 2 * self.jokers + 2


def sense(hand: Sequence[Card], wild: str) -> Sense:
    """The feeling for these cards; ``wild`` is the wild rank.

    >>> sense((Card("7H"), Card("8H"), Card("9H"), Card("KD"), Card("JK")), "2").worth
    (223, 222, 221, -10, 1000)
    """
    lines = _lines(hand)
    suits: dict[str, set[str]] = {}
    for card in hand:
        suits.setdefault(card[0], set()).add(card[1])
    worth: list[int] = []
    seen: set[Card] = set()
    jokers = loose = 0
    has_run = False
    for card in hand:
        run = 0 if card == "JK" else _run(lines[card[1]], _RANK[card[0]])
        has_run |= run >= 3
        if is_joker(card, wild):
            jokers += 1
            worth.append(JOKER)
            continue
        others = len(suits[card[0]]) - 1
        value = 0 if card in seen else _in_line(lines[card[1]], _RANK[card[0]], run)
        value += IN_SET if others >= 2 else PAIR * others
        seen.add(card)
        loose += value < GROUPED
        worth.append(value - POINTS[card[0]])
    return Sense(worth=tuple(worth), jokers=jokers, loose=loose, has_run=has_run)


def promise(hand: Sequence[Card], wild: str) -> int:
    """How much there is in a dealt hand, for the choice to play or to drop: jokers, runs, and cards that touch.

    >>> promise((Card("2S"), Card("9H"), Card("KD")), "5"), promise((Card("2S"), Card("3S"), Card("4S")), "5")
    (0, 120)
    """
    felt = sense(hand, wild)
    touching = sum(1 for value in felt.worth if NEXT - 10 <= value < GROUPED)
    return felt.jokers * 30 + felt.has_run * 60 + (len(hand) - felt.jokers - felt.loose) * 20 + touching * 5


def makes_run(card: Card, hand: Sequence[Card]) -> bool:
    """Whether the card completes or lengthens a pure run."""
    return card not in hand and _run(_lines((*hand, card))[card[1]], _RANK[card[0]]) >= 3


def makes_set(card: Card, hand: Sequence[Card]) -> bool:
    """Whether the card makes the third or fourth suit of its rank."""
    suits = {held[1] for held in hand if held[0] == card[0]}
    return card[1] not in suits and len(suits) >= 2


def _lines(hand: Sequence[Card]) -> dict[str, list[bool]]:
    """Per suit the fourteen places, the ace at both ends."""
    lines = {suit: [False] * 14 for suit in "SHDC"}
    for card in hand:
        if card != "JK":
            lines[card[1]][_RANK[card[0]]] = True
    for line in lines.values():
        line[13] = line[0]
    return lines


def _run(line: list[bool], place: int) -> int:
    """Length of the longest unbroken run through this place."""
    longest = 0
    for start in (0, 13) if place == 0 else (place,):
        low = high = start
        while low > 0 and line[low - 1]:
            low -= 1
        while high < 13 and line[high + 1]:
            high += 1
        longest = max(longest, high - low + 1)
    return longest


def _in_line(line: list[bool], place: int, run: int) -> int:
    if run >= 3:
        return IN_RUN + NEXT
    value = 0
    for start in (0, 13) if place == 0 else (place,):
        for step in (-1, 1):
            near, far = start + step, start + 2 * step
            if 0 <= near <= 13 and line[near]:
                value = max(value, NEXT)
            elif 0 <= far <= 13 and line[far]:
                value = max(value, ONE_APART)
    return value
