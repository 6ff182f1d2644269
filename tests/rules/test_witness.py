"""The witness refuses what is false: every way to falsify a right answer is noticed."""

from collections.abc import Callable

import msgspec
import pytest

from poolrummy.rules.arranger import Arrangement, arrange
from poolrummy.rules.meld_rules import HOUSE, MeldRules
from poolrummy.rules.witness import objection, objection_to_show
from poolrummy_contracts.cards import Card, parse_cards
from poolrummy_contracts.verdicts import Group

HAND = parse_cards("3H 4H 5H 9C 10C JC QS QD JK 8S 6D 7D 4C")
COMPLETE = parse_cards("3H 4H 5H 9C 10C JC 8S 8H 8D 8C QS QH QD")
WILD = "K"

Falsify = Callable[[Arrangement], Arrangement]


def told(found: Arrangement, rules: MeldRules = HOUSE, wild: str = WILD) -> str | None:
    return objection(found.groups, found.leftover, HAND, wild, rules, found.raw)


def changed(found: Arrangement, index: int, **fields: object) -> Arrangement:
    groups = list(found.groups)
    groups[index] = msgspec.structs.replace(groups[index], **fields)
    return msgspec.structs.replace(found, groups=tuple(groups))


def group(kind: str, cards: str, stands_for: str | None = None) -> Group:
    return msgspec.convert(
        {"kind": kind, "cards": parse_cards(cards), "stands_for": parse_cards(stands_for or cards)}, Group
    )


@pytest.mark.rule("8.2")
def test_a_right_answer_passes():
    assert told(arrange(HAND, WILD)) is None
    assert objection_to_show(arrange(COMPLETE, WILD).groups, COMPLETE, WILD, HOUSE) is None


@pytest.mark.rule("8.2")
@pytest.mark.parametrize(
    "falsify",
    [
        lambda found: msgspec.structs.replace(found, raw=found.raw - 1),
        lambda found: msgspec.structs.replace(found, leftover=found.leftover[1:]),
        lambda found: msgspec.structs.replace(found, leftover=(*found.leftover[1:], Card("2S"))),
        lambda found: msgspec.structs.replace(found, groups=found.groups[1:]),
        lambda found: msgspec.structs.replace(found, groups=(*found.groups, found.groups[0])),
        lambda found: changed(found, 0, stands_for=parse_cards("4H 5H 6H")),
        lambda found: changed(found, 0, kind="set"),
        lambda found: changed(found, 2, stands_for=parse_cards("QS QD QD")),
        lambda found: changed(found, 2, kind="pure_sequence"),
    ],
)
def test_a_falsified_answer_does_not(falsify: Falsify):
    assert told(falsify(arrange(HAND, WILD))) is not None


@pytest.mark.rule("5.3")
@pytest.mark.parametrize(
    ("kind", "cards", "stands_for"),
    [
        ("pure_sequence", "3H 4H 6H", None),
        ("pure_sequence", "KH AH 2H", None),
        ("pure_sequence", "3H 4H JK", "3H 4H 5H"),
        ("sequence", "3H 4S 5H", None),
        ("sequence", "3H 4H 9S", "3H 4H 5H"),
        ("sequence", "3H 4H", None),
        ("sequence", "JK KS 3D", "3H 4H 5H"),
        ("set", "8S 8H 8H", None),
        ("set", "8S 8H 9D", None),
        ("set", "8S 8H 8D 8C JK", "8S 8H 8D 8C 8S"),
        ("set", "KS JK JK", "8S 8H 8D"),
    ],
)
def test_a_group_that_is_none_does_not_pass(kind: str, cards: str, stands_for: str | None):
    false = group(kind, cards, stands_for)
    hand = (*false.cards, *parse_cards("2S 4D 6C 7H 9S 10D JC QH AD 5C")[: 13 - len(false.cards)])

    assert objection((false,), hand[len(false.cards) :], hand, WILD, HOUSE, 70) is not None


@pytest.mark.rule("8.2")
def test_groups_count_only_beside_the_sequences_that_are_required():
    found = arrange(HAND, WILD)
    pure, queens = found.groups[0], found.groups[2]
    rest = tuple(card for card in HAND if card not in (*pure.cards, *queens.cards))
    loose = msgspec.structs.replace(found, groups=(pure, queens), leftover=rest, raw=54)

    assert told(loose) is not None
    assert told(loose, MeldRules(loser_count="unmatched_always")) is None
    assert told(loose, MeldRules(loser_count="unmatched_if_pure")) is None


@pytest.mark.rule("6.2")
@pytest.mark.parametrize(
    ("groups", "rules"),
    [
        ([("pure_sequence", "3H 4H 5H"), ("set", "8S 8H 8D 8C"), ("set", "QS QH QD")], HOUSE),
        (
            [
                ("pure_sequence", "3H 4H 5H"),
                ("sequence", "9C TC JC"),
                ("set", "8S 8H 8D 8C"),
                ("set", "QS QH QD"),
            ],
            MeldRules(max_extra_group_size=3),
        ),
    ],
)
def test_what_is_no_valid_show_does_not_pass_as_one(groups: list[tuple[str, str]], rules: MeldRules):
    shown = [group(kind, cards) for kind, cards in groups]

    assert objection_to_show(shown, COMPLETE, WILD, rules) is not None
