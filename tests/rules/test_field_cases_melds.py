"""What goes wrong in public, F01 to F27: melds and counts."""

from itertools import permutations

import pytest

from poolrummy.rules.arranger import arrange, count
from poolrummy.rules.declaration import judge
from poolrummy_contracts.cards import parse_cards

# case, wild, groups, whether the show is valid, the reason
SHOWS = [
    ("F01", "7", "6S 7S 8S | 2H 3H JK | KC KD KS | 9D 9C 9H 9S", True, "ok"),
    ("F03", "6", "AH 2H 3H 4H 5H | 7S 8S 9S 10S | QD QS QH QC", True, "ok"),
    ("F06", "5", "QH KH AH | AS 2S 3S | 9D 9C 9S | 10C JC QC KC", True, "ok"),
    ("F07", "3", "KD AD 2D | 5S 6S 7S | 8H 8C 8D | JS JH JD JC", False, "invalid_group"),
    ("F09", "5", "2D 3D 4D | 6C 7C 8C | KS KH KD | 9H 9C 9S 9S", False, "invalid_group"),
    ("F09 reordered", "5", "2D 3D 4D | 6C 7C 8C | KS KH KD | 9S 9H 9C 9S", False, "invalid_group"),
    ("F10", "5", "AC 2C 3C | 6D 7D 8D | QS QS JK | 10H 10C 10S 10D", False, "invalid_group"),
    ("F12", "3", "9C 10C JC | 4S 5H JK 7S | KS KH KD | 2D 2C 2H", False, "invalid_group"),
    ("F13", "K", "2S 3S 4S | 6H 7H 8H | 9D 10D JD | AC 2C 3C 4C", True, "ok"),
    ("F18", "Q", "7H 5H 6H | 2S JK 4S | 9D 9C 9H | KS KH KD KC", True, "ok"),
    ("F18 reordered", "Q", "7H 5H 6H | JK 4S 2S | 9D 9C 9H | KS KH KD KC", True, "ok"),
    ("F21 a", "Q", "7S 8S JK | 2H 3H 5H QD | KC KD KS | 9D 9C 9H", False, "no_pure_sequence"),
    ("F21 b", "2", "4C 5C 6C | 3S 3H 3D | 9S 9H 9D | JC JD JS JH", False, "too_few_sequences"),
]

# case, wild, hand, what it counts
COUNTS = [
    ("F09 as a loser", "5", "2D 3D 4D 6C 7C 8C KS KH KD 9H 9C 9S 9S", 9),
    ("F10 as a loser", "5", "AC 2C 3C 6D 7D 8D QS QS JK 10H 10C 10S 10D", 10),
    ("F23", "Q", "2S 3S JK 4H 5H QC 3D 3C 6D 2C 5C 8S 7D", 48),
    ("F26", "5", "9S 10S JS 2D 3D JK KH KC KD 4C 4H 7S 8D", 23),
    ("F27", "3", "4C 5C 6C 8H 9H JK KD KC KH AS 2S 7D 9S", 28),
]


@pytest.mark.rule("6.2")
@pytest.mark.parametrize(("case", "wild", "groups", "valid", "reason"), SHOWS, ids=[case[0] for case in SHOWS])
def test_shows_that_are_judged_wrongly_elsewhere(case: str, wild: str, groups: str, valid: bool, reason: str):
    placed = [parse_cards(group) for group in groups.split("|")]
    hand = [card for group in placed for card in group]

    verdict = judge(placed, hand, wild)

    assert (verdict.valid, verdict.reason) == (valid, reason)


@pytest.mark.rule("8.2")
@pytest.mark.parametrize(("case", "wild", "hand", "points"), COUNTS, ids=[case[0] for case in COUNTS])
def test_hands_that_are_counted_wrongly_elsewhere(case: str, wild: str, hand: str, points: int):
    assert count(parse_cards(hand), wild) == points


@pytest.mark.rule("5.4")
def test_a_repeated_suit_spoils_a_set_in_every_order():
    for last in permutations(parse_cards("9H 9C 9S 9S")):
        placed = [parse_cards(group) for group in ("2D 3D 4D", "6C 7C 8C", "KS KH KD")] + [last]

        assert judge(placed, [card for group in placed for card in group], "5").reason == "invalid_group"


@pytest.mark.rule("8.2")
def test_the_biggest_set_first_would_destroy_the_runs():
    """F17."""
    hand = parse_cards("6D 7D 8D 7C 8C 9C 7H 7S JK KS KH KD KC")

    found = arrange(hand, "2")

    assert found.declarable
    assert sorted(len(group.cards) for group in found.groups) == [3, 3, 3, 4]


@pytest.mark.rule("5.1")
def test_no_other_arrangement_rescues_a_run_round_the_corner():
    """F07: a wrong show, and no valid arrangement to name."""
    placed = [parse_cards(group) for group in ("KD AD 2D", "5S 6S 7S", "8H 8C 8D", "JS JH JD JC")]

    assert judge(placed, [card for group in placed for card in group], "3").arrangement is None
