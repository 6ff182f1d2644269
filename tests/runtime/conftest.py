"""Both stores behind one bench, so that each promise is asked of the memory store and of Redis alike."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.settings import Settings
from poolrummy.runtime.store import DEALER, Append, AppendAnswer, Lease, NewEvent, Store
from poolrummy_contracts.envelope import chain_next, chain_start

from .crew import Crew

PARTITIONS = 2
T0 = 1_764_450_000_000


class Bench:
    """A store, a way to let time pass on it, and a writer that keeps the chain of each table."""

    def __init__(self, store: Store, memory: MemoryStore | None) -> None:
        self.store = store
        self.memory = memory
        self.now_ms = T0
        self.chains: dict[tuple[str, int], bytes] = {}

    async def pass_ms(self, ms: int) -> None:
        if self.memory is not None:
            self.now_ms += ms
        else:
            await asyncio.sleep(ms / 1000)

    async def flush(self) -> None:
        if self.memory is not None:
            self.memory.flush()
        else:
            await self.store.calls.ask("FLUSHALL")

    async def own(self, partition: int = 0, role: str = DEALER, member: str = "me", lease_ms: int = 60_000) -> Lease:
        lease = await self.store.acquire(partition, role, member, lease_ms=lease_ms)
        assert lease is not None
        return lease

    def events(self, table: str, version: int, *payloads: bytes) -> tuple[NewEvent, ...]:
        chain, made = self.chain(table, version), []
        for at, payload in enumerate(payloads, version + 1):
            chain = chain_next(chain, payload)
            self.chains[table, at] = chain
            made.append(NewEvent(payload, chain))
        return tuple(made)

    def chain(self, table: str, version: int) -> bytes:
        return self.chains[table, version] if version else chain_start(table)

    def call(
        self, lease: Lease, start: str, end: str, table: str | None, version: int, *payloads: bytes, **more
    ) -> Append:
        return Append(
            partition=lease.partition,
            token=more.pop("token", lease.token),
            from_offset=start,
            to_offset=end,
            table=table,
            expected_version=version,
            expected_chain=more.pop("chain", None) or (self.chain(table, version) if table else b""),
            events=self.events(table, version, *payloads) if table else (),
            **more,
        )

    async def append(self, *calls: Append) -> list[AppendAnswer]:
        return list(await self.store.append(calls))

    async def everything(self, partition: int, *tables: str) -> object:
        """All that can be read, to show that a refused call changed nothing. Server ids are left out."""
        store, seen = self.store, []
        for table in tables:
            seen += [
                await store.read_table(table, 1, 1000),
                await store.read_head(table),
                await store.read_snapshot(table),
                await store.read_answers(table, "a"),
                await store.read_answers(table, "b"),
            ]
            for seat in (1, 2):
                lines = await store.read_seat(table, seat, "0-0", 100)
                seen += [[line.payload for line in lines], await store.read_saved(table, seat)]
        for lines in (
            await store.read_inbox(partition, "0-0", 1000),
            await store.read_replies(partition, "0-0", 1000),
            await store.read_parked(partition, "0-0", 1000),
        ):
            seen.append([line.payload for line in lines])
        seen += [await store.feed_n(partition), await store.open_tables(partition), await store.roles(partition)]
        for key in await store.view_keys(partition):
            seen.append(key)
        return seen


@pytest.fixture(params=["memory", "redis"])
async def bench(request: pytest.FixtureRequest) -> AsyncIterator[Bench]:
    if request.param == "memory":
        memory = MemoryStore(clock=lambda: made.now_ms)
        made = Bench(memory, memory)
        await memory.open_store(PARTITIONS)
        yield made
        return
    store = RedisStore.at(request.getfixturevalue("redis_url"), Settings())
    await store.open_store(PARTITIONS)
    yield Bench(store, None)
    await store.aclose()


@pytest.fixture
async def crew(redis_url: str, tmp_path: Path) -> AsyncIterator[Crew]:
    made = Crew(redis_url, tmp_path)
    await made.open()
    yield made
    await made.end()
