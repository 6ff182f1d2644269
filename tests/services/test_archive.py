"""Closed tables leave the store for the archive: what goes, what stays and why; nothing is lost or counted twice."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from poolrummy.archive.archived_reads import entries_of
from poolrummy.archive.checking import check_archive
from poolrummy.archive.errors import ArchivedLogWrong, ArchiveUnusable, NotInArchive
from poolrummy.archive.filing import Archive
from poolrummy.archive.place import file_of
from poolrummy.audit import bundle, packed
from poolrummy.audit.evidence import from_store
from poolrummy.audit.findings import Unauditable
from poolrummy.fairness.checkpoint import Checkpoint, signed
from poolrummy.fairness.checkpoint_folder import FolderKeeper, keep
from poolrummy.projector import views
from poolrummy.projector.checking import check_table
from poolrummy.projector.partition_check import check_partition, write_partition
from poolrummy.projector.rebuilding import rebuilt
from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.store import Archiving, Store, TableEntry

from .archived_tables import CLOSED, NOW_MS, archive_in, passed, platform
from .played_logs import Recorder, dull, everything, follow, named, take_over
from .signed_matches import NOTARY, TRUSTED, notarised

KINDS = (views.TABLE, views.STANDINGS, views.SCORES)


def quiet(_done: int, _all: int) -> None:
    pass


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return archive_in(tmp_path / "archive")


@pytest.fixture(params=["memory", "redis"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    if request.param == "memory":
        yield await platform()
        return
    made = RedisStore.at(request.getfixturevalue("redis_url"))
    await platform(made)
    yield made
    await made.aclose()


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


# -- the file


async def test_a_file_of_another_log_is_neither_overwritten_nor_trusted(archive: Archive) -> None:
    store = await platform()
    other = await from_store("p00-b", store)
    assert other is not None
    archive.keeper.put(file_of("p00-a"), packed.packed(bundle.written(replace(other, table="p00-a"))))
    kept = archive.keeper.get(file_of("p00-a"))

    done = await passed(store, archive)

    assert [(one.table, "it holds other lines" in one.what) for one in done.wrong] == [("p00-a", True)]
    assert archive.keeper.get(file_of("p00-a")) == kept
    assert await store.read_table("p00-a", 1, 1)


class Forgetful(FolderKeeper):
    """A keeper that loses the last byte of what it is given."""

    def get(self, name: str) -> bytes | None:
        found = super().get(name)
        return None if found is None else found[:-1]


class Full(FolderKeeper):
    """A keeper without room."""

    def put(self, name: str, content: bytes) -> None:
        raise OSError(28, "No space left on device")


async def test_what_is_not_read_back_as_it_was_written_does_not_leave_the_store(tmp_path: Path) -> None:
    store = await platform()

    done = await passed(store, Archive(Forgetful(tmp_path), str(tmp_path)))

    assert len(done.wrong) == 3
    assert all("is damaged" in one.what for one in done.wrong)
    assert await nothing_left(store)


async def test_an_archive_without_room_ends_the_pass_and_nothing_leaves_the_store(tmp_path: Path) -> None:
    store = await platform()

    with pytest.raises(ArchiveUnusable, match="No space left on device"):
        await passed(store, Archive(Full(tmp_path), str(tmp_path)))

    assert await nothing_left(store)


async def nothing_left(store: Store) -> bool:
    lengths = [len(await store.read_table(table, 1, 9999)) for table in CLOSED]
    return lengths == [len(log) for log in CLOSED.values()] and (await store.read_archived(0)).number == 0


async def test_a_file_that_was_written_and_not_removed_is_taken_as_it_is(archive: Archive) -> None:
    store = await platform()
    log = await from_store("p00-a", store)
    assert log is not None
    archive.file(log)
    written = archive.keeper.get(file_of("p00-a"))

    done = await passed(store, archive)

    assert "p00-a" in [one.table for one in done.gone]
    assert archive.keeper.get(file_of("p00-a")) == written


async def test_the_same_table_gives_the_same_bytes(tmp_path: Path) -> None:
    log = await from_store("p00-a", await platform())
    assert log is not None
    for folder in ("one", "two"):
        archive_in(tmp_path / folder).file(log)

    assert (tmp_path / "one/p00/p00-a.jsonl.gz").read_bytes() == (tmp_path / "two/p00/p00-a.jsonl.gz").read_bytes()


def flipped(content: bytes) -> bytes:
    return content[:200] + bytes([content[200] ^ 1]) + content[201:]


def rewritten(content: bytes) -> bytes:
    """Points changed, and everything around them made to fit as far as the file goes."""
    plain = packed.unpacked(content, "x")
    found = bundle.read(plain.replace(b'\\"reason\\"', b'\\"reasox\\"'), "x")
    return packed.packed(bundle.written(replace(found, faults=(), head_chain=None)))


def shortened(content: bytes) -> bytes:
    found = bundle.read(content, "x")
    lines = found.lines[:-1]
    return packed.packed(
        bundle.written(replace(found, lines=lines, head_version=len(lines), head_chain=lines[-1].chain))
    )


TAMPERED = {
    "flipped": flipped,
    "cut": lambda content: content[:-20],
    "more behind it": lambda content: content + content,
    "rewritten": rewritten,
    "shortened": shortened,
    "empty": lambda _content: b"",
    "no bundle": lambda _content: packed.packed(b"{}\n"),
}


@pytest.mark.parametrize("how", TAMPERED)
async def test_a_tampered_file_is_found_by_the_head_that_stayed_in_the_store(how: str, archive: Archive) -> None:
    store = await platform()
    await passed(store, archive)
    head = await store.read_head("p00-a")
    assert head is not None
    right = await check_archive(store, archive, 3, quiet)
    archive.keeper.put(file_of("p00-a"), TAMPERED[how](archive.keeper.get(file_of("p00-a")) or b""))

    found = await check_archive(store, archive, 3, quiet)

    assert (right.tables, right.wrong) == (3, ())
    assert [one.table for one in found.wrong] == ["p00-a"]


async def test_a_missing_file_is_found_and_the_sum_is_proved_by_the_files(archive: Archive) -> None:
    store = await platform()
    assert isinstance(store, MemoryStore)
    await passed(store, archive)
    head = await store.read_head("p00-a")
    assert head is not None
    store.part(0).archived = replace(store.part(0).archived, tally=b'{"counts":{"matches":{"won":9}}}')

    (sum_wrong,) = (await check_archive(store, archive, 3, quiet)).wrong
    archive.keeper.remove(file_of("p00-a"))
    (missing,) = (await check_archive(store, archive, 3, quiet)).wrong

    assert "do not count for what was handed over" in sum_wrong.what
    assert "there is no p00/p00-a.jsonl.gz in the archive" in missing.what
    with pytest.raises(NotInArchive):
        archive.evidence("p00-a", head, "elsewhere")


async def test_a_file_under_the_name_of_another_table_is_not_taken_for_it(archive: Archive) -> None:
    store = await platform()
    await passed(store, archive)
    head = await store.read_head("p00-a")
    assert head is not None
    archive.keeper.put(file_of("p00-a"), archive.keeper.get(file_of("p00-b")) or b"")

    with pytest.raises(ArchivedLogWrong, match="it is of p00-b"):
        entries_of(archive.evidence("p00-a", head, ""), archive.place)


def test_a_packed_bundle_that_was_tampered_with_is_told_from_one_that_is_none() -> None:
    content = packed.packed(b"line\n" * 100)

    assert packed.unpacked(content, "x") == b"line\n" * 100
    assert packed.unpacked(b"line\n", "x") == b"line\n"
    for broken in (content[:-1], content + b"x", flipped(content + bytes(300))[: len(content)] + b"\0"):
        with pytest.raises(Unauditable, match="x is damaged"):
            packed.unpacked(broken, "x")


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
