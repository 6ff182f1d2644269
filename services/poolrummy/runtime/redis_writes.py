"""How Redis records: one script for the dealer, one for the consumers, each all or nothing."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from poolrummy.runtime.archiving import ArchiveCode, Archiving, refuse_foreign_views
from poolrummy.runtime.effects import Effect, refuse_foreign_keys, spelled
from poolrummy.runtime.errors import StoreChanged, StoreRefused
from poolrummy.runtime.lease_faults import changed
from poolrummy.runtime.redis_archive import archive_call
from poolrummy.runtime.redis_calls import Calls, Reply, ScriptCall, script, text
from poolrummy.runtime.redis_leases import lease_key
from poolrummy.runtime.redis_reads import RedisReads, saved
from poolrummy.runtime.store import (
    ANSWERS_MAX,
    NOTHING_READ,
    PARKED_MAX,
    Append,
    AppendAnswer,
    AppendCode,
    CommitCode,
    Lease,
    Slot,
    StoreIdentity,
    Trimmed,
    refuse_oversize,
)
from poolrummy_contracts import streams

APPEND, COMMIT, TRIM = script("append"), script("commit"), script("trim")
OTHER_SLOT: Final = {"a": "b", "b": "a"}


class RedisWrites(RedisReads):
    """Everything that changes a Redis store."""

    calls: Calls
    replies_max: int
    identity: StoreIdentity | None

    async def send(self, partition: int, payload: bytes) -> str:
        """Put a message into an inbox; its entry id."""
        return text(await self.calls.ask("XADD", streams.inbox(partition), "*", "e", payload))

    async def append(self, calls: Sequence[Append]) -> Sequence[AppendAnswer]:
        """Record the calls in order, in one round trip; each is all or nothing."""
        for call in calls:
            refuse_oversize(call)
        replies = await self.calls.run_all([append_call(call, self.replies_max) for call in calls])
        return tuple(append_answer(reply) for reply in replies)

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
        keys = [
            lease_key(lease.partition, lease.role),
            streams.dealer(lease.partition),
            streams.inbox(lease.partition),
            streams.parked(lease.partition),
        ]
        args: list[str | bytes | int] = [
            lease.token,
            f"{from_n}-0",
            f"{to_n}-0",
            "rebuilt" if rebuilt else "part" if part else "",
            PARKED_MAX,
            len(effects),
        ]
        for effect in effects:
            kind, key, values = spelled(effect)
            if key:
                keys.append(key)
            args += [kind, *values, "", ""][:3]
        return CommitCode(text(await self.calls.run(ScriptCall(COMMIT, keys, args))))

    async def trim(self, partition: int, *, lag_ms_max: int, lag_entries_max: int, kept_entries: int = 0) -> Trimmed:
        """Drop what everybody has read; mark consumers lost that lag beyond the bounds."""
        while True:
            names = tuple(await self.roles(partition))
            keys = (
                streams.dealer(partition),
                streams.inbox(partition),
                streams.feed(partition),
                streams.roles(partition),
                *(streams.role(partition, name) for name in names),
            )
            code, *counts = await self.calls.run(
                ScriptCall(TRIM, keys, (lag_ms_max, lag_entries_max, kept_entries, *names))
            )
            if text(code) == "trimmed":
                return trimmed(counts)

    async def retire(self, partition: int, role: str) -> None:
        """Forget a feed role for good: it no longer holds back trimming."""
        await self.calls.ask_all([("SREM", streams.roles(partition), role), ("DEL", streams.role(partition, role))])

    async def close_play(self, partition: int, n: int, payload: bytes, chain: bytes) -> bool:
        """Write act ``n`` on new play; False where somebody else has written that one."""
        try:
            await self.calls.ask("XADD", streams.closures(partition), f"{n}-0", "e", payload, "h", chain.hex())
        except StoreRefused as refused:
            # The server takes no entry whose id is not larger than the last one: two writers never get one number.
            if "equal or smaller" in str(refused):
                return False
            raise
        return True

    async def archive(self, step: Archiving) -> ArchiveCode:
        """Remove everything of a closed table but its head, and keep what it counted, in one step."""
        refuse_foreign_views(step)
        assert self.identity is not None, "open_store comes first: a table is archived from the store that was read"
        code = text(await self.calls.run(archive_call(step, self.identity)))
        if code == "changed":
            raise StoreChanged(changed(step.partition))
        return ArchiveCode(code)


def append_call(call: Append, replies_max: int) -> ScriptCall:
    """The keys and arguments of ``append.lua``."""
    keys = list(partition_keys(call.partition))
    lines = [line for line in call.private if not line.kept]
    kept = [line for line in call.private if line.kept]
    if call.table is not None:
        table = call.table
        keys += table_keys(table, call.answers_slot)
        for seat in call.forget_seats:
            keys += [streams.seat(table, seat), saved(table, seat)]
        keys += [streams.seat(table, line.seat) for line in lines]
        keys += [saved(table, line.seat) for line in kept]
    args: list[str | bytes | int] = [
        call.token,
        call.from_offset,
        call.to_offset,
        call.table or "",
        call.expected_version,
        call.expected_chain.hex(),
        call.command_id or "",
        call.reply or b"",
        call.open_change,
        "1" if call.clear_slot else "",
        call.snapshot or b"",
        call.parked or b"",
        replies_max,
        PARKED_MAX,
        ANSWERS_MAX,
        len(call.events),
        len(call.forget_seats) * 2,
        len(lines),
        len(kept),
    ]
    for event in call.events:
        args += [event.payload, event.chain.hex()]
    args += [line.payload for line in lines]
    args += [line.payload for line in kept]
    return ScriptCall(APPEND, keys, args)


@lru_cache(maxsize=8192)
def table_keys(table: str, slot: Slot) -> tuple[str, ...]:
    """Keys six to ten of ``append.lua``; a table asks for them at every move."""
    return (
        streams.table(table),
        streams.head(table),
        streams.snapshot(table),
        streams.answers(table, slot),
        streams.answers(table, OTHER_SLOT[slot]),
    )


@lru_cache(maxsize=1024)
def partition_keys(partition: int) -> tuple[str, ...]:
    """Keys one to five of ``append.lua``."""
    return (
        streams.dealer(partition),
        streams.feed(partition),
        streams.replies(partition),
        streams.parked(partition),
        streams.open_tables(partition),
    )


def append_answer(reply: Sequence[Reply]) -> AppendAnswer:
    """What ``append.lua`` answered."""
    code, version, feed_n, offset = reply
    return AppendAnswer(
        code=AppendCode(text(code)), version=int(version), feed_n=int(feed_n), offset=text(offset) or NOTHING_READ
    )


def trimmed(counts: Sequence[Reply]) -> Trimmed:
    """What ``trim.lua`` answered."""
    inbox_entries, feed_entries, *roles = counts
    lags: Mapping[str, int] = {text(name): lag for name, lag in zip(roles[::3], roles[1::3], strict=True)}
    newly_lost = tuple(text(name) for name, newly in zip(roles[::3], roles[2::3], strict=True) if newly)
    return Trimmed(inbox_entries=int(inbox_entries), feed_entries=int(feed_entries), newly_lost=newly_lost, lags=lags)
