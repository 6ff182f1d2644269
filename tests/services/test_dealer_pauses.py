"""By how much a clock moves that nobody kept, and when it simply acts (rule 4.9)."""

import pytest

from poolrummy.audit.lateness import Lateness
from poolrummy.dealer.pauses import Pauses
from poolrummy.rules.clocks import LATE_MS_MAX
from poolrummy.rules.state import next_clock
from poolrummy.testing.matches import terms_of
from poolrummy.testing.tables import TestTable, started
from poolrummy_contracts import commands as c


@pytest.fixture
def table() -> TestTable:
    """A table on whose first turn the clock runs."""
    return started(terms_of("house", "101", seats=2))


@pytest.mark.rule("4.9")
@pytest.mark.parametrize(("late_ms", "moves"), [(LATE_MS_MAX, False), (LATE_MS_MAX + 1, True)])
def test_a_clock_acts_as_long_as_load_explains_it_and_moves_beyond(table: TestTable, late_ms: int, moves: bool) -> None:
    clock = next_clock(table.table)
    assert clock is not None

    shift = Pauses(loaded_ms=table.table.at).standing_still(table.table, clock, clock.ends_at + late_ms)

    assert (shift is not None) == moves


@pytest.mark.rule("4.9")
def test_a_clock_moves_by_the_time_since_the_dealer_was_last_seen_and_no_further_than_the_silence(
    table: TestTable,
) -> None:
    clock, began_ms = next_clock(table.table), table.table.at
    assert clock is not None
    now_ms = clock.ends_at + 60_000
    pauses = Pauses(loaded_ms=began_ms - 5_000)
    assert (shift := pauses.standing_still(table.table, clock, now_ms)) is not None
    assert shift.ms == now_ms - began_ms

    pauses.looked(began_ms + 2_000)

    assert (shift := pauses.standing_still(table.table, clock, now_ms)) is not None
    assert shift.ms == now_ms - began_ms - 2_000


@pytest.mark.rule("4.9")
def test_a_clock_that_has_moved_is_in_time_again_whenever_it_is_looked_at(table: TestTable) -> None:
    """Else a dealer that wakes up would move it for ever."""
    clock = next_clock(table.table)
    assert clock is not None
    pauses, now_ms = Pauses(loaded_ms=table.table.at), clock.ends_at + 3_600_000
    pauses.looked(now_ms - 1)
    shift = pauses.standing_still(table.table, clock, now_ms)
    assert shift is not None
    table.now_ms = now_ms
    table.do(shift)

    assert pauses.standing_still(table.table, next_clock(table.table), now_ms + 1) is None


@pytest.mark.rule("4.9")
def test_a_table_that_was_left_alone_is_given_all_of_its_silence_and_the_audit_agrees(table: TestTable) -> None:
    clock = next_clock(table.table)
    assert clock is not None
    loaded_ms = clock.ends_at + 3_600_000
    taken_over = Pauses(unowned_ms=200, loaded_ms=loaded_ms).without_dealer(table.table)
    assert taken_over.ms == loaded_ms - table.table.at

    before, table.now_ms = table.table, loaded_ms
    (event,) = table.do(taken_over)

    assert Lateness().fault(before, event) is None


@pytest.mark.rule("4.9")
@pytest.mark.parametrize(("ms", "why"), [(600_001, "somebody acted here"), (500, "when this pause of 500 ms began")])
def test_a_pause_that_the_log_has_no_room_for_is_named(table: TestTable, ms: int, why: str) -> None:
    before = table.table
    table.now_ms += 600_000
    (event,) = table.do(c.ShiftClocks(table=before.id, ms=ms, reason="x"))

    assert why in str(Lateness().fault(before, event))


@pytest.mark.rule("4.9")
@pytest.mark.parametrize(("late_ms", "right"), [(LATE_MS_MAX, True), (LATE_MS_MAX + 1, False)])
def test_a_clock_that_acts_later_than_load_explains_is_named(table: TestTable, late_ms: int, right: bool) -> None:
    clock, before = next_clock(table.table), table.table
    assert clock is not None
    table.now_ms = clock.ends_at + late_ms
    event, *_ = table.do(c.RunClock(table=before.id, deadline=clock.armed_by))

    assert (Lateness().fault(before, event) is None) == right


@pytest.mark.rule("4.9")
def test_messages_that_follow_one_another_do_not_stretch_a_clock_that_is_over(table: TestTable) -> None:
    clock = next_clock(table.table)
    assert clock is not None
    pauses = Pauses(loaded_ms=table.table.at)
    table.now_ms = clock.ends_at + 3_000
    table.do(c.SetAway(**table.who(2)))
    late_ms = clock.ends_at + LATE_MS_MAX + 1

    assert pauses.standing_still(table.table, clock, late_ms, acts=True) is None
    assert (shift := pauses.standing_still(table.table, clock, late_ms, acts=False)) is not None
    assert shift.ms == late_ms - table.table.at
