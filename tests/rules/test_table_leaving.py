"""Leaving a running match (rule 13.1), and presence (rule 13.4)."""

import pytest
from msgspec.structs import replace

from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.tables import after_deal, started
from poolrummy_contracts.refusals import Refusal

HAND = "3H 4H 5H 9C 10C JC 8S 8H 8D 8C QS QH QD"
GROUPS = "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / QS QH QD"
LOSING = "AH 2H 3H 5D 6D 7D JS JH JD 2C 9S KD KC"


def leaves(table, seat):
    return c.Leave(**table.who(seat))


@pytest.mark.rule("13.1")
@pytest.mark.parametrize("profile", PROFILES)
def test_leaving_acts_at_once_also_off_turn_and_costs_a_first_drop_without_a_card(profile):
    """D-28."""
    table = started(terms_of(profile), seats=4)

    given(table).when(leaves(table, 3)).then(
        a(e.SeatDropped, seat=3, kind="left", points=20, actor="player", rule="13.1"),
        a(e.SeatForfeited, seat=3, player="p3"),
    )
    assert table.on_turn == 1
    given(table).when(leaves(table, 3)).then(Refusal.SEAT_GONE)
    given(table).when(c.SetAway(**table.who(3))).then(Refusal.SEAT_GONE)


@pytest.mark.rule("13.1")
@pytest.mark.parametrize("profile", PROFILES)
def test_after_a_draw_it_costs_the_middle_drop_banned_or_not(profile):
    table = started(terms_of(profile, voluntary_drop="first_only"), seats=4)
    table.play()

    given(table).when(leaves(table, 1)).then(a(e.SeatDropped, kind="left", points=40), e.SeatForfeited)


@pytest.mark.rule("13.1")
def test_on_turn_with_14_cards_the_drawn_card_first_goes_to_the_open_pile():
    table = started(terms_of(), seats=4)
    table.draw()
    drawn = table.deal.drawn.position

    given(table).when(leaves(table, 1)).then(
        a(e.CardDiscarded, position=drawn, actor="player", rule="13.1"),
        a(e.SeatDropped, kind="left", points=40),
        e.SeatForfeited,
        a(e.TurnStarted, seat=2),
    )


@pytest.mark.rule("13.1")
def test_who_has_dropped_already_adds_nothing_by_leaving():
    table = started(terms_of(), seats=3)
    table.drop()

    given(table).when(leaves(table, 1)).then(a(e.SeatForfeited, seat=1))
    table.drop()
    assert table.points() == {1: 20, 2: 20, 3: 0}
    assert table.reasons()[1] == "dropped"


@pytest.mark.rule("13.1")
def test_a_seat_that_left_is_dealt_no_cards_and_is_offered_no_rejoin():
    table = started(terms_of(split_formula="off"), seats=3, totals=(0, 100, 0))
    table.leave(2)
    table.drop()

    assert table.states()[2] == "left"
    assert table.totals()[2] == 120
    assert not [event for event in table.log if isinstance(event, e.RejoinOffered | e.SeatEliminated)]
    assert table.deal.order == (3, 1)


@pytest.mark.rule("13.1")
def test_the_entry_of_a_seat_that_left_stays_in_the_pool():
    """F47: six entries of 50."""
    table = started(terms_of(entry_fee=5000), seats=6)
    table.leave(2)
    assert table.table.standings.prize_pool == 30_000


@pytest.mark.rule("13.1")
@pytest.mark.parametrize("profile", ["house", "classic"])
def test_in_best_of_3_leaving_costs_the_full_count_and_the_match(profile):
    table = started(terms_of(profile, "best_of_3"), totals=(0, 50))

    given(table).when(leaves(table, 1)).then(
        a(e.SeatDropped, kind="left", points=80),
        e.SeatForfeited,
        a(e.DealScored, winner=2),
        a(e.MatchEnded, how="last-seat"),
        e.BatchClosed,
        e.TableClosed,
    )
    assert [place.seat for place in table.last(e.MatchEnded).places] == [2, 1]


def finished(seats=3):
    table = started(terms_of(), DealScript(hands={1: HAND, 2: LOSING}, wild="4S"), seats=seats)
    table.play(seats)
    table.draw()
    table.finish()
    return table


@pytest.mark.rule("13.1")
def test_a_finisher_that_leaves_before_showing_drops_and_the_finish_card_leaves_play():
    table = finished()
    card = table.deal.finish

    given(table).when(leaves(table, 1)).then(
        a(e.SeatDropped, seat=1, kind="left", points=40), e.SeatForfeited, a(e.TurnStarted, seat=2)
    )
    assert card in table.deal.aside


@pytest.mark.rule("13.1")
def test_a_finisher_that_leaves_before_the_verdict_has_not_won():
    table = finished()
    table.declare(1, GROUPS)
    verdict = table.verdict()

    given(table).when(leaves(table, 1)).then(a(e.SeatDropped, points=40), e.SeatForfeited, a(e.TurnStarted, seat=2))
    given(table).when(verdict).then(Refusal.ANSWER_NOT_AWAITED)


@pytest.mark.rule("13.1")
def test_the_others_may_leave_while_a_show_is_judged_and_the_last_seat_has_won():
    table = finished()
    table.declare(1, GROUPS)
    verdict = table.verdict()
    given(table).when(leaves(table, 2)).then(a(e.SeatDropped, seat=2, kind="left"), e.SeatForfeited)

    given(table).when(leaves(table, 3)).then(
        a(e.SeatDropped, seat=3, kind="left"),
        e.SeatForfeited,
        a(e.DealScored, how="last-seat", winner=1),
        a(e.MatchEnded, how="last-seat"),
        e.BatchClosed,
        e.TableClosed,
    )
    given(table).when(verdict).then(Refusal.TABLE_CLOSED)


@pytest.mark.rule("13.1")
def test_after_a_valid_show_the_hand_of_a_seat_that_leaves_is_counted():
    table = finished()
    table.declare(1, GROUPS)
    table.do(table.verdict())

    given(table).when(leaves(table, 2)).then(a(e.SeatForfeited, seat=2))
    given(table).when_the_time_is_up().then(a(e.HandLaidOpen, seat=2, late=False), a(e.HandLaidOpen, seat=3, late=True))
    table.judge()
    assert (table.points()[2], table.reasons()[2]) == (31, "left")
    assert table.states()[2] == "left"


@pytest.mark.rule("13.1")
def test_who_was_late_stays_late_by_leaving_while_hands_are_counted():
    table = finished()
    table.state = replace(table.table, terms=terms_of(late_loser="full_count"))
    table.declare(1, GROUPS)
    table.do(table.verdict())
    table.declare(2, LOSING)
    table.time_out()

    given(table).when(leaves(table, 3)).then(a(e.SeatForfeited, seat=3))
    table.judge()

    assert (table.points()[3], table.reasons()[3]) == (80, "left")


@pytest.mark.rule("13.1")
def test_the_winner_of_a_deal_may_leave_before_it_is_scored_and_has_won_it():
    table = finished()
    table.declare(1, GROUPS)
    table.do(table.verdict())
    table.leave(1)
    table.time_out()
    table.judge()

    scored = table.last(e.DealScored)
    assert (scored.winner, table.points()[1], table.states()[1]) == (1, 0, "left")


@pytest.mark.rule("9.6")
def test_where_everybody_else_went_out_in_the_deal_its_winner_left_the_match_still_ends():
    table = finished(seats=2)
    table.state = replace_totals(table.table, {1: 0, 2: 100})
    table.declare(1, GROUPS)
    table.do(table.verdict())
    table.leave(1)
    table.time_out()
    table.judge()

    ended = table.last(e.MatchEnded)
    assert sum(place.prize for place in ended.places) == 5000
    assert ended.places[0].seat == 1
    assert table.table.closed


def replace_totals(table, totals):
    seats = tuple(replace(one, total=totals[one.seat]) for one in table.standings.seats)
    return replace(table, standings=replace(table.standings, seats=seats))


@pytest.mark.rule("13.1")
def test_between_deals_leaving_adds_nothing():
    table = after_deal(terms_of(), [45, 60, 70, 101])

    given(table).when(leaves(table, 2)).then(a(e.SeatForfeited, seat=2))
    assert table.totals()[2] == 60


@pytest.mark.rule("13.1")
def test_an_eliminated_seat_leaves_while_it_holds_an_offer_and_not_after():
    table = after_deal(terms_of(split_formula="off"), [45, 60, 101, 102])
    given(table).when(leaves(table, 4)).then(a(e.SeatForfeited, seat=4))
    table.time_out()

    given(table).when(leaves(table, 3)).then(Refusal.SEAT_ELIMINATED)


@pytest.mark.rule("13.4")
def test_everybody_sees_who_is_away():
    table = started(terms_of(), seats=2)

    given(table).when(c.SetBack(**table.who(1))).then(Refusal.PRESENCE_UNCHANGED)
    given(table).when(c.SetAway(**table.who(1))).then(a(e.SeatAway, seat=1, actor="player", rule="13.4"))
    given(table).when(c.SetAway(**table.who(1))).then(Refusal.PRESENCE_UNCHANGED)
    assert [chair.away for chair in table.table.chairs] == [True, False]
    given(table).when(c.SetBack(**table.who(1))).then(a(e.SeatBack, seat=1))


@pytest.mark.rule("13.4")
def test_presence_is_told_before_the_match_and_in_any_phase():
    table = after_deal(terms_of(), [45, 60, 101])

    given(table).when(c.SetAway(**table.who(3))).then(e.SeatAway)
