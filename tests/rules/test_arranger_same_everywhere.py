"""The same hand gets the same groups: whatever the hash seed, whatever the order of its cards."""

import os
import subprocess
import sys
from hashlib import sha256
from random import Random

import msgspec
import pytest

from poolrummy.rules.arranger import arrange
from poolrummy.rules.meld_rules import HOUSE, MeldRules

from .some_hands import KINDS, cases, names

SCRIPT = """
import sys, msgspec
from poolrummy.rules.arranger import arrange
from poolrummy.rules.meld_rules import MeldRules
rules = MeldRules(**msgspec.json.decode(sys.argv[1]))
for hand, wild in msgspec.json.decode(sys.stdin.buffer.read()):
    found = arrange(hand, wild, rules)
    groups = [[group.kind, *group.cards, *group.stands_for] for group in found.groups] + [list(found.leftover)]
    sys.stdout.buffer.write(msgspec.json.encode(groups) + b"\\n")
"""
OTHER = {"joker_only_group": "refused", "max_jokers_per_group": 2, "max_sequence_length": 5}


def hands():
    return [case for kind in KINDS for case in cases(kind, 60, "same everywhere")]


@pytest.mark.rule("8.2")
@pytest.mark.parametrize("settings", [{}, OTHER], ids=["house", "other terms"])
def test_the_groups_do_not_depend_on_the_hash_seed(settings):
    given = msgspec.json.encode(hands())
    command = [sys.executable, "-c", SCRIPT, msgspec.json.encode(settings).decode()]
    answers = {
        sha256(
            subprocess.run(
                command, input=given, capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}
            ).stdout
        ).hexdigest()
        for seed in ("0", "1", "2")
    }
    here = b"".join(
        msgspec.json.encode(names(arrange(hand, wild, MeldRules(**settings)))) + b"\n" for hand, wild in hands()
    )

    assert answers == {sha256(here).hexdigest()}, "and not on which hands were asked before"


@pytest.mark.rule("5.5")
@pytest.mark.parametrize("rules", [HOUSE, MeldRules(**OTHER)], ids=["house", "other terms"])
def test_the_groups_do_not_depend_on_the_order_of_the_cards(rules):
    dice = Random("orders")
    for hand, wild in hands():
        expected = arrange(hand, wild, rules)
        orders = [hand[::-1], tuple(sorted(hand)), *(tuple(dice.sample(hand, 13)) for _ in range(6))]
        for order in orders:
            assert arrange(order, wild, rules) == expected, (hand, order, wild)


@pytest.mark.rule("8.2")
def test_the_groups_do_not_depend_on_the_hands_before():
    forwards = [arrange(hand, wild) for hand, wild in hands()]
    backwards = [arrange(hand, wild) for hand, wild in reversed(hands())]

    assert forwards == backwards[::-1]
