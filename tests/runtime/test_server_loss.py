"""The server restarts, forgets, stalls or vanishes: each process recovers, or stops and says why."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from poolrummy.runtime import embedded

from .crew import Crew, Member, until
from .proxy import Proxy

pytestmark = pytest.mark.server_loss


class OwnServer:
    """A server for one test, which may be killed and started again on the same port and folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port, self.stack = folder, None, ExitStack()

    def start(self) -> str:
        server = self.stack.enter_context(embedded.embedded_server(self.folder, port=self.port))
        self.port, self.pid = server.port, server.pid
        return server.url

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        self.stack.close()


@pytest.fixture
def server(tmp_path: Path):
    try:
        own = OwnServer(tmp_path / "data")
        own.start()
    except embedded.NoServer as absent:
        pytest.fail(str(absent), pytrace=False)
    yield own
    own.stack.close()


@pytest.fixture
async def proxied(server: OwnServer, tmp_path: Path) -> AsyncIterator[tuple[Crew, Proxy]]:
    proxy = Proxy(server.port)
    url = await proxy.start()
    crew = Crew(url, tmp_path, direct_url=f"redis://127.0.0.1:{server.port}/0")
    await crew.open()
    yield crew, proxy
    await crew.end()
    await proxy.stop()


@pytest.fixture
async def own(server: OwnServer, tmp_path: Path) -> AsyncIterator[Crew]:
    crew = Crew(f"redis://127.0.0.1:{server.port}/0", tmp_path)
    await crew.open()
    yield crew
    await crew.end()


async def answers(member: Member, code: int) -> bool:
    return (await member.ready())[0] == code


async def test_a_restarted_server_loses_nothing_and_everybody_goes_on(own: Crew, server: OwnServer) -> None:
    dealer, tally = own.start("dealer"), own.start("tally")
    await own.working()
    await own.send(100)
    server.kill()
    await until(lambda: answers(dealer, 503), 10, lambda: dealer.log)
    assert "server away" in (await dealer.ready())[1]["reasons"][0]
    server.start()
    await own.reconnect()
    await own.working(dealer, tally)
    await own.send(100)

    await own.settled()


async def test_a_flushed_server_stops_everybody_with_a_clear_error(own: Crew) -> None:
    dealer, tally = own.start("dealer"), own.start("tally")
    await own.working()
    await own.send(50)
    await own.settled()
    await own.store.calls.ask("FLUSHALL")
    await own.store.send(0, b"after the flood")

    for member in (dealer, tally):
        assert await member.exit_code() == 1
        assert "no longer belongs to the store that this process opened" in member.log
    assert await own.store.calls.ask("KEYS", "*") == [b"{p00}:inbox"]


@pytest.mark.parametrize("there", ["nothing", "another store"])
async def test_nobody_starts_on_a_store_that_is_not_the_expected_one(own: Crew, there: str) -> None:
    first = own.start("dealer")
    await own.working()
    store_id = (await first.ready())[1]["store"]
    assert [line["store"] for line in first.lines("store opened")] == [store_id]
    first.signal(signal.SIGTERM)
    await first.exit_code()
    again = own.start("dealer", store_id=store_id)
    await own.working(again)
    again.signal(signal.SIGTERM)
    await again.exit_code()

    await own.store.calls.ask("FLUSHALL")
    if there == "another store":
        await own.open()
    before = await own.store.calls.ask("DBSIZE")
    members = [own.start(role, store_id=store_id) for role in ("dealer", "tally")]

    for member in members:
        assert await member.exit_code() == 1
        last = member.log.splitlines()[-1]
        assert last.startswith(f"{member.role}: the server holds ")
        assert ("no store" in last) is (there == "nothing")
        assert f"POOLRUMMY_STORE_ID expects {store_id}; name the right server or put its data back" in last
        assert "Traceback" not in member.log
    assert await own.store.calls.ask("DBSIZE") == before


@pytest.mark.parametrize("when", ["before the start", "while it works"])
async def test_a_server_that_stays_away_ends_the_process_with_a_clear_error(
    own: Crew, server: OwnServer, when: str
) -> None:
    if when == "before the start":
        server.kill()
    dealer = own.start("dealer", unreachable_s_max=1)
    if when == "while it works":
        await own.working(dealer)
        server.kill()

    assert await dealer.exit_code() == 1
    assert "no working server for" in dealer.log
    assert "POOLRUMMY_UNREACHABLE_S_MAX" in dealer.log


async def test_a_process_waits_for_its_server_and_can_be_stopped_meanwhile(own: Crew, server: OwnServer) -> None:
    server.kill()
    dealer, stopped = own.start("dealer"), own.start("dealer")
    await until(lambda: answers(dealer, 503), 10, lambda: dealer.log)
    await until(lambda: answers(stopped, 503), 10)
    stopped.signal(signal.SIGTERM)
    assert await stopped.exit_code() == 0
    server.start()
    await own.reconnect()

    await own.working(dealer)
    await own.send(20)
    await own.settled()


async def test_cut_connections_are_made_again(proxied: tuple[Crew, Proxy]) -> None:
    crew, proxy = proxied
    crew.start("dealer")
    crew.start("tally")
    await crew.working()
    for _ in range(5):
        await crew.send(40)
        proxy.cut()
        await asyncio.sleep(0.2)

    await crew.settled()
    await crew.working()


async def test_a_half_open_line_turns_red_and_heals(proxied: tuple[Crew, Proxy]) -> None:
    """Case F106: the path is cut silently."""
    crew, proxy = proxied
    dealer, tally = crew.start("dealer"), crew.start("tally")
    await crew.working()
    proxy.speaking.clear()
    await crew.send(40)
    for member in (dealer, tally):
        await until(lambda member=member: answers(member, 503), 10, lambda member=member: member.log)
    proxy.cut()
    proxy.speaking.set()

    await crew.settled()
    await crew.working()


async def test_slow_reads_are_slow_and_right(proxied: tuple[Crew, Proxy]) -> None:
    crew, proxy = proxied
    crew.start("dealer")
    crew.start("tally")
    await crew.working()
    proxy.delay_s = 0.03
    await crew.send(60)
    await crew.settled()


async def test_a_stalled_server_is_waited_for(own: Crew) -> None:
    dealer, tally = own.start("dealer"), own.start("tally")
    await own.working()
    await own.send(40)
    await own.store.calls.ask("CLIENT PAUSE", 1500, "ALL")
    await asyncio.sleep(1.6)
    await own.send(40)

    await own.settled()
    await own.working(dealer, tally)


async def test_a_dead_read_loop_is_found_although_the_server_answers(own: Crew) -> None:
    """FastStream rests five seconds after a failed read; nobody waits that long for a move."""
    dealer = own.start("dealer")
    await own.working(dealer)
    await own.send(4)
    await own.settled()
    clients = await own.store.calls.ask("CLIENT LIST")
    readers = [client["id"] for client in clients if client["cmd"] == "xread"]
    for reader in readers:
        await own.store.calls.ask("CLIENT KILL", "ID", reader)
    await own.send(4)
    await until(lambda: settled_now(own), 20, lambda: dealer.log)

    assert len(readers) == 2
    assert "ReadLoopDied" in await dealer.page("metrics"), "our own look-out found it, not the library"
    assert dealer.lines("process ends") == []


async def settled_now(crew: Crew) -> bool:
    try:
        await crew.settled(within_s=0)
    except AssertionError:
        return False
    return True


async def test_a_foreign_key_in_the_way_is_no_hot_loop(own: Crew) -> None:
    dealer = own.start("dealer")
    await own.working(dealer)
    await own.store.calls.ask("DEL", "{p00}:inbox")
    await own.store.calls.ask("SET", "{p00}:inbox", "somebody else's")
    await until(lambda: answers(dealer, 503), 10, lambda: dealer.log)
    before = (await own.store.calls.ask("INFO", "stats"))["total_error_replies"]
    await asyncio.sleep(1)
    after = (await own.store.calls.ask("INFO", "stats"))["total_error_replies"]

    assert after - before < 100
    await own.store.calls.ask("DEL", "{p00}:inbox")
    await own.working(dealer)
    await own.send(10)
    await own.settled()


async def test_an_evicting_server_is_refused(own: Crew) -> None:
    """Case F102."""
    await own.store.calls.ask("CONFIG SET", "maxmemory-policy", "allkeys-lru")
    dealer = own.start("dealer")

    assert await dealer.exit_code() == 1
    assert "maxmemory-policy is allkeys-lru" in dealer.log
    assert "noeviction" in dealer.log


async def test_at_the_memory_limit_running_tables_finish(own: Crew) -> None:
    """Case F102."""
    dealer = own.start("dealer")
    await own.working(dealer)
    await own.send_to("p00-a", "set", "alarm", in_ms=800)
    await own.settled()
    await own.store.calls.ask("CONFIG SET", "maxmemory", "1000000")

    async def rang() -> bool:
        return (await own.log("p00-a"))[-1]["kind"] == "rang"

    await until(rang, 10, lambda: dealer.log)
    assert (await dealer.ready())[0] == 200


async def test_a_rewound_feed_stops_its_followers(own: Crew) -> None:
    own.start("dealer")
    tally = own.start("tally")
    await own.working()
    await own.send(20)
    await own.settled()
    for member in own.members[:1]:
        member.signal(signal.SIGTERM)
        await member.exit_code()
    await own.store.calls.ask("HSET", "{p00}:dealer", "feed", 3)

    assert await tally.exit_code() == 1
    assert "went back from 10 to 3" in tally.log
