"""Hands on which an earlier version of the arranger was wrong; each was found by the exhaustive search."""

import pytest

from poolrummy.rules.arranger import arrange
from poolrummy_contracts.cards import parse_cards


@pytest.mark.rule("8.2")
def test_a_set_that_costs_nothing_by_itself_may_cost_a_sequence_beside_another_set():
    """With the sixes in a set, both nines of diamonds are needed: 7D 8D 9D and 9D 10D with the ace."""
    hand = parse_cards("4C 6C 9C AC 6D 7D 8D 9D 9D 10D 6H 9H 9S")

    found = arrange(hand, "A")

    assert found.raw == 4
    assert found.leftover == ("4C",)
