import pytest

from poolrummy.rules import drop_price as rule
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.terms import Points


@pytest.mark.rule("7.2")
@pytest.mark.parametrize(
    ("variant", "first", "middle"), [("101", 20, 40), ("201", 25, 50), ("61", 15, 30), ("51", 10, 20)]
)
def test_the_first_drop_is_cheaper_than_the_middle_drop(variant, first, middle):
    terms = terms_of("house", variant)

    assert rule.drop_points(terms, has_drawn=False, first_turn=True) == first
    assert rule.drop_points(terms, has_drawn=True, first_turn=False) == middle


@pytest.mark.rule("7.2")
@pytest.mark.parametrize(
    ("profile", "points"), [("house", 20), ("rummypassion", 20), ("classic", 20), ("deccan", 20), ("scorekeeper", 40)]
)
def test_after_a_first_turn_that_timed_out_without_a_card_e_57(profile, points):
    assert rule.drop_points(terms_of(profile), has_drawn=False, first_turn=False) == points


@pytest.mark.rule("7.1")
@pytest.mark.parametrize("profile", PROFILES)
def test_after_drawing_no_drop_in_this_turn_e_56(profile):
    why_not = rule.may_drop(terms_of(profile), on_turn=True, drawn_this_turn=True, has_drawn=True, first_turn=True)

    assert why_not is Refusal.DROP_AFTER_DRAW


@pytest.mark.rule("7.1")
@pytest.mark.parametrize(("basis", "points"), [("no_card_drawn", 40), ("first_turn", 20)])
def test_where_one_may_drop_after_drawing_the_border_decides_the_price_e_56(basis, points):
    terms = terms_of(drop_window="any_time_in_turn", first_drop_basis=basis)

    assert rule.may_drop(terms, on_turn=True, drawn_this_turn=True, has_drawn=True, first_turn=True) is None
    assert rule.drop_points(terms, has_drawn=True, first_turn=True) == points


@pytest.mark.rule("7.1")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("has_drawn", "first_turn"), [(False, True), (True, False)])
def test_on_turn_and_before_drawing_a_player_may_drop(profile, has_drawn, first_turn):
    terms = terms_of(profile)

    assert rule.may_drop(terms, on_turn=True, drawn_this_turn=False, has_drawn=has_drawn, first_turn=first_turn) is None


@pytest.mark.rule("7.5")
@pytest.mark.parametrize("profile", ["house", "classic"])
def test_best_of_3_knows_no_drop_e_63(profile):
    terms = terms_of(profile, "best_of_3")

    assert (
        rule.may_drop(terms, on_turn=True, drawn_this_turn=False, has_drawn=False, first_turn=True)
        is Refusal.DROP_NOT_ALLOWED
    )


@pytest.mark.rule("7.5")
@pytest.mark.parametrize(
    ("has_drawn", "first_turn", "why_not"), [(False, True, None), (True, False, Refusal.MIDDLE_DROP_NOT_ALLOWED)]
)
def test_a_banned_middle_drop_leaves_the_first(has_drawn, first_turn, why_not):
    terms = terms_of("scorekeeper", voluntary_drop="first_only")
    may = rule.may_drop(terms, on_turn=True, drawn_this_turn=False, has_drawn=has_drawn, first_turn=first_turn)

    assert may is why_not


@pytest.mark.rule("7.6")
@pytest.mark.parametrize(("in_advance", "why_not"), [(True, None), (False, Refusal.DROP_IN_ADVANCE_NOT_ALLOWED)])
def test_a_drop_may_be_asked_before_the_own_turn_f52(in_advance, why_not):
    terms = terms_of(drop_in_advance=in_advance)

    assert rule.may_drop(terms, on_turn=False, drawn_this_turn=False, has_drawn=False, first_turn=True) is why_not


@pytest.mark.rule("7.4")
@pytest.mark.parametrize(
    ("profile", "pool_101", "pool_201"),
    [("house", 40, 50), ("rummypassion", 40, 50), ("classic", 40, 50), ("deccan", 40, 40), ("scorekeeper", 40, 50)],
)
def test_three_misses_after_a_draw_e_58_e_97(profile, pool_101, pool_201):
    assert rule.missed_points(terms_of(profile, "101"), has_drawn=True, first_turn=False) == pool_101
    assert rule.missed_points(terms_of(profile, "201"), has_drawn=True, first_turn=False) == pool_201


@pytest.mark.rule("7.4")
@pytest.mark.parametrize(
    ("profile", "pool_101", "pool_201"),
    [("house", 20, 25), ("rummypassion", 20, 25), ("classic", 40, 50), ("deccan", 40, 40), ("scorekeeper", 40, 50)],
)
def test_three_misses_without_a_card_drawn_e_59(profile, pool_101, pool_201):
    assert rule.missed_points(terms_of(profile, "101"), has_drawn=False, first_turn=False) == pool_101
    assert rule.missed_points(terms_of(profile, "201"), has_drawn=False, first_turn=False) == pool_201


@pytest.mark.rule("7.4")
@pytest.mark.parametrize("profile", ["house", "classic"])
@pytest.mark.parametrize("has_drawn", [False, True])
def test_three_misses_in_best_of_3_are_the_full_count_e_64(profile, has_drawn):
    assert rule.missed_points(terms_of(profile, "best_of_3"), has_drawn=has_drawn, first_turn=False) == 80


@pytest.mark.rule("7.4")
@pytest.mark.parametrize(
    ("setting", "points"), [("as_drop", 20), ("middle_drop", 40), ("full_count", 80), (Points(33), 33)]
)
def test_what_misses_cost_is_a_setting_of_its_own(setting, points):
    assert rule.missed_points(terms_of(auto_drop_points=setting), has_drawn=False, first_turn=False) == points


@pytest.mark.rule("7.4")
def test_a_banned_middle_drop_is_charged_for_misses_all_the_same():
    terms = terms_of("scorekeeper", voluntary_drop="first_only")

    assert rule.missed_points(terms, has_drawn=True, first_turn=False) == 40


@pytest.mark.rule("4.8")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_policy_ends_in_the_middle_drop_or_without_a_card_drawn_in_the_first_f75(profile):
    assert rule.policy_points(terms_of(profile), has_drawn=True) == 40
    assert rule.policy_points(terms_of(profile), has_drawn=False) == 20


@pytest.mark.rule("4.8")
def test_a_policy_ends_in_the_full_count_in_best_of_3():
    assert rule.policy_points(terms_of("house", "best_of_3"), has_drawn=True) == 80


@pytest.mark.rule("13.1")
@pytest.mark.parametrize(("has_drawn", "first_turn", "points"), [(False, True, 20), (True, False, 40)])
def test_leaving_costs_a_drop_also_where_it_is_banned(has_drawn, first_turn, points):
    for voluntary in ("both", "first_only", "none"):
        terms = terms_of(voluntary_drop=voluntary)

        assert rule.leaving_points(terms, has_drawn=has_drawn, first_turn=first_turn) == points


@pytest.mark.rule("13.1")
@pytest.mark.parametrize("profile", ["house", "classic"])
@pytest.mark.parametrize("has_drawn", [False, True])
def test_leaving_best_of_3_costs_the_full_count(profile, has_drawn):
    assert rule.leaving_points(terms_of(profile, "best_of_3"), has_drawn=has_drawn, first_turn=True) == 80


@pytest.mark.rule("7.4")
@pytest.mark.parametrize(("total", "has_drawn", "house", "classic"), [(80, True, 120, 120), (80, False, 100, 120)])
def test_who_came_back_on_80_and_misses_three_turns_e_97(total, has_drawn, house, classic):
    for profile, expected in (("house", house), ("classic", classic)):
        points = rule.missed_points(terms_of(profile), has_drawn=has_drawn, first_turn=False)

        assert total + points == expected
