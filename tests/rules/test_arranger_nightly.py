"""A million hands beside the exhaustive search, and every answer through the witness; `make nightly` runs it."""

import pytest

from poolrummy.rules.arranger import arrange
from poolrummy.rules.meld_rules import HOUSE
from poolrummy.rules.witness import objection, objection_to_show

from .exhaustive import declarable, least_points
from .random_hands import hands
from .settings import SETTINGS
from .test_arranger_settings import assert_shown

SHARE = 10_000
SHARES = [("dealt", number) for number in range(60)] + [("near", number) for number in range(30)]
SHARES += [("jokers", number) for number in range(10)]


@pytest.mark.nightly
@pytest.mark.rule("8.2")
@pytest.mark.parametrize(("kind", "share"), SHARES)
def test_in_a_million_hands_nothing_counts_less_than_the_arranger_says(kind: str, share: int):
    for hand, wild in hands(kind, SHARE, seed=1000 + share):
        found = arrange(hand, wild)

        assert objection(found.groups, found.leftover, hand, wild, HOUSE, found.raw) is None, (hand, wild)
        if found.declarable:
            assert objection_to_show(found.groups, hand, wild, HOUSE) is None, (hand, wild)
        else:
            assert least_points(hand, wild, HOUSE, below=found.raw) is None, (hand, wild)
            assert found.raw or not declarable(hand, wild, HOUSE), (hand, wild)


@pytest.mark.nightly
@pytest.mark.rule("8.2")
@pytest.mark.parametrize("setting", SETTINGS)
def test_in_thousands_of_hands_under_each_setting_nothing_counts_less(setting: str):
    rules = SETTINGS[setting]
    for decks in (1, 2, 3):
        for kind, number in (("dealt", 600), ("near", 600), ("jokers", 200)):
            for hand, wild in hands(kind, number, seed=13, decks=decks):
                found = arrange(hand, wild, rules)

                assert found.raw == least_points(hand, wild, rules), (hand, wild)
                assert found.declarable == (found.raw == 0 and declarable(hand, wild, rules)), (hand, wild)
                assert_shown(found, hand, wild, rules)
