"""The worker on the memory store: sharing, resting, failing, its pages; no server, one process."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from aiohttp import ClientSession
from prometheus_client import CollectorRegistry

from poolrummy.runtime.dealing import DealerTenure
from poolrummy.runtime.errors import StoreChanged
from poolrummy.runtime.following import FeedTenure
from poolrummy.runtime.health import Health, health_pages
from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.metrics import Metrics
from poolrummy.runtime.pumps import PollingPumps
from poolrummy.runtime.server_clock import ServerClock
from poolrummy.runtime.settings import Settings
from poolrummy.runtime.store import DEALER
from poolrummy.runtime.tenure import Surroundings
from poolrummy.runtime.worker import Worker
from poolrummy_contracts import streams

from .counting_app import Counting, Tally
from .crew import until

PARTITIONS = 4


class Team:
    """Workers of one process on one memory store."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.running: list[tuple[Worker, asyncio.Event, asyncio.Task[None]]] = []

    def start(self, role: str, make=None) -> Worker:
        around = Surroundings(
            settings=Settings(partitions=PARTITIONS, lease_ms=150, poll_ms=10, housekeeping_ms=100),
            store=self.store,
            pumps=PollingPumps(self.store, read_count=10, poll_ms=5),
            clock=ServerClock(),
            metrics=Metrics(CollectorRegistry()),
        )

        def tenure(lease, around, on_end):
            if role == DEALER:
                return DealerTenure(lease, around, on_end, make or Counting)
            return FeedTenure(lease, around, on_end, make or Tally)

        worker = Worker(role, f"{role}{len(self.running)}", around, tenure)
        stop = asyncio.Event()
        self.running.append((worker, stop, asyncio.create_task(worker.run(stop))))
        return worker

    async def stop(self, worker: Worker) -> None:
        for which, stop, task in self.running:
            if which is worker:
                stop.set()
                await task

    async def send(self, count: int) -> None:
        for number in range(count):
            partition = number % PARTITIONS
            message = b'{"id":"c%d","table":"p%02d-t"}' % (number, partition)
            await self.store.send(partition, message)


@pytest.fixture
async def team() -> AsyncIterator[Team]:
    made = Team()
    await made.store.open_store(PARTITIONS)
    yield made
    for _, stop, task in made.running:
        stop.set()
        await asyncio.gather(task, return_exceptions=True)


async def shares(*counts_and_workers) -> bool:
    return all(len(worker.tenures) == count and not worker.why_not_ready() for count, worker in counts_and_workers)


async def test_partitions_are_shared_given_back_and_taken_over(team: Team) -> None:
    one = team.start(DEALER)
    await until(lambda: shares((4, one)), 3)
    two = team.start(DEALER)
    await until(lambda: shares((2, one), (2, two)), 3)
    three = team.start(DEALER)
    await until(lambda: shares((2, one)), 3)
    await team.stop(one)
    await until(lambda: shares((2, two), (2, three)), 3)


async def test_every_message_is_handled_and_counted(team: Team) -> None:
    dealer, tally = team.start(DEALER), team.start("tally")
    await team.send(40)

    async def told() -> bool:
        views = [await team.store.view_hash(streams.view(p, "tally")) for p in range(PARTITIONS)]
        return sum(int(count) for view in views for count in view.values()) == 40

    await until(told, 5, lambda: str(dealer.why_not_ready()))
    metrics = dealer.around.metrics.registry
    assert metrics.get_sample_value("poolrummy_events_total") == 40
    assert metrics.get_sample_value("poolrummy_appends_total", {"code": "appended"}) == 40
    assert not tally.why_not_ready()


async def test_a_role_that_comes_later_gets_everything_that_waits_once(team: Team) -> None:
    """Case F90."""
    dealer = team.start(DEALER)
    await team.send(100)
    registry = dealer.around.metrics.registry

    async def handled() -> bool:
        return registry.get_sample_value("poolrummy_events_total") == 100

    await until(handled, 5)
    team.start("tally")

    async def told() -> bool:
        views = [await team.store.view_hash(streams.view(p, "tally")) for p in range(PARTITIONS)]
        return sum(int(count) for view in views for count in view.values()) == 100

    await until(told, 5)
    await asyncio.sleep(0.2)
    assert await told(), "nothing comes twice"


async def test_a_lost_follower_rebuilds_and_follows_on(team: Team) -> None:
    team.start(DEALER)
    tally = team.start("tally")
    await team.send(40)
    await until(lambda: shares((4, tally)), 3)
    await team.stop(tally)
    await team.send(40)  # the same ids: refused, no events
    for partition in range(PARTITIONS):
        await team.store.send(partition, b'{"id":"new%d","table":"p%02d-t"}' % (partition, partition))

    async def grown() -> bool:
        return [await team.store.feed_n(p) for p in range(PARTITIONS)] == [11] * PARTITIONS

    await until(grown, 5)
    for partition in range(PARTITIONS):
        trimmed = await team.store.trim(partition, lag_ms_max=10_000, lag_entries_max=0)
        assert trimmed.newly_lost == ("tally",)
    team.start("tally")

    async def told() -> bool:
        views = [await team.store.view_hash(streams.view(p, "tally")) for p in range(PARTITIONS)]
        return views == [{f"p{p:02d}-t": b"11"} for p in range(PARTITIONS)]

    await until(told, 5)


async def test_a_state_that_cannot_be_loaded_is_red_and_tried_again(team: Team) -> None:
    broken = {2}

    class Unloadable(Counting):
        async def load(self, lease, store) -> None:
            if self.partition in broken:
                raise LookupError("no such key")
            await super().load(lease, store)

    dealer = team.start(DEALER, Unloadable)

    async def red() -> bool:
        return any("partition 2" in why for why in dealer.why_not_ready()) and len(dealer.tenures) >= 3

    await until(red, 3)
    broken.clear()
    await until(lambda: shares((4, dealer)), 5)


async def test_an_entry_whose_appends_are_always_refused_is_parked_in_the_end(team: Team) -> None:
    """Our own code may be wrong without raising; the partition must not circle for ever."""

    class Astray(Counting):
        def record(self, held, kind, cause, entry, **more):
            if cause == "c1" and kind == "add":
                held.version += 5
            return super().record(held, kind, cause, entry, **more)

    team.start(DEALER, Astray)
    await team.send(8)

    async def all_handled() -> bool:
        offsets = [team.store.part(p).dealer.offset for p in range(PARTITIONS)]
        return offsets == [team.store.part(p).inbox.entries[-1][0] for p in range(PARTITIONS)]

    await until(all_handled, 10)
    parked = [line.payload for p in range(PARTITIONS) for line in await team.store.read_parked(p, "0-0", 9)]
    assert len(parked) == 1
    assert parked[0].startswith(b"c1: 3 owners in a row")


async def test_a_flushed_store_ends_the_worker(team: Team) -> None:
    worker = team.start(DEALER)
    await until(lambda: shares((4, worker)), 3)
    team.store.flush()
    with pytest.raises(StoreChanged):
        await asyncio.wait_for(team.running[0][2], 3)


async def test_the_pages_say_whether_and_why_not() -> None:
    reasons: list[str] = []

    def health() -> Health:
        return Health(role="dealer", member="m", partitions=[1, 2], reasons=reasons, store="5f")

    registry = CollectorRegistry()
    Metrics(registry)
    async with health_pages("127.0.0.1", 0, health, registry) as port, ClientSession() as session:
        base = f"http://127.0.0.1:{port}"
        async with session.get(base + "/ready") as green:
            body = await green.json()
            assert (green.status, body["partitions"], body["store"]) == (200, [1, 2], "5f")
        reasons.append("server away")
        async with session.get(base + "/ready") as red:
            assert (red.status, (await red.json())["reasons"]) == (503, ["server away"])
        async with session.get(base + "/live") as live:
            assert live.status == 200
        async with session.get(base + "/metrics") as metrics:
            text = await metrics.text()
    assert "poolrummy_append_seconds_bucket" in text
    assert "table" not in {label for line in text.splitlines() for label in line.split("{")[-1].split("=")}
