import pytest
from msgspec.structs import replace

from poolrummy.rules import match_end
from poolrummy.testing.matches import PROFILES, standings_of, terms_of

OUT = 250


def best_of_3(totals, scored, profile="house", **settings):
    return standings_of(terms_of(profile, "best_of_3", **settings), totals, deal=scored)


@pytest.mark.rule("12.1")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("totals", "how"), [((35, OUT, OUT), "last-seat"), ((35, 40, OUT), None), ((35, 40, 50), None)]
)
def test_a_pool_ends_with_the_last_seat(profile, totals, how):
    assert match_end.over(standings_of(terms_of(profile), totals)) == how


@pytest.mark.rule("12.1")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_pool_does_not_end_after_any_number_of_deals(profile):
    assert match_end.over(standings_of(terms_of(profile), (0, 100), deal=40)) is None


@pytest.mark.rule("12.1")
def test_who_is_left_when_the_others_leave_has_won():
    assert match_end.over(standings_of(terms_of(), (90, 20, 30), left={2: 1, 3: 2})) == "last-seat"


@pytest.mark.rule("12.1")
def test_heads_up_a_seat_on_exactly_the_limit_is_out_and_the_other_has_won_e_43():
    assert match_end.over(standings_of(terms_of(), (101, 60))) == "last-seat"
    assert match_end.over(standings_of(terms_of(elimination_cmp="gt"), (101, 60))) is None


@pytest.mark.rule("10.8")
@pytest.mark.parametrize(
    ("profile", "how"),
    [
        ("house", "last-seat"),
        ("rummypassion", None),
        ("classic", "last-seat"),
        ("deccan", "last-seat"),
        ("scorekeeper", "last-seat"),
    ],
)
def test_only_with_window_first_the_last_seat_waits_for_the_rejoin_window_e_91(profile, how):
    state = standings_of(terms_of(profile, seats=2), (35, 110))

    assert match_end.over(state, rejoin_to_come=True) == how
    assert match_end.over(state) == "last-seat"


@pytest.mark.rule("10.8")
def test_when_nobody_is_in_any_more_there_is_nothing_to_wait_for():
    state = standings_of(terms_of("rummypassion", seats=2), (35, 110), left={1: 3})

    assert match_end.over(state, rejoin_to_come=True) == "last-seat"


@pytest.mark.rule("12.3")
@pytest.mark.parametrize("profile", ["house", "classic"])
@pytest.mark.parametrize(
    ("totals", "scored", "how"),
    [
        pytest.param((10, 91), 2, "lead", id="E-109"),
        pytest.param((91, 10), 2, "lead", id="E-109 the other way round"),
        pytest.param((10, 90), 2, None, id="E-110"),
        pytest.param((0, 81), 1, None, id="only after deal 2"),
        pytest.param((0, 160), 2, "lead", id="two full counts"),
    ],
)
def test_the_third_deal_is_not_played_when_the_lead_is_more_than_80(profile, totals, scored, how):
    assert match_end.over(best_of_3(totals, scored, profile)) == how


@pytest.mark.rule("12.3")
def test_an_early_end_can_be_switched_off():
    assert match_end.over(best_of_3((0, 160), 2, early_end_lead="none")) is None


@pytest.mark.rule("12.3")
@pytest.mark.parametrize(("totals", "how"), [((0, 60, 90), None), ((0, 81, 90), "lead"), ((0, 80, 160), None)])
def test_with_three_players_the_leader_has_to_be_ahead_of_the_second_e_111(totals, how):
    assert match_end.over(best_of_3(totals, 2, seats_allowed=(2, 3))) == how


@pytest.mark.rule("12.2")
@pytest.mark.parametrize("profile", ["house", "classic"])
@pytest.mark.parametrize(
    ("totals", "scored", "how"),
    [
        pytest.param((10, 11), 3, "deals", id="one point will do"),
        pytest.param((0, 200), 3, "deals", id="after the last deal no lead is asked"),
        pytest.param((90, 90), 3, None, id="E-110 tie"),
        pytest.param((90, 90), 4, None, id="E-112 tie again"),
        pytest.param((90, 120), 5, "deals", id="E-112 decided"),
    ],
)
def test_after_three_deals_the_totals_decide_and_a_tie_goes_on(profile, totals, scored, how):
    assert match_end.over(best_of_3(totals, scored, profile)) == how


@pytest.mark.rule("12.4")
def test_only_a_tie_for_the_lead_goes_on():
    assert match_end.over(best_of_3((10, 50, 50), 3)) == "deals"
    assert match_end.over(best_of_3((10, 10, 50), 3)) is None


@pytest.mark.rule("12.2")
def test_a_void_deal_is_not_one_of_the_three():
    assert match_end.over(replace(best_of_3((10, 90), 2), deal=3)) is None


@pytest.mark.rule("12.1")
def test_who_leaves_best_of_3_has_lost_it_whatever_the_totals():
    state = standings_of(terms_of("house", "best_of_3"), (70, 0), deal=1, left={2: 1})

    assert match_end.over(state) == "last-seat"
