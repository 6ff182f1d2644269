import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from poolrummy.rules import rejoin, standings
from poolrummy.testing.matches import PROFILES, standings_of, terms_of
from poolrummy_contracts.events import Obligation, RejoinGranted, RejoinOffer
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.terms import Amount, Seat


def offered(state):
    return {one.seat: one.score for one in rejoin.offers(state, rejoin.totals(state))}


def came_back(state, seat, granted):
    event = RejoinGranted(
        v=1,
        table="p00-a",
        at=1,
        actor="player",
        rule="10.3",
        window=1,
        seat=Seat(seat),
        score=granted.score,
        price=granted.price,
        obligations=granted.obligations,
        prize_pool=granted.prize_pool,
    )
    return standings.evolve(state, event, state.terms)


def accepted_in_turn(state, *seats):
    """Every seat accepts, one after the other; what each got."""
    snapshot, outcomes = rejoin.totals(state), []
    for seat in seats:
        outcome = rejoin.settle(state, seat, snapshot)
        if isinstance(outcome, rejoin.Granted):
            state = came_back(state, seat, outcome)
            outcomes.append(outcome.score)
        else:
            outcomes.append(outcome)
    return outcomes


def with_highest(highest, profile="house", variant="101", **settings):
    """Seats 1 and 2 are in, seat 3 has just been eliminated."""
    return standings_of(terms_of(profile, variant, **settings), (highest, 10, 250))


@pytest.mark.rule("10.1")
def test_a_rejoin_is_offered_with_its_price_and_its_score():
    state = with_highest(45)

    assert rejoin.offers(state, rejoin.totals(state)) == (RejoinOffer(seat=3, score=46, price=2500),)


@pytest.mark.rule("10.1")
@pytest.mark.parametrize(
    ("state", "why"),
    [
        (standings_of(terms_of("deccan"), (35, 45, 110)), "no rejoin in this profile"),
        (standings_of(terms_of("scorekeeper", rejoin_enabled=False), (35, 45, 110)), "switched off"),
        (standings_of(terms_of(), (35, 45, 110), out={3: 2}), "out since an earlier deal"),
        (standings_of(terms_of(), (35, 45, 60), left={3: 3}), "left the match"),
    ],
)
def test_no_rejoin_is_offered(state, why):
    assert rejoin.offers(state, rejoin.totals(state)) == (), why
    assert rejoin.refusal(state, 3, rejoin.totals(state)) is Refusal.REJOIN_NOT_OFFERED
    assert rejoin.settle(state, 3, rejoin.totals(state)) == "threshold"


@pytest.mark.rule("10.1")
def test_a_seat_that_is_in_cannot_rejoin():
    state = with_highest(45)

    assert rejoin.refusal(state, 1, rejoin.totals(state)) is Refusal.REJOIN_NOT_OFFERED


@pytest.mark.rule("10.2")
@pytest.mark.parametrize(
    ("variant", "highest", "score"),
    [
        pytest.param("101", 78, 79, id="E-84"),
        pytest.param("101", 79, 80, id="E-85 F39"),
        pytest.param("101", 80, None, id="E-86 F39"),
        pytest.param("101", 88, None, id="E-44"),
        pytest.param("201", 173, 174, id="E-87"),
        pytest.param("201", 174, 175, id="E-87 F39"),
        pytest.param("201", 175, None, id="E-87 F39 too high"),
        pytest.param("61", 44, 45, id="E-96 61"),
        pytest.param("61", 45, None, id="E-96 61 too high"),
        pytest.param("51", 39, 40, id="E-96 51"),
        pytest.param("51", 40, None, id="E-96 51 too high"),
    ],
)
def test_the_threshold_is_the_last_score_that_still_allows_a_rejoin(variant, highest, score):
    for profile in ("house", "rummypassion", "classic") if variant in ("101", "201") else ("house",):
        state = with_highest(highest, profile, variant)

        assert_offer_is(state, score)


def assert_offer_is(state, score):
    assert offered(state) == ({} if score is None else {3: score})
    assert (rejoin.refusal(state, 3, rejoin.totals(state)) is Refusal.REJOIN_THRESHOLD_PASSED) == (score is None)


@pytest.mark.rule("10.2")
@pytest.mark.parametrize(
    ("variant", "highest", "score"),
    [
        ("101", 78, 77),
        ("101", 79, 78),
        ("101", 80, 79),
        ("101", 88, 87),
        ("201", 173, 172),
        ("201", 174, 173),
        ("201", 175, 174),
    ],
)
def test_without_a_threshold_the_seat_returns_one_below_the_highest(variant, highest, score):
    assert offered(with_highest(highest, "scorekeeper", variant)) == {3: score}


@pytest.mark.rule("10.2")
@pytest.mark.parametrize(("highest", "yes"), [(78, True), (79, False)])
def test_with_lt_the_threshold_itself_is_too_high(highest, yes):
    assert bool(offered(with_highest(highest, "rummypassion", rejoin_cmp="lt"))) is yes


@pytest.mark.rule("10.2")
@pytest.mark.parametrize("variant", ["101", "201", "61", "51"])
def test_who_returns_above_the_threshold_could_not_take_one_first_drop_and_who_returns_on_it_can(variant):
    terms = terms_of("house", variant)

    assert standings.drops_left(terms.rejoin_threshold + 1, terms) == 1
    assert standings.drops_left(terms.rejoin_threshold + 2, terms) == 0


@pytest.mark.rule("10.3")
@pytest.mark.parametrize(
    ("profile", "score"), [("house", 73), ("rummypassion", 73), ("classic", 73), ("scorekeeper", 71)]
)
def test_the_score_is_next_to_the_highest_of_three_survivors_e_83(profile, score):
    assert offered(standings_of(terms_of(profile), (72, 45, 56, 110))) == {4: score}


@pytest.mark.rule("10.3")
@pytest.mark.parametrize(("profile", "score"), [("house", 1), ("rummypassion", 1), ("classic", 1), ("scorekeeper", 0)])
def test_the_score_is_never_below_0_e_92(profile, score):
    assert offered(standings_of(terms_of(profile), (0, 0, 110))) == {3: score}


@pytest.mark.rule("10.3")
def test_the_first_example_of_the_source():
    assert offered(standings_of(terms_of("rummypassion"), (35, 45, 110))) == {3: 46}


@pytest.mark.rule("10.4")
@pytest.mark.parametrize(
    ("profile", "scores"),
    [("house", [46, 47]), ("rummypassion", [46, 47]), ("classic", [46, 47]), ("scorekeeper", [44, 44])],
)
def test_several_come_back_one_after_the_other_or_against_the_snapshot_e_88(profile, scores):
    assert accepted_in_turn(standings_of(terms_of(profile), (35, 45, 110, 104)), 4, 3) == scores


@pytest.mark.rule("10.4")
@pytest.mark.parametrize(
    ("profile", "settings", "scores"),
    [
        ("house", {}, [80, "threshold"]),
        ("rummypassion", {}, [80, "threshold"]),
        ("classic", {}, [80, "threshold"]),
        ("scorekeeper", {}, [78, 78]),
        ("house", {"rejoin_recheck_threshold": "once"}, [80, 81]),
        ("house", {"rejoin_sequencing": "snapshot"}, [80, "threshold"]),
        ("house", {"rejoin_sequencing": "snapshot", "rejoin_recheck_threshold": "once"}, [80, 80]),
    ],
)
def test_the_threshold_is_looked_at_for_each_or_once_e_89(profile, settings, scores):
    assert accepted_in_turn(standings_of(terms_of(profile, **settings), (35, 79, 110, 104)), 3, 4) == scores


@pytest.mark.rule("10.4")
def test_the_offers_follow_what_has_happened_in_the_window():
    state = standings_of(terms_of(), (35, 45, 110, 104))
    snapshot = rejoin.totals(state)
    state = came_back(state, 4, rejoin.settle(state, 4, snapshot))

    assert [(one.seat, one.score) for one in rejoin.offers(state, snapshot)] == [(3, 47)]


@pytest.mark.rule("10.2")
@pytest.mark.parametrize("profile", ["house", "rummypassion", "classic", "scorekeeper"])
def test_two_that_go_out_together_do_not_stand_in_each_others_way_e_90(profile):
    assert set(offered(standings_of(terms_of(profile), (35, 45, 110, 104)))) == {3, 4}


@pytest.mark.rule("10.2")
@pytest.mark.parametrize("recheck", ["each", "once"])
def test_with_all_others_one_eliminated_seat_bars_the_other_e_90(recheck):
    terms = terms_of("classic", rejoin_population="all_others", rejoin_recheck_threshold=recheck)

    assert offered(standings_of(terms, (35, 45, 110, 104))) == {}
    assert offered(standings_of(terms, (35, 45, 110, 104), out={4: 1})) == {}
    assert offered(standings_of(terms, (35, 45, 110, 95), left={4: 1})) == {3: 46}


@pytest.mark.rule("10.8")
@pytest.mark.parametrize(
    ("profile", "score"),
    [("house", None), ("rummypassion", 36), ("classic", None), ("deccan", None), ("scorekeeper", None)],
)
def test_against_a_single_survivor_only_window_first_offers_a_rejoin_e_91(profile, score):
    state = standings_of(terms_of(profile, seats=2), (35, 110))

    assert offered(state) == ({} if score is None else {2: score})


@pytest.mark.rule("10.8")
def test_with_window_first_two_can_come_back_against_one_survivor():
    assert accepted_in_turn(standings_of(terms_of("rummypassion"), (35, 110, 104)), 3, 2) == [36, 37]


@pytest.mark.rule("10.8")
def test_when_everybody_who_was_in_has_left_there_is_nobody_to_come_back_against():
    terms = terms_of("rummypassion")
    state = standings_of(terms, (35, 110), left={1: 3})

    assert rejoin.settle(state, 2, ((Seat(1), 35), (Seat(2), 110))) == "threshold"


@pytest.mark.rule("10.9")
@pytest.mark.parametrize(("rejoins", "yes"), [(0, True), (1, True), (2, False)])
def test_a_player_comes_back_so_often_and_no_more(rejoins, yes):
    state = with_highest(45, rejoin_max_per_player=2)
    seats = (*state.seats[:2], replace(state.seats[2], rejoins=rejoins))

    assert bool(offered(replace(state, seats=seats))) is yes


@pytest.mark.rule("10.9")
@pytest.mark.parametrize("profile", ["house", "rummypassion", "classic", "scorekeeper"])
def test_without_a_number_a_seat_that_goes_out_again_is_offered_again_e_97(profile):
    state = standings_of(terms_of(profile), (60, 10, 120))
    seats = (*state.seats[:2], replace(state.seats[2], rejoins=7))

    assert set(offered(replace(state, seats=seats))) == {3}


@pytest.mark.rule("10.5")
@pytest.mark.parametrize(
    ("settings", "price", "owed", "pool"),
    [
        ({}, 2500, [("rejoin", 2500)], 10000),
        ({"rake_bp": 1600}, 2500, [("rejoin", 2100), ("rejoin-fee", 400)], 8400),
        ({"rake_bp": 1600, "rake_on_rejoin": False}, 2500, [("rejoin", 2500)], 8800),
        ({"rejoin_adds_to_pool": False}, 2500, [("rejoin-fee", 2500)], 7500),
        ({"rejoin_fee": Amount(4000)}, 4000, [("rejoin", 4000)], 11500),
        ({"rejoin_fee": Amount(999), "rake_bp": 1500}, 999, [("rejoin", 850), ("rejoin-fee", 149)], 7225),
        ({"entry_fee": 0}, 0, [], 0),
    ],
)
def test_the_price_goes_into_the_pool_less_the_rake(settings, price, owed, pool):
    state = with_highest(45, **settings)
    granted = rejoin.settle(state, 3, rejoin.totals(state))

    assert granted == rejoin.Granted(
        score=46,
        price=price,
        obligations=tuple(Obligation(Seat(3), "p3", kind, amount) for kind, amount in owed),
        prize_pool=pool,
    )


@pytest.mark.rule("10.5")
@pytest.mark.parametrize(("settings", "pool"), [({}, 12500), ({"rejoin_adds_to_pool": False}, 7500)])
def test_two_rejoins_of_three_seats_e_95(settings, pool):
    state = with_highest(45, **settings)
    for _ in range(2):
        granted = rejoin.settle(state, 3, rejoin.totals(state))
        state = came_back(state, 3, granted)
        state = replace(state, seats=(*state.seats[:2], replace(state.seats[2], state="eliminated", out_in_deal=3)))

    assert state.prize_pool == pool


@pytest.mark.rule("10.5")
def test_two_rejoins_in_one_millisecond_both_reach_the_prize_f42():
    state = standings_of(terms_of(entry_fee=10000), (10, 45, 110, 104, 20, 30))
    snapshot = rejoin.totals(state)
    for seat in (4, 3):
        state = came_back(state, seat, rejoin.settle(state, seat, snapshot))

    assert state.prize_pool == 80000
    assert (standings.of(state, 4).total, standings.of(state, 3).total) == (46, 47)


@pytest.mark.rule("10.3")
@given(
    st.sampled_from([name for name in PROFILES if name != "deccan"]),
    st.sampled_from(["101", "201"]),
    st.lists(st.integers(0, 210), min_size=3, max_size=6),
    st.permutations(range(1, 7)),
    st.fixed_dictionaries(
        {
            "rejoin_sequencing": st.sampled_from(["by_acceptance", "snapshot"]),
            "rejoin_recheck_threshold": st.sampled_from(["each", "once"]),
            "rejoin_when_one_survivor": st.sampled_from(["match_over", "window_first"]),
        }
    ),
)
def test_nobody_comes_back_at_or_above_the_limit_or_below_0(profile, variant, totals, asks, settings):
    terms = terms_of(profile, variant, **settings)
    state = standings_of(terms, [0, *totals][:6])
    scores = accepted_in_turn(state, *(seat for seat in asks if seat <= state.started))

    assert all(0 <= score < terms.limit for score in scores if score != "threshold")
