"""A whole partition: held against its logs, or written anew from them."""

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final, Literal

import msgspec

from poolrummy.projector import views
from poolrummy.projector.checking import Difference, TableCheck, check_table, differences
from poolrummy.projector.folding import fold_table
from poolrummy.projector.rebuild_steps import Rebuild
from poolrummy.projector.rebuilding import Progress, Rebuilt, known_tables, lobby_of, rebuilt
from poolrummy.runtime.effects import DropField, Effect, Put, parts
from poolrummy.runtime.errors import FeedLost, NotOwner, StoreUnreachable
from poolrummy.runtime.memory_views import MemoryViews
from poolrummy.runtime.store import CommitCode, Lease, Reads, Store
from poolrummy_contracts import streams

ROLE: Final = "projector"
LEASE_MS: Final = 10_000
"""A rebuild holds the partition while it runs, and so long after it was killed."""

FEED_PAGE: Final = 1000


class PartitionCheck(msgspec.Struct, frozen=True, kw_only=True):
    """What a comparison found. While tables play, the counts and the lobby's sets are not compared."""

    partition: int
    tables: int
    compared: Literal["everything", "tables"]
    behind: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()


async def check_partition(partition: int, store: Store, progress: Progress) -> PartitionCheck:
    """Compare every read model of the partition with what the logs give."""
    n = await _quiet_at(partition, store)
    if n is not None:
        result = await rebuilt(partition, store, n, progress)
        found = tuple(differences(await _stored(partition, store, result), _expected(partition, result)))
        if await _quiet_at(partition, store) == n:
            tables = sum(key.startswith(streams.view(partition, views.TABLE, "")) for key in result.values)
            return PartitionCheck(partition=partition, tables=tables, compared="everything", differences=found)
    checks: list[TableCheck] = []
    tables_known = sorted(await known_tables(partition, store))
    for done, table in enumerate(tables_known):
        progress(done, len(tables_known))
        check = await check_table(table, store)
        if check is not None and check.verdict != "archived":
            checks.append(check)
    progress(len(tables_known), len(tables_known))
    return PartitionCheck(
        partition=partition,
        tables=len(checks),
        compared="tables",
        behind=tuple(check.table for check in checks if check.verdict in ("behind", "missing", "unsettled")),
        differences=tuple(difference for check in checks for difference in check.differences),
    )


async def write_partition(partition: int, store: Store, progress: Progress) -> int:
    """Write all read models of the partition anew; how many changed. ``NotOwner`` while a projector holds it."""
    lease = await _taken(partition, store)
    try:
        async with _kept_alive(store, lease):
            return await _write(store, lease, await store.feed_n(partition), progress)
    finally:
        await store.release(lease)


async def _write(store: Store, lease: Lease, n: int, progress: Progress) -> int:
    """Part by part; the offset goes with the last, and until then the role is lost, so that a death costs nothing."""
    changed = 0
    last: Sequence[Effect] = ()
    async for step in Rebuild(lease.partition, store, n).steps():
        progress(step.done, step.tables)
        for part in parts(step.effects):
            if last:
                await _commit(store, lease, lease.n, last, part=True)
            last = part
        changed += len(step.effects)
    await _commit(store, lease, n, last)
    return changed


@asynccontextmanager
async def _kept_alive(store: Store, lease: Lease) -> AsyncGenerator[None]:
    """Renew the lease as long as the block lasts: a killed rebuild leaves the partition to the next at once."""

    async def renew() -> None:
        while True:
            await asyncio.sleep(LEASE_MS / 3000)
            with suppress(FeedLost, NotOwner, StoreUnreachable):  # the next commit says it
                await store.renew(lease, lease_ms=LEASE_MS)

    task = asyncio.create_task(renew())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def write_table(table: str, store: Store) -> bool:
    """Write the read models of one table anew, as of the partition's offset; whether there is such a table.

    Events that a stuck table had in the meantime stay uncounted: the counts are those of a whole partition.
    """
    partition = streams.partition_of(table)
    lease = await _taken(partition, store)
    try:
        if lease.lost:
            raise FeedLost(f"partition {partition} was left behind; rebuild all of it: poolrummy rebuild --write")
        folded = await fold_table(table, store, until=await _version_at(table, partition, store, lease.n))
        if folded is None:
            return False
        effects: list[Effect] = [Put(key, value) for key, value in views.values(folded.board).items()]
        effects.append(DropField(views.stuck_key(partition), table))
        if folded.board.table.closed:
            effects.append(DropField(views.lobby_key(partition), table))
        else:
            effects.extend(lobby_of(partition, {table: folded.board}))
        await _commit(store, lease, lease.n, effects)
        return True
    finally:
        await store.release(lease)


async def _taken(partition: int, store: Store) -> Lease:
    lease = await store.acquire(partition, ROLE, f"rebuild-{os.getpid()}", lease_ms=LEASE_MS)
    if lease is None:
        raise NotOwner(f"a running projector holds partition {partition}; stop the projectors, then rebuild")
    return lease


async def _commit(store: Store, lease: Lease, to_n: int, effects: Sequence[Effect], *, part: bool = False) -> None:
    code = await store.commit(lease, from_n=lease.n, to_n=to_n, effects=effects, rebuilt=not part, part=part)
    if code is not CommitCode.COMMITTED:
        raise NotOwner(f"partition {lease.partition} is not written to its end ({code}); start the rebuild again")


async def _quiet_at(partition: int, store: Reads) -> int | None:
    """Where the projector stands, if that is the end of the feed."""
    n = await store.feed_n(partition)
    return n if (await store.roles(partition)).get(ROLE) == n else None


async def _version_at(table: str, partition: int, store: Reads, n: int) -> int | None:
    """The table's version when the feed stood at ``n``; ``None``: its last."""
    while page := await store.read_feed(partition, n, FEED_PAGE):
        for entry in page:
            if entry.table == table:
                return entry.version - 1
        n = page[-1].n
    return None


def _expected(partition: int, result: Rebuilt) -> Mapping[str, bytes]:
    """All values, with a line for each field of the lobby and each member of a shelf."""
    memory = MemoryViews()
    for effect in lobby_of(partition, result.boards):
        memory.apply(effect)
    return {**result.values, **_lines(memory.hashes, memory.members)}


async def _stored(partition: int, store: Reads, result: Rebuilt) -> Mapping[str, bytes]:
    lobby = views.lobby_key(partition)
    keys = await store.view_keys(partition)
    shelves = {key: set(await store.view_members(key)) for key in keys if key.startswith(f"{lobby}:")}
    wanted = {*result.values, *(key for key in keys if key in result.values)}
    values = {key: value for key in sorted(wanted) if (value := await store.view_value(key)) is not None}
    return {**values, **_lines({lobby: dict(await store.view_hash(lobby))}, shelves)}


def _lines(hashes: Mapping[str, Mapping[str, bytes]], members: Mapping[str, set[str]]) -> dict[str, bytes]:
    lines = {f"{key} {field}": value for key, fields in hashes.items() for field, value in fields.items()}
    return lines | {f"{key} {member}": b"listed" for key, listed in members.items() for member in listed}
