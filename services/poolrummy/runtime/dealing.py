"""A dealer's tenure: messages and deadlines of one partition become appends, in order, one pipeline at a time."""

import asyncio
import time
import traceback
from collections.abc import Callable, Sequence
from typing import Final

import structlog
from msgspec.structs import replace

from poolrummy.runtime.clock_acts import acts, left_alone, reason_of
from poolrummy.runtime.errors import AppendConflict, AppendTooLarge, RuntimeFault
from poolrummy.runtime.handlers import DealerHandler
from poolrummy.runtime.offsets import place
from poolrummy.runtime.pumps import Pump
from poolrummy.runtime.records import LATEST_MS
from poolrummy.runtime.slices import Slices
from poolrummy.runtime.store import (
    Append,
    InboxEntry,
    Lease,
    refuse_oversize,
    refuse_undone,
)
from poolrummy.runtime.tenure import Surroundings, Tenure, TenureEnded

REST_S: Final = 0.004
"""Pause before a deadline is looked at again that could not fire yet."""

log = structlog.get_logger()

MakeDealer = Callable[[int], DealerHandler]


class DealerTenure(Tenure):
    """The one writer of a partition, as long as its lease holds."""

    def __init__(self, lease: Lease, around: Surroundings, on_end: Callable[[], None], make: MakeDealer) -> None:
        super().__init__(lease, around, on_end)
        self.make = make
        self.handler = make(lease.partition)
        self._moved = asyncio.Event()
        self._slices = Slices()

    async def load(self) -> None:
        """Build the state of the partition from what is stored; a table whose clock ended too many is set aside."""
        limit = self.around.settings.takeovers_before_caution
        self.lease = replace(self.lease, left_alone=left_alone(self.lease, limit))
        await self.handler.load(self.lease, self.around.store)
        for table, ended in self.lease.ended_acting.items():
            if ended == limit:
                await self._set_clock_aside(table, reason_of(table, ended))
                await self._acquit((table,))
            elif ended == limit + 1:  # told once: it is counted as one more, and not counted further
                await self._set_clock_aside(table, self.lease.left_alone[table])
                await self.around.store.blame_clocks(self.lease, (table,))

    async def open_pump(self) -> Pump:
        """Read the inbox behind the stored offset, and watch the deadlines."""
        pump = await self.around.pumps.inbox(self.lease.partition, self.offset, self._receive)
        self.watch(asyncio.create_task(self._watch_deadlines()))
        return pump

    async def _receive(self, batch: Sequence[InboxEntry]) -> None:
        async with self.lock:
            if self.ended_by is not None:
                raise TenureEnded("over")
            try:
                await self._fire_up_to(
                    0
                )  # clocks that stood still without an owner are moved before anything is decided
                self.blames_entry = True
                await self._handle(self._aged(batch))
                self.blames_entry = False
                await self._fire_up_to(min(place(self.offset)[0], LATEST_MS) - 1)
            except Exception as fault:
                self._log_end(fault)
                self.end(fault)
                raise TenureEnded("over") from fault
            finally:
                self._moved.set()

    def _aged(self, batch: Sequence[InboxEntry]) -> tuple[InboxEntry, ...]:
        now_ms = self.around.clock.now_ms()
        aged = tuple(replace(entry, age_ms=max(0, now_ms - entry.at_ms)) for entry in batch)
        for entry in aged:
            self.around.metrics.inbox_age_seconds.observe(entry.age_ms / 1000)
        return aged

    async def _handle(self, batch: Sequence[InboxEntry]) -> None:
        if await self.begun() and self.lease.takeovers:
            await self._handle_with_caution(batch)
            return
        rest = batch
        while rest:
            size = self._slices.size
            part, rest = rest[:size], rest[size:]
            await self._handle_part(part)
            if rest:
                await self._fire_between(rest)

    async def _fire_between(self, rest: Sequence[InboxEntry]) -> None:
        """Time the tables that no message waits for: neither one in our hands nor one that we have yet to fetch."""
        deadline_ms = self.handler.next_deadline_ms()
        if deadline_ms is None or deadline_ms > self.around.clock.now_ms():
            return
        store, partition, waiting = self.around.store, self.lease.partition, tuple(rest)
        noted = self._first_act(waiting)
        if not noted:
            return
        now_ms, last_id = await store.begin_clocks(self.lease, noted)
        self.around.clock.told(now_ms)
        if last_id != waiting[-1].id:
            waiting += tuple(await store.read_inbox(partition, waiting[-1].id, self.around.settings.read_count))
        seen_all = place(waiting[-1].id) >= place(last_id)
        await self._fire_up_to(now_ms if seen_all else waiting[-1].at_ms - 1, waiting, noted)

    async def _handle_part(self, batch: Sequence[InboxEntry]) -> None:
        try:
            appends = await self._decide(batch, caution=False)
        except Exception as broken:
            if is_fault_of_the_world(broken):
                raise
            await self._handle_alone(batch)
            return
        await self._append(appends)

    async def _handle_with_caution(self, batch: Sequence[InboxEntry]) -> None:
        """Owners before us ended on an entry from here on: one at a time, and after too many the first is parked."""
        ended, limit = self.lease.takeovers, self.around.settings.takeovers_before_caution
        if ended >= limit:
            first, *batch = batch
            await self._park(first, f"{ended} owners in a row ended while they handled this entry")
        for entry in batch:
            await self._handle_one(entry, caution=True)

    async def _handle_alone(self, batch: Sequence[InboxEntry]) -> None:
        """Our own code failed on one of these: find it, park it, go on with the others."""
        await self._reload()
        for entry in batch:
            await self._handle_one(entry, caution=False)

    async def _handle_one(self, entry: InboxEntry, *, caution: bool) -> None:
        try:
            appends = await self._decide([entry], caution=caution)
        except Exception as broken:
            if is_fault_of_the_world(broken):
                raise
            await self._park(entry, traceback.format_exc())
            return
        await self._append(appends)

    async def _decide(self, batch: Sequence[InboxEntry], *, caution: bool) -> Sequence[Append]:
        await self.handler.gather(batch, self.around.store)
        started_s = time.perf_counter()
        appends = self.handler.handle(batch, caution=caution)
        took_s = time.perf_counter() - started_s
        self._slices.took(took_s, len(batch))
        self.around.metrics.handle_seconds.labels(self.lease.role).observe(took_s)
        for append in appends:
            refuse_oversize(append)
        ends = appends[-1].to_offset if appends else self.offset
        assert ends == batch[-1].id, f"the appends end at {ends}, not at {batch[-1].id}: entries would be skipped"
        return appends

    async def _park(self, entry: InboxEntry, reason: str) -> None:
        log.error("entry parked", partition=self.lease.partition, entry=entry.id, reason=reason)
        self.around.metrics.poisoned.labels(self.lease.role).inc()
        await self._reload()
        await self._append(self.handler.poisoned(entry, self.offset, reason))
        assert self.offset == entry.id, "a parked entry is consumed: its append ends at its id"

    async def _reload(self) -> None:
        """A state that our own code left half changed is worth nothing; what is stored is whole."""
        self.handler = self.make(self.lease.partition)
        lease = replace(self.lease, offset=self.offset, takeovers=0, unowned_ms=0)
        await self.handler.load(lease, self.around.store)

    async def _append(self, appends: Sequence[Append]) -> None:
        if not appends:
            return
        metrics = self.around.metrics
        with metrics.append_seconds.time():
            answers = await self.around.store.append(appends)
        stored_ms = self.around.clock.now_ms()
        for append, answer in zip(appends, answers, strict=True):
            metrics.appends.labels(answer.code.value).inc()
            refuse_undone(append, answer)
            self.offset = answer.offset
            metrics.parked.labels(self.lease.role).inc(append.parked is not None)
            if append.events and append.reply is not None:
                metrics.ack_seconds.observe(max(0, stored_ms - place(append.to_offset)[0]) / 1000)
        metrics.events.inc(sum(len(append.events) for append in appends))

    async def _watch_deadlines(self) -> None:
        try:
            await self._fire_in_time()
        except Exception as fault:  # noqa: BLE001 - whatever it is ends this tenure, and stands in its reason
            self._log_end(fault)
            self.end(fault)

    async def _fire_in_time(self) -> None:
        while self.ended_by is None:
            deadline_ms = self.handler.next_deadline_ms()
            self._moved.clear()
            wait_s = None if deadline_ms is None else (deadline_ms - self.around.clock.now_ms()) / 1000
            if wait_s is None or wait_s > 0:
                try:
                    await asyncio.wait_for(self._moved.wait(), wait_s)
                except TimeoutError:
                    pass
                else:
                    continue
            async with self.lock:
                if self.ended_by is None:
                    await self._fire_when_read_past()
            await asyncio.sleep(REST_S)

    def _first_act(self, waiting: Sequence[InboxEntry] = ()) -> Sequence[str]:
        """On whose clocks to act first, as far as this process knows the time: noted together with the next reading."""
        ended = self.handler.ended(self.around.clock.now_ms(), waiting)
        return next(acts(ended, suspected=self.lease.ended_acting), ())

    async def _fire_when_read_past(self) -> None:
        noted = self._first_act()
        if not noted:
            return
        now_ms, last_id = await self.around.store.begin_clocks(self.lease, noted, unless_waiting=True)
        self.around.clock.told(now_ms)
        # Only past the inbox: a move that arrived in time must win against its own timeout.
        if place(last_id) <= place(self.offset):
            await self._fire_up_to(now_ms, noted=noted)

    async def _fire_up_to(
        self, read_past_ms: int, waiting: Sequence[InboxEntry] = (), noted: Sequence[str] = ()
    ) -> None:
        """Act on the clocks up to this time, step by step; the tables of the first step may be noted already."""
        deadline_ms = self.handler.next_deadline_ms()
        runs_out = deadline_ms is not None and deadline_ms <= read_past_ms
        ended = self.handler.ended(read_past_ms, waiting) if runs_out else ()
        first = set(noted).intersection(ended)
        if noted and not first:
            await self._acquit(())
        if first and not await self._fire(tuple(sorted(first)), read_past_ms, shifts=not deadline_ms):
            return
        for tables in acts([table for table in ended if table not in first], suspected=self.lease.ended_acting):
            await self.around.store.begin_clocks(self.lease, tables)
            if not await self._fire(tables, read_past_ms, shifts=not deadline_ms):
                return

    async def _fire(self, tables: Sequence[str], read_past_ms: int, *, shifts: bool) -> bool:
        """Act on the clocks of these tables, which are noted; False if the state is another one now."""
        store = self.around.store
        try:
            appends = self.handler.due(read_past_ms, self.offset, tables)
            for append in appends:
                refuse_oversize(append)
        except Exception as broken:
            if is_fault_of_the_world(broken):
                raise
            table, reason = self.handler.table_in_hand, traceback.format_exc()
            await self._reload()
            await self._set_clock_aside(table, reason)
            return False
        try:
            await self._append(appends)
        except AppendConflict:
            await store.blame_clocks(self.lease, tables)
            raise
        done = () if shifts else tuple(table for table in tables if table in self.lease.ended_acting)
        if not appends or done:
            await self._acquit(done)
        return True

    async def _acquit(self, tables: Sequence[str]) -> None:
        """Nobody died of these clocks, or nobody can any more."""
        await self.around.store.end_clocks(self.lease, tables)
        left = {table: ended for table, ended in self.lease.ended_acting.items() if table not in tables}
        self.lease = replace(self.lease, ended_acting=left)

    async def _set_clock_aside(self, table: str | None, reason: str) -> None:
        log.error("deadline parked", partition=self.lease.partition, table=table, reason=reason)
        self.around.metrics.poisoned.labels(self.lease.role).inc()
        if table is not None:
            await self.around.store.begin_clocks(self.lease, (table,))
        await self._append(self.handler.deadline_poisoned(table, self.offset, reason))

    def _log_end(self, fault: Exception) -> None:
        known = isinstance(fault, RuntimeFault)
        log.warning(
            "tenure ended", partition=self.lease.partition, role=self.lease.role, reason=str(fault), exc_info=not known
        )


def is_fault_of_the_world(broken: Exception) -> bool:
    """Whether this says something about servers and leases, and nothing about the entry in hand."""
    return isinstance(broken, RuntimeFault) and not isinstance(broken, AppendTooLarge)
