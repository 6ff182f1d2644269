"""The arranger on the 3,000 given hands: 0 differences, and every answer shown by its own groups."""

import json
from pathlib import Path

import pytest

from poolrummy.rules.arranger import arrange, count
from poolrummy.rules.discards import best_discard
from poolrummy.rules.meld_rules import HOUSE, wild_rank
from poolrummy.rules.witness import objection, objection_to_show

LINES = (Path(__file__).parent / "cases" / "arranger-hands.jsonl").read_text("utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]


@pytest.mark.rule("8.2")
def test_every_given_hand_counts_its_exact_minimum():
    wrong = [
        case["id"]
        for case in CASES
        if (found := arrange(case["hand"], case["wild"])).raw != case["min_deadwood_raw"]
        or found.points != case["min_deadwood"]
        or found.declarable != case["valid_declaration"]
    ]

    assert len(CASES) == 3000
    assert wrong == []


@pytest.mark.rule("8.4")
def test_the_count_without_groups_is_the_same():
    assert [case["id"] for case in CASES if count(case["hand"], case["wild"]) != case["min_deadwood"]] == []


@pytest.mark.rule("8.2")
def test_the_groups_of_every_given_hand_show_its_count():
    for case in CASES:
        found = arrange(case["hand"], case["wild"])
        rank = wild_rank(case["wild"])

        assert objection(found.groups, found.leftover, case["hand"], rank, HOUSE, found.raw) is None, case["id"]
        if found.declarable:
            assert objection_to_show(found.groups, case["hand"], rank, HOUSE) is None, case["id"]


@pytest.mark.rule("8.2")
def test_each_discard_of_14_cards_leaves_what_the_13_count():
    for case in CASES[::60]:
        hand = (*case["hand"], "7D")
        for index, left in enumerate(best_discard(hand, case["wild"])):
            rest = arrange((*hand[:index], *hand[index + 1 :]), case["wild"])
            assert (left.card, left.raw, left.points) == (hand[index], rest.raw, rest.points)
            assert left.allows_show == rest.declarable
