"""What groups lying on the table are worth, nothing moved (rules 6.2, 8.2)."""

from collections import Counter
from collections.abc import Sequence

from poolrummy.rules.meld_rules import HOUSE, MeldRules, wild_rank
from poolrummy.rules.melds import read
from poolrummy_contracts.cards import Card, card_points
from poolrummy_contracts.verdicts import Group


def points_of_placed(
    groups: Sequence[Sequence[Card]], hand: Sequence[Card], wild: str, rules: MeldRules = HOUSE
) -> int:
    """The points of a hand counted by the groups as they lie; other cards are left over (rules 8.2 to 8.4)."""
    rank = wild_rank(wild)
    if Counter(card for group in groups for card in group) - Counter(hand):
        raise ValueError("the groups hold a card that is not in the hand")
    placed = [group for group in (read(cards, rank, rules) for cards in groups) if group.kind != "none"]
    pure = [group for group in placed if group.kind == "pure_sequence"]
    sequences = sum(group.kind != "set" for group in placed)
    total = _points(hand, rank)
    if not pure and rules.loser_count != "unmatched_always":
        return rules.full_count_cap if rules.no_pure_count == "flat_full" else min(total, rules.full_count_cap)
    grouped = sum(_points(group.cards, rank) for group in placed)
    if sequences < 2 and rules.loser_count == "tiered":
        grouped = _points(pure[0].cards, rank)
    if sequences < 2 and rules.loser_count == "all_unless_two_sequences":
        grouped = 0
    return min(total - grouped, rules.full_count_cap)


def declares(groups: Sequence[Group], rules: MeldRules) -> bool:
    """Whether groups that hold a whole hand make a valid show (rule 6.2)."""
    kinds = [group.kind for group in groups]
    return (
        "none" not in kinds
        and "pure_sequence" in kinds
        and len(kinds) - kinds.count("set") >= 2
        and first_too_large(groups, rules) is None
    )


def first_too_large(groups: Sequence[Group], rules: MeldRules) -> int | None:
    """The first group over the size of extra groups; the two required sequences are chosen as suits (rule 5.8)."""
    large = [index for index, group in enumerate(groups) if len(group.cards) > rules.max_extra_group_size]
    excused: list[str] = []
    for index in large:
        kind = groups[index].kind
        # Two sequences are excused, and one of these two has to be pure.
        if kind == "set" or len(excused) == 2 or (kind == "sequence" and "sequence" in excused):
            return index
        excused.append(kind)
    return None


def _points(cards: Sequence[Card], rank: str) -> int:
    return sum(card_points(card, rank) for card in cards)
