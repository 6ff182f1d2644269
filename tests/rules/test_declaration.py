"""Whether a show is valid, and why not (rulebook chapter 6)."""

from collections.abc import Sequence

import pytest

from poolrummy.rules.declaration import Judgement, judge
from poolrummy.rules.meld_rules import HOUSE, MeldRules
from poolrummy_contracts.cards import Card, parse_cards

ANY_ARRANGEMENT = MeldRules(best_arrangement=True)
SHORT_EXTRAS = MeldRules(max_extra_group_size=4)
VALID = "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / QS QH QD"


def shown(groups: str, wild: str, rules: MeldRules = HOUSE, hand: str | None = None) -> Judgement:
    placed: Sequence[Sequence[Card]] = [parse_cards(group) for group in groups.split("/")]
    held = parse_cards(hand) if hand else tuple(card for group in placed for card in group)
    return judge(placed, held, wild, rules)


@pytest.mark.rule("6.2")
@pytest.mark.parametrize("wild", ["2", "K", "JK", "3H"])
def test_all_cards_in_groups_two_sequences_one_pure_is_a_valid_show(wild: str):
    verdict = shown(VALID, wild)

    assert (verdict.valid, verdict.reason, verdict.group, verdict.arrangement) == (True, "ok", None, None)
    assert [group.kind for group in verdict.groups[:2]] == ["pure_sequence", "pure_sequence"]


@pytest.mark.rule("6.3")
@pytest.mark.parametrize(
    ("groups", "reason", "group"),
    [
        ("3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / QS QH", "wrong_hand_size", None),
        ("3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / QS QH QD JK", "wrong_hand_size", None),
        ("3H 4H 5H / 9C 10C JC 4D / 8S 8H 8D 8C / QS QH", "group_too_small", 3),
        ("3H 4H 5H / 9C / 10C / JC 8S 8H 8D 8C / QS QH QD", "group_too_small", 1),
        ("3H 4H 6H / 9C 10C JC / 8S 8H 8D 8C / QS QH KS", "invalid_group", 0),
        ("3H 4H JK / 9C 10C 2C / 8S 8H 8D 8C / QS QH QD", "no_pure_sequence", None),
        ("3H 4H 5H / 9C 9H 9D / 8S 8H 8D 8C / QS QH QD", "too_few_sequences", None),
    ],
)
def test_the_first_reason_is_told_with_the_group_it_concerns(groups: str, reason: str, group: int | None):
    verdict = shown(groups, "2")

    assert (verdict.valid, verdict.reason, verdict.group) == (False, reason, group)


@pytest.mark.rule("6.3")
def test_a_show_has_to_hold_exactly_the_cards_of_the_hand():
    hand = VALID.replace("/", " ").replace("QD", "QC")

    assert shown(VALID, "2", hand=hand).reason == "cards_mismatch"
    assert shown(VALID, "2", ANY_ARRANGEMENT, hand=hand).reason == "cards_mismatch"
    assert shown("3H 4H 5H", "2", hand=VALID.replace("/", " ")).reason == "cards_mismatch"


@pytest.mark.rule("6.3")
def test_reasons_have_a_fixed_order():
    """Two cards in a group, a group that is none, no pure sequence: the smallest group is told."""
    assert shown("3H 4H 6H / 9C 10C JD / 8S 8H 8D 8C KS / QS QH", "2").reason == "group_too_small"
    assert shown("3H 4H 6H / 9C 10C JD / 8S 8H 8D / QS QH QC KC", "2").reason == "invalid_group"


@pytest.mark.rule("6.3")
def test_an_invalid_show_that_could_have_been_valid_says_how():
    """E-14: the only pure sequence was spoiled with a joker that belongs elsewhere."""
    spoiled = "5S 6S 7S JK / 9H 10H KC / 2C 2D 2H / 4C 4D 4H"

    verdict = shown(spoiled, "K")

    assert (verdict.valid, verdict.reason) == (False, "no_pure_sequence")
    assert verdict.arrangement is not None
    assert "pure_sequence" in {group.kind for group in verdict.arrangement}
    assert shown("3H 4H 6H / 9C 10C JD / 8S 8H 8D / QS QH QC KC", "2").arrangement is None


@pytest.mark.rule("6.4")
def test_with_best_arrangement_a_show_is_valid_if_any_arrangement_is():
    spoiled = "5S 6S 7S JK / 9H 10H KC / 2C 2D 2H / 4C 4D 4H"

    verdict = shown(spoiled, "K", ANY_ARRANGEMENT)

    assert (verdict.valid, verdict.reason, verdict.group) == (True, "ok", None)
    assert verdict.arrangement is not None
    assert not shown("3H 4H 6H / 9C 10C JD / 8S 8H 8D / QS QH QC KC", "2", ANY_ARRANGEMENT).valid


@pytest.mark.rule("5.8")
@pytest.mark.parametrize(
    ("groups", "reason", "group"),
    [
        ("9S 10S JS / 2H 3H JK 5H 6H / 8C 9C 10C JK QC", "extra_group_too_large", 2),
        ("2H 3H 4H 5H 6H / 8C 9C 10C JK QC / 9S 10S JS", "ok", None),
        ("2H 3H 4H 5H 6H / 8C 9C 10C JC QC / 9S 10S JS", "ok", None),
        ("9S 10S JS QS KS / 8C 9C 10C JC / 6H 6D 6S 6C", "ok", None),
        ("2H 3H JK 5H 6H / 8C 9C 10C / 5S 6S 7S 8S 9S", "ok", None),
    ],
)
def test_which_two_sequences_are_the_required_ones_is_chosen_as_suits_the_player(
    groups: str, reason: str, group: int | None
):
    verdict = shown(groups, "K" if "KS" not in groups else "2", SHORT_EXTRAS)

    assert (verdict.reason, verdict.group) == (reason, group)
    assert shown(groups, "K" if "KS" not in groups else "2").valid


@pytest.mark.rule("5.8")
def test_a_set_is_never_one_of_the_required_sequences():
    large_set = "9S 10S JS / 2H 3H 4H / 6H 6D 6S 6C JK / 5D QD"

    verdict = shown(
        "9S 10S JS / 2H 3H 4H 5H / 6H 6D 6S 6C JK JK", "K", MeldRules(max_set_size=6, max_extra_group_size=4)
    )

    assert (verdict.reason, verdict.group) == ("extra_group_too_large", 2)
    assert shown(large_set, "K", MeldRules(max_set_size=5, max_extra_group_size=4)).reason == "group_too_small"
