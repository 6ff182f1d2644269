"""The 300 given declarations: the verdict, and the first reason."""

import json
from pathlib import Path

import pytest

from poolrummy.rules.declaration import REASONS, judge
from poolrummy.rules.meld_rules import HOUSE, wild_rank
from poolrummy.rules.witness import objection_to_show

LINES = (Path(__file__).parent / "cases" / "arranger-groups.jsonl").read_text("utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]


@pytest.mark.rule("6.3")
def test_every_given_declaration_gets_its_verdict_and_its_first_reason():
    found = {case["id"]: judge(case["groups"], case["hand"], case["wild"]) for case in CASES}

    assert len(CASES) == 300
    assert {case["id"]: (case["valid"], case["reason"]) for case in CASES} == {
        name: (verdict.valid, verdict.reason) for name, verdict in found.items()
    }
    assert {case["reason"] for case in CASES} == {"ok", *REASONS[:-1]}


@pytest.mark.rule("6.3")
def test_what_an_invalid_show_could_have_been_is_a_valid_show():
    named = 0
    for case in CASES:
        verdict = judge(case["groups"], case["hand"], case["wild"])
        if verdict.arrangement is not None:
            named += 1
            assert not verdict.valid
            assert objection_to_show(verdict.arrangement, case["hand"], wild_rank(case["wild"]), HOUSE) is None

    assert named > 20


@pytest.mark.rule("5.5")
def test_the_order_of_groups_and_of_cards_in_a_group_never_matters():
    for case in CASES:
        turned = [group[::-1] for group in case["groups"]][::-1]
        verdict = judge(turned, case["hand"][::-1], case["wild"])

        assert (verdict.valid, verdict.reason) == (case["valid"], case["reason"])
