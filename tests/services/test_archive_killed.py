"""An archiver that is killed anywhere loses nothing and counts nothing twice; the next pass finishes its work."""

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from poolrummy.archive.archived_reads import entries_of
from poolrummy.archive.checking import check_archive
from poolrummy.projector import views
from poolrummy.projector.partition_check import check_partition
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.store import Store

from .archived_tables import archive_in, passed, platform
from .played_logs import Log, dull, named

PROGRAM = Path(__file__).with_name("killed_archiver.py")
CLOSED = {"p00-a": dull(), "p00-b": dull(3)}
STEPS = 14
"""Two tables of seven steps: look, put, write, put, read back, remove, removed."""


def quiet(_done: int, _all: int) -> None:
    pass


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "archive"


async def whole(table: str, log: Log, store: Store, folder: Path) -> str:
    """Where the log is, once it is known to be all there: in the store, in the archive, or in both."""
    head = await store.read_head(table)
    assert head is not None
    assert head.version == len(log)
    in_store = await store.read_table(table, 1, 9999)
    file = folder / "p00" / f"{table}.jsonl.gz"
    if not head.archived:
        assert len(in_store) == len(log)
        return "both" if file.exists() else "store"
    assert in_store == ()
    archived = entries_of(archive_in(folder).evidence(table, head, ""), str(folder))
    assert len(archived) == len(log)
    return "archive"


@pytest.mark.parametrize("fatal", range(1, STEPS + 2))
async def test_a_pass_that_is_killed_at_any_step_loses_nothing_and_the_next_one_finishes_it(
    fatal: int, redis_url: str, folder: Path
) -> None:
    store = RedisStore.at(redis_url)
    await platform(store, closed=CLOSED)
    before = await store.view_value(views.throughput_key(0))

    words = [sys.executable, str(PROGRAM), redis_url, str(folder), str(fatal)]
    ended = await asyncio.to_thread(subprocess.run, words, capture_output=True, timeout=120, check=False)

    assert ended.returncode == (-signal.SIGKILL if fatal <= STEPS else 0), ended.stderr
    places = [await whole(table, named(log, table), store, folder) for table, log in CLOSED.items()]
    assert places[0] == ("archive" if fatal >= STEPS // 2 else "both" if fatal > 3 else "store")
    assert (await check_partition(0, store, quiet)).differences == ()
    assert await store.view_value(views.throughput_key(0)) == before

    done = await passed(store, archive_in(folder))

    assert done.wrong == []
    assert [await whole(table, log, store, folder) for table, log in CLOSED.items()] == ["archive"] * 2
    checked = await check_archive(store, archive_in(folder), 3, quiet)
    assert (checked.tables, checked.wrong) == (2, ())
    assert (await check_partition(0, store, quiet)).differences == ()
    await store.aclose()


def killed_when(folder: Path, files: int, words: list[str]) -> None:
    """Start the command, and kill it as soon as so many files are there."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and len(list((folder / "p00").glob("*.gz"))) < files:
        time.sleep(0.002)
    process.kill()
    process.wait()


@pytest.mark.parametrize("files", [1, 7, 15])
async def test_the_command_may_be_killed_while_it_works(files: int, redis_url: str, folder: Path) -> None:
    store = RedisStore.at(redis_url)
    tables = {f"p00-t{number:02d}": dull() for number in range(20)}
    await platform(store, closed=tables)
    words = [sys.executable, "-m", "poolrummy.cli", "archive", "--url", redis_url, "--archive", str(folder)]
    await asyncio.to_thread(killed_when, folder, files, [*words, "--older-than", "0s"])

    for table, log in tables.items():
        await whole(table, log, store, folder)
    assert (await check_partition(0, store, quiet)).differences == ()
    again = await asyncio.to_thread(
        subprocess.run, [*words, "--older-than", "0s"], capture_output=True, timeout=120, check=False
    )

    assert again.returncode == 0, again.stderr
    assert [await whole(table, log, store, folder) for table, log in tables.items()] == ["archive"] * 20
    assert (await check_archive(store, archive_in(folder), 3, quiet)).wrong == ()
    await store.aclose()
