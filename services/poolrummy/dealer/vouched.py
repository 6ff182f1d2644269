"""How far logs were vouched for outside the server: asked off the event loop, and never for long while tables play."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

import structlog

from poolrummy.fairness.checkpoint import Checkpoint
from poolrummy.keeping.keeper import KeeperFault
from poolrummy.runtime.errors import OutOfReach
from poolrummy.runtime.side_by_side import side_by_side
from poolrummy_contracts.refusals import Refusal, Refused

WAIT_S_MAX: Final = 1.0
"""So long the messages of a partition wait at most while ids of new tables are looked up."""
REST_S: Final = 5.0
"""After a look-up that failed, new tables are turned away for so long without another one."""

log = structlog.get_logger()


class CheckpointsUnreached(OutOfReach):
    """Nobody can say how far the logs were signed: none is taken over until somebody can."""


class Checkpoints(Protocol):
    """How far logs were vouched for outside the server; may take its time, and may raise ``KeeperFault``."""

    def latest(self, table: str) -> Checkpoint | None:
        """The largest checkpoint of a table that counts; None where there is none."""
        ...


class Vouched:
    """Asks for the checkpoints of one partition's tables; without any place to ask, nothing is vouched for."""

    def __init__(self, checkpoints: Checkpoints | None, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._checkpoints = checkpoints
        self._clock_s = clock_s
        self._rests_until_s = 0.0
        self._lost: Mapping[str, Checkpoint] = {}
        self._unknown: frozenset[str] = frozenset()

    async def latest(self, tables: Sequence[str]) -> Mapping[str, Checkpoint]:
        """The last checkpoint of each of these tables; ``CheckpointsUnreached`` if that cannot be found out."""
        if self._checkpoints is None or not tables:
            return {}
        try:
            found = await side_by_side(self._checkpoints.latest, tables)
        except KeeperFault as away:
            raise CheckpointsUnreached(
                f"no log is taken over while checkpoints cannot be read: {away} (or start without "
                "POOLRUMMY_CHECKPOINTS_DIR: then nothing is checked)"
            ) from away
        return {table: one for table, one in zip(tables, found, strict=True) if one is not None}

    async def look_up(self, unused: Sequence[str]) -> None:
        """Find out whether logs of these ids, which nobody uses, were ever signed; tables that play wait meanwhile."""
        self._lost, self._unknown = {}, frozenset()
        if self._checkpoints is None or not unused:
            return
        found = None if self._clock_s() < self._rests_until_s else await self._latest_soon(unused)
        if found is None:
            self._unknown = frozenset(unused)
            return
        self._lost = found
        for table, signed in found.items():
            log.critical("log vanished", table=table, signed=signed.size)

    def objection(self, table: str) -> Refused | None:
        """Why a table of this id, which was looked up, may not be opened."""
        if table in self._unknown:
            return Refused(Refusal.BUSY, "The checkpoints, which tell whether its id was used before, cannot be read.")
        if table in self._lost:
            return Refused(
                Refusal.LOG_MISSING,
                f"{self._lost[table].size} events were signed. Restore the store from a copy, or accept the loss: "
                f"poolrummy accept-rewind {table} --operator NAME --reason TEXT",
            )
        return None

    async def _latest_soon(self, tables: Sequence[str]) -> Mapping[str, Checkpoint] | None:
        try:
            return await asyncio.wait_for(self.latest(tables), WAIT_S_MAX)
        except (CheckpointsUnreached, TimeoutError) as away:
            self._rests_until_s = self._clock_s() + REST_S
            log.warning("new tables turned away", reason=str(away) or f"no checkpoint was read in {WAIT_S_MAX} s")
            return None
