"""How long nobody kept a table: what its clock moves by before anything else happens to it (rule 4.9).

Whoever takes a partition over knows how long it had no owner. But a process can stand still and keep its lease, and a
table can be left alone on a partition that plays on. Both show when a clock should act: it is over for longer than any
load explains. Then the clock moves, by no more than the time in which nothing was recorded at the table.
"""

from collections.abc import Sequence

from poolrummy.rules.clocks import LATE_MS_MAX
from poolrummy.rules.state import Clock, Table, next_clock
from poolrummy.runtime.store import InboxEntry
from poolrummy_contracts.commands import ShiftClocks


class Pauses:
    """What the owner of a partition knows of the time in which nobody acted."""

    def __init__(self, *, unowned_ms: int = 0, loaded_ms: int = 0) -> None:
        self.unowned_ms, self._loaded_ms = unowned_ms, loaded_ms
        self._acted_ms = self._seen_ms = loaded_ms
        """Up to when the inbox was handled before what is in hand, and with it."""

    def handling(self, batch: Sequence[InboxEntry]) -> None:
        """These messages are in hand."""
        self._acted_ms, self._seen_ms = self._seen_ms, max((self._seen_ms, *(entry.at_ms for entry in batch)))

    def looked(self, read_past_ms: int) -> None:
        """The clocks that ended by then have been acted on."""
        self._acted_ms = self._seen_ms = max(self._seen_ms, read_past_ms)

    def without_dealer(self, table: Table) -> ShiftClocks:
        """By how much the clock of a table moves that was taken over: all its silence, if it was left alone before."""
        clock = next_clock(table)
        left_alone = clock is not None and clock.ends_at + LATE_MS_MAX < self._loaded_ms - self.unowned_ms
        ms = self._loaded_ms - table.at if left_alone else self.unowned_ms
        return ShiftClocks(table=table.id, ms=ms, reason=f"the partition had no dealer for {self.unowned_ms} ms")

    def standing_still(
        self, table: Table, clock: Clock | None, now_ms: int, *, acts: bool = True
    ) -> ShiftClocks | None:
        """By how much a clock moves that should have acted long before now; None where it is in time.

        A clock that ``acts`` is in time where something was recorded after its end; a message that comes first is not.
        """
        if clock is None or now_ms - (max(clock.ends_at, table.at) if acts else clock.ends_at) <= LATE_MS_MAX:
            return None
        ms = now_ms - max(min(self._acted_ms, clock.ends_at), table.at)
        return ShiftClocks(table=table.id, ms=ms, reason=f"the dealer stood still for up to {ms} ms")
