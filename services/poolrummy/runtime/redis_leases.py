"""Who owns which partition, kept by Redis and by Redis's clock."""

import secrets
from collections.abc import Sequence

import msgspec

from poolrummy.runtime.errors import FeedLost, NotOwner, StoreChanged
from poolrummy.runtime.lease_faults import changed, fenced, left_behind, refuse_rewind, went_back
from poolrummy.runtime.redis_calls import Calls, ScriptCall, script, text
from poolrummy.runtime.redis_reads import texts
from poolrummy.runtime.store import DEALER, Lease, Renewal, StoreIdentity
from poolrummy_contracts import streams

ACQUIRE, RENEW, RELEASE, JOIN = script("acquire"), script("renew"), script("release"), script("join")
CLOCKS = script("clocks")


class RedisLeases:
    """Membership and leases."""

    calls: Calls
    identity: StoreIdentity | None

    async def join(self, role: str, member: str, *, stale_ms: int) -> Sequence[str]:
        """Say that this member serves the role; answer all members that said so within ``stale_ms``, sorted."""
        return texts(await self.calls.run(ScriptCall(JOIN, (members(role),), (member, stale_ms))))

    async def leave(self, role: str, member: str) -> None:
        """Say that this member no longer serves the role."""
        await self.calls.ask("ZREM", members(role), member)

    async def acquire(self, partition: int, role: str, member: str, *, lease_ms: int) -> Lease | None:
        """Take a free, expired or own lease with a new token; ``None`` while somebody else holds it."""
        assert self.identity is not None, "open_store comes first: a lease names the store it was taken in"
        keys = (
            streams.meta(partition),
            lease_key(partition, role),
            streams.dealer(partition),
            streams.inbox(partition),
            streams.roles(partition),
        )
        args = (self.identity.store_id, role, member, secrets.token_hex(8), lease_ms)
        code, *held = await self.calls.run(ScriptCall(ACQUIRE, keys, args))
        match text(code):
            case "held":
                return None
            case "changed":
                raise StoreChanged(changed(partition))
            case _:
                token, offset, takeovers, unowned_ms, lost, feed, ended = held
        lease = Lease(
            partition=partition,
            role=role,
            member=member,
            token=text(token),
            offset=text(offset),
            takeovers=takeovers,
            unowned_ms=unowned_ms,
            lost=bool(lost),
            ended_acting=msgspec.json.decode(ended, type=dict[str, int]),
        )
        if role != DEALER and lease.n > feed:
            raise StoreChanged(went_back(partition, lease.n, feed))
        return lease

    async def begin(self, lease: Lease) -> None:
        """Note that this owner starts to handle entries: only such an owner counts as a takeover."""
        await self._renew(lease, 0, "begin")

    async def begin_clocks(
        self, lease: Lease, tables: Sequence[str], *, unless_waiting: bool = False
    ) -> tuple[int, str]:
        """Note on whose clocks this dealer is about to act: if that takes it along, the next owner knows.

        Answers what ``inbox_reading`` does; with ``unless_waiting`` nothing is noted while a message waits.
        """
        return await self._clocks(lease, "begin", tables, "1" if unless_waiting else "")

    async def end_clocks(self, lease: Lease, tables: Sequence[str]) -> None:
        """The act is done: these tables are suspected no more."""
        await self._clocks(lease, "end", tables)

    async def blame_clocks(self, lease: Lease, tables: Sequence[str]) -> None:
        """The act went wrong without a death: it counts as one."""
        await self._clocks(lease, "blame", tables)

    async def _clocks(self, lease: Lease, what: str, tables: Sequence[str], more: str = "") -> tuple[int, str]:
        keys = (lease_key(lease.partition, lease.role), streams.inbox(lease.partition))
        args = (lease.token, what, msgspec.json.encode(tables), more)
        code, *reading = await self.calls.run(ScriptCall(CLOCKS, keys, args))
        if text(code) == "fenced":
            raise NotOwner(fenced(lease))
        now_ms, last_id = reading
        return now_ms, text(last_id)

    async def renew(self, lease: Lease, *, lease_ms: int) -> Renewal:
        """Keep the lease; ``NotOwner`` if the token is another one, ``FeedLost`` if the role was marked lost."""
        now_ms, offset, last_id = await self._renew(lease, lease_ms, "renew")
        seen = Renewal(now_ms=now_ms, offset=text(offset), last_id=text(last_id))
        refuse_rewind(lease, seen)
        return seen

    async def _renew(self, lease: Lease, lease_ms: int, what: str) -> tuple[int, bytes, bytes]:
        keys = (
            lease_key(lease.partition, lease.role),
            streams.dealer(lease.partition),
            streams.inbox(lease.partition),
        )
        code, *seen = await self.calls.run(ScriptCall(RENEW, keys, (lease.token, lease_ms, lease.role, what)))
        match text(code):
            case "fenced":
                raise NotOwner(fenced(lease))
            case "lost":
                raise FeedLost(left_behind(lease))
            case _:
                now_ms, offset, last_id = seen
                return now_ms, offset, last_id

    async def release(self, lease: Lease) -> bool:
        """Give the lease back, cleanly; whether it was still ours."""
        key = lease_key(lease.partition, lease.role)
        return bool(await self.calls.run(ScriptCall(RELEASE, (key,), (lease.token,))))


def lease_key(partition: int, role: str) -> str:
    """Where a role keeps its lease and offset."""
    return streams.dealer(partition) if role == DEALER else streams.role(partition, role)


def members(role: str) -> str:
    """Ranking: members of a role by their last sign of life. One for the whole store, on partition 0."""
    return f"{streams.tag(0)}:members:{role}"
