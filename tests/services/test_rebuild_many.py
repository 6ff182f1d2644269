"""A rebuild of very many tables: stored in parts, killed in the middle, done again, and whole at the end."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import redis

from poolrummy.projector.partition_check import PartitionCheck, check_partition
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.settings import Settings
from poolrummy.testing.live_platform import LivePlatform, Process
from poolrummy_contracts import streams

from .many_tables import fill

ROLE = streams.role(0, "projector")


def view(number: int) -> str:
    return streams.view(0, "table", f"p00-{number:06d}")


async def filled(url: str, count: int) -> int:
    """Very many tables, and a projector that was left behind before the first; the number of the last event."""
    store = RedisStore.at(url, Settings())
    await store.open_store(1)
    n = await fill(store, count)
    lease = await store.acquire(0, "projector", "gone", lease_ms=1000)
    assert lease is not None
    await store.release(lease)
    await store.calls.ask("HSET", ROLE, "lost", "1")
    await store.aclose()
    return n


async def checked(url: str) -> PartitionCheck:
    store = RedisStore.at(url, Settings(socket_timeout_s=20))
    await store.open_store(1)
    found = await check_partition(0, store, lambda _done, _all: None)
    await store.aclose()
    return found


def killed_in_the_middle(client: redis.Redis, process: subprocess.Popen[bytes], count: int) -> None:
    end_s = time.monotonic() + 60
    while not client.exists(view(count // 3)):
        assert process.poll() is None, "it ended before its middle"
        assert time.monotonic() < end_s
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert client.hget(ROLE, "lost") == b"1"
    assert not client.exists(view(count - 1))


@pytest.mark.parametrize("count", [3000, pytest.param(40_000, marks=[pytest.mark.nightly, pytest.mark.timeout(1500)])])
def test_a_projector_that_is_killed_in_the_middle_of_a_rebuild_leaves_it_to_the_next(
    redis_url: str, tmp_path: Path, count: int
) -> None:
    n = asyncio.run(filled(redis_url, count))
    with LivePlatform(redis_url, tmp_path, partitions=1, socket_timeout_s=2) as platform:
        process = Process(["-m", "poolrummy.projector"], platform.environment, tmp_path / "first.log")
        platform.processes.append(process)
        killed_in_the_middle(platform.client, process.handle, count)
        assert platform.client.hget(ROLE, "offset") == b"0-0"

        second = Process(["-m", "poolrummy.projector"], platform.environment, tmp_path / "second.log")
        platform.processes.append(second)
        platform.until(lambda: platform.client.hget(ROLE, "lost") == b"0" or None, "the rebuild", 20 + count / 80)

        assert platform.client.hget(ROLE, "offset") == f"{n}-0".encode()
        # The line comes after the step that it tells of.
        platform.until(lambda: '"event": "rebuilt"' in second.log.read_text() or None, "the line of the rebuild", 20)
    found = asyncio.run(checked(redis_url))
    assert (found.compared, found.tables, found.differences) == ("everything", count, ())


def test_a_rebuild_by_hand_that_is_killed_is_done_again_by_hand_or_by_the_next_projector(
    redis_url: str, tmp_path: Path
) -> None:
    count = 2000
    n = asyncio.run(filled(redis_url, count))
    with redis.Redis.from_url(redis_url) as client:
        client.hset(ROLE, "lost", "0")  # nobody was left behind: views are made anew because somebody wants it
        words = [sys.executable, "-m", "poolrummy.cli", "rebuild", "--write", "--url", redis_url]
        env = {**os.environ, "POOLRUMMY_PARTITIONS": "1"}
        with (tmp_path / "by-hand.log").open("wb") as log:
            by_hand = subprocess.Popen(words, env=env, stdout=log, stderr=log)
            killed_in_the_middle(client, by_hand, count)
        with LivePlatform(redis_url, tmp_path, partitions=1) as platform:
            (projector,) = platform.start("projector")
            platform.until(lambda: client.hget(ROLE, "lost") == b"0" or None, "the rebuild", 60)
            assert client.hget(ROLE, "offset") == f"{n}-0".encode()
            assert projector.end() == 0
        client.hset(ROLE, "offset", "0-0")
        again = subprocess.run(words, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert (again.returncode, again.stderr.strip()) == (0, "")
    assert f"{count} tables in 1 partitions: equal" in again.stdout
