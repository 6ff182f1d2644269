"""Hands that are hard to arrange, beside the exhaustive search: doubles, aces, wild cards in their own places.

Under each setting by itself, under mixtures of all settings, and under the terms of every profile.
"""

from typing import get_args

import msgspec
import pytest

from poolrummy.profile_files import load_all
from poolrummy.rules.arranger import arrange
from poolrummy.rules.meld_rules import HOUSE, UNLIMITED, JokerOnly, LoserCount, MeldRules, NoPureCount
from poolrummy_contracts.cards import parse_cards
from poolrummy_contracts.profiles import practice_terms
from poolrummy_contracts.terms import Terms

from .settings import SETTINGS
from .some_hands import KINDS, cases, difference

NUMBERS = {"dealt": 10, "near complete": 30, "jokers": 4, "doubles": 25, "aces": 25, "natural wilds": 30}

FOUND = [
    # Two sets beside a sequence: the first of them costs nothing only as long as the second one is not laid down.
    ("T", "6S KS TH KH JD 2C JS JC KC KD 4C AH 3C", 6),
    ("3", "8H 9D 9C 8D 8S 2H AH 9H 3H 9S JK 8H 9S", 9),
]
"""Hands that the arranger once charged too much."""


@pytest.mark.rule("8.2")
@pytest.mark.parametrize(("wild", "text", "points"), FOUND, ids=[hand for _, hand, _ in FOUND])
def test_what_was_once_charged_too_much(wild, text, points):
    hand = parse_cards(text)

    assert arrange(hand, wild).raw == points
    assert difference(hand, wild, HOUSE) is None


@pytest.mark.rule("8.2")
@pytest.mark.parametrize("setting", SETTINGS)
def test_no_hard_hand_counts_less_than_the_arranger_says(setting):
    different = [
        found
        for kind, number in NUMBERS.items()
        for hand, wild in cases(kind, number, setting)
        if (found := difference(hand, wild, SETTINGS[setting]))
    ]

    assert not different


def mixed(number: int) -> MeldRules:
    """Settings that are seldom together."""
    return MeldRules(
        wild_natural_pure=number % 2 == 0,
        joker_only_group=get_args(JokerOnly)[number % 3],
        max_jokers_per_group=(1, 2, 3, UNLIMITED)[number // 2 % 4],
        max_set_size=(4, 5, 6)[number // 3 % 3],
        max_sequence_length=(UNLIMITED, 3, 4, 5, 7)[number % 5],
        max_extra_group_size=(UNLIMITED, 4, 3, 5)[number // 3 % 4],
        loser_count=get_args(LoserCount)[number // 5 % 4],
        no_pure_count=get_args(NoPureCount)[number // 4 % 2],
        full_count_cap=(80, 40, 101)[number // 7 % 3],
    )


@pytest.mark.rule("8.2")
@pytest.mark.parametrize("decks", [1, 2, 3])
def test_settings_do_not_disturb_one_another(decks):
    different = [
        found
        for number in range(120)
        for kind in KINDS
        for hand, wild in cases(kind, 1 if kind == "jokers" else 2, f"mixed {number}", decks)
        if (found := difference(hand, wild, mixed(number)))
    ]

    assert not different


@pytest.mark.rule("8.2")
@pytest.mark.parametrize("profile", sorted(load_all()))
def test_under_the_terms_of_every_profile(profile):
    terms = practice_terms(load_all()[profile], "101", 2)
    assert isinstance(terms, Terms)

    different = [
        found
        for kind, number in NUMBERS.items()
        for hand, wild in cases(kind, number, profile)
        if (found := difference(hand, wild, MeldRules.of(terms)))
    ]

    assert not different


def test_every_setting_is_tried_with_more_than_one_value():
    tried = [*SETTINGS.values(), *map(mixed, range(120))]
    for name in msgspec.structs.asdict(HOUSE):
        if name != "best_arrangement":  # concerns the verdict on a show, not what a hand counts
            assert len({getattr(rules, name) for rules in tried}) > 1, name
