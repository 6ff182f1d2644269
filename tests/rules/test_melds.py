"""What some cards laid together are, and what each of them stands for (rulebook chapter 5)."""

from itertools import permutations

import pytest

from poolrummy.rules.meld_rules import HOUSE, MeldRules
from poolrummy.rules.melds import read
from poolrummy_contracts.cards import parse_cards

from .exhaustive import legal_kinds
from .random_hands import hands
from .settings import SETTINGS

NOT_PURE = MeldRules(wild_natural_pure=False)
ONE_JOKER = MeldRules(max_jokers_per_group=1)


def kind_of(cards: str, wild: str, rules: MeldRules = HOUSE) -> str:
    return read(parse_cards(cards), wild, rules).kind


def reading_of(cards: str, wild: str, rules: MeldRules = HOUSE) -> str:
    return " ".join(read(parse_cards(cards), wild, rules).stands_for)


@pytest.mark.rule("5.1")
@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("5H 6H 7H", "pure_sequence"),
        ("5H 6H", "none"),
        ("5H 6H 8H", "none"),
        ("5H 6H 7S", "none"),
        ("5H 6H 6H", "none"),
        ("5H 5H 5H", "none"),
        ("AH 2H 3H", "pure_sequence"),
        ("QH KH AH", "pure_sequence"),
        ("KH AH 2H", "none"),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH", "pure_sequence"),
    ],
)
def test_neighbouring_ranks_of_one_suit_are_a_sequence_and_the_ace_stands_at_either_end(cards: str, kind: str):
    assert kind_of(cards, "4" if "4H" not in cards else "9") == kind


@pytest.mark.rule("5.2")
@pytest.mark.parametrize(
    ("cards", "rules", "kind"),
    [
        ("6S 7S 8S", HOUSE, "pure_sequence"),
        ("6S 7S 8S", NOT_PURE, "sequence"),
        ("6S 7H 8S", HOUSE, "sequence"),
        ("7S 8S 9S JK", HOUSE, "sequence"),
        ("8S 9S 10S", NOT_PURE, "pure_sequence"),
    ],
)
def test_a_wild_card_in_its_own_place_leaves_a_sequence_pure_where_the_terms_say_so(
    cards: str, rules: MeldRules, kind: str
):
    assert kind_of(cards, "7", rules) == kind


@pytest.mark.rule("5.3")
@pytest.mark.parametrize(
    ("cards", "wild", "reading"),
    [
        ("4S 6S JK", "9", "4S 5S 6S"),
        ("4S 5S JK", "9", "4S 5S 6S"),
        ("KS AS JK", "9", "QS KS AS"),
        ("QS KS JK", "9", "QS KS AS"),
        ("AS 3S JK JK", "9", "AS 2S 3S 4S"),
        ("4S 6S 9H", "9", "4S 5S 6S"),
        ("8S 10S 9S JK", "9", "8S 9S 10S JS".replace("10", "T")),
        ("7S 9S 9H", "9", "7S 8S 9S"),
    ],
)
def test_jokers_fill_the_gaps_then_stand_above_then_below(cards: str, wild: str, reading: str):
    assert reading_of(cards, wild) == reading


@pytest.mark.rule("5.3")
@pytest.mark.parametrize(
    ("cards", "kind"),
    [("AS 2S QS", "none"), ("AS 2S QS JK", "none"), ("2S 4S 6S JK", "none"), ("2S JK JK", "sequence")],
)
def test_jokers_never_join_both_ends_of_a_suit_and_one_card_must_stand_for_itself(cards: str, kind: str):
    assert kind_of(cards, "9") == kind


@pytest.mark.rule("5.4")
@pytest.mark.parametrize(
    ("cards", "wild", "kind"),
    [
        ("8S 8H 8D", "K", "set"),
        ("8S 8H 8D 8C", "K", "set"),
        ("8S 8H", "K", "none"),
        ("8S 8S 8H", "K", "none"),
        ("8S 8S 8H", "8", "sequence"),
        ("8S 8H 9D", "K", "none"),
        ("8S 8H JK", "K", "set"),
        ("8S 8H 8D JK", "K", "set"),
        ("8S 8H 8D 8C JK", "K", "none"),
        ("8S 8S JK", "K", "none"),
    ],
)
def test_a_set_is_three_or_four_of_one_rank_in_different_suits(cards: str, wild: str, kind: str):
    assert kind_of(cards, wild) == kind


@pytest.mark.rule("5.4")
def test_a_joker_of_a_set_stands_for_the_first_suit_that_is_missing():
    assert reading_of("8H 8C JK", "K") == "8H 8C 8S"
    assert reading_of("8S 8H 8D 8C JK", "K", MeldRules(max_set_size=5)) == "8S 8H 8D 8C JK"


@pytest.mark.rule("5.5")
def test_a_group_with_two_readings_takes_the_one_that_helps_most():
    assert kind_of("7H JK JK", "2") == "sequence"
    assert kind_of("7H 7H 7S", "7") == "sequence"
    assert kind_of("5H 6H 7H", "6") == "pure_sequence"


@pytest.mark.rule("5.5")
@pytest.mark.parametrize("cards", ["7H 5H 6H JK", "2S JK 4S 9D", "8S 8H JK", "QS KS AS"])
def test_the_order_of_the_cards_never_matters(cards: str):
    readings = {read(order, "9", HOUSE) for order in permutations(parse_cards(cards))}

    assert len(readings) == 1


@pytest.mark.rule("5.6")
@pytest.mark.parametrize(
    ("cards", "allowed", "printed_only_refused", "refused"),
    [
        ("JK JK 2C", "sequence", "sequence", "none"),
        ("JK JK JK", "sequence", "none", "none"),
        ("JK JK JK JK", "sequence", "none", "none"),
        ("2S 2H 2D", "sequence", "sequence", "set"),
        ("2S 2H 2D 2C", "sequence", "sequence", "set"),
        ("2S 2H JK", "sequence", "sequence", "none"),
        ("2S 2S 2H", "sequence", "sequence", "none"),
        ("2S JK", "none", "none", "none"),
    ],
)
def test_a_group_of_jokers_only_is_what_the_terms_say(
    cards: str, allowed: str, printed_only_refused: str, refused: str
):
    assert kind_of(cards, "2") == allowed
    assert kind_of(cards, "2", MeldRules(joker_only_group="printed_only_refused")) == printed_only_refused
    assert kind_of(cards, "2", MeldRules(joker_only_group="refused")) == refused


@pytest.mark.rule("5.7")
@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("6S 8S JK", "sequence"),
        ("6S JK JK", "none"),
        ("6S 7S JK", "sequence"),
        ("6S 7S 8S JK", "sequence"),
        ("6S 7H JK", "none"),
        ("8S 8H JK", "set"),
        ("8S 8H JK 7D", "none"),
        ("JK JK 7C", "none"),
    ],
)
def test_a_wild_card_that_stands_for_itself_is_not_counted_among_the_jokers(cards: str, kind: str):
    assert kind_of(cards, "7", ONE_JOKER) == kind


@pytest.mark.rule("5.8")
@pytest.mark.parametrize(
    ("cards", "rules", "kind"),
    [
        ("3H 4H 5H", MeldRules(max_sequence_length=3), "pure_sequence"),
        ("3H 4H 5H 6H", MeldRules(max_sequence_length=3), "none"),
        ("3H 4H 5H 6H JK", MeldRules(max_sequence_length=5), "sequence"),
        ("3H 4H 5H 6H JK JK", MeldRules(max_sequence_length=5), "none"),
        ("8S 8H 8D 8C JK", MeldRules(max_set_size=5), "set"),
        ("8S 8H 8D 8C JK JK", MeldRules(max_set_size=5), "none"),
        ("8S 8H 8D 8C JK JK", MeldRules(max_set_size=6), "set"),
    ],
)
def test_the_terms_may_limit_the_length_of_sequences_and_the_size_of_sets(cards: str, rules: MeldRules, kind: str):
    assert kind_of(cards, "K", rules) == kind


@pytest.mark.rule("5.5")
@pytest.mark.parametrize("setting", SETTINGS)
def test_groups_of_all_kinds_are_read_as_the_exhaustive_search_reads_them(setting: str):
    rules = SETTINGS[setting]
    for kind, seed in (("near", 21), ("jokers", 22)):
        for hand, wild in hands(kind, 60, seed=seed, decks=3):
            for size in (3, 4, 5, 6):
                for cards in (hand[:size], sorted(hand)[:size], sorted(hand, key=lambda card: card[::-1])[-size:]):
                    found = read(cards, wild, rules).kind
                    legal = legal_kinds(tuple(cards), wild, rules)

                    assert found == next((k for k in ("pure_sequence", "sequence", "set") if k in legal), "none"), cards
