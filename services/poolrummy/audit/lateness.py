"""What a log can say of its own clocks: none acts too late, and a pause that moves them fits into the silence before.

That no clock acts too early is decided again with every step. Here it is the other side (rules 4.7 and 4.9). A live
dealer acts on a deadline as soon as everything that came before it is decided. One that was away or stood still moves
the clocks first, by the time for which nobody acted, and says so (``dealer/pauses.py``). So a deadline that was passed
over by more than ``LATE_MS_MAX`` without such a move is time that somebody stretched, and a move is right only if

* the table was silent for as long: whoever acted on it was there;
* the clock still ran when the pause began: else somebody who was there let it pass.
"""

from poolrummy.rules.clocks import LATE_MS_MAX
from poolrummy.rules.state import Table, next_clock
from poolrummy_contracts.events import ClocksShifted, TableEvent


class Lateness:
    """Follows one log, step by step."""

    def __init__(self) -> None:
        self._held_until = 0
        """Until when no clock could act: frozen, or an answer was awaited, beyond its time even (rule 10.6)."""

    def fault(self, table: Table | None, first: TableEvent) -> str | None:
        """Why the step that begins with this event cannot stand at its time; the table is the one before it."""
        if table is None:
            return None
        if isinstance(first, ClocksShifted) and first.ms > first.at - table.at:
            return f"the clocks moved by {first.ms} ms, and somebody acted here {first.at - table.at} ms before"
        clock = next_clock(table)
        if clock is None:
            self._held_until = first.at
            return None
        due = max(clock.ends_at, self._held_until)
        if isinstance(first, ClocksShifted):
            self._held_until += first.ms
            return _told(clock.what, first.at - first.ms - due, f"when this pause of {first.ms} ms began")
        if first.actor == "timer":
            due = max(due, table.at)  # what came in between, and is not too late itself, was decided before
        return _told(clock.what, first.at - due, "now")


def _told(clock: str, late_ms: int, when: str) -> str | None:
    if late_ms <= LATE_MS_MAX:
        return None
    return f"the {clock} clock was {late_ms} ms over {when}, with no pause told before: {LATE_MS_MAX} ms are the most"
