"""Deadlines that have passed (rule 4.7)."""

from typing import Final, assert_never

from poolrummy.rules import finish, losers, misses, rejoin_window, seating, split_window
from poolrummy.rules.recorder import Recorder
from poolrummy.rules.state import next_clock
from poolrummy_contracts.commands import RunClock

LATE_MS_MAX: Final = 5_000
"""How late a clock acts at most, by the stamps of its own log: beyond it, nobody kept the table, and it moves (4.9)."""


def run(rec: Recorder, command: RunClock) -> None:
    """Fire the deadline of this number; any other number, and one that has not passed, does nothing."""
    clock = next_clock(rec.table)
    if clock is None or clock.armed_by != command.deadline or rec.at < clock.ends_at:
        return
    match clock.what:
        case "fill":
            seating.not_filled(rec)
        case "start":
            seating.start(rec, rec.own("1.3"))
        case "turn":
            misses.turn_ran_out(rec)
        case "finish":
            finish.show_ran_out(rec)
        case "declare":
            losers.close_window(rec)
        case "rejoin":
            rejoin_window.close(rec, rec.own("10.7"))
        case "split" | "vote":
            split_window.ran_out(rec)
        case _:
            assert_never(clock.what)
