"""A store in the memory of one process: for tests, and for replays that need no server.

Its clock is handed in, so that a test decides how much time passes.
"""

import secrets
import time
from collections.abc import Callable, Sequence

from poolrummy.runtime.archiving import ArchiveCode, Archiving, refuse_foreign_views
from poolrummy.runtime.effects import Effect, refuse_foreign_keys
from poolrummy.runtime.errors import FeedLost, NotOwner, StoreChanged
from poolrummy.runtime.lease_faults import changed, fenced, left_behind, refuse_rewind, went_back
from poolrummy.runtime.memory_archive import archive
from poolrummy.runtime.memory_partition import Holder, MemoryPartition
from poolrummy.runtime.memory_reads import MemoryReads
from poolrummy.runtime.store import (
    DEALER,
    Append,
    AppendAnswer,
    CommitCode,
    Durability,
    Lease,
    MemoryUse,
    Renewal,
    StoreIdentity,
    TableEntry,
    Trimmed,
    refuse_oversize,
)
from poolrummy_contracts import streams


def wall_clock_ms() -> int:
    """The clock of a store that nobody gave another one."""
    return time.time_ns() // 1_000_000


class MemoryStore(MemoryReads):
    """The same promises as Redis, as long as the process lives."""

    def __init__(self, *, clock: Callable[[], int] = wall_clock_ms, replies_max: int = 10_000) -> None:
        self.clock = clock
        self.replies_max = replies_max
        self.identity: StoreIdentity | None = None
        self.stored_identity: StoreIdentity | None = None
        self.parts: dict[int, MemoryPartition] = {}
        self.serving: dict[str, dict[str, int]] = {}

    def flush(self) -> None:
        """Forget everything, as FLUSHALL does."""
        self.stored_identity = None
        self.parts.clear()
        self.serving.clear()

    async def open_store(self, partitions: int) -> StoreIdentity:
        """Create the store's identity, or check the one it has."""
        if self.stored_identity is None:
            self.stored_identity = StoreIdentity(
                store_id=secrets.token_hex(16), log_format=streams.LOG_FORMAT, partitions=partitions
            )
        if self.stored_identity.partitions != partitions:
            raise StoreChanged(
                f"the store has {self.stored_identity.partitions} partitions and the settings say {partitions}"
            )
        self.identity = self.stored_identity
        return self.identity

    async def check_identity(self) -> None:
        """Raise ``StoreChanged`` if this is no longer the store that ``open_store`` saw."""
        if self.stored_identity != self.identity:
            raise StoreChanged(changed(0))

    async def now_ms(self) -> int:
        """The clock that was handed in."""
        return self.clock()

    async def durability(self) -> Durability:
        """Nothing outlives the process."""
        return Durability(level="memory", replicas_waited=0, server="this process")

    async def memory(self) -> MemoryUse:
        """No limit of its own."""
        return MemoryUse(used_bytes=0, max_bytes=0)

    async def aclose(self) -> None:
        """There is nothing to close."""

    async def join(self, role: str, member: str, *, stale_ms: int) -> Sequence[str]:
        """Say that this member serves the role; answer all members that said so within ``stale_ms``, sorted."""
        seen = self.serving.setdefault(role, {})
        seen[member] = self.clock()
        for name in [name for name, at_ms in seen.items() if at_ms < self.clock() - stale_ms]:
            del seen[name]
        return tuple(sorted(seen))

    async def leave(self, role: str, member: str) -> None:
        """Say that this member no longer serves the role."""
        self.serving.get(role, {}).pop(member, None)

    async def acquire(self, partition: int, role: str, member: str, *, lease_ms: int) -> Lease | None:
        """Take a free, expired or own lease with a new token; ``None`` while somebody else holds it."""
        if self.stored_identity is None or self.stored_identity != self.identity:
            raise StoreChanged(changed(partition))
        part, now_ms = self.part(partition), self.clock()
        holder = part.register(role)
        if holder.token is not None and holder.until_ms > now_ms and holder.member != member:
            return None
        died = holder.token is not None and holder.member != member
        acting, holder.acting = holder.acting if died else (), ()
        holder.blame(acting)
        if not part.waits(role):
            holder.takeovers = 0
        elif died and holder.began and not acting:
            holder.takeovers += 1
        unowned_ms = 0 if holder.alive_ms is None else max(0, now_ms - holder.alive_ms)
        holder.epoch += 1
        holder.token = f"{holder.epoch}:{secrets.token_hex(8)}"
        holder.member, holder.until_ms, holder.alive_ms = member, now_ms + lease_ms, now_ms
        holder.began = False
        holder.lost = role != DEALER and (holder.lost or holder.n < part.trimmed_n)
        if role != DEALER and holder.n > part.feed_n:
            raise StoreChanged(went_back(partition, holder.n, part.feed_n))
        return Lease(
            partition=partition,
            role=role,
            member=member,
            token=holder.token,
            offset=holder.offset,
            takeovers=holder.takeovers,
            unowned_ms=unowned_ms,
            lost=holder.lost,
            ended_acting=dict(holder.ended_acting),
        )

    async def begin(self, lease: Lease) -> None:
        """Note that this owner starts to handle entries: only such an owner counts as a takeover."""
        self._owned(lease).began = True

    async def begin_clocks(
        self, lease: Lease, tables: Sequence[str], *, unless_waiting: bool = False
    ) -> tuple[int, str]:
        """Note on whose clocks this dealer is about to act: if that takes it along, the next owner knows.

        Answers what ``inbox_reading`` does; with ``unless_waiting`` nothing is noted while a message waits.
        """
        holder, inbox = self._owned(lease), self.part(lease.partition).inbox.entries
        last_id = inbox[-1][0] if inbox else "0-0"
        if not unless_waiting or not inbox or last_id == holder.offset:
            holder.acting = tuple(tables)
        return self.clock(), last_id

    async def end_clocks(self, lease: Lease, tables: Sequence[str]) -> None:
        """The act is done: these tables are suspected no more."""
        holder = self._owned(lease)
        holder.acting = ()
        for table in tables:
            holder.ended_acting.pop(table, None)

    async def blame_clocks(self, lease: Lease, tables: Sequence[str]) -> None:
        """The act went wrong without a death: it counts as one."""
        self._owned(lease).blame(tables)

    def _owned(self, lease: Lease) -> Holder:
        holder = self.part(lease.partition).holder(lease.role)
        if holder.token != lease.token:
            raise NotOwner(fenced(lease))
        return holder

    async def renew(self, lease: Lease, *, lease_ms: int) -> Renewal:
        """Keep the lease; ``NotOwner`` if the token is another one, ``FeedLost`` if the role was marked lost."""
        part, now_ms = self.part(lease.partition), self.clock()
        holder = part.holder(lease.role)
        if holder.token != lease.token:
            raise NotOwner(fenced(lease))
        holder.until_ms, holder.alive_ms = now_ms + lease_ms, now_ms
        if holder.lost:
            raise FeedLost(left_behind(lease))
        last_id = f"{part.feed_n}-0"
        if lease.role == DEALER:
            last_id = part.inbox.entries[-1][0] if part.inbox.entries else holder.offset
        seen = Renewal(now_ms=now_ms, offset=holder.offset, last_id=last_id)
        refuse_rewind(lease, seen)
        return seen

    async def release(self, lease: Lease) -> bool:
        """Give the lease back, cleanly; whether it was still ours."""
        holder = self.part(lease.partition).holder(lease.role)
        if holder.token != lease.token:
            return False
        holder.token, holder.alive_ms = None, self.clock()
        holder.takeovers, holder.began, holder.acting = 0, False, ()
        return True

    async def send(self, partition: int, payload: bytes) -> str:
        """Put a message into an inbox; its entry id."""
        return self.part(partition).inbox.add(payload, self.clock())

    async def append(self, calls: Sequence[Append]) -> Sequence[AppendAnswer]:
        """Record the calls in order; each is all or nothing."""
        for call in calls:
            refuse_oversize(call)
        return tuple(self.part(call.partition).append(call, self.clock()) for call in calls)

    async def commit(
        self,
        lease: Lease,
        *,
        from_n: int,
        to_n: int,
        effects: Sequence[Effect] = (),
        rebuilt: bool = False,
        part: bool = False,
    ) -> CommitCode:
        """Store a consumer's effects and its offset in one step; ``part`` and ``rebuilt`` begin and end a rebuild."""
        assert not part or from_n == to_n, "a part of a rebuild moves no offset"
        refuse_foreign_keys(lease.partition, effects)
        return self.part(lease.partition).commit(
            lease.role,
            lease.token,
            from_n=from_n,
            to_n=to_n,
            effects=effects,
            rebuilt=rebuilt,
            part=part,
            now_ms=self.clock(),
        )

    async def trim(self, partition: int, *, lag_ms_max: int, lag_entries_max: int, kept_entries: int = 0) -> Trimmed:
        """Drop what everybody has read; mark consumers lost that lag beyond the bounds."""
        part = self.part(partition)
        return part.trim(
            lag_ms_max=lag_ms_max, lag_entries_max=lag_entries_max, kept_entries=kept_entries, now_ms=self.clock()
        )

    async def retire(self, partition: int, role: str) -> None:
        """Forget a feed role for good: it no longer holds back trimming."""
        self.part(partition).followers.pop(role, None)

    async def close_play(self, partition: int, n: int, payload: bytes, chain: bytes) -> bool:
        """Write act ``n`` on new play; False where somebody else has written that one."""
        written = self.part(partition).closures
        if written and n <= written[-1].version:
            return False
        written.append(TableEntry(version=n, payload=payload, chain=chain))
        return True

    async def archive(self, step: Archiving) -> ArchiveCode:
        """Remove everything of a closed table but its head, and keep what it counted, in one step."""
        refuse_foreign_views(step)
        await self.check_identity()
        return archive(self.part(step.partition), step)
