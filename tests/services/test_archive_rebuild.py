"""A rebuild of the views after tables were archived, or while they are: the same bytes, every table counted once."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from poolrummy.archive.filing import Archive
from poolrummy.projector import views
from poolrummy.projector.checking import check_table
from poolrummy.projector.partition_check import check_partition, write_partition
from poolrummy.projector.rebuilding import rebuilt
from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.store import Store, TableEntry

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
from .played_logs import everything, take_over


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return archive_in(tmp_path / "archive")


@pytest.fixture(params=["memory", "redis"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    async with either_store(request) as made:
        yield made


async def test_a_rebuild_after_archiving_gives_the_same_bytes_as_before(store: Store, archive: Archive) -> None:
    before = without_tables(await stored_views(store), *CLOSED)
    await passed(store, archive)

    checked = await check_partition(0, store, quiet)
    result = await rebuilt(0, store, await store.feed_n(0))
    lease, _ = await take_over(store)
    await store.release(lease)
    await write_partition(0, store, quiet)

    assert (checked.compared, checked.tables, checked.differences) == ("everything", 1, ())
    assert result.values[views.throughput_key(0)] == before[views.throughput_key(0)]
    assert await stored_views(store) == before


async def test_views_that_are_thrown_away_after_archiving_come_back_with_all_their_counts(archive: Archive) -> None:
    store = await platform()
    assert isinstance(store, MemoryStore)
    before = without_tables(everything(store), *CLOSED)
    await passed(store, archive)
    part = store.part(0)
    part.views = type(part.views)()
    part.followers["projector"].token = None

    await write_partition(0, store, quiet)

    assert everything(store) == before


async def test_what_is_left_of_an_archived_tables_views_is_dropped_by_a_rebuild(archive: Archive) -> None:
    store = await platform()
    assert isinstance(store, MemoryStore)
    key = views.table_key("p00-a", views.STANDINGS)
    kept = await store.view_value(key)
    await passed(store, archive)
    assert kept is not None
    store.part(0).views.values[key] = kept
    store.part(0).followers["projector"].token = None

    await write_partition(0, store, quiet)

    assert await store.view_value(key) is None


class Interfering(MemoryStore):
    """A store in which tables are archived while somebody else reads logs."""

    def __init__(self, archive: Archive, at: int) -> None:
        super().__init__(clock=lambda: NOW_MS)
        self.archive_named, self.at, self.armed = archive, at, False

    async def read_table(self, table: str, from_version: int, count: int) -> Sequence[TableEntry]:
        if self.armed:
            self.at -= 1
            if self.at == 0:
                self.armed = False
                await passed(self, self.archive_named)
        return await super().read_table(table, from_version, count)


@pytest.mark.parametrize("at", range(1, 21))
async def test_a_rebuild_counts_a_table_once_that_is_archived_while_the_logs_are_read(
    at: int, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("poolrummy.runtime.table_log.PAGE", 20)
    store = Interfering(archive, at)
    await platform(store)
    before = dict(everything(store))
    store.armed = True

    result = await rebuilt(0, store, await store.feed_n(0))

    assert result.values[views.throughput_key(0)] == before[views.throughput_key(0)]
    assert set(result.boards) == {"p00-z"}
    assert {key: before[key] for key in result.values} == result.values


@pytest.mark.parametrize("at", range(1, 21))
async def test_a_rebuild_that_is_written_meanwhile_gives_what_was_there_without_the_archived_tables(
    at: int, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("poolrummy.runtime.table_log.PAGE", 20)
    store = Interfering(archive, at)
    await platform(store)
    before = without_tables(everything(store), *CLOSED)
    store.part(0).followers["projector"].token = None
    store.armed = True

    await write_partition(0, store, quiet)

    archived = (await store.read_archived(0)).number
    assert archived in {0, 3}
    assert without_tables(everything(store), *CLOSED) == before
    if not store.armed and archived:
        assert (await check_partition(0, store, quiet)).differences == ()


@pytest.mark.parametrize("at", [1, 2, 5])
async def test_a_table_that_is_archived_while_it_is_compared_is_archived_and_not_different(
    at: int, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("poolrummy.runtime.table_log.PAGE", 20)
    store = Interfering(archive, at)
    await platform(store)
    store.armed = True

    check = await check_table("p00-a", store)

    assert check is not None
    assert (check.verdict, check.differences) == ("archived", ())
    assert check.log_v == len(CLOSED["p00-a"])
