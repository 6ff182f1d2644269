import pytest

from poolrummy.rules.loser_points import Charge, Loser, charge, count_basis, without_count
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy_contracts.terms import AtMost, AutoTurns, Points, SavedOrMiddleDrop

DECLARED = Loser(had_turn=True, declared=True)
LATE = Loser(had_turn=True, declared=False)
NO_TURN = Loser(had_turn=False, declared=True)
NO_TURN_LATE = Loser(had_turn=False, declared=False)
AWAY = Loser(had_turn=True, declared=False, automatic=True)


def charged(profile, loser, counted, *, complete=False, variant="101", **settings):
    return charge(terms_of(profile, variant, **settings), loser, counted=counted, complete=complete).points


@pytest.mark.rule("8.5")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("counted", "points"), [(0, 0), (79, 79), (80, 80), (81, 80)])
def test_a_loser_who_declares_pays_what_the_hand_counts_e_30(profile, counted, points):
    outcome = charge(terms_of(profile), DECLARED, counted=counted, complete=False)

    assert outcome == Charge(points, "counted")


@pytest.mark.rule("8.5")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_lower_cap_holds_for_counted_hands_e_31(profile):
    assert charged(profile, DECLARED, 74, full_count_cap=60) == 60


@pytest.mark.rule("8.5")
def test_the_61_pool_has_a_cap_of_60():
    assert charged("house", DECLARED, 74, variant="61") == 60


@pytest.mark.rule("8.8")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_complete_hand_that_is_declared_in_time_costs_nothing_e_32(profile):
    assert charged(profile, DECLARED, 0, complete=True) == 0


@pytest.mark.rule("8.8")
@pytest.mark.parametrize(
    ("profile", "outcome"),
    [
        ("house", Charge(0, "late")),
        ("rummypassion", Charge(0, "late")),
        ("classic", Charge(80, "late")),
        ("deccan", Charge(2, "late")),
        ("scorekeeper", Charge(0, "late")),
    ],
)
def test_a_complete_hand_that_is_not_declared_e_33(profile, outcome):
    assert charge(terms_of(profile), LATE, counted=0, complete=True) == outcome


@pytest.mark.rule("8.8")
def test_a_late_hand_that_counts_0_but_is_not_complete_pays_nothing():
    assert charged("deccan", LATE, 0, complete=False) == 0


@pytest.mark.rule("8.7")
@pytest.mark.parametrize(
    ("profile", "points"), [("house", 25), ("rummypassion", 25), ("classic", 80), ("deccan", 25), ("scorekeeper", 25)]
)
def test_a_late_loser_is_counted_or_pays_the_full_count_e_37(profile, points):
    assert charged(profile, LATE, 25) == points


@pytest.mark.rule("8.6")
@pytest.mark.parametrize("variant", ["101", "201"])
@pytest.mark.parametrize("counted", [75, 12])
def test_a_seat_without_a_turn_is_counted_but_pays_20_in_deccan_e_34_e_35_e_36(variant, counted):
    for profile in ("house", "rummypassion", "classic", "scorekeeper"):
        assert charged(profile, NO_TURN, counted, variant=variant) == counted

    assert charged("deccan", NO_TURN, counted, variant=variant) == 20


@pytest.mark.rule("8.6")
@pytest.mark.parametrize(
    ("setting", "counted", "points"),
    [
        ("count", 75, 75),
        ("half_count", 75, 37),
        ("half_count", 90, 40),
        ("half_count", 1, 0),
        ("first_drop", 75, 20),
        ("first_drop", 12, 20),
        (Points(20), 12, 20),
        (AtMost(20), 75, 20),
        (AtMost(20), 12, 12),
    ],
)
@pytest.mark.parametrize("declared", [True, False])
def test_what_a_seat_without_a_turn_pays_is_a_setting(setting, counted, points, declared):
    loser = Loser(had_turn=False, declared=declared)
    outcome = charge(terms_of(no_turn_points=setting), loser, counted=counted, complete=False)

    assert outcome.points == points
    assert outcome.reason == ("counted" if setting == "count" else "no-turn")


@pytest.mark.rule("8.5")
@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"no_turn_points": Points(20)}, Charge(20, "no-turn")),
        ({"no_turn_points": AtMost(20)}, Charge(20, "no-turn")),
        ({"no_turn_points": "half_count"}, Charge(30, "no-turn")),
        ({"no_turn_points": "count"}, Charge(80, "late")),
    ],
)
def test_the_rule_for_a_seat_without_a_turn_goes_before_lateness(settings, expected):
    assert charge(terms_of("classic", **settings), NO_TURN_LATE, counted=60, complete=False) == expected


@pytest.mark.rule("8.5")
def test_a_complete_hand_without_a_turn_pays_for_the_turn_it_never_had():
    assert charged("deccan", NO_TURN_LATE, 0, complete=True) == 20


@pytest.mark.rule("8.6")
@pytest.mark.parametrize(
    ("profile", "loser", "settings", "fixed"),
    [
        ("deccan", NO_TURN, {}, Charge(20, "no-turn")),
        ("house", NO_TURN, {"no_turn_points": "first_drop"}, Charge(20, "no-turn")),
        ("house", NO_TURN, {"no_turn_points": AtMost(20)}, None),
        ("house", NO_TURN, {"no_turn_points": "half_count"}, None),
        ("house", NO_TURN, {}, None),
        ("classic", LATE, {}, Charge(80, "late")),
        ("classic", DECLARED, {}, None),
        ("house", LATE, {}, None),
        ("deccan", LATE, {}, None),
    ],
)
def test_where_no_count_can_change_the_points_the_hand_stays_closed(profile, loser, settings, fixed):
    assert without_count(terms_of(profile, **settings), loser) == fixed


@pytest.mark.rule("8.5")
@pytest.mark.parametrize(
    ("loser", "settings", "basis"),
    [
        (DECLARED, {}, "best"),
        (DECLARED, {"loser_hand": "as_placed"}, "placed"),
        (DECLARED, {"loser_hand": "saved_groups"}, "placed"),
        (LATE, {}, "best"),
        (LATE, {"loser_hand": "as_placed"}, "best"),
        (LATE, {"late_loser": "saved_groups"}, "placed"),
        (NO_TURN, {"loser_hand": "as_placed"}, "placed"),
        (NO_TURN, {"loser_hand": "as_placed", "no_turn_points": AtMost(20)}, "best"),
        (AWAY, {}, "best"),
        (AWAY, {"disconnection_policy": SavedOrMiddleDrop(3)}, "placed"),
        (AWAY, {"disconnection_policy": AutoTurns(3)}, "best"),
    ],
)
def test_which_arrangement_is_counted(loser, settings, basis):
    assert count_basis(terms_of(**settings), loser) == basis


@pytest.mark.rule("8.7")
@pytest.mark.parametrize(("counted", "complete", "points"), [(55, False, 55), (55, True, 55), (0, True, 2)])
def test_a_late_loser_may_be_counted_by_its_saved_groups_e_37(counted, complete, points):
    settings = {"late_loser": "saved_groups", "complete_undeclared_points": 2}

    assert charged("house", LATE, counted, complete=complete, **settings) == points


@pytest.mark.rule("8.9")
@pytest.mark.parametrize(("saved", "points"), [(55, 40), (40, 40), (25, 25), (0, 0)])
@pytest.mark.parametrize("late_loser", ["count_best", "full_count"])
def test_a_seat_in_automatic_play_pays_the_smaller_of_saved_groups_and_middle_drop_e_37(saved, points, late_loser):
    settings = {"disconnection_policy": SavedOrMiddleDrop(3), "late_loser": late_loser}

    assert charged("house", AWAY, saved, **settings) == points


@pytest.mark.rule("8.9")
def test_who_is_back_in_time_to_declare_is_counted_like_anybody():
    back = Loser(had_turn=True, declared=True, automatic=True)

    assert charged("house", back, 55, disconnection_policy=SavedOrMiddleDrop(3)) == 55


@pytest.mark.rule("8.9")
def test_in_best_of_3_the_protection_of_saved_groups_ends_at_the_full_count():
    settings = {"disconnection_policy": SavedOrMiddleDrop(3), "variant": "best_of_3"}

    assert charged("house", AWAY, 55, **settings) == 55
    assert charged("house", AWAY, 90, **settings) == 80
