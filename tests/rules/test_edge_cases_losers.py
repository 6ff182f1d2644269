"""E-25 to E-37: what does a loser score? Seat 1 shows validly, seat 2 loses with a hand that is written down."""

import pytest

from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.tables import started
from poolrummy_contracts.events import HandCounted, HandLaidOpen
from poolrummy_contracts.terms import AtMost, SavedOrMiddleDrop

WINNER = "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / QS QH QD"
OTHER_WINNER = "6C 7C 8C / 10D JD QD / AS AH AD AC / 7S 7H 7D"
COMPLETE = "AH 2H 3H / 5D 6D 7D / JS JH JD / QS QH QC QD"

E_25 = "2H 3H 4H 9S 9D 9C 6S 6D 8C 3C 5D AS 7H"
E_26 = "5S 6S JK 9S 9D 9C 4H 3D 2C 8D 7C AH 2D"
E_28 = "KH KD 2S 4S 7S 3H 5H 9H 2D 6D 8D AC 4C"
E_34 = "2S 4S 7S 3H 5H 9H 2D 6D 8D AC 4C 6C 9C"
TWELVE = "AH 2H 3H 5D 6D 7D JS JH JD 2C 3S 3D 4C"

# case, wild card, hand, declares in time, had a turn, points in each profile, other settings
LOSERS = [
    ("E-25", "KS", E_25, True, True, (72, 72, 45, 72, 45), {}),
    ("E-26", "KS", E_26, True, True, (74, 74, 36, 74, 74), {}),
    ("E-27", "4S", "10S JS QS 7H 8H JK 2C 2D 2S KD 9D 4C 3H", True, True, (22, 22, 22, 22, 22), {}),
    ("E-28", "KS", E_28, True, True, (60, 60, 38, 60, 60), {}),
    ("E-29", "5S", "KS QH JD 10C AS 9D 8H 7S 6C 4D 3S 4C 3D", True, True, (80, 80, 80, 80, 80), {}),
    ("E-30 79", "KS", "2C 3D 3H 4H 5D 6C 6H 7H 7S 8D 8S JC JS", True, True, (79, 79, 79, 79, 79), {}),
    ("E-30 80", "KS", "3S 6C 6S 8D 8H 8S 9D 9S AD AS QD 10C 10S", True, True, (80, 80, 80, 80, 80), {}),
    ("E-30 81", "KS", "2H 2S 3D 4H 5C 5H 6D 7H 8S 9S AH JD QH", True, True, (80, 80, 80, 80, 80), {}),
    ("E-31", "KS", E_26, True, True, (60, 60, 36, 60, 60), {"full_count_cap": 60}),
    ("E-32", "KS", COMPLETE, True, True, (0, 0, 0, 0, 0), {}),
    ("E-33", "KS", COMPLETE, False, True, (0, 0, 80, 2, 0), {}),
    ("E-34", "KS", E_34, True, False, (75, 75, 75, 20, 75), {}),
    ("E-34 half count", "KS", E_34, True, False, (37, 37, 37, 37, 37), {"no_turn_points": "half_count"}),
    ("E-34 first drop", "KS", E_34, True, False, (20, 20, 20, 20, 20), {"no_turn_points": "first_drop"}),
    ("E-36", "KS", TWELVE, True, False, (12, 12, 12, 20, 12), {}),
    ("E-36 at most 20", "KS", TWELVE, True, False, (12, 12, 12, 12, 12), {"no_turn_points": AtMost(20)}),
]


def lost(terms, wild, hand, *, declares, had_turn, saved=""):
    """Seat 1 shows, in its first turn or its second; seat 2 has lost."""
    winner = OTHER_WINNER if wild[0] in "34589Q" else WINNER
    script = DealScript(hands={1: winner.replace("/", " "), 2: hand}, wild=wild)
    table = started(terms, script, seats=2)
    if had_turn:
        table.play(2)
    if saved:
        table.save(2, saved)
    table.show(winner)
    if table.table.phase == "declaring":
        if declares:
            table.declare(2, hand)
        else:
            table.time_out()
    table.judge()
    return table


@pytest.mark.rule("8.5")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("case", "wild", "hand", "declares", "had_turn", "points", "settings"), LOSERS, ids=[one[0] for one in LOSERS]
)
def test_a_loser_is_charged_as_the_terms_of_the_table_say(
    case, wild, hand, declares, had_turn, points, settings, profile
):
    hand = hand.replace("/", " ")
    table = lost(terms_of(profile, **settings), wild, hand, declares=declares, had_turn=had_turn)

    assert table.points() == {1: 0, 2: points[PROFILES.index(profile)]}


FIELD_CASES = [
    ("F23", "QC", "2S 3S JK 4H 5H QC 3D 3C 6D 2C 5C 8S 7D", 48),
    ("F26", "5S", "9S 10S JS 2D 3D JK KH KC KD 4C 4H 7S 8D", 23),
    ("F27", "3S", "4C 5C 6C 8H 9H JK KD KC KH AS 2S 7D 9S", 28),
]


@pytest.mark.rule("8.5")
@pytest.mark.parametrize(("case", "wild", "hand", "points"), FIELD_CASES, ids=[one[0] for one in FIELD_CASES])
def test_a_loser_is_charged_for_what_lies_in_no_group(case, wild, hand, points):
    assert lost(terms_of(), wild, hand, declares=True, had_turn=True).points()[2] == points


@pytest.mark.rule("8.6")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_seat_without_a_turn_pays_no_drop_of_its_pool(profile):
    """E-35: the same in a 201 pool; 20 is below the first drop of 25."""
    table = lost(terms_of(profile, "201"), "KS", E_34, declares=True, had_turn=False)

    assert table.points()[2] == (20 if profile == "deccan" else 75)
    assert table.reasons()[2] == ("no-turn" if profile == "deccan" else "counted")


SAVED = "3H 4H 5H / 9C 10C JC"
AWAY = "3H 4H 5H 9C 10C JC QS QD QH 8S 6D 7D 4C"


def away(terms, saved):
    """E-37: seat 2 has drawn, is away for its next turn, and seat 1 shows."""
    script = DealScript(hands={1: "2S 3S 4S 7C 8C 9C AS AH AD 6S 6H 6C JK", 2: AWAY}, wild="KS")
    table = started(terms, script, seats=2)
    table.play(3)
    table.time_out()
    table.save(2, saved)
    table.show("2S 3S 4S / 7C 8C 9C / AS AH AD / 6S 6H 6C JK")
    table.time_out()
    table.judge()
    return table


@pytest.mark.rule("8.7")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_seat_that_is_away_is_counted_like_any_late_loser(profile):
    assert away(terms_of(profile), SAVED).points()[2] == {"classic": 80}.get(profile, 25)


@pytest.mark.rule("8.7")
def test_saved_groups_count_where_the_terms_say_so_for_late_losers():
    assert away(terms_of(late_loser="saved_groups"), SAVED).points()[2] == 55


@pytest.mark.rule("8.9")
@pytest.mark.parametrize(("saved", "points"), [(SAVED, 40), (SAVED + " / QS QD QH", 25)])
def test_a_protected_seat_pays_the_smaller_of_its_saved_groups_and_the_middle_drop(saved, points):
    terms = terms_of(disconnection_policy=SavedOrMiddleDrop(3))

    table = away(terms, saved)

    assert table.points()[2] == points
    assert table.last(HandLaidOpen).basis == "placed"


@pytest.mark.rule("8.3")
def test_what_a_hand_counts_and_what_it_is_charged_both_stand_in_the_log():
    """F33: the points that are settled are those of the one event."""
    table = lost(terms_of("deccan"), "KS", COMPLETE.replace("/", " "), declares=False, had_turn=True)

    counted = table.last(HandCounted)
    assert (counted.raw, counted.counted, counted.points, counted.complete) == (0, 0, 2, True)
    assert table.points()[2] == counted.points
    assert table.totals()[2] == counted.points


@pytest.mark.rule("8.8")
@pytest.mark.parametrize(("setting", "points"), [("count_best", 25), ("as_placed", 55), ("saved_groups", 55)])
def test_a_loser_is_counted_by_its_best_arrangement_or_by_what_it_placed(setting, points):
    script = DealScript(hands={1: "2S 3S 4S 7C 8C 9C AS AH AD 6S 6H 6C JK", 2: AWAY}, wild="KS")
    table = started(terms_of(loser_hand=setting), script, seats=2)
    table.play(2)
    table.show("2S 3S 4S / 7C 8C 9C / AS AH AD / 6S 6H 6C JK")
    table.declare(2, "3H 4H 5H / 9C 10C JC / QS QD 8S / 6D QH 7D 4C")
    table.judge()

    assert table.points()[2] == points


@pytest.mark.rule("6.7")
def test_the_last_grouping_placed_counts_though_the_hand_was_declared_before():
    script = DealScript(hands={1: "2S 3S 4S 7C 8C 9C AS AH AD 6S 6H 6C JK", 2: AWAY}, wild="KS")
    table = started(terms_of(loser_hand="saved_groups"), script, seats=3)
    table.play(3)
    table.show("2S 3S 4S / 7C 8C 9C / AS AH AD / 6S 6H 6C JK")
    table.declare(2, "3H 4H 5H / 9C 10C JC / QS QD 8S / 6D QH 7D 4C")
    table.save(2, "3H 4H 5H / 9C 10C JC / QS QD QH")
    table.time_out()
    table.judge()

    assert table.points()[2] == 25
