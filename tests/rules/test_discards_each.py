"""Which of 14 cards to part with: what is said of each is what the arranger says of the 13 others."""

import pytest

from poolrummy.rules.arranger import arrange
from poolrummy.rules.discards import best_discard
from poolrummy.rules.meld_rules import HOUSE, MeldRules

from .some_hands import cases

OTHER = MeldRules(joker_only_group="refused", max_sequence_length=5, loser_count="unmatched_if_pure")


@pytest.mark.rule("8.2")
@pytest.mark.parametrize("rules", [HOUSE, OTHER], ids=["house", "other terms"])
@pytest.mark.parametrize("kind", ["dealt", "near complete", "jokers", "doubles", "aces", "natural wilds"])
def test_each_discard_counts_as_the_13_cards_that_stay(kind, rules):
    drawn = [hand[0] for hand, _ in cases("dealt", 40, "drawn")]
    for (hand13, wild), card in zip(cases(kind, 40, "discards"), drawn, strict=True):
        hand = (*hand13, card)

        found = best_discard(hand, wild, rules)

        assert [one.card for one in found] == list(hand)
        for index, one in enumerate(found):
            left = arrange(hand[:index] + hand[index + 1 :], wild, rules)
            assert (one.raw, one.points, one.allows_show) == (left.raw, left.points, left.declarable), (hand, wild, one)
