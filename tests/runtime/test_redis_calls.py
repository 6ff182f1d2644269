"""How Redis is asked: scripts that the server forgot, answers that got lost, servers that are unfit."""

import asyncio
from itertools import pairwise

import pytest
from redis._parsers.base import BaseParser

from poolrummy.runtime.errors import ServerTooOld, StoreRefused, StoreUnreachable
from poolrummy.runtime.redis_calls import faults
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.settings import Settings
from poolrummy.runtime.store import AppendCode

from .conftest import Bench

T = "p00-one"


@pytest.fixture
async def store(redis_url: str):
    made = RedisStore.at(redis_url, Settings(socket_timeout_s=0.5))
    await made.open_store(2)
    yield made
    await made.aclose()


async def test_scripts_that_the_server_forgot_are_loaded_again(store: RedisStore) -> None:
    bench = Bench(store, None)
    ids = [await store.send(0, b"m") for _ in range(3)]
    await store.calls.ask("SCRIPT FLUSH")
    lease = await bench.own()
    await store.calls.ask("SCRIPT FLUSH")
    calls = [bench.call(lease, start, end, T, at, b"e") for at, (start, end) in enumerate(pairwise(["0-0", *ids]))]

    assert [answer.code for answer in await bench.append(*calls)] == [AppendCode.APPENDED] * 3
    assert await store.feed_n(0) == 3


async def test_a_write_whose_answer_was_lost_is_not_repeated_by_the_client(store: RedisStore) -> None:
    await store.calls.ask("CLIENT PAUSE", 700, "ALL")
    with pytest.raises(StoreUnreachable, match="no answer"):
        await store.send(0, b"once")
    await asyncio.sleep(0.4)

    assert len(await store.read_inbox(0, "0-0", 10)) <= 1


async def test_a_reply_that_must_wait_for_replicas_fails_without_them(store: RedisStore) -> None:
    store.calls.wait_replicas, store.calls.wait_ms = 1, 50
    with pytest.raises(StoreUnreachable, match="only 0 of 1 replicas"):
        await Bench(store, None).own()
    assert (await store.durability()).promise.endswith("each reply waited for 1 replicas")


@pytest.mark.parametrize("told", ["MOVED 5061 127.0.0.1:7000", "ASK 5061 h:1", "CLUSTERDOWN down", "TRYAGAIN later"])
def test_a_cluster_that_is_not_settled_is_away_and_blames_no_command(told: str) -> None:
    """redis-py cuts the first word off and makes a class of it: no text can be looked for."""
    with pytest.raises(StoreUnreachable, match="EVALSHA: the cluster is not settled"), faults("EVALSHA"):
        raise BaseParser.parse_error(told)


async def test_a_server_without_the_commands_of_redis_7_is_refused(store: RedisStore, monkeypatch) -> None:
    ask = store.calls.ask

    async def older(*words):
        return [None, None] if words[0] == "COMMAND INFO" else await ask(*words)

    monkeypatch.setattr(store.calls, "ask", older)
    with pytest.raises(ServerTooOld, match="FUNCTION"):
        await store.open_store(2)


@pytest.mark.parametrize("value", [b"", b"\r\n\x00\xff", "\u0930\u092e\u0940", 2**60, "x" * 70_000])
async def test_commands_packed_in_c_arrive_as_they_were_meant(store: RedisStore, value) -> None:
    await store.calls.ask("SET", "{p00}:view:x", value)
    found = await store.view_value("{p00}:view:x")

    assert found == (value if isinstance(value, bytes) else str(value).encode())
    assert "Packing" in store.calls.client.connection_pool.connection_class.__name__


async def test_durability_is_read_from_the_server(store: RedisStore) -> None:
    assert (await store.durability()).level == "memory"
    await store.calls.ask("CONFIG SET", "appendonly", "yes")
    await store.calls.ask("CONFIG SET", "appendfsync", "always")
    try:
        durability = await store.durability()
    finally:
        await store.calls.ask("CONFIG SET", "appendonly", "no")
        await store.calls.ask("CONFIG SET", "appendfsync", "everysec")

    assert durability.level == "always"
    assert "a lost machine loses nothing that was answered" in durability.promise


async def test_the_servers_memory_is_read(store: RedisStore) -> None:
    memory = await store.memory()
    assert memory.used_bytes > 0
    assert memory.percent == 0


async def test_what_the_server_says_stands_in_the_fault(store: RedisStore) -> None:
    await store.calls.ask("SET", "{p00}:inbox", "x")
    with pytest.raises(StoreRefused, match="WRONGTYPE"):
        await store.send(0, b"m")


async def test_an_identity_that_was_made_by_half_is_completed(store: RedisStore) -> None:
    await store.calls.ask("DEL", "{p01}:meta")
    await store.calls.ask("HDEL", "{p00}:meta", "complete")
    await store.open_store(2)
    await store.check_identity()


async def test_a_lost_partition_is_not_made_anew(store: RedisStore) -> None:
    await store.calls.ask("DEL", "{p01}:meta")
    with pytest.raises(Exception, match="partition 1 no longer belongs"):
        await store.open_store(2)
