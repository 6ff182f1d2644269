"""The life of a process between its store and its handlers: reach, share, renew, take over, give back.

One turn every third of a lease. Whatever ends a tenure ends its state too: the next one is loaded from what is
stored. Faults after which no state can be trusted end the process.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import structlog
from msgspec.structs import replace

from poolrummy.runtime.errors import (
    FeedLost,
    FeedPoisoned,
    NewerVersionNeeded,
    NotOwner,
    OutOfReach,
    ReadLoopDied,
    RuntimeFault,
    ServerUnfit,
    StoreChanged,
    StoreRefused,
    StoreUnreachable,
)
from poolrummy.runtime.partitions import fair_share, surplus, wanted
from poolrummy.runtime.store import DEALER, Lease, MemoryUse
from poolrummy.runtime.tenure import Surroundings, Tenure

FATAL: Final = (StoreChanged, NewerVersionNeeded, FeedPoisoned, ServerUnfit)
"""After these the process ends: another start may help, another turn cannot."""

OF_THE_WORLD: Final = (NotOwner, StoreUnreachable, ReadLoopDied, FeedLost, OutOfReach)
"""These say nothing about the entry that was in hand."""

REST_S_MIN: Final = 0.05
REST_S_MAX: Final = 1.0
GIVE_BACK_S_MAX: Final = 10.0

log = structlog.get_logger()

MakeTenure = Callable[[Lease, Surroundings, Callable[[], None]], Tenure]


class Setback:
    """How often a partition failed at one offset, and until when it rests."""

    def __init__(self) -> None:
        self.offset, self.at_offset, self.in_a_row, self.until_s, self.reason = "", 0, 0, 0.0, ""

    def note(self, tenure: Tenure) -> None:
        """One more tenure ended."""
        blames_entry = tenure.blames_entry and not isinstance(tenure.ended_by, OF_THE_WORLD)
        if tenure.offset != self.offset:
            self.offset, self.at_offset, self.in_a_row = tenure.offset, 0, 0
        self.at_offset += blames_entry
        self.reason = str(tenure.ended_by)
        self.in_a_row += 1
        self.until_s = time.monotonic() + min(REST_S_MAX, REST_S_MIN * 2**self.in_a_row)


class Worker:
    """One member of a role."""

    def __init__(
        self,
        role: str,
        member: str,
        around: Surroundings,
        make_tenure: MakeTenure,
        on_memory: Callable[[MemoryUse], None] | None = None,
    ) -> None:
        self.role = role
        self.member = member
        self.around = around
        self.make_tenure = make_tenure
        self.on_memory = on_memory
        self.tenures: dict[int, Tenure] = {}
        self.store_id: str | None = None
        self.started_s = self.turned_s = time.monotonic()
        """When the last turn, or the last look for the server, was made."""
        self._reached_s: float | None = None
        self._trouble: str | None = "not connected yet"
        self._burials: dict[int, asyncio.Task[None]] = {}
        self._setbacks: dict[int, Setback] = {}
        self._wake = asyncio.Event()
        self._kept_house_s = 0.0
        self._followers: set[str] = set()
        self._measure()

    async def run(self, stop: asyncio.Event) -> None:
        """Work until told to stop; raises the fault that ends the process."""
        with_stop = asyncio.create_task(self._wake_at(stop))
        try:
            while not stop.is_set():
                self.turned_s = time.monotonic()
                try:
                    await self._turn()
                except (StoreUnreachable, StoreRefused) as away:
                    await self._bear(away)
                else:
                    self._reached_s, self._trouble = time.monotonic(), None
                await self._rest()
        finally:
            with_stop.cancel()
            with suppress(RuntimeFault, TimeoutError):
                await asyncio.wait_for(self._give_back(), GIVE_BACK_S_MAX)

    def why_not_ready(self) -> Sequence[str]:
        """Every reason why this member does not do its work; empty if it does."""
        reasons = [self._trouble] if self._trouble else []
        silent_s = time.monotonic() - self.turned_s
        if silent_s * 1000 > self.around.settings.lease_ms:
            reasons.append(f"no turn for {silent_s:.1f} s: the leases are stale")
        reasons += [why for tenure in self.tenures.values() if (why := tenure.why_not_ready())]
        now_s = time.monotonic()
        reasons += [
            f"partition {partition}: failed {setback.in_a_row} times behind {setback.offset}: {setback.reason}"
            for partition, setback in self._setbacks.items()
            if partition not in self.tenures and setback.until_s > now_s
        ]
        return reasons

    async def _turn(self) -> None:
        store, settings = self.around.store, self.around.settings
        if self._reached_s is not None:
            await store.check_identity()
        if self._trouble is not None:  # never before the check: an emptied server would get a new identity
            identity = await store.open_store(settings.partitions)
            self.store_id = identity.store_id
            promise = (await store.durability()).promise
            log.info("store opened", store=identity.store_id, partitions=identity.partitions, promise=promise)
        members = await store.join(self.role, self.member, stale_ms=settings.lease_ms)
        await self._bury_ended()
        await self._renew_all()
        await self._bury_ended()
        share = fair_share(settings.partitions, len(members))
        await self._give_up([self.tenures[partition] for partition in surplus(self.tenures, share)])
        for partition in wanted(settings.partitions, self.tenures, members, self.member):
            if len(self.tenures) >= share:
                break
            await self._try(partition)
        await self._keep_house()

    async def _renew_all(self) -> None:
        outcomes = await asyncio.gather(*(tenure.renew() for tenure in self.tenures.values()), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, StoreUnreachable | StoreRefused):
                raise outcome

    async def _bury_ended(self) -> None:
        for partition, tenure in list(self.tenures.items()):
            fault = tenure.ended_by
            if fault is None:
                continue
            del self.tenures[partition]
            self._setbacks.setdefault(partition, Setback()).note(tenure)
            self.around.metrics.tenures_ended.labels(self.role, type(fault).__name__).inc()
            self._burials[partition] = asyncio.create_task(tenure.stop())  # may wait for a dead line; leases must not
            if isinstance(fault, FATAL):
                raise fault

    async def _try(self, partition: int) -> None:
        setback, burial = self._setbacks.get(partition), self._burials.get(partition)
        if burial is not None:
            if not burial.done():
                return
            del self._burials[partition]
            burial.result()
        if setback is not None and setback.until_s > time.monotonic():
            return
        store, metrics = self.around.store, self.around.metrics
        lease = await store.acquire(partition, self.role, self.member, lease_ms=self.around.settings.lease_ms)
        if lease is None:
            return
        if setback is not None and setback.offset == lease.offset:
            lease = replace(lease, takeovers=max(lease.takeovers, setback.at_offset))
        else:
            self._setbacks.pop(partition, None)
        log.info(
            "lease acquired",
            role=self.role,
            partition=partition,
            offset=lease.offset,
            takeovers=lease.takeovers,
            unowned_ms=lease.unowned_ms,
        )
        metrics.takeovers.labels(self.role).inc()
        metrics.unowned_seconds.labels(self.role).inc(lease.unowned_ms / 1000)
        tenure = self.make_tenure(lease, self.around, self._wake.set)
        self.tenures[partition] = tenure
        tenure.begin_soon()

    async def _give_up(self, tenures: Sequence[Tenure]) -> None:
        async def one(tenure: Tenure) -> None:
            await tenure.stop()
            self.tenures.pop(tenure.lease.partition, None)
            await self.around.store.release(tenure.lease)

        await asyncio.gather(*(one(tenure) for tenure in tenures))

    async def _bear(self, away: RuntimeFault) -> None:
        """The server is away: what we hold may be taken over meanwhile, so it is dropped; look for it again."""
        first = self._trouble is None or self._reached_s is None
        since_s = self._reached_s if self._reached_s is not None else self.started_s
        gone_s = time.monotonic() - since_s
        if first:
            log.warning("server away", role=self.role, reason=str(away))
        self._trouble = f"server away for {gone_s:.1f} s: {away}"
        for partition, tenure in self.tenures.items():
            self._burials[partition] = asyncio.create_task(tenure.stop())
        self.tenures = {}
        if gone_s > self.around.settings.unreachable_s_max:
            raise StoreUnreachable(
                f"no working server for {gone_s:.0f} s ({away}); start it, or raise POOLRUMMY_UNREACHABLE_S_MAX"
            ) from away

    async def _rest(self) -> None:
        rest_s = self.around.settings.lease_ms / 3000
        if self._trouble is not None:
            rest_s = min(rest_s, REST_S_MAX / 4)
        resting = [setback.until_s for at, setback in self._setbacks.items() if at not in self.tenures]
        if resting:
            rest_s = max(REST_S_MIN, min(rest_s, min(resting) - time.monotonic()))
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), rest_s)
        self._wake.clear()

    async def _wake_at(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self._wake.set()

    async def _give_back(self) -> None:
        await asyncio.gather(*self._burials.values(), return_exceptions=True)
        await self._give_up(list(self.tenures.values()))
        if self._trouble is None:
            await self.around.store.leave(self.role, self.member)

    def _measure(self) -> None:
        """Gauges are read when they are asked for: no turn may come that would set them."""
        metrics, role = self.around.metrics, self.role
        metrics.partitions_owned.labels(role).set_function(lambda: len(self.tenures))
        metrics.oldest_waiting_seconds.labels(role).set_function(self._waiting_s)
        metrics.inbox_ahead_seconds.set_function(
            lambda: max((t.ahead_ms for t in self.tenures.values()), default=0) / 1000
        )
        metrics.clock_skew_seconds.labels(role).set_function(lambda: self.around.clock.skew_ms / 1000)
        metrics.ready.labels(role).set_function(lambda: 0 if self.why_not_ready() else 1)

    def _waiting_s(self) -> float:
        now_s = time.monotonic()
        waits = [now_s - t.waiting_since_s for t in self.tenures.values() if t.waiting_since_s is not None]
        return max(waits, default=0.0)

    async def _keep_house(self) -> None:
        settings, store = self.around.settings, self.around.store
        if self.role != DEALER or time.monotonic() - self._kept_house_s < settings.housekeeping_ms / 1000:
            return
        self._kept_house_s = time.monotonic()
        memory = await store.memory()
        self.around.metrics.server_memory_bytes.set(memory.used_bytes)
        self.around.metrics.server_memory_limit_bytes.set(memory.max_bytes)
        if self.on_memory is not None:
            self.on_memory(memory)
        lags = dict.fromkeys(self._followers, 0)
        for partition in list(self.tenures):
            trimmed = await store.trim(
                partition,
                lag_ms_max=settings.lag_ms_max,
                lag_entries_max=settings.lag_entries_max,
                kept_entries=settings.feed_kept_entries,
            )
            for role in trimmed.newly_lost:
                log.warning("role lost", partition=partition, role=role, lag_events=trimmed.lags[role])
            for role, lag in trimmed.lags.items():
                lags[role] = lags.get(role, 0) + lag
        self._followers.update(lags)
        for role, lag in lags.items():
            self.around.metrics.feed_lag_events.labels(role).set(lag)
