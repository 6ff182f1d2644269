"""The arranger beside the exhaustive search, under every setting that touches groups or their count."""

import pytest

from poolrummy.rules.arranger import Arrangement, arrange, count
from poolrummy.rules.meld_rules import MeldRules
from poolrummy.rules.witness import objection, objection_to_show
from poolrummy_contracts.cards import Card, card_points

from .exhaustive import declarable, has_pure, least_points
from .random_hands import hands
from .settings import SETTINGS

HANDS = 90


@pytest.mark.rule("8.2")
@pytest.mark.parametrize("kind", ["dealt", "near", "jokers"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_no_arrangement_counts_less_and_the_one_found_counts_that(setting: str, kind: str):
    rules = SETTINGS[setting]
    for decks in (1, 2, 3):
        for hand, wild in hands(kind, HANDS // 3, seed=11, decks=decks):
            found = arrange(hand, wild, rules)

            assert found.raw == least_points(hand, wild, rules), (hand, wild)
            assert found.declarable == (found.raw == 0 and declarable(hand, wild, rules)), (hand, wild)
            assert_shown(found, hand, wild, rules)


@pytest.mark.rule("8.3")
@pytest.mark.parametrize("setting", ["flat full count", "flat full count unless two sequences", "house"])
def test_without_a_pure_sequence_the_flat_count_is_the_full_one(setting: str):
    rules = SETTINGS[setting]
    flat = rules.no_pure_count == "flat_full"
    for hand, wild in hands("dealt", 200, seed=12):
        found = arrange(hand, wild, rules)
        full = flat and not has_pure(hand, wild, rules)

        assert found.points == (rules.full_count_cap if full else min(found.raw, rules.full_count_cap))


def assert_shown(found: Arrangement, hand: tuple[Card, ...], wild: str, rules: MeldRules) -> None:
    """The groups show the count, the cards left over add up to it, and the short count is the same."""
    assert objection(found.groups, found.leftover, hand, wild, rules, found.raw) is None, (hand, wild)
    if found.declarable:
        assert objection_to_show(found.groups, hand, wild, rules) is None, (hand, wild)
    assert sum(card_points(card, wild) for card in found.leftover) == found.raw
    assert count(hand, wild, rules) == found.points
