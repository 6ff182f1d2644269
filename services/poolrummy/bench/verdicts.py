"""Verdicts a second, end to end: asks in the feed of a real server, one validator process, answers in the inbox."""

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final

from poolrummy.bench.asks import asking_table, write
from poolrummy.bench.rows import Row
from poolrummy.rules.arranger import arrange
from poolrummy.runtime.embedded import embedded_server
from poolrummy.runtime.redis_store import RedisStore
from poolrummy_contracts.cards import Card
from poolrummy_contracts.events import HandLaidOpen, TableEvent

TABLE: Final = "p00-bench"
ASKS: Final = 20_000
PATIENCE_S: Final = 120.0
BAR: Final = 5000.0


def measure(asks: int = ASKS) -> list[Row]:
    """One validator process on a full feed, beside the bare arranger on the same hands."""
    hands = list(asking_table(TABLE, asks, Random(5)))  # noqa: S311 - hands of a benchmark
    with tempfile.TemporaryDirectory() as folder, embedded_server(Path(folder)) as server:
        per_second, cpu_us = asyncio.run(_measured(server.url, hands, asks))
    bare = _bare([event for event in hands if isinstance(event, HandLaidOpen)])
    return [
        Row(
            what="verdicts of one validator process, end to end",
            value=per_second,
            unit="verdicts/s",
            baseline=bare,
            beside="the arranger alone, same hands, one core",
            bar=BAR,
        ),
        Row(
            what="CPU of that process for one verdict, start-up included",
            value=cpu_us,
            unit="µs",
            baseline=1e6 / bare,
            beside="the arranger alone",
            better="less",
        ),
    ]


async def _measured(url: str, hands: Sequence[TableEvent], asks: int) -> tuple[float, float]:
    """Verdicts a second by the clock, and the validator's own CPU for each in microseconds."""
    store = RedisStore.at(url)
    await store.open_store(1)
    await write(store, TABLE, hands)
    wanted, cpu_s = asks, _cpu_of_children_s()
    with _validator({"POOLRUMMY_REDIS_URL": url, "POOLRUMMY_PARTITIONS": "1", "POOLRUMMY_LOG_LEVEL": "error"}):
        first_s, seen, after = 0.0, 0, "0-0"
        end_s = time.monotonic() + PATIENCE_S
        while seen < asks:
            page = await store.read_inbox(0, after, 1000)
            if not page:
                assert time.monotonic() < end_s, f"{seen} of {asks} verdicts came"
                await asyncio.sleep(0.001)
                continue
            if not first_s:
                first_s, asks = time.monotonic(), asks - len(page)
                seen -= len(page)
            seen, after = seen + len(page), page[-1].id
        took_s = time.monotonic() - first_s
    await store.aclose()
    return asks / took_s, (_cpu_of_children_s() - cpu_s) / wanted * 1e6


def _bare(hands: list[HandLaidOpen]) -> float:
    began = time.perf_counter()
    for ask in hands:
        arrange(tuple(Card(shown.card) for shown in ask.hand), ask.wild_rank)
    return len(hands) / (time.perf_counter() - began)


def _cpu_of_children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def _validator(environment: Mapping[str, str]) -> Generator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", "poolrummy.validator"],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(10)
