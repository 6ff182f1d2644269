"""The one running deadline, time banks, grace and shifts (rules 4.7 and 4.9)."""

import pytest

from poolrummy.rules import table as rules
from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.tables import TABLE, started
from poolrummy_contracts.refusals import Refusal

HAND = "3H 4H 5H 9C 10C JC 8S 8H 8D 8C QS QH QD"
GROUPS = "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / QS QH QD"


# -- clocks


@pytest.mark.rule("4.7")
def test_one_deadline_runs_and_it_names_the_event_that_armed_it():
    table = started(terms_of(late_grace_ms=300), seats=2)

    clock = rules.next_clock(table.table)

    assert (clock.armed_by, clock.what) == (table.last(e.TurnStarted).v, "turn")
    assert clock.ends_at == table.last(e.TurnStarted).at + 30_000 + 40_000 + 300


@pytest.mark.rule("4.7")
def test_a_deadline_that_has_not_passed_does_nothing():
    table = started(terms_of(), seats=2)
    clock = rules.next_clock(table.table)

    given(table).when(c.RunClock(table=TABLE, deadline=clock.armed_by), after_ms=69_999).then()
    given(table).when(c.RunClock(table=TABLE, deadline=clock.armed_by - 1), after_ms=1).then()
    given(table).when(c.RunClock(table=TABLE, deadline=clock.armed_by)).then(e.TurnMissed, e.TurnStarted)


@pytest.mark.rule("4.7")
@pytest.mark.parametrize(("scope", "second"), [("deal", 40_000), ("match", 25_000)])
def test_the_time_bank_is_filled_again_for_a_deal_or_never(scope, second):
    """D-14."""
    table = started(terms_of(time_bank_scope=scope), seats=2)
    table.wait(45_000)
    table.drop()

    assert table.deal.number == 2
    assert table.table.bank_ms(1) == second


@pytest.mark.rule("4.7")
def test_the_bank_is_used_by_drops_and_finishes_too():
    table = started(terms_of(), seats=3)
    table.wait(31_000)
    table.drop()
    table.wait(42_000)
    table.draw()
    table.finish()

    assert (table.table.bank_ms(1), table.table.bank_ms(2), table.table.bank_ms(3)) == (39_000, 28_000, 40_000)


@pytest.mark.rule("4.7")
def test_a_move_in_the_last_millisecond_of_the_bank_counts_and_one_later_does_not():
    in_time, late = started(terms_of(), seats=2), started(terms_of(), seats=2)

    given(in_time).when(c.Draw(**in_time.turn(), source="stock"), after_ms=70_000).then(e.CardDrawn)
    given(late).when(c.Draw(**late.turn(), source="stock"), after_ms=70_001).then(Refusal.TOO_LATE)


@pytest.mark.rule("4.7")
def test_time_never_goes_back():
    table = started(terms_of(), seats=2)
    at = table.table.at
    table.now_ms = at - 5_000

    given(table).when(c.Draw(**table.turn(), source="stock")).then(a(e.CardDrawn, at=at))


@pytest.mark.rule("4.9")
def test_a_pause_of_the_platform_moves_the_running_deadline():
    table = started(terms_of(), seats=2)
    table.now_ms += 100_000

    given(table).when(c.ShiftClocks(table=TABLE, ms=100_000, reason="takeover")).then(
        a(e.ClocksShifted, ms=100_000, reason="takeover", actor="system")
    )
    assert table.wait(69_999) == ()
    assert isinstance(table.wait(1)[0], e.TurnMissed)


@pytest.mark.rule("4.9")
def test_a_shifted_turn_uses_no_time_bank():
    table = started(terms_of(), seats=2)
    table.now_ms += 100_000
    table.do(c.ShiftClocks(table=TABLE, ms=75_000, reason="takeover"))
    table.play()

    assert table.table.bank_ms(1) == 40_000


@pytest.mark.rule("4.9")
def test_where_no_deadline_runs_none_moves():
    table = started(terms_of(), DealScript(hands={1: HAND}, wild="4S"), seats=3)
    table.draw()
    table.finish()
    table.declare(1, GROUPS)
    assert rules.next_clock(table.table) is None

    given(table).when(c.ShiftClocks(table=TABLE, ms=5_000, reason="takeover")).then()
    given(table).when(c.RunClock(table=TABLE, deadline=table.table.v)).then()
