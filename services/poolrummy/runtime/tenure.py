"""One ownership of one partition: from the lease to its end, whatever ends it."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final

import structlog
from msgspec import Struct

from poolrummy.runtime.errors import FeedLost, ReadLoopDied, RuntimeFault
from poolrummy.runtime.metrics import Metrics
from poolrummy.runtime.offsets import place
from poolrummy.runtime.pumps import Pump, Pumps
from poolrummy.runtime.server_clock import ServerClock
from poolrummy.runtime.settings import Settings
from poolrummy.runtime.store import DEALER, Lease, Store

STUCK_S_MAX: Final = 1.0
"""Entries that wait longer without any progress mean that the read loop is dead."""

log = structlog.get_logger()


class Surroundings(Struct, frozen=True, kw_only=True):
    """What every tenure of a process shares."""

    settings: Settings
    store: Store
    pumps: Pumps
    clock: ServerClock
    metrics: Metrics


class TenureEnded(RuntimeFault):
    """The receiver tells the read loop that this tenure is over; the reason is kept in ``ended_by``."""


class Tenure(ABC):
    """The state held for one partition, and the read loop behind it."""

    def __init__(self, lease: Lease, around: Surroundings, on_end: Callable[[], None]) -> None:
        self.lease = lease
        self.around = around
        self.offset = lease.offset
        self.lock = asyncio.Lock()
        self.ended_by: BaseException | None = None
        self.started = False
        self.doing: str | None = None
        """What it does before it is started, if that takes long."""
        self.blames_entry = False
        """Whether it ended while the entries behind its offset were handled."""
        self.waiting_since_s: float | None = None
        self.ahead_ms = 0
        """How far the newest message is stamped ahead of the server's clock."""
        self._waiting_at = ""
        self._on_end = on_end
        self._pump: Pump | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._begun = False

    @abstractmethod
    async def load(self) -> None:
        """Build the state from what is stored."""

    @abstractmethod
    async def open_pump(self) -> Pump:
        """Start to read behind the stored offset."""

    def begin_soon(self) -> None:
        """Load and start to read, while the lease is already kept alive."""
        self._tasks.append(asyncio.create_task(self._start()))

    async def renew(self) -> None:
        """Keep the lease, and notice if entries wait that nobody reads."""
        lease, around = self.lease, self.around
        try:
            seen = await around.store.renew(lease, lease_ms=around.settings.lease_ms)
        except FeedLost as lost:
            if not lease.lost:
                self.end(lost)
            return
        except RuntimeFault as fault:
            self.end(fault)
            raise
        around.clock.told(seen.now_ms)
        if lease.role == DEALER:
            self.ahead_ms = max(0, place(seen.last_id)[0] - seen.now_ms)
        self._judge_progress(seen.last_id)

    async def stop(self) -> None:
        """Let the batch in hand finish and read no more. The lease is left as it is."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        if self._pump is not None:
            await self._pump.stop()

    def end(self, fault: BaseException) -> None:
        """This tenure is over; the first reason counts."""
        if self.ended_by is None:
            self.ended_by = fault
            self._on_end()

    def why_not_ready(self) -> str | None:
        """What a person must know if this partition does not move."""
        if self.ended_by is not None:
            return f"partition {self.lease.partition}: {self.ended_by}"
        if not self.started:
            return f"partition {self.lease.partition}: {self.doing or 'loading'}"
        if self._pump is not None and not self._pump.alive:
            return f"partition {self.lease.partition}: its read loop is dead"
        if self.waiting_since_s is not None and time.monotonic() - self.waiting_since_s > STUCK_S_MAX:
            return f"partition {self.lease.partition}: entries wait behind {self.offset} and nothing moves"
        return None

    async def begun(self) -> bool:
        """Note in the store that entries are handled from now on; whether this is the first batch."""
        if self._begun:
            return False
        await self.around.store.begin(self.lease)
        self._begun = True
        return True

    def watch(self, task: "asyncio.Task[None]") -> None:
        """End together with this task of ours."""
        self._tasks.append(task)

    async def _start(self) -> None:
        try:
            await self.load()
            self._pump = await self.open_pump()
            self.started = True
        except asyncio.CancelledError:
            raise
        except Exception as fault:  # a handler's own code loads here, and anything may come out of it
            log.error(  # noqa: TRY400 - a fault of the world needs no traceback, and comes again until it is mended
                "load failed",
                partition=self.lease.partition,
                role=self.lease.role,
                reason=str(fault),
                exc_info=not isinstance(fault, RuntimeFault),
            )
            self.end(fault)

    def _judge_progress(self, last_id: str) -> None:
        if not self.started or self.ended_by is not None:
            return
        waits = place(last_id) > place(self.offset)
        if not waits or self.lock.locked() or self._waiting_at != self.offset:
            self.waiting_since_s = time.monotonic() if waits else None
            self._waiting_at = self.offset
        stuck = self.waiting_since_s is not None and time.monotonic() - self.waiting_since_s > STUCK_S_MAX
        dead = self._pump is not None and not self._pump.alive
        if stuck or dead:
            reason = "entries wait and nobody reads them" if stuck else "its read loop died"
            self.end(ReadLoopDied(f"{self.lease.role} of partition {self.lease.partition}: {reason}"))
