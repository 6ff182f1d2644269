from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from poolrummy.rules import prizes, standings
from poolrummy.testing.matches import PROFILES, standings_of, terms_of
from poolrummy_contracts.commands import SplitAmount
from poolrummy_contracts.events import Obligation, Place, SeatedPlayer, SeatForfeited

OUT = 120


def seated(count):
    return [SeatedPlayer(seat=n, player=f"p{n}", kind="person") for n in range(1, count + 1)]


def won(state, how="last-seat", amounts=()):
    """The prize of each seat that gets one, as owed; the places say the same."""
    places, owed = prizes.places_and_prizes(state, how, amounts)
    by_seat = {one.seat: one.amount for one in owed}

    assert {one.seat: one.prize for one in places if one.prize} == by_seat
    assert {one.kind for one in owed} <= {"prize"}
    assert sum(by_seat.values()) == state.prize_pool
    return by_seat


def ended(state):
    return [(one.place, one.seat) for one in prizes.places_and_prizes(state, "last-seat")[0]]


def deccan(totals, **more):
    """A six-seat table of 002 with 540.00 in the pool."""
    return standings_of(terms_of("deccan", entry_fee=10000, rake_bp=1000), totals, pool=54000, **more)


@pytest.mark.rule("11.1")
@pytest.mark.parametrize(
    ("fee", "seats", "rake_bp", "pool"),
    [
        pytest.param(2500, 6, 0, 15000, id="E-65"),
        pytest.param(10000, 6, 1000, 54000, id="E-105"),
        pytest.param(2500, 6, 1600, 12600, id="E-106"),
        pytest.param(500, 6, 1500, 2550, id="E-106 small"),
        pytest.param(500, 3, 1500, 1275, id="E-78"),
        pytest.param(5000, 6, 0, 30000, id="F47"),
        pytest.param(0, 6, 1500, 0, id="free"),
        pytest.param(999, 2, 1500, 1700, id="149.85 kept of each: 149"),
        pytest.param(2500, 2, 10000, 0, id="all of it kept"),
    ],
)
def test_the_rake_of_each_entry_is_rounded_down(fee, seats, rake_bp, pool):
    owed, prize_pool = prizes.entries(terms_of(entry_fee=fee, rake_bp=rake_bp), seated(seats))

    assert prize_pool == pool == prizes.pool(owed)
    assert sum(one.amount for one in owed) == fee * seats
    assert all(one.amount > 0 for one in owed)


@pytest.mark.rule("11.1")
def test_an_entry_is_owed_in_two_parts():
    owed, _ = prizes.entries(terms_of(rake_bp=1600), seated(1))

    assert owed == (Obligation(1, "p1", "entry", 2100), Obligation(1, "p1", "entry-fee", 400))


@pytest.mark.rule("11.1")
def test_the_pool_does_not_shrink_when_somebody_leaves_f47():
    state = standings_of(terms_of(entry_fee=5000), (10, 20, 30, 40, 60, OUT), left={5: 2})

    assert state.prize_pool == prizes.pool(state.obligations) == 30000


@pytest.mark.rule("11.2")
@pytest.mark.parametrize("profile", ["house", "rummypassion", "classic", "scorekeeper"])
def test_the_winner_takes_all_where_no_second_prize_is_named(profile):
    assert won(standings_of(terms_of(profile), (110, 40, 130))) == {2: 7500}


@pytest.mark.rule("11.2")
@pytest.mark.parametrize(
    ("fee", "rake_bp", "expected"),
    [
        pytest.param(10000, 1000, {1: 37800, 2: 16200}, id="E-105"),
        pytest.param(2500, 1600, {1: 8820, 2: 3780}, id="E-106"),
        pytest.param(500, 1500, {1: 1785, 2: 765}, id="E-106 small"),
        pytest.param(501, 0, {1: 2105, 2: 901}, id="rounded down, the rest to the winner"),
    ],
)
def test_seven_tenths_and_three_tenths_at_six_seats(fee, rake_bp, expected):
    terms = terms_of("deccan", entry_fee=fee, rake_bp=rake_bp)

    assert won(standings_of(terms, (50, 104, 118, 110, 120, 130), out={4: 1, 5: 2, 6: 2})) == expected


@pytest.mark.rule("11.2")
def test_a_two_seat_table_has_one_prize_in_deccan():
    assert won(standings_of(terms_of("deccan", seats=2), (50, 104))) == {1: 5000}


@pytest.mark.rule("11.2")
@pytest.mark.parametrize(("by", "expected"), [("seats", {1: 12600, 2: 5400}), ("started", {1: 18000})])
def test_two_players_at_a_six_seat_table_e_107(by, expected):
    terms = terms_of("deccan", entry_fee=10000, rake_bp=1000, prize_shares_by=by)

    assert won(standings_of(terms, (50, 104))) == expected


@pytest.mark.rule("11.2")
@pytest.mark.parametrize(("totals", "expected"), [((50, 104), {1: 5000}), ((50, 104, 110), {1: 5250, 2: 2250})])
def test_a_second_prize_needs_three_that_started(totals, expected):
    assert won(standings_of(terms_of(prize_shares_bp=(7000, 3000)), totals)) == expected


@pytest.mark.rule("11.2")
def test_a_share_that_no_seat_can_have_goes_to_the_winner():
    terms = terms_of(prize_shares_bp=(5000, 3000, 2000), prize_shares_by="seats")

    assert won(standings_of(terms, (50, 104))) == {1: 3500, 2: 1500}


@pytest.mark.rule("11.3")
@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        pytest.param((50, 118, 104, 101, 102, 103), {1: 37800, 3: 16200}, id="E-108 the lower total"),
        pytest.param((50, 104, 104, 101, 102, 103), {1: 37800, 2: 8100, 3: 8100}, id="E-108 equal totals share"),
    ],
)
def test_second_is_who_went_out_last_and_then_the_lower_total_e_108(totals, expected):
    assert won(deccan(totals, out={4: 1, 5: 2, 6: 2})) == expected


@pytest.mark.rule("11.3")
def test_the_odd_paisa_of_a_shared_place_goes_to_the_earlier_seat():
    state = standings_of(terms_of("deccan"), (104, 50, 104), pool=1010)

    assert won(state) == {2: 707, 1: 152, 3: 151}


@pytest.mark.rule("11.3")
def test_three_on_the_second_place_share_its_prize():
    state = standings_of(terms_of("deccan"), (50, 104, 104, 104), pool=1000)

    assert won(state) == {1: 700, 2: 100, 3: 100, 4: 100}
    assert ended(state) == [(1, 1), (2, 2), (2, 3), (2, 4)]


@pytest.mark.rule("11.3")
def test_two_on_the_second_of_three_places_share_both_prizes():
    terms = terms_of(prize_shares_bp=(5000, 3000, 2000))

    assert won(standings_of(terms, (50, 104, 104, 101), out={4: 1}, pool=1000)) == {1: 500, 2: 250, 3: 250}


@pytest.mark.rule("11.3")
def test_a_seat_that_left_counts_as_eliminated_in_the_deal_it_left():
    state = deccan((50, 104, 70, 60, 102, 103), left={3: 3, 4: 2}, out={5: 1, 6: 1})

    assert ended(state) == [(1, 1), (2, 3), (3, 2), (4, 4), (5, 5), (6, 6)]
    assert won(state) == {1: 37800, 3: 16200}


@pytest.mark.rule("11.3")
def test_a_seat_that_is_in_stands_before_one_that_left_with_less():
    assert ended(standings_of(terms_of(), (90, 20), left={2: 3})) == [(1, 1), (2, 2)]


@pytest.mark.rule("12.1")
@pytest.mark.parametrize(("leaves", "winner"), [((1, 2), 2), ((2, 1), 1)])
def test_when_all_that_were_in_leave_the_break_the_last_of_them_has_won(leaves, winner):
    state = standings_of(terms_of("rummypassion"), (20, 50, OUT))
    for seat in leaves:
        left = SeatForfeited(v=1, table="p00-a", at=1, actor="player", rule="13.1", seat=seat, player=f"p{seat}")
        state = standings.evolve(state, left, state.terms)

    assert standings.playing(state) == ()
    assert won(state) == {winner: 7500}


@pytest.mark.rule("12.1")
def test_who_wins_the_last_deal_and_leaves_before_the_others_are_counted_has_the_lower_total():
    state = standings_of(terms_of(), (20, 104, 118), left={1: 3})

    assert ended(state) == [(1, 1), (2, 2), (3, 3)]


@pytest.mark.rule("11.3")
def test_places_say_who_it_was_and_with_how_much():
    places, _ = prizes.places_and_prizes(standings_of(terms_of(), (110, 40)), "last-seat")

    assert places == (
        Place(place=1, seat=2, player="p2", total=40, prize=5000),
        Place(place=2, seat=1, player="p1", total=110, prize=0),
    )


@pytest.mark.rule("12.2")
@pytest.mark.parametrize("how", ["deals", "lead"])
def test_in_best_of_3_the_lower_total_wins(how):
    assert won(standings_of(terms_of("house", "best_of_3"), (91, 10)), how) == {2: 5000}


@pytest.mark.rule("11.6")
@pytest.mark.parametrize("how", ["split", "auto-split"])
def test_a_split_pays_what_was_agreed_whatever_the_shares_are(how):
    state = standings_of(terms_of("deccan"), (50, 70, OUT))

    assert won(state, how, (SplitAmount(1, 5000), SplitAmount(2, 2500))) == {1: 5000, 2: 2500}


@pytest.mark.rule("11.6")
def test_a_split_that_is_not_the_pool_is_our_own_mistake():
    with pytest.raises(AssertionError, match="not the prize pool"):
        prizes.places_and_prizes(standings_of(terms_of(), (50, 70, OUT)), "split", (SplitAmount(1, 5000),))


@pytest.mark.rule("13.3")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_void_match_gives_every_stake_back_the_kept_part_too(profile):
    state = standings_of(terms_of(profile, rake_bp=1600), (50, OUT, 70), left={3: 2})
    rejoined = prizes.payment(2, "p2", "rejoin", price=2500, kept=400)
    state = replace(state, obligations=state.obligations + rejoined)

    assert prizes.refunds(state) == (
        Obligation(1, "p1", "refund", 2500),
        Obligation(2, "p2", "refund", 5000),
        Obligation(3, "p3", "refund", 2500),
    )


@pytest.mark.rule("13.3")
@pytest.mark.parametrize(("prize", "back"), [(2499, 2500), (2501, 2501)])
def test_a_void_match_gives_back_the_larger_of_stake_and_winnings(prize, back):
    state = standings_of(terms_of(), (50, 60))
    state = replace(state, obligations=(*state.obligations, Obligation(1, "p1", "prize", prize)))

    assert [one.amount for one in prizes.refunds(state)] == [back, 2500]


@pytest.mark.rule("13.3")
def test_a_free_match_gives_nothing_back():
    assert prizes.refunds(standings_of(terms_of(entry_fee=0), (50, 60))) == ()


@pytest.mark.rule("11.2")
@given(
    st.lists(st.integers(101, 110), min_size=1, max_size=5),
    st.lists(st.integers(1, 3), min_size=6, max_size=6),
    st.integers(0, 100_000),
    st.sampled_from([(10000,), (7000, 3000), (5000, 3000, 2000), (3334, 3333, 3333)]),
    st.sampled_from(["seats", "started"]),
)
def test_the_prizes_are_always_the_pool_and_fall_with_the_place(totals, deals, pool, shares, by):
    terms = terms_of(prize_shares_bp=shares, prize_shares_by=by)
    state = standings_of(terms, [50, *totals], out=dict(enumerate(deals, start=1)), pool=pool)
    places, owed = prizes.places_and_prizes(state, "last-seat")

    assert sum(one.amount for one in owed) == pool
    assert {one.seat for one in places} == {one.seat for one in state.seats}
    assert (places[0].place, places[0].seat) == (1, 1)
    assert all(a.prize + 1 >= b.prize for a, b in pairwise(places))
