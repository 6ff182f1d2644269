"""The projector as a process on a real server: killed and started again, told to stop, met by something newer."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from poolrummy.commands.rebuild import app as rebuild
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.testing.live_platform import LivePlatform, Process
from poolrummy_contracts.events import TableEvent

from .played_logs import Recorder, eventful, in_a_deal, named

ROLE_KEY = "{p00}:role:projector"


@pytest.fixture
def platform(redis_url: str, tmp_path: Path) -> Iterator[LivePlatform]:
    with LivePlatform(redis_url, tmp_path, partitions=3) as platform:
        yield platform


async def recorded(url: str, *parts: tuple[TableEvent, ...], newer: bytes = b"") -> int:
    """Record these logs on partition 0 of a fresh store; how many events that were."""
    store = RedisStore.at(url)
    recorder = await Recorder.on(store)
    for part in parts:
        await recorder.record(part)
    if newer:
        await recorder.record_bytes(parts[-1][0].table, newer)
    await store.aclose()
    return sum(map(len, parts))


def projected(platform: LivePlatform, events: int) -> None:
    """Wait until the projector has saved its views up to this event."""
    platform.until(
        lambda: platform.client.hget(ROLE_KEY, "offset") == f"{events}-0".encode() or None, f"{events} events projected"
    )


def equal(url: str) -> bool:
    found = CliRunner().invoke(rebuild, ["--url", url], env={"COLUMNS": "200"})
    return found.exit_code == 0 and "equal" in found.output


async def test_a_killed_projector_is_followed_by_another_and_nothing_is_lost_or_counted_twice(
    platform: LivePlatform, redis_url: str
) -> None:
    events = await recorded(redis_url, named(eventful(), "p00-a"), named(in_a_deal(), "p00-b"))
    (first,) = platform.start("projector")
    await asyncio.sleep(0.05)
    first.handle.kill()
    first.handle.wait(10)

    (second,) = platform.start("projector")
    projected(platform, events)

    table = 'rummy_tables{partition="0",state="playing",variant="61"} 1.0'
    platform.until(lambda: table in second.metrics() or None, "the open table in the metrics")
    assert 'rummy_deals_total{end="void",partition="0"} 1.0' in second.metrics()
    assert await asyncio.to_thread(equal, redis_url)
    assert second.end() == 0


async def test_a_tag_of_a_newer_release_ends_the_process_with_a_message_and_not_with_silence(
    platform: LivePlatform, redis_url: str
) -> None:
    """Case F79."""
    log = named(eventful(), "p00-a")[:5]
    newer = b'{"actor":"system","at":1,"rule":"1.1","table":"p00-a","type":"split-doubled","v":6}'
    await recorded(redis_url, log, newer=newer)
    process = Process(["-m", "poolrummy.projector"], platform.environment, platform.folder / "newer.log")
    platform.processes.append(process)

    assert process.handle.wait(20) == 1

    said = process.log.read_text()
    assert "split-doubled" in said
    assert "start a newer release" in said
