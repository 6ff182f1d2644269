"""Closed tables leave the store for the archive: what goes, what stays and why; nothing is lost or counted twice."""

import asyncio
from collections.abc import AsyncIterator
from copy import deepcopy
from pathlib import Path

import pytest
from msgspec.structs import replace

from poolrummy.archive.checking import check_archive
from poolrummy.archive.filing import Archive
from poolrummy.archive.place import file_of
from poolrummy.audit import bundle
from poolrummy.audit.evidence import from_store
from poolrummy.fairness.checkpoint import Checkpoint, signed
from poolrummy.keeping.checkpoint_folder import keep
from poolrummy.projector import views
from poolrummy.projector.partition_check import check_partition
from poolrummy.runtime.memory_partition import MemoryPartition
from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.store import ArchiveCode, Archiving, Store

from .archived_tables import (
    CLOSED,
    NOW_MS,
    archive_in,
    either_store,
    passed,
    platform,
    quiet,
    stored_views,
    without_tables,
)
from .played_logs import Recorder, dull, everything, follow, named
from .signed_matches import NOTARY, TRUSTED, notarised


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return archive_in(tmp_path / "archive")


@pytest.fixture(params=["memory", "redis"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    async with either_store(request) as made:
        yield made


async def test_closed_tables_go_and_everything_else_is_as_before(store: Store, archive: Archive) -> None:
    before = await stored_views(store)
    logs = {table: await from_store(table, store) for table in CLOSED}

    done = await passed(store, archive)

    assert sorted(one.table for one in done.gone) == sorted(CLOSED)
    assert (done.left, done.wrong) == ([], [])
    assert await stored_views(store) == without_tables(before, *CLOSED)
    for table, log in logs.items():
        head = await store.read_head(table)
        assert log is not None
        assert head is not None
        assert head.archived
        assert await store.read_table(table, 1, 10) == ()
        assert archive.evidence(table, head, "").lines == log.lines
    assert (await store.read_archived(0)).number == len(CLOSED)
    assert not (await passed(store, archive)).gone


# -- what stays


async def test_a_table_stays_until_it_is_closed_for_long_enough(archive: Archive) -> None:
    store = await platform()
    ended = max(event.at for log in CLOSED.values() for event in log)

    early = await passed(store, archive, older_than_ms=NOW_MS - min(log[-1].at for log in CLOSED.values()) + 1)
    late = await passed(store, archive, older_than_ms=NOW_MS - ended)

    assert [one.why for one in early.left] == ["young"] * 3
    assert len(late.gone) == 3


async def test_a_table_stays_until_everybody_has_followed_it_to_its_end(archive: Archive) -> None:
    store = MemoryStore(clock=lambda: NOW_MS)
    recorder = await Recorder.on(store)
    await recorder.record(named(dull(), "p00-a"))
    await recorder.record(named(dull(), "p00-b"))
    await follow(store, [len(dull()) + 5])

    half = await passed(store, archive)

    assert [one.table for one in half.gone] == ["p00-a"]
    assert [(one.table, one.why, one.who) for one in half.left] == [("p00-b", "not-followed", ("projector",))]
    await follow(store, [1000])
    assert [one.table for one in (await passed(store, archive)).gone] == ["p00-b"]


async def test_a_role_that_must_rebuild_holds_everything_back_unless_it_is_gone_for_good(archive: Archive) -> None:
    store = await platform()
    assert isinstance(store, MemoryStore)
    assert await store.acquire(0, "cashier", "c", lease_ms=1) is not None
    await store.trim(0, lag_ms_max=1, lag_entries_max=1)

    held = await passed(store, archive)
    freed = await passed(store, archive, without=("cashier",))

    assert {(one.why, one.who) for one in held.left} == {("role-lost", ("cashier",))}
    assert len(freed.gone) == 3


async def test_a_table_whose_views_stand_still_stays(archive: Archive) -> None:
    store = await platform()
    assert isinstance(store, MemoryStore)
    store.part(0).views.hashes[views.stuck_key(0)] = {"p00-a": b"version 3"}

    done = await passed(store, archive)

    assert [(one.table, one.why) for one in done.left] == [("p00-a", "views-stuck")]


async def test_a_dry_run_removes_nothing() -> None:
    store = await platform()
    before = everything(store)

    done = await passed(store, None)

    assert sorted(one.table for one in done.gone) == sorted(CLOSED)
    assert everything(store) == before
    assert (await store.read_archived(0)).number == 0


async def test_a_store_that_is_put_back_from_a_copy_is_archived_again_and_counts_as_before(archive: Archive) -> None:
    store = await platform()
    assert isinstance(store, MemoryStore)
    before, copies = everything(store), list[dict[int, MemoryPartition]]()
    sound = store.archive

    async def copied(step: Archiving) -> ArchiveCode:
        copies.append(deepcopy(store.parts))
        return await sound(step)

    store.archive = copied  # type: ignore[method-assign]  # a copy is taken before each table leaves
    await passed(store, archive)

    for gone, copy in enumerate(list(copies)):
        store.parts = copy
        done = await passed(store, archive)
        assert (len(done.gone), done.wrong) == (3 - gone, [])
        assert (await store.read_archived(0)).number == 3
        assert everything(store) == without_tables(before, *CLOSED)
        assert (await check_archive(store, archive, 3, quiet)).wrong == ()


# -- what is wrong


@pytest.mark.parametrize("where", [0, 40, -1])
async def test_a_log_that_does_not_verify_never_leaves_the_store(where: int, archive: Archive) -> None:
    store = await platform()
    assert isinstance(store, MemoryStore)
    log = store.table("p00-a").log
    log[where] = replace(log[where], payload=log[where].payload.replace(b'"at":1', b'"at":2', 1))

    done = await passed(store, archive)

    assert [one.table for one in done.wrong] == ["p00-a"]
    assert done.wrong[0].what.startswith("version ")
    assert len(store.table("p00-a").log) == len(CLOSED["p00-a"])
    assert archive.keeper.get(file_of("p00-a")) is None
    assert len(done.gone) == 2


async def test_a_log_that_is_shorter_than_its_head_never_leaves_the_store(archive: Archive) -> None:
    store = await platform()
    assert isinstance(store, MemoryStore)
    store.table("p00-a").log.pop(10)

    done = await passed(store, archive)

    assert [one.table for one in done.wrong] == ["p00-a"]


async def test_a_log_that_is_not_the_one_that_was_signed_stays(archive: Archive) -> None:
    store = await platform()
    good = await from_store("p00-a", store)
    bad = await from_store("p00-b", store)
    assert good is not None
    assert bad is not None
    keeper = notarised("p00-a", good.lines)
    half = notarised("p00-b", bad.lines[: len(bad.lines) // 2 + 3])
    for name in half.names("p00-b"):
        keeper.put(f"p00-b/{name}", half.get(f"p00-b/{name}") or b"")
    other = Checkpoint(table="p00-c", size=5, root=bytes(32), chain=bytes(32), at_ms=1)
    keep(keeper, other, signed(other, NOTARY), [])

    done = await passed(store, archive, checkpoints=keeper, trusted=(TRUSTED,))

    assert [one.table for one in done.gone] == ["p00-a"]
    assert [(one.table, one.why) for one in done.left] == [("p00-b", "not-signed")]
    assert [one.table for one in done.wrong] == ["p00-c"]
    assert "p00-b" in [one.table for one in (await passed(store, archive, checkpoints=keeper, unsigned=True)).gone]


async def test_the_checkpoints_and_the_key_go_into_the_file(archive: Archive) -> None:
    store = await platform()
    log = await from_store("p00-a", store)
    assert log is not None
    keeper = notarised("p00-a", log.lines)

    await passed(store, archive, checkpoints=keeper, trusted=(TRUSTED,))

    found = bundle.read(archive.keeper.get(file_of("p00-a")) or b"", "p00-a")
    assert found.notes
    assert [line.split()[0] for line in found.own_keys] == [TRUSTED.word]


async def test_where_a_notary_signs_its_checkpoints_must_be_named(archive: Archive) -> None:
    store = await platform()
    lease = await store.acquire(0, "notary", "n", lease_ms=1)
    assert lease is not None
    await store.commit(lease, from_n=0, to_n=await store.feed_n(0))

    done = await passed(store, archive)

    assert {one.why for one in done.left} == {"checkpoints-unknown"}


async def test_two_archivers_at_once_count_every_table_once(archive: Archive, redis_url: str) -> None:
    store, other = RedisStore.at(redis_url), RedisStore.at(redis_url)
    await platform(store)
    await other.open_store(3)
    before = without_tables(await stored_views(store), *CLOSED)

    first, second = await asyncio.gather(passed(store, archive), passed(other, archive))

    assert (first.wrong, second.wrong) == ([], [])
    assert (await store.read_archived(0)).number == 3
    assert (await check_partition(0, store, quiet)).differences == ()
    assert await stored_views(store) == before
    await store.aclose()
    await other.aclose()


async def test_a_step_that_another_archiver_overtook_is_taken_again(archive: Archive) -> None:
    store = await platform()
    assert isinstance(store, MemoryStore)
    sound, tried = store.archive, list[int]()

    async def overtaken(step: Archiving) -> object:
        tried.append(step.number)
        return await sound(replace(step, number=step.number + (len(tried) == 1)))

    store.archive = overtaken  # type: ignore[method-assign, assignment]  # a store that is overtaken once
    done = await passed(store, archive)

    assert len(done.gone) == 3
    assert tried == [0, 0, 1, 2]
