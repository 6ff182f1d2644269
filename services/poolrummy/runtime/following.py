"""A consumer's tenure: events of one partition become effects, saved together with the offset."""

import time
import traceback
from collections.abc import Callable, Sequence
from typing import Final

import structlog
from msgspec.structs import replace

from poolrummy.runtime.effects import Effect, Park, parts
from poolrummy.runtime.errors import AppendConflict, FeedLost, FeedPoisoned, NotOwner, RuntimeFault
from poolrummy.runtime.handlers import FeedHandler, RebuildsInSteps, Settles
from poolrummy.runtime.offsets import refuse_feed_gap
from poolrummy.runtime.pumps import Pump
from poolrummy.runtime.store import CommitCode, FeedEntry, Lease
from poolrummy.runtime.tenure import Surroundings, Tenure, TenureEnded

TELL_S: Final = 5.0
"""How often a rebuild logs how far it is."""

log = structlog.get_logger()

MakeFollower = Callable[[int], FeedHandler]


class FeedTenure(Tenure):
    """One follower of a partition's feed, as long as its lease holds."""

    def __init__(self, lease: Lease, around: Surroundings, on_end: Callable[[], None], make: MakeFollower) -> None:
        super().__init__(lease, around, on_end)
        self.make = make
        self.n = lease.n
        self.handler = make(lease.partition)

    async def load(self) -> None:
        """Build the state from what this role committed, or from the table logs if the feed went on without it."""
        if not self.lease.lost:
            await self.handler.load(self.lease, self.around.store)
            return
        log.warning("rebuild", partition=self.lease.partition, role=self.lease.role, offset=self.offset)
        noted_n = await self.around.store.feed_n(self.lease.partition)
        noted = replace(self.lease, offset=f"{noted_n}-0")
        await self._commit(noted_n, await self._rebuild(noted), rebuilt=True)
        log.warning("rebuilt", partition=self.lease.partition, role=self.lease.role, offset=self.offset)
        self.lease = replace(noted, lost=False)
        self.doing = None

    async def _rebuild(self, noted: Lease) -> Sequence[Effect]:
        """Store all parts of a rebuild but the last, which is left to be stored with the offset."""
        handler, store = self.handler, self.around.store
        last: Sequence[Effect] = ()
        if not isinstance(handler, RebuildsInSteps):
            return await self._store_parts((), await handler.rebuild(noted, store))
        told_s = time.monotonic()
        async for step in handler.rebuild_steps(noted, store):
            last = await self._store_parts(last, step.effects)
            self.doing = f"rebuilding: {step.done} of {step.tables} tables"
            if time.monotonic() - told_s > TELL_S:
                told_s = time.monotonic()
                log.warning("rebuild", partition=noted.partition, role=noted.role, done=step.done, tables=step.tables)
        return last

    async def _store_parts(self, held_back: Sequence[Effect], effects: Sequence[Effect]) -> Sequence[Effect]:
        """Store what was held back and all of these but the last part, which is held back now."""
        for part in parts(effects):
            if held_back:
                await self._commit(self.n, held_back, part=True)
            held_back = part
        return held_back

    async def open_pump(self) -> Pump:
        """Read the feed behind the stored offset."""
        return await self.around.pumps.feed(self.lease.partition, self.n, self._receive)

    async def _receive(self, batch: Sequence[FeedEntry]) -> None:
        async with self.lock:
            if self.ended_by is not None:
                raise TenureEnded("over")
            try:
                now_ms = self.around.clock.now_ms()
                age = self.around.metrics.feed_age_seconds.labels(self.lease.role)
                for entry in batch:
                    age.observe(max(0, now_ms - entry.at_ms) / 1000)
                self.blames_entry = True
                await self._handle(batch)
                self.blames_entry = False
                stored_ms = self.around.clock.now_ms()
                stored_age = self.around.metrics.effect_age_seconds.labels(self.lease.role)
                for entry in batch:
                    stored_age.observe(max(0, stored_ms - entry.at_ms) / 1000)
            except Exception as fault:
                known = isinstance(fault, RuntimeFault)
                log.warning(
                    "tenure ended",
                    partition=self.lease.partition,
                    role=self.lease.role,
                    reason=str(fault),
                    exc_info=not known,
                )
                self.end(fault)
                raise TenureEnded("over") from fault

    async def _handle(self, batch: Sequence[FeedEntry]) -> None:
        refuse_feed_gap(self.lease.partition, batch, self.n)
        if await self.begun() and self.lease.takeovers:
            ended, limit = self.lease.takeovers, self.around.settings.takeovers_before_caution
            if ended >= limit:
                first, *batch = batch
                await self._skip(first, f"{ended} owners in a row ended while they handled this event")
            await self._handle_alone(batch)
            return
        try:
            effects = await self._decide(batch)
        except Exception as broken:
            if isinstance(broken, RuntimeFault):
                raise
            await self._reload()
            await self._handle_alone(batch)
            return
        await self._commit(batch[-1].n, effects)

    async def _handle_alone(self, batch: Sequence[FeedEntry]) -> None:
        for entry in batch:
            try:
                effects = await self._decide([entry])
            except Exception as broken:
                if isinstance(broken, RuntimeFault):
                    raise
                await self._skip(entry, traceback.format_exc())
            else:
                await self._commit(entry.n, effects)

    async def _decide(self, batch: Sequence[FeedEntry]) -> Sequence[Effect]:
        started_s = time.perf_counter()
        effects = self.handler.handle(batch)
        if isinstance(self.handler, Settles):
            await self.handler.settle()
        self.around.metrics.handle_seconds.labels(self.lease.role).observe(time.perf_counter() - started_s)
        return effects

    async def _skip(self, entry: FeedEntry, reason: str) -> None:
        log.error("event poisoned", partition=self.lease.partition, table=entry.table, n=entry.n, reason=reason)
        self.around.metrics.poisoned.labels(self.lease.role).inc()
        await self._reload()
        effects = self.handler.poisoned(entry, reason)
        if effects is None:
            raise FeedPoisoned(
                f"{self.lease.role} cannot go past event {entry.n} of partition {self.lease.partition} "
                f"(version {entry.version} of {entry.table}); mend the code and start again:\n{reason}"
            )
        await self._commit(entry.n, effects)

    async def _reload(self) -> None:
        self.handler = self.make(self.lease.partition)
        lease = replace(self.lease, offset=self.offset, takeovers=0, unowned_ms=0)
        await self.handler.load(lease, self.around.store)

    async def _commit(self, to_n: int, effects: Sequence[Effect], *, rebuilt: bool = False, part: bool = False) -> None:
        store, lease, metrics = self.around.store, self.lease, self.around.metrics
        code = await store.commit(lease, from_n=self.n, to_n=to_n, effects=effects, rebuilt=rebuilt, part=part)
        who = f"{lease.role} of partition {lease.partition}"
        match code:
            case CommitCode.COMMITTED:
                self.n, self.offset = to_n, f"{to_n}-0"
                metrics.parked.labels(lease.role).inc(sum(isinstance(effect, Park) for effect in effects))
            case CommitCode.FENCED:
                raise NotOwner(f"{who} has another owner; this one drops its state")
            case CommitCode.LOST:
                raise FeedLost(f"{who} lagged beyond its bound at {self.n}; it must rebuild")
            case CommitCode.OFFSET_MOVED:
                raise AppendConflict(f"{who}: the stored offset is no longer {self.n}; take over afresh")
