"""Whether a show is valid, and if not, the first reason why (rulebook chapter 6)."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from poolrummy.rules.arranger import Arrangement, arrange
from poolrummy.rules.meld_rules import HOUSE, MeldRules, wild_rank
from poolrummy.rules.melds import read
from poolrummy.rules.placed import first_too_large
from poolrummy_contracts.cards import Card
from poolrummy_contracts.verdicts import Group, ShowReason

REASONS: Final[tuple[ShowReason, ...]] = (
    "wrong_hand_size",
    "cards_mismatch",
    "group_too_small",
    "invalid_group",
    "no_pure_sequence",
    "too_few_sequences",
    "extra_group_too_large",
)
"""The order in which the reasons are tested (rule 6.3)."""


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on a show: the first reason against it, and the group it concerns, counted from 0 (rule 6.3)."""

    valid: bool
    reason: ShowReason
    group: int | None
    groups: tuple[Group, ...]
    """The groups as they were placed, each in its most helpful reading (rule 5.5)."""
    arrangement: tuple[Group, ...] | None
    """A valid arrangement of the same cards, where the placed groups are not one and there is one (rule 6.4)."""


def judge(groups: Sequence[Sequence[Card]], hand: Sequence[Card], wild: str, rules: MeldRules = HOUSE) -> Judgement:
    """Judge the groups of a show (rules 6.2 to 6.4).

    With ``best_arrangement`` the show is valid if the hand can be arranged validly in any way; the groups must still
    hold exactly the cards of the hand.
    """
    rank = wild_rank(wild)
    placed = tuple(read(group, rank, rules) for group in groups)
    reason, index = _first_reason(groups, placed, hand, rules)
    if reason in ("ok", "wrong_hand_size"):
        return Judgement(valid=reason == "ok", reason=reason, group=index, groups=placed, arrangement=None)
    best: Arrangement = arrange(hand, wild, rules)
    arrangement = best.groups if best.declarable else None
    if rules.best_arrangement and arrangement is not None and reason != "cards_mismatch":
        return Judgement(valid=True, reason="ok", group=None, groups=placed, arrangement=arrangement)
    return Judgement(valid=False, reason=reason, group=index, groups=placed, arrangement=arrangement)


def _first_reason(
    groups: Sequence[Sequence[Card]], placed: Sequence[Group], hand: Sequence[Card], rules: MeldRules
) -> tuple[ShowReason, int | None]:
    """The first reason that applies, and the group it concerns (rule 6.3)."""
    if len(hand) != 13:
        return "wrong_hand_size", None
    if Counter(card for group in groups for card in group) != Counter(hand):
        return "cards_mismatch", None
    kinds = [group.kind for group in placed]
    small = next((index for index, group in enumerate(groups) if len(group) < 3), None)
    wrong = kinds.index("none") if "none" in kinds else None
    large = first_too_large(placed, rules)
    found: tuple[tuple[ShowReason, bool, int | None], ...] = (
        ("group_too_small", small is not None, small),
        ("invalid_group", wrong is not None, wrong),
        ("no_pure_sequence", "pure_sequence" not in kinds, None),
        ("too_few_sequences", len(kinds) - kinds.count("set") < 2, None),
        ("extra_group_too_large", large is not None, large),
    )
    for reason, applies, index in found:
        if applies:
            return reason, index
    return "ok", None
