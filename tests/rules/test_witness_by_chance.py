"""The witness accepts what is true, and refuses what somebody has tampered with."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolrummy.rules.arranger import Arrangement, arrange
from poolrummy.rules.meld_rules import HOUSE, MeldRules
from poolrummy.rules.melds import read
from poolrummy.rules.witness import objection, objection_to_show
from poolrummy_contracts.cards import RANKS, SUITS, Card, parse_cards
from poolrummy_contracts.verdicts import Group

from .exhaustive import least_points
from .some_hands import KINDS, cases

numbers = st.integers(0, 2**32)
kinds = st.sampled_from(sorted(KINDS))


def one(kind, number):
    """A hand, its wild rank, and what the arranger says."""
    (hand, wild), *_ = cases(kind, 1, f"witness {number}")
    return hand, "A" if wild == "JK" else wild, arrange(hand, wild)


@pytest.mark.rule("8.2")
@settings(max_examples=300, deadline=None)
@given(kinds, numbers)
def test_what_the_arranger_says_is_accepted(kind, number):
    hand, wild, found = one(kind, number)

    assert objection(found.groups, found.leftover, hand, wild, HOUSE, found.raw) is None
    if found.declarable:
        assert objection_to_show(found.groups, hand, wild, HOUSE) is None


@pytest.mark.rule("8.2")
@settings(max_examples=150, deadline=None)
@given(kinds.filter(lambda kind: kind != "jokers"), numbers, st.data())
def test_nothing_is_accepted_that_counts_less_than_the_least(kind, number, data):
    """Groups by chance, each in its best reading: what the witness lets pass is never too low."""
    hand, wild, found = one(kind, number)
    moved = [card for group in found.groups for card in group.cards] + list(found.leftover)
    for _ in range(data.draw(st.integers(0, 2))):
        first, second = data.draw(st.integers(0, 12)), data.draw(st.integers(0, 12))
        moved[first], moved[second] = moved[second], moved[first]
    groups, start = list[Group](), 0
    for size in data.draw(st.lists(st.integers(3, 5), max_size=4)):
        groups.append(read(moved[start : start + size], wild, HOUSE))
        start += size
    kept = [group for group in groups if group.kind != "none"]
    left = list(hand)
    for card in (card for group in kept for card in group.cards):
        left.remove(card)
    raw = sum(10 if card[0] in "ATJQK" else int(card[0]) for card in left if card != "JK" and card[0] != wild)

    if objection(kept, left, hand, wild, HOUSE, raw) is None:
        assert least_points(hand, wild, HOUSE, below=raw + 1) is not None


# -- tampered with: a hand with a pure sequence, a second one with a joker, a set, and cards left over

HAND = parse_cards("4H 5H 6H 9C JK JC 8S 8D 8H QD 2C 7D 3S")
WILD = "K"
RAW = 10 + 2 + 7 + 3


def untouched() -> Arrangement:
    found = arrange(HAND, WILD)
    assert found.raw == RAW
    assert [group.kind for group in found.groups] == ["pure_sequence", "sequence", "set"]
    return found


def told(groups, leftover=None, raw=RAW, hand=HAND, rules=HOUSE):
    found = untouched()
    return objection(groups, found.leftover if leftover is None else leftover, hand, WILD, rules, raw)


def replaced(index, **changes):
    groups = list(untouched().groups)
    groups[index] = msgspec.structs.replace(groups[index], **changes)
    return groups


def group(kind, cards, stands_for=None):
    return Group(kind=kind, cards=parse_cards(cards), stands_for=parse_cards(stands_for or cards))


@pytest.mark.rule("8.2")
@pytest.mark.parametrize("raw", [RAW - 1, RAW + 1, 0])
def test_points_that_the_cards_left_over_do_not_count_are_refused(raw):
    assert told(untouched().groups) is None
    assert "do not count" in told(untouched().groups, raw=raw)


@pytest.mark.rule("8.2")
def test_a_card_that_is_missing_or_there_twice_or_another_is_refused():
    found = untouched()
    other = (*found.leftover[1:], Card("AS"))

    assert "not the hand" in told(found.groups, leftover=found.leftover[1:])
    assert "not the hand" in told(found.groups, leftover=(*found.leftover, Card("2C")))
    assert "not the hand" in told(found.groups, leftover=other)
    assert "not the hand" in told([*found.groups, found.groups[0]])


@pytest.mark.rule("8.2")
@pytest.mark.parametrize("gone", [(0,), (1,), (0, 1)])
def test_groups_without_the_sequences_that_are_required_are_refused(gone):
    found = untouched()
    kept = [group for index, group in enumerate(found.groups) if index not in gone]
    left = [*found.leftover, *(card for index in gone for card in found.groups[index].cards)]
    raw = RAW + sum({0: 15, 1: 19}[index] for index in gone)

    assert "sequences that are required" in told(kept, leftover=left, raw=raw)


@pytest.mark.rule("5.2")
def test_a_sequence_with_a_joker_is_not_called_pure():
    assert told(replaced(1, kind="pure_sequence")) is not None


@pytest.mark.rule("5.1")
@pytest.mark.parametrize("kind", ["set", "none"])
def test_a_sequence_is_not_called_anything_else(kind):
    assert told(replaced(0, kind=kind)) is not None


@pytest.mark.rule("5.4")
@pytest.mark.parametrize("kind", ["sequence", "pure_sequence", "none"])
def test_a_set_is_not_called_a_sequence(kind):
    assert told(replaced(2, kind=kind)) is not None


@pytest.mark.rule("5.3")
@pytest.mark.parametrize("index", [0, 1, 2])
@settings(max_examples=60, deadline=None)
@given(number=numbers)
def test_a_card_that_is_no_joker_stands_for_itself_and_a_joker_for_what_is_lacking(number, index):
    dice = Random(number)
    names = list(untouched().groups[index].stands_for)
    place = dice.randrange(len(names))
    faces = [Card(rank + suit) for rank in RANKS for suit in SUITS] + [Card("JK")]
    names[place] = dice.choice([face for face in faces if face != names[place]])
    assert told(replaced(index, stands_for=tuple(names))) is not None


@pytest.mark.rule("5.1")
def test_names_that_are_no_cards_or_too_few_are_refused():
    names = untouched().groups[0].stands_for

    assert told(replaced(0, stands_for=names[:2])) is not None
    assert told(replaced(0, stands_for=("XX", *names[1:]))) is not None
    assert told(replaced(0, stands_for=names[::-1])) is not None


WRONG = [
    ("5.1", HOUSE, group("pure_sequence", "KH AH 2H")),
    ("5.1", HOUSE, group("pure_sequence", "4H 5H")),
    ("5.1", HOUSE, group("pure_sequence", "4H 5H 6D")),
    ("5.1", HOUSE, group("pure_sequence", "4H 5H 7H")),
    ("5.1", HOUSE, group("pure_sequence", "4H 4H 5H")),
    ("5.2", MeldRules(wild_natural_pure=False), group("pure_sequence", "JH QH KH")),
    ("5.3", HOUSE, group("sequence", "4H 9C 6H", "4H 5H 6H")),
    ("5.4", HOUSE, group("set", "8S 8S 8D")),
    ("5.4", HOUSE, group("set", "8S 8D 9C")),
    ("5.4", HOUSE, group("set", "8S 8D")),
    ("5.4", HOUSE, group("set", "8S 8D JK", "8S 8D 8S")),
    ("5.4", HOUSE, group("set", "8S 8D 8H 8C JK", "8S 8D 8H 8C JK")),
    ("5.6", MeldRules(joker_only_group="refused"), group("sequence", "JK JK KS", "JK JK JK")),
    ("5.6", MeldRules(joker_only_group="printed_only_refused"), group("sequence", "JK JK JK", "JK JK JK")),
    ("5.6", HOUSE, group("pure_sequence", "JK JK KS", "JK JK JK")),
    ("5.6", HOUSE, group("set", "JK JK KS", "JK JK JK")),
    ("5.7", MeldRules(max_jokers_per_group=1), group("sequence", "4H JK JK", "4H 5H 6H")),
    ("5.7", MeldRules(max_jokers_per_group=2), group("sequence", "JK JK KS", "JK JK JK")),
    ("5.8", MeldRules(max_sequence_length=3), group("pure_sequence", "4H 5H 6H 7H")),
]


@pytest.mark.parametrize(
    ("rules", "wrong"),
    [
        pytest.param(rules, wrong, id=" ".join(wrong.cards), marks=pytest.mark.rule(rule))
        for rule, rules, wrong in WRONG
    ],
)
def test_a_group_that_is_none_is_refused_among_good_ones(rules, wrong):
    good = [group("pure_sequence", "AC 2C 3C"), group("pure_sequence", "5S 6S 7S")]
    hand = [card for one in (*good, wrong) for card in one.cards]

    assert objection(good, (), [card for one in good for card in one.cards], WILD, rules, 0) is None
    assert objection([*good, wrong], (), hand, WILD, rules, 0) is not None


# -- shows

SHOW = [
    group("pure_sequence", "4H 5H 6H"),
    group("sequence", "9C JK JC", "9C TC JC"),
    group("set", "8S 8H 8D"),
    group("set", "QS QH QD QC"),
]
SHOWN = [card for one in SHOW for card in one.cards]


@pytest.mark.rule("6.2")
def test_a_valid_show_is_accepted_and_one_without_a_group_is_not():
    assert objection_to_show(SHOW, SHOWN, WILD, HOUSE) is None
    for index in range(4):
        assert objection_to_show(SHOW[:index] + SHOW[index + 1 :], SHOWN, WILD, HOUSE) is not None
    assert objection_to_show(SHOW, [*SHOWN[1:], Card("2C")], WILD, HOUSE) is not None
    assert objection_to_show(SHOW, SHOWN[1:], WILD, HOUSE) is not None


@pytest.mark.rule("6.2")
def test_two_sequences_are_required_and_one_of_them_pure():
    impure = [group("sequence", "4H JK 6H", "4H 5H 6H"), *SHOW[1:]]
    only_one = [group("pure_sequence", "4H 5H 6H"), group("set", "2C 2S 2D"), *SHOW[2:]]

    for groups in (impure, only_one):
        hand = [card for one in groups for card in one.cards]
        assert "two sequences are required" in objection_to_show(groups, hand, WILD, HOUSE)


@pytest.mark.rule("5.8")
def test_an_extra_group_that_is_too_large_is_refused():
    limited = MeldRules(max_extra_group_size=3)

    assert "too large" in objection_to_show(SHOW, SHOWN, WILD, limited)
    assert objection_to_show(SHOW, SHOWN, WILD, MeldRules(max_extra_group_size=4)) is None
