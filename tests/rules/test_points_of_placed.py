"""What groups count as they lie, nothing moved (rules 8.2 and 8.3)."""

import pytest

from poolrummy.rules.meld_rules import HOUSE, LoserCount, MeldRules
from poolrummy.rules.placed import points_of_placed
from poolrummy_contracts.cards import parse_cards

HAND = "3H 4H 5H 9C 10C JC QS QD QH 8S 6D 7D 4C"


def points(groups: str, hand: str = HAND, wild: str = "K", rules: MeldRules = HOUSE) -> int:
    placed = [parse_cards(group) for group in groups.split("/") if group.strip()]
    return points_of_placed(placed, parse_cards(hand), wild, rules)


@pytest.mark.rule("8.2")
@pytest.mark.parametrize(
    ("groups", "counted"),
    [
        ("3H 4H 5H / 9C 10C JC", 55),
        ("3H 4H 5H / 9C 10C JC / QS QD QH", 25),
        ("3H 4H 5H / QS QD QH", 80),
        ("QS QD QH", 80),
        ("", 80),
        ("3H 4H 5H / 9C 10C JC / QS QD QH / 8S 6D 7D", 25),
    ],
)
def test_cards_in_no_group_count_and_a_group_that_is_none_counts(groups: str, counted: int):
    assert points(groups) == counted


@pytest.mark.rule("8.2")
@pytest.mark.parametrize(
    ("loser_count", "one_pure", "sets_only", "two_sequences"),
    [
        ("tiered", 84, 96, 55),
        ("unmatched_always", 54, 66, 55),
        ("unmatched_if_pure", 54, 96, 55),
        ("all_unless_two_sequences", 96, 96, 55),
    ],
)
def test_each_way_of_counting_a_loser(loser_count: LoserCount, one_pure: int, sets_only: int, two_sequences: int):
    rules = MeldRules(loser_count=loser_count, full_count_cap=200)

    assert points("3H 4H 5H / QS QD QH", rules=rules) == one_pure
    assert points("QS QD QH", rules=rules) == sets_only
    assert points("3H 4H 5H / 9C 10C JC", rules=rules) == two_sequences


@pytest.mark.rule("8.3")
def test_without_a_pure_sequence_the_flat_count_is_the_full_one():
    low = "2S 3S JK 4H 5H QC 3D 3C 6D 2C 5C 8S 7D"

    assert points("", low, "Q") == 48
    assert points("", low, "Q", MeldRules(no_pure_count="flat_full")) == 80


@pytest.mark.rule("6.7")
def test_a_grouping_may_hold_only_cards_of_the_hand():
    with pytest.raises(ValueError, match="not in the hand"):
        points("3H 4H 5H / 9C 10C JC KH")
