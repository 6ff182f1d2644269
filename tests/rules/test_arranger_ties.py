"""The same hand always gets the same groups: whatever the order of its cards, the hash seed or the hands before."""

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from poolrummy.rules.arranger import arrange
from poolrummy.rules.arranging import any_jokers, few_jokers
from poolrummy_contracts.cards import parse_cards

FILE = Path(__file__).parent / "cases" / "arranger-hands.jsonl"
CASES = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]

DIGEST = """
import json, sys
from hashlib import sha256
from poolrummy.rules.arranger import arrange

lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
print(sha256("".join(repr(arrange(case["hand"], case["wild"])) for case in lines).encode()).hexdigest())
"""

GROUPS_OF_ALL_CASES = "519238e7233cfd4a9e0909427f8796b0e99a2bd1c11e8364a01442b182a2a6fd"
"""Changes only with the rule that breaks ties (ARRANGER.md): that is a change to be told."""


def digest() -> str:
    return sha256("".join(repr(arrange(case["hand"], case["wild"])) for case in CASES).encode()).hexdigest()


@pytest.mark.rule("6.4")
def test_the_groups_of_all_given_hands_are_those_of_every_earlier_run():
    assert digest() == GROUPS_OF_ALL_CASES


@pytest.mark.rule("6.4")
@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_the_hash_seed_changes_no_group(seed: str):
    run = subprocess.run(
        [sys.executable, "-c", DIGEST, str(FILE)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )

    assert run.stdout.strip() == GROUPS_OF_ALL_CASES


@pytest.mark.rule("6.4")
def test_the_order_of_the_cards_in_the_hand_changes_no_group():
    draw = Random(3)
    for case in CASES[::7]:
        turned = draw.sample(case["hand"], 13)

        assert arrange(turned, case["wild"]) == arrange(case["hand"], case["wild"])


@pytest.mark.rule("6.4")
def test_what_is_remembered_of_other_hands_changes_no_group():
    few_jokers.forget()
    any_jokers.forget_all()
    backwards = [arrange(case["hand"], case["wild"]) for case in reversed(CASES)]

    assert backwards[::-1] == [arrange(case["hand"], case["wild"]) for case in CASES]


@pytest.mark.rule("6.4")
@pytest.mark.parametrize(
    ("wild", "hand", "groups"),
    [
        # A run of seven can be cut in two ways: the longer pure sequence comes first.
        ("K", "2H 3H 4H 5H 6H 7H 8H 9S 9D 9C JD JC JS", ["2H 3H 4H 5H", "6H 7H 8H", "9S 9D 9C", "JS JD JC"]),
        # A spare joker goes into the impure sequence, behind its last card.
        ("K", "2H 3H 4H 6S 7S JK KD 9S 9D 9C JD JC JS", ["2H 3H 4H", "6S 7S KD JK", "9S 9D 9C", "JS JD JC"]),
        # Without an impure one it goes into the second pure sequence; spades come before hearts.
        ("K", "2H 3H 4H 6S 7S 8S KD 9S 9D 9C JD JC JS", ["6S 7S 8S", "2H 3H 4H KD", "9S 9D 9C", "JS JD JC"]),
    ],
)
def test_equal_arrangements_are_told_apart_by_a_fixed_rule(wild: str, hand: str, groups: list[str]):
    found = arrange(parse_cards(hand), wild)

    assert sorted(" ".join(group.cards) for group in found.groups) == sorted(groups)
