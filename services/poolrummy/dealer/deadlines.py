"""The heap of running deadlines: which table's clock ends first."""

import heapq
from collections.abc import Set as AbstractSet

from poolrummy.rules.state import Clock


class Deadlines:
    """At most one armed clock per table; an older entry of a table is ignored when it comes up."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, str, int]] = []
        self._listed: set[tuple[int, str, int]] = set()
        self._armed: dict[str, Clock] = {}

    def arm(self, table: str, clock: Clock | None) -> None:
        """Note the clock that this table waits for, or that it waits for none."""
        if clock is None:
            self._armed.pop(table, None)
        elif self._armed.get(table) != clock:
            self._armed[table] = clock
            entry = (clock.ends_at, table, clock.armed_by)
            if entry not in self._listed:
                self._listed.add(entry)
                heapq.heappush(self._heap, entry)

    def of(self, table: str) -> Clock | None:
        """The clock that this table waits for."""
        return self._armed.get(table)

    def next_ms(self) -> int | None:
        """When the first clock ends."""
        self._drop_stale()
        return self._heap[0][0] if self._heap else None

    def ended(self, read_past_ms: int, spared: AbstractSet[str | None] = frozenset()) -> list[str]:
        """The tables whose clocks ended before this time, first ones first, without the spared ones."""
        seen: list[tuple[int, str, int]] = []
        self._drop_stale()
        while self._heap and self._heap[0][0] < read_past_ms:
            seen.append(heapq.heappop(self._heap))
            self._drop_stale()
        for entry in seen:
            heapq.heappush(self._heap, entry)
        return [table for _, table, _ in seen if table not in spared]

    def take(self, table: str, read_past_ms: int) -> Clock | None:
        """The clock of this table, armed no more, if it ended before this time."""
        clock = self._armed.get(table)
        return self._armed.pop(table) if clock is not None and clock.ends_at < read_past_ms else None

    def _drop_stale(self) -> None:
        while self._heap:
            ends_at, table, armed_by = self._heap[0]
            clock = self._armed.get(table)
            if clock is not None and (clock.ends_at, clock.armed_by) == (ends_at, armed_by):
                return
            self._listed.discard(heapq.heappop(self._heap))
