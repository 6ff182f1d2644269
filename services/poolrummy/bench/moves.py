"""What a move costs: the rules alone, the dealer's handler around them, and the append on a real server."""

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Final

from poolrummy.bench.rows import Row
from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.rules.table import evolve
from poolrummy.runtime.embedded import embedded_server
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.store import DEALER, Append, NewEvent, OpenChange
from poolrummy.testing.robot_matches import robot_match
from poolrummy_contracts import codec, streams
from poolrummy_contracts.envelope import chain_next, chain_start
from poolrummy_contracts.events import TableEvent

TABLE: Final = "p00-appends"
CALLS: Final = 20_000
PIPELINE: Final = 100


def measure() -> list[Row]:
    """Folding the events of real matches, and appending them."""
    with tempfile.TemporaryDirectory() as folder, embedded_server(Path(folder)) as server:
        match = robot_match(1, AgeSealer(load_or_create_keys(Path(folder) / "keys")))
        match.play()
        events = match.events
        appended, bare = asyncio.run(_appends(server.url, events))
    return [
        Row(
            what="one event folded into a table's state",
            value=_us(lambda: _fold(events)) / len(events),
            unit="µs",
            baseline=_us(lambda: [codec.decode_event(codec.encode(event)) for event in events]) / len(events),
            beside="encoding and decoding it",
            better="less",
        ),
        Row(
            what=f"appends of one event, {PIPELINE} a round trip: token, offset, version, chain, reply, feed",
            value=appended,
            unit="calls/s",
            baseline=bare,
            beside="two plain XADDs without any check",
        ),
    ]


def _fold(events: list[TableEvent]) -> None:
    state = None
    for event in events:
        state = evolve(state, event)


def _us(job: object) -> float:
    assert callable(job)
    times: list[float] = []
    for _ in range(5):
        began = time.process_time()
        job()
        times.append(time.process_time() - began)
    return min(times) * 1e6


async def _appends(url: str, events: list[TableEvent]) -> tuple[float, float]:
    store = RedisStore.at(url)
    await store.open_store(1)
    lease = await store.acquire(0, DEALER, "bench", lease_ms=600_000)
    assert lease is not None
    payloads = [codec.encode(event) for event in events]
    chain, calls = chain_start(TABLE), list[Append]()
    for version in range(CALLS):
        payload, before = payloads[version % len(payloads)], chain
        chain = chain_next(chain, payload)
        calls.append(
            Append(
                partition=0,
                token=lease.token,
                from_offset=lease.offset,
                to_offset=lease.offset,
                table=TABLE,
                expected_version=version,
                expected_chain=before,
                command_id=f"c{version}",
                events=(NewEvent(payload, chain),),
                reply=b'{"type":"accepted"}',
                open_change=OpenChange.NONE if version else OpenChange.OPENS,
            )
        )
    began = time.perf_counter()
    for start in range(0, CALLS, PIPELINE):
        answers = await store.append(calls[start : start + PIPELINE])
        assert all(answer.done for answer in answers)
    appended = CALLS / (time.perf_counter() - began)
    began = time.perf_counter()
    for start in range(0, CALLS, PIPELINE):
        some = payloads[start % len(payloads) :][:1] * PIPELINE
        words = [("XADD", key, "*", "e", payload) for payload in some for key in ("{p00}:bare", streams.tag(0))]
        await store.calls.ask_all(words)
    bare = CALLS / (time.perf_counter() - began)
    await store.aclose()
    return appended, bare
