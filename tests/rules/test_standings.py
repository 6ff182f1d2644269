import itertools

import pytest
from msgspec.structs import replace

from poolrummy.rules import standings as rule
from poolrummy.testing.matches import PROFILES, standings_of, terms_of
from poolrummy_contracts.events import (
    DealScored,
    DealVoided,
    MatchEnded,
    MatchStarted,
    MatchVoided,
    Obligation,
    RejoinGranted,
    SeatAway,
    SeatedPlayer,
    SeatEliminated,
    SeatForfeited,
    SeatScore,
    SeatTaken,
)
from poolrummy_contracts.terms import Seat

ENVELOPE = {"v": 1, "table": "p00-a", "at": 1, "actor": "system", "rule": "9.1"}
HOUSE = terms_of()


def entry(seat):
    return Obligation(seat, f"p{seat}", "entry", 2500)


def started(*seats):
    seated = tuple(SeatedPlayer(seat=seat, player=f"p{seat}", kind="person") for seat in seats)
    return MatchStarted(**ENVELOPE, seats=seated, obligations=tuple(map(entry, seats)), prize_pool=2500 * len(seats))


def scored(deal, **totals):
    scores = tuple(SeatScore(Seat(int(seat[1:])), 0, "counted", total) for seat, total in totals.items())
    return DealScored(**ENVELOPE, deal=deal, how="show", winner=Seat(1), scores=scores)


def fold(*events, terms=HOUSE):
    state = None
    for event in events:
        state = rule.evolve(state, event, terms)
    return state


def in_deal(state, deal):
    return replace(state, deal=deal)


@pytest.mark.rule("9.1")
def test_there_are_no_standings_before_the_match_has_begun():
    assert fold(SeatTaken(**ENVELOPE, seat=Seat(1), player="p1", kind="person")) is None


@pytest.mark.rule("9.1")
def test_every_seat_begins_on_0_and_in_seat_order():
    state = fold(started(3, 1, 2))

    assert [(one.seat, one.total, one.state) for one in state.seats] == [
        (1, 0, "playing"),
        (2, 0, "playing"),
        (3, 0, "playing"),
    ]
    assert (state.started, state.prize_pool) == (3, 7500)


@pytest.mark.rule("9.1")
def test_a_scored_deal_gives_the_totals_that_it_names_and_a_second_delivery_of_it_the_same_ones():
    deal = scored(4, s1=0, s2=85)
    state = fold(started(1, 2), deal)

    assert rule.of(state, 2).total == 85
    assert rule.of(fold(started(1, 2), deal, deal), 2).total == 85


@pytest.mark.rule("9.1")
def test_a_void_deal_leaves_the_standings_as_they_were():
    state = fold(started(1, 2), scored(1, s1=0, s2=30))

    assert rule.evolve(state, DealVoided(**ENVELOPE, deal=2, reason="spoiled"), HOUSE) == state


@pytest.mark.rule("9.1")
def test_presence_changes_nothing_in_the_standings():
    state = fold(started(1, 2))

    assert rule.evolve(state, SeatAway(**ENVELOPE, seat=Seat(1)), HOUSE) == state


@pytest.mark.rule("9.5")
def test_an_eliminated_seat_is_out_and_its_deal_is_remembered():
    state = in_deal(fold(started(1, 2, 3)), 3)
    state = rule.evolve(state, SeatEliminated(**ENVELOPE, seat=Seat(3), total=110), HOUSE)
    out = rule.of(state, 3)

    assert (out.state, out.total, out.out_in_deal) == ("eliminated", 110, 3)
    assert rule.playing(state) == (1, 2)


@pytest.mark.rule("9.5")
def test_a_seat_that_comes_back_plays_on_from_its_new_score():
    state = in_deal(fold(started(1, 2, 3)), 3)
    state = rule.evolve(state, SeatEliminated(**ENVELOPE, seat=Seat(3), total=110), HOUSE)
    paid = Obligation(Seat(3), "p3", "rejoin", 2500)
    granted = RejoinGranted(
        **ENVELOPE, window=1, seat=Seat(3), score=46, price=2500, obligations=(paid,), prize_pool=10000
    )
    state = rule.evolve(state, granted, HOUSE)
    back = rule.of(state, 3)

    assert (back.state, back.total, back.rejoins, back.out_in_deal) == ("playing", 46, 1, None)
    assert (state.prize_pool, state.obligations[-1]) == (10000, paid)


@pytest.mark.rule("9.6")
def test_a_seat_that_leaves_is_out_for_good_with_the_points_of_that_deal():
    state = in_deal(fold(started(1, 2, 3)), 2)
    state = rule.evolve(state, SeatForfeited(**ENVELOPE, deal=2, seat=Seat(2), player="p2"), HOUSE)
    state = rule.evolve(state, scored(2, s1=0, s2=40, s3=20), HOUSE)
    gone = rule.of(state, 2)

    assert (gone.state, gone.total, gone.out_in_deal) == ("left", 40, 2)
    assert state.prize_pool == 7500


@pytest.mark.rule("9.6")
def test_an_eliminated_player_who_leaves_later_stays_out_since_the_deal_of_the_elimination():
    state = in_deal(standings_of(HOUSE, (20, 30, 104), deal=3), 5)
    state = rule.evolve(state, SeatForfeited(**ENVELOPE, deal=5, seat=Seat(3), player="p3"), HOUSE)

    assert (rule.of(state, 3).state, rule.of(state, 3).out_in_deal) == ("left", 3)


@pytest.mark.rule("9.1")
@pytest.mark.parametrize("kind", ["prize", "refund"])
def test_what_is_owed_at_the_end_joins_what_was_owed_before(kind):
    state = fold(started(1, 2))
    owed = (Obligation(Seat(1), "p1", kind, 5000),)
    ended = MatchEnded(**ENVELOPE, how="last-seat", places=(), obligations=owed)
    event = ended if kind == "prize" else MatchVoided(**ENVELOPE, reason="x", obligations=owed)

    assert rule.evolve(state, event, HOUSE).obligations == (entry(1), entry(2), *owed)


@pytest.mark.rule("9.2")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("variant", "before", "points", "out"),
    [
        pytest.param("101", 81, 20, True, id="E-38"),
        pytest.param("101", 21, 80, True, id="E-39"),
        pytest.param("101", 61, 40, True, id="E-39 middle drop"),
        pytest.param("101", 80, 20, False, id="E-40"),
        pytest.param("201", 175, 25, False, id="E-41"),
        pytest.param("201", 176, 25, True, id="E-41 F37"),
        pytest.param("201", 121, 80, True, id="E-41 full count"),
        pytest.param("201", 151, 50, True, id="E-41 middle drop"),
        pytest.param("101", 61, 39, False, id="E-43 last that stays in"),
        pytest.param("101", 74, 40, True, id="E-44"),
    ],
)
def test_a_total_at_the_limit_is_out_in_every_profile(profile, variant, before, points, out):
    assert rule.reaches_limit(before + points, terms_of(profile, variant)) is out


@pytest.mark.rule("9.2")
@pytest.mark.parametrize(
    ("variant", "total", "out"), [("61", 60, False), ("61", 61, True), ("51", 50, False), ("51", 51, True)]
)
def test_the_small_pools_end_at_their_own_limits_e_42(variant, total, out):
    assert rule.reaches_limit(total, terms_of("house", variant)) is out


@pytest.mark.rule("9.2")
@pytest.mark.parametrize(("variant", "total"), [("101", 101), ("201", 201)])
def test_with_gt_the_limit_itself_is_still_in_and_one_more_is_out(variant, total):
    terms = terms_of("rummypassion", variant, elimination_cmp="gt")

    assert not rule.reaches_limit(total, terms)
    assert rule.reaches_limit(total + 1, terms)


@pytest.mark.rule("9.2")
def test_nobody_is_eliminated_in_best_of_3():
    terms = terms_of("house", "best_of_3")

    assert not rule.reaches_limit(400, terms)
    assert rule.headroom(400, terms) is None
    assert rule.drops_left(0, terms) == 0


@pytest.mark.rule("9.3")
@pytest.mark.parametrize(("total", "room"), [(0, 100), (81, 19), (99, 1), (100, 0), (101, 0), (140, 0)])
def test_headroom_is_what_a_seat_can_take_and_still_be_in(total, room):
    assert rule.headroom(total, HOUSE) == room


@pytest.mark.rule("9.3")
@pytest.mark.parametrize("cmp", ["gte", "gt"])
def test_a_seat_that_takes_all_its_headroom_is_in_and_one_point_more_puts_it_out(cmp):
    terms = terms_of(elimination_cmp=cmp)
    for total in range(101):
        room = rule.headroom(total, terms)

        assert not rule.reaches_limit(total + room, terms)
        assert rule.reaches_limit(total + room + 1, terms)


@pytest.mark.rule("9.4")
@pytest.mark.parametrize(
    ("variant", "ranges"),
    [
        ("101", [(81, 100), (61, 80), (41, 60), (21, 40), (1, 20), (0, 0)]),
        ("201", [(176, 200), (151, 175), (126, 150), (101, 125), (76, 100), (51, 75), (26, 50), (1, 25), (0, 0)]),
        ("61", [(46, 60), (31, 45), (16, 30), (1, 15), (0, 0)]),
        ("51", [(41, 50), (31, 40), (21, 30), (11, 20), (1, 10)]),
    ],
)
def test_the_drops_left_are_those_of_the_table(variant, ranges):
    terms = terms_of("house", variant)
    for drops, (lowest, highest) in enumerate(ranges):
        assert {rule.drops_left(total, terms) for total in range(lowest, highest + 1)} == {drops}


@pytest.mark.rule("9.4")
@pytest.mark.parametrize(("cmp", "drops"), [("gte", 2), ("gt", 3)])
def test_the_comparison_with_the_limit_changes_the_drops_left_e_79(cmp, drops):
    assert rule.drops_left(41, terms_of(elimination_cmp=cmp)) == drops


@pytest.mark.rule("9.4")
@pytest.mark.parametrize("variant", ["101", "201", "61", "51"])
def test_drops_left_is_how_often_a_seat_can_drop_first_and_stay_in(variant):
    terms = terms_of("house", variant)
    for total in range(terms.limit):
        by_hand = next(n for n in itertools.count() if total + (n + 1) * terms.first_drop_points >= terms.limit)

        assert rule.drops_left(total, terms) == by_hand


@pytest.mark.rule("10.2")
def test_the_highest_surviving_score_does_not_look_at_seats_that_are_out():
    assert rule.highest_surviving(standings_of(HOUSE, (35, 45, 110, 60), left={4: 2})) == 45
