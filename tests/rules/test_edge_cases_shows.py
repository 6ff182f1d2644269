"""E-01 to E-24: is the show valid? Played at a table of each profile: drawn, finished, laid out, judged."""

import pytest

from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.tables import started
from poolrummy_contracts.events import ShowDeclared, ShowJudged

VALID, WRONG = 0, 80

# case, wild card, groups, what it costs in house, rummypassion, classic, deccan, scorekeeper, other settings
SHOWS = [
    ("E-01", "7C", "5S 6S 7S / 9H 10H JK / QC QD QH / 2S 2D 2C 2H", (0, 0, 0, 0, 80), {}),
    ("E-02", "7C", "5S 6S 7H / 9H 10H JK / QC QD QH / 2S 2D 2C 2H", (80, 80, 80, 80, 80), {}),
    ("E-03", "JK", "AH 2H 3H / 9H 10H AS / 6C 6D 6S / QC QD QH QS", (0, 0, 0, 0, 80), {}),
    ("E-04", "2H", "QS KS AS / 4D 5D 6D / 8H 8C 8S / 9H 9C 9S 9D", (0, 0, 0, 0, 0), {}),
    ("E-05", "KH", "AS 2S 3S / 4D 5D 6D / 8H 8C 8S / 9H 9C 9S 9D", (0, 0, 0, 0, 0), {}),
    ("E-06", "3H", "KS AS 2S / 4D 5D 6D / 8H 8C 8S / 9H 9C 9S 9D", (80, 80, 80, 80, 80), {}),
    ("E-07", "KH", "3H 4H 5H 6H / 8S 8H 8D / 9S 9H 9D / QS QH QD", (80, 80, 80, 80, 80), {}),
    ("E-08", "KH", "3H 4H 5H / 9C 10C JC / 8S 8H 8D / QS QH QD QC", (0, 0, 0, 0, 0), {}),
    ("E-09", "KH", "3H 4H JK / 9C 10C KD / 8S 8H 8D / QS QH QD QC", (80, 80, 80, 80, 80), {}),
    ("E-10", "KH", "2H 3H 4H 5H / 9S 10S JS / 5S 5S 5H / QC QD QH", (80, 80, 80, 80, 80), {}),
    ("E-11", "8D", "2H 3H 4H 5H / 9S 10S JS / 8S 8S 8H / QC QD QH", (0, 0, 0, 0, 0), {}),
    ("E-12", "2H", "3H 4H 5H / 9C 10C JC QC KC / 8S 8H 8D 8C JK", (80, 0, 80, 80, 80), {}),
    (
        "E-12 with sets of five",
        "2H",
        "3H 4H 5H / 9C 10C JC QC KC / 8S 8H 8D 8C JK",
        (0, 0, 80, 0, 0),
        {"max_set_size": 5},
    ),
    ("E-13", "KH", "2H 3H 4H 5H / 9C 10C JC QC / 8S 8H 8D JK JK", (80, 0, 80, 80, 80), {}),
    ("E-14", "KH", "5S 6S 7S JK / 9H 10H KC / 2C 2D 2H / 4C 4D 4H", (80, 0, 80, 80, 80), {}),
    ("E-15", "KH", "3H 4H 6H / 9C 10C JC / 8S 8H 8D 5H / QC QD QH", (80, 0, 80, 80, 80), {}),
    ("E-16", "4H", "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS", (80, 0, 80, 80, 80), {}),
    ("E-17", "3H", "4D 5D 6D 7D 8D / 9S 10S JS QS KS / 2H 2C 2D", (0, 0, 0, 0, 0), {}),
    ("E-18", "KH", "9S 10S JS / 2H 3H JK 5H 6H / 8C 9C 10C JK QC", (0, 0, 80, 0, 0), {}),
    ("E-19", "KH", "5S 6S 7S / 5S 6S 7S / 9C 9D 9H / QC QD QH QS", (0, 0, 0, 0, 0), {}),
    ("E-20", "KH", "5S 5S 5S / 2H 3H 4H / 9C 9D 9H / QC QD QH QS", (80, 80, 80, 80, 80), {"decks": 3}),
    ("E-21", "KH", "3H 4H 5H / 8S JK JK / QS QH QD QC / 6C 6D 6H", (0, 0, 0, 0, 0), {}),
    (
        "E-21 with one joker a group",
        "KH",
        "3H 4H 5H / 8S JK JK / QS QH QD QC / 6C 6D 6H",
        (80, 80, 80, 80, 80),
        {"max_jokers_per_group": 1},
    ),
    ("E-22", "2H", "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / JK JK 2C", (0, 0, 0, 0, 0), {}),
    (
        "E-22 printed only refused",
        "2H",
        "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / JK JK 2C",
        (0, 0, 0, 0, 0),
        {"joker_only_group": "printed_only_refused"},
    ),
    (
        "E-22 refused",
        "2H",
        "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / JK JK 2C",
        (80, 0, 80, 80, 80),
        {"joker_only_group": "refused"},
    ),
    ("D-03", "2H", "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / JK JK JK", (0, 0, 0, 0, 0), {"decks": 3}),
    (
        "D-03 printed only refused",
        "2H",
        "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / JK JK JK",
        (80, 0, 80, 80, 80),
        {"decks": 3, "joker_only_group": "printed_only_refused"},
    ),
    ("E-23", "KH", "3H 4H 5H / 9C 10C JC / 8S 8H 8D / QC QD QH / JK", (80, 0, 80, 80, 80), {}),
    ("F01", "7C", "6S 7S 8S / 2H 3H JK / KC KD KS / 9D 9C 9H 9S", (0, 0, 0, 0, 80), {}),
    ("F03", "6D", "AH 2H 3H 4H 5H / 7S 8S 9S 10S / QD QS QH QC", (0, 0, 0, 0, 0), {}),
    ("F06", "5D", "QH KH AH / AS 2S 3S / 9D 9C 9S / 10C JC QC KC", (0, 0, 0, 0, 0), {}),
    ("F07", "3S", "KD AD 2D / 5S 6S 7S / 8H 8C 8D / JS JH JD JC", (80, 80, 80, 80, 80), {}),
    ("F09", "5S", "2D 3D 4D / 6C 7C 8C / KS KH KD / 9S 9H 9C 9S", (80, 80, 80, 80, 80), {}),
    ("F17", "2S", "6D 7D 8D / 7C 8C 9C / 7H 7S JK / KS KH KD KC", (0, 0, 0, 0, 0), {}),
    ("F10", "5S", "AC 2C 3C / 6D 7D 8D / QS QS JK / 10H 10C 10S 10D", (80, 80, 80, 80, 80), {}),
    ("F12", "3S", "9C 10C JC / 4S 5H JK 7S / KS KH KD / 2D 2C 2H", (80, 80, 80, 80, 80), {}),
    ("F13", "KS", "2S 3S 4S / 6H 7H 8H / 9D 10D JD / AC 2C 3C 4C", (0, 0, 0, 0, 0), {}),
    ("F18", "QD", "7H 5H 6H / JK 4S 2S / 9D 9C 9H / KS KH KD KC", (0, 0, 0, 0, 0), {}),
    ("F21 a", "QH", "7S 8S JK / 2H 3H 5H QD / KC KD KS / 9D 9C 9H", (80, 80, 80, 80, 80), {}),
    ("F21 b", "2D", "4C 5C 6C / 3S 3H 3D / 9S 9H 9D / JC JD JS JH", (80, 80, 80, 80, 80), {}),
]


def shown(profile, wild, groups, settings):
    hand = groups.replace("/", " ")
    table = started(terms_of(profile, **settings), DealScript(hands={1: hand}, wild=wild), seats=3)
    table.show(groups)
    return table


@pytest.mark.rule("6.2")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("case", "wild", "groups", "costs", "settings"), SHOWS, ids=[show[0] for show in SHOWS])
def test_a_show_is_judged_as_the_terms_of_the_table_say(case, wild, groups, costs, settings, profile):
    table = shown(profile, wild, groups, settings)

    judged = table.last(ShowJudged)
    assert (judged.points, judged.valid) == (costs[PROFILES.index(profile)], costs[PROFILES.index(profile)] == 0)


@pytest.mark.rule("6.1")
@pytest.mark.parametrize("profile", PROFILES)
def test_the_finish_card_is_never_looked_at(profile):
    """E-24: the card that would complete the first group lies on the finish slot."""
    hand = "3H 4H 6H 9C 10C JC 8S 8H 8D QC QD QH QS"
    table = started(terms_of(profile), DealScript(hands={1: hand}, wild="KH", stock="5H"), seats=3)

    table.show("3H 4H 6H / 9C 10C JC / 8S 8H 8D / QC QD QH QS", card="5H")

    assert table.last(ShowJudged).points == 80


@pytest.mark.rule("6.5")
def test_a_wrong_show_in_the_61_pool_costs_60():
    """E-31 and D-25."""
    hand = "KD AD 2D 5S 6S 7S 8H 8C 8D JS JH JD JC"
    table = started(terms_of(variant="61"), DealScript(hands={1: hand}, wild="3S"), seats=3)

    table.show("KD AD 2D / 5S 6S 7S / 8H 8C 8D / JS JH JD JC")

    assert table.last(ShowJudged).points == 60


@pytest.mark.rule("6.3")
def test_the_verdict_on_an_invalid_show_says_how_the_hand_could_have_been_arranged():
    """D-01: E-15 in the house profile."""
    table = shown("house", "KH", "3H 4H 6H / 9C 10C JC / 8S 8H 8D 5H / QC QD QH", {})

    judged = table.last(ShowJudged)
    assert judged.arrangement is not None
    assert sorted(card for group in judged.arrangement for card in group.cards) == sorted(
        card.card for group in table.last(ShowDeclared).groups for card in group
    )


@pytest.mark.rule("6.4")
@pytest.mark.parametrize("order", [1, -1])
def test_a_set_that_looks_best_does_not_hide_a_hand_that_can_be_shown(order):
    """F17: with the four sevens as a set no sequence is left."""
    hand = ["6D", "7D", "8D", "7C", "8C", "9C", "7H", "7S", "JK", "KS", "KH", "KD", "KC"][::order]
    table = started(terms_of(), DealScript(hands={1: " ".join(hand)}, wild="2S"), seats=3)

    table.show("7D 7C 7H 7S / 6D 8D JK / 8C 9C / KS KH KD KC")

    judged = table.last(ShowJudged)
    assert (judged.valid, judged.reason) == (False, "group_too_small")
    assert judged.arrangement is not None
    kinds = [group.kind for group in judged.arrangement]
    assert "pure_sequence" in kinds
    assert len(kinds) - kinds.count("set") >= 2
    assert sorted(card for group in judged.arrangement for card in group.cards) == sorted(
        card.card for group in table.last(ShowDeclared).groups for card in group
    )
