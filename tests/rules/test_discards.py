"""What each discard of 14 cards leaves (rules 6.2 and 8.2)."""

import pytest

from poolrummy.rules.discards import best_discard
from poolrummy.rules.meld_rules import MeldRules
from poolrummy_contracts.cards import Card, parse_cards

COMPLETE = "3H 4H 5H 9C 10C JC 8S 8H 8D 8C QS QH QD"


@pytest.mark.rule("6.2")
def test_the_one_card_too_many_is_the_discard_that_allows_a_show():
    left = best_discard(parse_cards(COMPLETE + " 2D"), "K")

    assert [each.card for each in left] == list(parse_cards(COMPLETE + " 2D"))
    assert {each.card for each in left if each.allows_show} == {"2D", "8S", "8H", "8D", "8C"} - {"8S", "8H", "8D", "8C"}
    assert left[-1].raw == left[-1].points == 0


@pytest.mark.rule("8.2")
def test_both_copies_of_a_card_leave_the_same():
    left = best_discard(parse_cards(COMPLETE + " 3H"), "K")

    assert left[0] == left[-1]
    assert left[0].allows_show


@pytest.mark.rule("8.4")
def test_the_points_of_a_discard_are_capped_and_its_raw_count_is_not():
    hand = parse_cards("KS QH JD 10C AS 9D 8H 7S 6C 4D 3S 4C 3D KH")

    left = best_discard(hand, "5", MeldRules(full_count_cap=60))

    assert {each.points for each in left} == {60}
    assert next(each.raw for each in left if each.card == Card("KH")) == 94
