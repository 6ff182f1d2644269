"""The order of the break (D-33), rejoins with a cashier, splits and votes, as commands (chapters 10 and 11)."""

import pytest

from poolrummy.rules import table as rules
from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import terms_of
from poolrummy.testing.tables import TABLE, after_deal, started
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.verdicts import RejoinPayment, verdict_id


def asks(table, seat, window=None):
    return c.AskRejoin(**table.who(seat), window=window or table.table.windows)


def refuses(table, seat):
    return c.RefuseRejoin(**table.who(seat), window=table.table.windows)


def splits(table, seat, window=None):
    return c.AskSplit(**table.who(seat), window=window or table.table.windows)


def votes(table, seat, *, accept=True, window=None):
    return c.VoteSplit(**table.who(seat), window=window or table.table.windows, accept=accept)


def answer(table, *, paid=True, **changes):
    asked = table.last(e.RejoinAsked)
    fields = {"id": verdict_id(TABLE, asked.v), "table": TABLE, "ask": asked.v, "seat": asked.seat, "paid": paid}
    return RejoinPayment(**{**fields, **changes})


@pytest.mark.rule("10.7")
def test_after_a_deal_come_eliminations_rejoins_the_split_and_the_next_deal():
    """D-33."""
    table = after_deal(terms_of(), [45, 60, 101, 102], started_with=6)

    kinds = [type(event) for event in table.log]
    scored = len(kinds) - 1 - kinds[::-1].index(e.DealScored)
    assert kinds[scored:] == [e.DealScored, e.SeatEliminated, e.SeatEliminated, e.RejoinOffered]
    given(table).when_the_time_is_up().then(e.RejoinClosed, a(e.SplitOffered, window=2))
    given(table).when_the_time_is_up().then(a(e.SplitClosed, why="not-asked"), e.DealStarted, e.TurnStarted)


@pytest.mark.rule("10.7")
def test_the_window_closes_as_soon_as_everybody_has_answered():
    table = after_deal(terms_of(split_formula="off"), [45, 60, 101, 102])
    assert rules.next_clock(table.table).what == "rejoin"
    given(table).when(refuses(table, 4)).then(a(e.RejoinDeclined, seat=4, why="player"))
    given(table).when(asks(table, 4)).then(Refusal.REJOIN_ALREADY_ASKED)

    given(table).when(asks(table, 3)).then(
        a(e.RejoinAsked, seat=3, price=2500, payment="none"),
        a(e.RejoinGranted, seat=3, score=61, prize_pool=12_500),
        e.RejoinClosed,
        a(e.DealStarted, deal=3),
        e.TurnStarted,
    )


@pytest.mark.rule("10.1")
def test_an_offer_is_for_seats_that_went_out_in_this_deal():
    table = after_deal(terms_of(), [45, 60, 101], started_with=4)

    given(table).when(asks(table, 4)).then(Refusal.REJOIN_NOT_OFFERED)
    given(table).when(asks(table, 1)).then(Refusal.REJOIN_NOT_OFFERED)
    given(table).when(asks(table, 3, window=9)).then(Refusal.WRONG_WINDOW)
    given(table).when(asks(table, 3), after_ms=30_001).then(Refusal.TOO_LATE)


@pytest.mark.rule("10.9")
def test_who_has_come_back_as_often_as_allowed_gets_no_offer():
    table = after_deal(terms_of(rejoin_max_per_player=1, split_formula="off"), [45, 60, 101])
    table.rejoin(3)
    while table.table.phase == "turn":
        table.drop()
    while table.totals()[3] < 101:
        while table.table.phase == "turn":
            if table.on_turn == 3:
                table.drop()
            else:
                table.play()

    assert table.states()[3] == "eliminated"
    assert table.table.phase == "turn" or table.table.closed


@pytest.mark.rule("10.6")
def test_with_a_cashier_asks_are_settled_one_at_a_time():
    """Nobody pays for a score that an earlier rejoin has taken away."""
    table = after_deal(terms_of(rejoin_payment="cashier", split_formula="off"), [45, 78, 101, 102, 103])
    given(table).when(asks(table, 4)).then(a(e.RejoinAsked, seat=4, payment="cashier"))
    assert rules.next_clock(table.table) is None
    given(table).when(asks(table, 3)).then(a(e.RejoinQueued, seat=3))
    given(table).when(asks(table, 5)).then(a(e.RejoinQueued, seat=5))
    given(table).when(asks(table, 5)).then(Refusal.REJOIN_ALREADY_ASKED)

    given(table).when(answer(table), after_ms=60_000).then(
        a(e.RejoinGranted, seat=4, score=79), a(e.RejoinAsked, seat=3, actor="system")
    )
    given(table).when(answer(table)).then(
        a(e.RejoinGranted, seat=3, score=80),
        a(e.RejoinDeclined, seat=5, why="threshold"),
        e.RejoinClosed,
        e.DealStarted,
        e.TurnStarted,
    )


@pytest.mark.rule("10.6")
def test_an_answer_of_the_cashier_is_taken_only_while_it_is_awaited():
    table = after_deal(terms_of(rejoin_payment="cashier"), [45, 60, 101])
    table.rejoin(3)

    given(table).when(answer(table, ask=1)).then(Refusal.ANSWER_NOT_AWAITED)
    given(table).when(answer(table, seat=2)).then(Refusal.ANSWER_NOT_AWAITED)
    paid = answer(table)
    table.do(paid)
    given(table).when(paid).then(Refusal.ANSWER_NOT_AWAITED)


@pytest.mark.rule("10.6")
def test_the_window_waits_for_an_open_payment_and_for_nobody_else():
    table = after_deal(terms_of(rejoin_payment="cashier", split_formula="off"), [45, 60, 101, 102])
    table.rejoin(3)
    table.now_ms += 40_000
    given(table).when(asks(table, 4)).then(Refusal.TOO_LATE)

    given(table).when(answer(table)).then(a(e.RejoinGranted, seat=3))
    given(table).when_the_time_is_up().then(e.RejoinClosed, e.DealStarted, e.TurnStarted)


@pytest.mark.rule("10.6")
def test_a_declined_payment_changes_nothing_and_may_be_tried_again():
    table = after_deal(terms_of(rejoin_payment="cashier"), [45, 60, 101])
    table.rejoin(3)
    given(table).when(answer(table, paid=False, reason="no money")).then(
        a(e.RejoinDeclined, seat=3, why="payment", detail="no money")
    )
    given(table).when(asks(table, 3)).then(a(e.RejoinAsked, seat=3))


@pytest.mark.rule("10.6")
def test_who_leaves_while_the_payment_is_awaited_gets_no_answer():
    table = after_deal(terms_of(rejoin_payment="cashier", split_formula="off"), [45, 60, 101])
    table.rejoin(3)
    paid = answer(table)

    given(table).when(c.Leave(**table.who(3))).then(
        a(e.SeatForfeited, seat=3), e.RejoinClosed, e.DealStarted, e.TurnStarted
    )
    given(table).when(paid).then(Refusal.ANSWER_NOT_AWAITED)


@pytest.mark.rule("10.8")
def test_when_everybody_who_was_in_has_left_nobody_comes_back_though_he_has_paid():
    table = after_deal(terms_of("rummypassion", rejoin_payment="cashier"), [45, 101])
    table.rejoin(2)
    given(table).when(c.Leave(**table.who(1))).then(a(e.SeatForfeited, seat=1))

    given(table).when(answer(table)).then(
        a(e.RejoinDeclined, seat=2, why="threshold"),
        e.RejoinClosed,
        a(e.MatchEnded, how="last-seat"),
        e.BatchClosed,
        e.TableClosed,
    )
    assert table.last(e.MatchEnded).places[0].seat == 1


@pytest.mark.rule("10.8")
def test_where_only_one_seat_is_left_in_by_leaving_no_rejoin_is_waited_for():
    table = after_deal(terms_of(), [45, 60, 101])

    given(table).when(c.Leave(**table.who(1))).then(
        e.SeatForfeited, e.RejoinClosed, a(e.MatchEnded, how="last-seat"), e.BatchClosed, e.TableClosed
    )
    assert table.last(e.MatchEnded).places[0].seat == 2


@pytest.mark.rule("11.4")
def test_a_split_is_asked_by_a_seat_that_is_in_while_the_window_is_open():
    table = after_deal(terms_of(), [45, 60], started_with=3)
    given(table).when(splits(table, 3)).then(Refusal.SEAT_ELIMINATED)
    given(table).when(splits(table, 1, window=9)).then(Refusal.WRONG_WINDOW)
    given(table).when(votes(table, 1)).then(Refusal.NOT_NOW)
    given(table).when(splits(table, 1)).then(a(e.SplitAsked, seat=1, ends_at=table.now_ms + 30_000, actor="player"))
    given(table).when(splits(table, 2)).then(Refusal.NOT_NOW)


@pytest.mark.rule("11.4")
def test_after_ten_seconds_nobody_asks_any_more():
    table = after_deal(terms_of(), [45, 60], started_with=3)

    given(table).when(splits(table, 1), after_ms=10_001).then(Refusal.TOO_LATE)


@pytest.mark.rule("11.4")
def test_a_table_whose_window_for_a_split_is_no_time_goes_on_at_once():
    table = after_deal(terms_of(split_ask_ms=0), [45, 60], started_with=3)

    assert table.table.phase == "turn"


@pytest.mark.rule("11.4")
def test_one_split_waits_for_the_close_of_the_rejoin_window():
    table = after_deal(terms_of(), [45, 60, 101], started_with=4)
    given(table).when(splits(table, 1)).then(a(e.SplitRequested, seat=1, amounts=()))
    given(table).when(splits(table, 2)).then(Refusal.NOT_NOW)

    given(table).when(refuses(table, 3)).then(
        e.RejoinDeclined, e.RejoinClosed, a(e.SplitAsked, seat=1, window=2, actor="system")
    )


@pytest.mark.rule("11.5")
def test_votes_are_for_the_others_and_once():
    table = after_deal(terms_of(), [45, 60, 70], started_with=5)
    table.do(splits(table, 1))
    given(table).when(votes(table, 1)).then(Refusal.ALREADY_VOTED)
    given(table).when(votes(table, 2, window=9)).then(Refusal.WRONG_WINDOW)
    given(table).when(votes(table, 2)).then(a(e.SplitVoted, seat=2, accept=True))
    given(table).when(votes(table, 2)).then(Refusal.ALREADY_VOTED)
    given(table).when(votes(table, 4)).then(Refusal.SEAT_ELIMINATED)

    given(table).when(votes(table, 3)).then(
        e.SplitVoted,
        a(e.SplitAgreed, window=table.table.windows),
        a(e.MatchEnded, how="split"),
        e.BatchClosed,
        e.TableClosed,
    )
    assert sum(place.prize for place in table.last(e.MatchEnded).places) == 12_500


@pytest.mark.rule("11.5")
def test_a_vote_after_the_deadline_is_late_and_silence_is_a_no():
    table = after_deal(terms_of(), [45, 60], started_with=3)
    table.do(splits(table, 1))
    given(table).when(votes(table, 2), after_ms=30_001).then(Refusal.TOO_LATE)
    given(table).when_the_time_is_up().then(a(e.SplitClosed, why="silence"), e.DealStarted, e.TurnStarted)


@pytest.mark.rule("11.5")
def test_who_leaves_during_the_vote_ends_it():
    table = after_deal(terms_of(), [45, 60, 70], started_with=5)
    table.do(splits(table, 1))

    given(table).when(c.Leave(**table.who(3))).then(
        a(e.SeatForfeited, seat=3), a(e.SplitClosed, why="refused"), e.DealStarted, e.TurnStarted
    )


@pytest.mark.rule("11.4")
def test_who_leaves_while_a_split_may_be_asked_can_make_it_impossible():
    table = after_deal(terms_of(), [45, 60], started_with=3)

    given(table).when(c.Leave(**table.who(2))).then(
        e.SeatForfeited, e.SplitClosed, a(e.MatchEnded, how="last-seat"), e.BatchClosed, e.TableClosed
    )


@pytest.mark.rule("12.1")
def test_the_last_event_of_a_match_closes_its_table():
    table = started(terms_of(rejoin_enabled=False), seats=2, totals=(81, 0))
    table.drop()

    kinds = [type(event) for event in table.log[-5:]]
    assert kinds == [e.DealScored, e.SeatEliminated, e.MatchEnded, e.BatchClosed, e.TableClosed]
    given(table).when(asks(table, 1, window=1)).then(Refusal.TABLE_CLOSED)
    given(table).when(c.FreezeFault(table=TABLE, reason="fault")).then()
