"""The heap of running deadlines: which table's clock ends first."""

import heapq
from collections.abc import Set as AbstractSet

from poolrummy.rules.state import Clock


class Deadlines:
    """At most one armed clock per table; an older entry of a table is ignored when it comes up."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, str, int]] = []
        self._armed: dict[str, Clock] = {}

    def arm(self, table: str, clock: Clock | None) -> None:
        """Note the clock that this table waits for, or that it waits for none."""
        if clock is None:
            self._armed.pop(table, None)
        elif self._armed.get(table) != clock:
            self._armed[table] = clock
            heapq.heappush(self._heap, (clock.ends_at, table, clock.armed_by))

    def next_ms(self) -> int | None:
        """When the first clock ends."""
        self._drop_stale()
        return self._heap[0][0] if self._heap else None

    def pop_until(self, read_past_ms: int, spared: AbstractSet[str | None] = frozenset()) -> list[tuple[str, Clock]]:
        """The clocks that ended before this time, first ones first; those of spared tables stay armed."""
        ended: list[tuple[str, Clock]] = []
        kept: list[tuple[int, str, int]] = []
        self._drop_stale()
        while self._heap and self._heap[0][0] < read_past_ms:
            first = heapq.heappop(self._heap)
            table = first[1]
            if table in spared:
                kept.append(first)
            else:
                ended.append((table, self._armed.pop(table)))
            self._drop_stale()
        for entry in kept:
            heapq.heappush(self._heap, entry)
        return ended

    def _drop_stale(self) -> None:
        while self._heap:
            ends_at, table, armed_by = self._heap[0]
            clock = self._armed.get(table)
            if clock is not None and (clock.ends_at, clock.armed_by) == (ends_at, armed_by):
                return
            heapq.heappop(self._heap)
