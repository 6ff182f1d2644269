"""Which terms are refused: every contradiction, with the last value that passes and the first that fails."""

import msgspec
import pytest

from poolrummy.profile_files import load_all
from poolrummy_contracts.profiles import check, practice_terms
from poolrummy_contracts.terms import Amount, AtMost, AutoTurns, Points, SavedOrMiddleDrop, Terms


def house(variant="101", seats=6, **changes):
    terms = practice_terms(load_all()["house"], variant, seats)
    assert isinstance(terms, Terms)
    return msgspec.structs.replace(terms, **changes)


def keys(terms):
    return [finding.key for finding in check(terms)]


@pytest.mark.rule("1.1")
@pytest.mark.parametrize(
    ("passes", "fails", "key"),
    [
        # 53 cards: three seats need 42, four need 55; 54 cards leave no stock for four either
        (house(seats=3, decks=1), house(seats=4, decks=1), "decks"),
        (house(seats=3, decks=1), house(seats=4, decks=1, printed_jokers_per_deck=2), "decks"),
        # 106 cards: six seats need 81
        (house(seats=6, decks=2), house(seats=6, decks=1), "decks"),
        (house(seats=3, seats_allowed=(2, 3)), house(seats=4, seats_allowed=(2, 3)), "seats"),
        (house(seats=3, min_to_start=3), house(seats=3, min_to_start=4), "min_to_start"),
        (
            house(wild_draw_point="before_deal"),
            house(wild_draw_point="before_deal", open_card_point="before_wild"),
            "open_card_point",
        ),
        (house(first_drop_points=40), house(first_drop_points=41), "first_drop_points"),
        (house(auto_drop_points="full_count"), house("best_of_3", 2, auto_drop_points="as_drop"), "auto_drop_points"),
        (
            house("best_of_3", 2, auto_drop_points=Points(40)),
            house("best_of_3", 2, auto_drop_points="middle_drop"),
            "auto_drop_points",
        ),
        (
            house("best_of_3", 2, no_turn_points=AtMost(20)),
            house("best_of_3", 2, no_turn_points="first_drop"),
            "no_turn_points",
        ),
        # limit 101, + 1: back on 100 is in, on 101 is out
        (house(rejoin_threshold=99), house(rejoin_threshold=100), "rejoin_threshold"),
        (
            house(rejoin_threshold=100, rejoin_cmp="lt"),
            house(rejoin_threshold=101, rejoin_cmp="lt"),
            "rejoin_threshold",
        ),
        (
            house(rejoin_threshold=100, elimination_cmp="gt"),
            house(rejoin_threshold=101, elimination_cmp="gt"),
            "rejoin_threshold",
        ),
        (
            house(rejoin_threshold="none", rejoin_offset=-1),
            house(rejoin_threshold="none", rejoin_offset=1),
            "rejoin_threshold",
        ),
        (house(rejoin_threshold="none", rejoin_enabled=False), house(rejoin_threshold=200), "rejoin_threshold"),
        (house("best_of_3", 2), house("best_of_3", 2, rejoin_enabled=True), "rejoin_enabled"),
        (house("best_of_3", 2, split_formula="equal"), house("best_of_3", 2, split_formula="drops"), "split_formula"),
        (house(auto_split="above"), house("best_of_3", 2, auto_split="above"), "auto_split"),
        (house(prize_shares_bp=(7000, 3000)), house(prize_shares_bp=(7000, 2999)), "prize_shares_bp"),
        (
            house(seats=2, prize_shares_bp=(7000, 3000)),
            house(seats=2, prize_shares_bp=(7000, 2000, 1000)),
            "prize_shares_bp",
        ),
        (house(currency="INR", rejoin_payment="cashier"), house(currency="INR"), "rejoin_payment"),
        (house("best_of_3", 2, deals=5), house("best_of_3", 2, deals="none"), "deals"),
        (house(), house(deals=3), "deals"),
        (house("best_of_3", 2, early_end_lead="none"), house(early_end_lead=80), "early_end_lead"),
        (
            house(split_min_started=4),
            house(split_min_started=4, split_three_left_needs_started=3),
            "split_three_left_needs_started",
        ),
        (house(limit=150), house(limit="none", rejoin_enabled=False, split_formula="off", deals=3), "limit"),
    ],
)
def test_a_contradiction_names_its_key(passes, fails, key):
    assert keys(passes) == []
    assert keys(fails) == [key]


def test_a_drop_without_points_names_both_kinds():
    found = check(house(first_drop_points="none", middle_drop_points="none", auto_drop_points="full_count"))

    assert [each.key for each in found] == ["first_drop_points", "middle_drop_points", "split_formula"]


@pytest.mark.parametrize(
    ("key", "lowest", "highest", "below", "above"),
    [
        ("entry_fee", 0, 10**12, -1, 10**12 + 1),
        ("rake_bp", 0, 10_000, -1, 10_001),
        ("decks", 2, 3, 0, 4),
        ("printed_jokers_per_deck", 1, 2, 0, 3),
        ("min_to_start", 2, 6, 1, 7),
        ("start_countdown_ms", 0, 604_800_000, -1, 604_800_001),
        ("fill_timeout_ms", 1, 604_800_000, 0, 604_800_001),
        ("turn_ms", 1, 604_800_000, 0, 604_800_001),
        ("max_set_size", 4, 13, 3, 14),
        ("max_sequence_length", 3, 13, 2, 14),
        ("max_extra_group_size", 3, 13, 2, 14),
        ("max_jokers_per_group", 1, 13, 0, 14),
        ("max_reshuffles", 0, 1000, -1, 1001),
        ("auto_drop_after_misses", 1, 1000, 0, 1001),
        ("full_count_cap", 1, 100_000, 0, 100_001),
        ("complete_undeclared_points", 0, 100_000, -1, 100_001),
        ("rejoin_max_per_player", 1, 1000, 0, 1001),
        ("split_min_started", 2, 4, 1, 7),
        ("split_max_left", 2, 3, 1, 4),
        ("split_three_left_needs_started", 3, 4, 2, 5),
        ("split_vote_ms", 1, 604_800_000, 0, 604_800_001),
        ("rejoin_offset", -1, 1, -2, 2),
    ],
)
def test_a_number_has_a_range(key, lowest, highest, below, above):
    assert keys(house(**{key: lowest})) == keys(house(**{key: highest})) == []
    assert key in keys(house(**{key: below}))
    assert key in keys(house(**{key: above}))


@pytest.mark.parametrize(
    ("key", "passes", "fails"),
    [
        ("disconnection_policy", AutoTurns(1), AutoTurns(0)),
        ("disconnection_policy", SavedOrMiddleDrop(1), SavedOrMiddleDrop(0)),
        ("no_turn_points", Points(0), Points(-1)),
        ("no_turn_points", AtMost(0), AtMost(-1)),
        ("auto_drop_points", Points(0), Points(-1)),
        ("rejoin_fee", Amount(0), Amount(-1)),
        ("rejoin_offset", -1, 0),
        ("currency", "practice", "rupee"),
        ("currency", "practice", "inr"),
        ("seats_allowed", (6,), (6, 6)),
        ("seats_allowed", (2, 6), (6, 2)),
        ("prize_shares_bp", (10_000,), (10_001, -1)),
        ("profile", "my-rules_2", "my rules"),
    ],
)
def test_a_value_that_no_type_rules_out_is_still_refused(key, passes, fails):
    assert keys(house(**{key: passes})) == []
    assert keys(house(**{key: fails})) == [key]


def test_what_is_spoiled_is_not_looked_at():
    terms = house(seats=4, decks=1, prize_shares_bp=(1,))

    assert [each.key for each in check(terms, spoiled=frozenset({"seats"}))] == ["prize_shares_bp"]
