"""What each of the 14 possible discards leaves (rules 6.2, 8.2)."""

from collections.abc import Sequence

import msgspec

from poolrummy.rules.arranger import arrange
from poolrummy.rules.meld_rules import HOUSE, MeldRules
from poolrummy_contracts.cards import Card


class Discard(msgspec.Struct, frozen=True, kw_only=True):
    """One possible discard: the points of the 13 cards that stay, and whether they can be shown."""

    card: Card
    raw: int
    points: int
    allows_show: bool


def best_discard(hand: Sequence[Card], wild: str, rules: MeldRules = HOUSE) -> tuple[Discard, ...]:
    """For each of the 14 cards, in the order of the hand, what is left without it (rule 8.2)."""
    known: dict[Card, Discard] = {}
    for index, card in enumerate(hand):
        if card not in known:
            left = arrange((*hand[:index], *hand[index + 1 :]), wild, rules)
            known[card] = Discard(card=card, raw=left.raw, points=left.points, allows_show=left.declarable)
    return tuple(known[card] for card in hand)
