"""Stores with closed tables, and an archive to put them into, for the archiver's tests."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from poolrummy.archive.filing import Archive
from poolrummy.archive.passing import Pass, Wanted
from poolrummy.audit.evidence import StoredLine
from poolrummy.keeping.checkpoint_folder import FolderKeeper
from poolrummy.projector import views
from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.store import DEALER, Append, NewEvent, OpenChange, Store

from .played_logs import Log, Recorder, dull, eventful, everything, follow, in_a_deal, named

CLOSED = {"p00-a": eventful(), "p00-b": dull(), "p00-c": dull(3)}
RUNNING = {"p00-z": in_a_deal()}
NOW_MS = 5_000_000
EVENTS_A_CALL = 60


async def platform(store: Store | None = None, *, closed: dict[str, Log] = CLOSED, batch: int = 64) -> Store:
    """A store with closed tables and one that plays, all projected."""
    made = store or MemoryStore(clock=lambda: NOW_MS)
    recorder = await Recorder.on(made)
    for table, log in {**closed, **RUNNING}.items():
        await recorder.record(named(log, table))
    await follow(made, [batch] * 1000)
    return made


@asynccontextmanager
async def either_store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    """The same tables in the store that a fixture's parameter names: ``memory`` or ``redis``."""
    if request.param == "memory":
        yield await platform()
        return
    made = RedisStore.at(request.getfixturevalue("redis_url"))
    await platform(made)
    yield made
    await made.aclose()


async def recorded(store: Store, table: str, lines: Sequence[StoredLine], *, partitions: int = 3) -> None:
    """A whole closed log, put into a store as its dealer wrote it."""
    recorder = await Recorder.on(store, int(table[1:3]), partitions=partitions)
    for start in range(0, len(lines), EVENTS_A_CALL):
        part = lines[start : start + EVENTS_A_CALL]
        change = OpenChange.OPENS if not start else OpenChange.NONE
        change = OpenChange.CLOSES if start + EVENTS_A_CALL >= len(lines) else change
        call = Append(
            partition=recorder.lease.partition,
            token=recorder.lease.token,
            from_offset=recorder.lease.offset,
            to_offset=recorder.lease.offset,
            table=table,
            expected_version=start,
            expected_chain=lines[start - 1].chain if start else b"",
            events=tuple(NewEvent(line.payload, line.chain) for line in part),
            open_change=change,
        )
        (answer,) = await store.append([call])
        assert answer.done, answer
    assert (await store.acquire(recorder.lease.partition, DEALER, "dealer", lease_ms=1)) is not None


def archive_in(folder: Path) -> Archive:
    """An archive that is a folder."""
    return Archive(FolderKeeper(folder), str(folder))


async def passed(store: Store, archive: Archive | None, *, older_than_ms: int = 0, **wanted: object) -> Pass:
    """One pass over the store."""
    made = Pass(store, archive, Wanted(older_than_ms=older_than_ms, **wanted))
    await made.run(lambda _done, _known: None)
    return made


def quiet(_done: int, _all: int) -> None:
    """Progress that nobody looks at."""


KINDS = (views.TABLE, views.STANDINGS, views.SCORES)


async def stored_views(store: Store) -> dict[str, object]:
    """Every read model of the partition, of every shape."""
    if isinstance(store, MemoryStore):
        return everything(store)
    return {
        key: (await store.view_value(key) if key.rpartition(":")[2] != "lobby" else await store.view_hash(key))
        for key in await store.view_keys(0)
        if not key.startswith(f"{views.lobby_key(0)}:")
    }


def without_tables(found: dict[str, object], *tables: str) -> dict[str, object]:
    gone = {views.table_key(table, kind) for table in tables for kind in KINDS}
    return {key: value for key, value in found.items() if key not in gone}
