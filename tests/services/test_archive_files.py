"""The file of an archived table: written whole or not relied on, the same bytes each time, and tampering is found."""

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
from poolrummy.keeping.checkpoint_folder import FolderKeeper
from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.store import Store

from .archived_tables import CLOSED, archive_in, passed, platform, quiet


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return archive_in(tmp_path / "archive")


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

    def put_once(self, name: str, content: bytes) -> None:
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
