"""What each of the 14 possible discards leaves (rules 6.2, 8.2)."""

from collections.abc import Sequence

import msgspec

from poolrummy.rules.arranger import arrange, outcome
from poolrummy.rules.arranging.packed import WILDS_BY_NAME
from poolrummy.rules.meld_rules import HOUSE, MeldRules
from poolrummy_contracts.cards import Card, card_points


class Discard(msgspec.Struct, frozen=True, kw_only=True):
    """One possible discard: the points of the 13 cards that stay, and whether they can be shown."""

    card: Card
    raw: int
    points: int
    allows_show: bool


def best_discard(hand: Sequence[Card], wild: str, rules: MeldRules = HOUSE) -> tuple[Discard, ...]:
    """For each of the 14 cards, in the order of the hand, what is left without it (rule 8.2)."""
    joker = WILDS_BY_NAME[wild]
    code = sum(map(joker.code, hand))
    best = arrange(hand, wild, rules)
    # A card that the best arrangement of all 14 leaves over is missed by nobody: what is left is the same without it.
    # (If 13 cards counted less, they and this card laid beside them would count less than the best arrangement.)
    loose = set(best.leftover) if best.groups or rules.no_pure_count == "sum_capped" else set[Card]()
    known: dict[Card, Discard] = {}
    for index, card in enumerate(hand):
        if card not in known:
            raw = best.raw - card_points(card, joker.rank)
            if card in loose and raw:
                points, allows_show = min(raw, rules.full_count_cap), False
            else:
                left = (*hand[:index], *hand[index + 1 :])
                raw, points, allows_show = outcome(code - joker.code(card), left, joker, rules)
            known[card] = Discard(card=card, raw=raw, points=points, allows_show=allows_show)
    return tuple([known[card] for card in hand])
