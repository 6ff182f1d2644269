"""The projector follows a feed: whatever the batches, the deaths and the repeats, its views are what the logs give."""

from itertools import zip_longest

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from poolrummy.projector import views
from poolrummy.projector.handlers import ProjectorPartition
from poolrummy.projector.partition_check import check_partition
from poolrummy.projector.rebuild_steps import Rebuild
from poolrummy.runtime.errors import FeedGap, NewerVersionNeeded
from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.store import CommitCode
from poolrummy_contracts import codec
from poolrummy_contracts import events as e

from .played_logs import Log, Recorder, dull, eventful, everything, follow, in_a_deal, named, seating, take_over

LOGS: dict[str, Log] = {
    "p00-a": eventful(),
    "p00-b": dull(),
    "p00-c": in_a_deal(),
    "p00-d": seating(),
}


def quiet(_done: int, _all: int) -> None:
    pass


def mixed() -> list[e.TableEvent]:
    """The events of four tables, one of each in turn, as a busy partition records them."""
    rows = zip_longest(*(named(log, table) for table, log in LOGS.items()))
    return [event for row in rows for event in row if event is not None]


async def played() -> MemoryStore:
    store = MemoryStore(clock=lambda: 5_000_000)
    await (await Recorder.on(store)).record(mixed())
    return store


async def rebuilt_from_logs(n: int | None = None) -> dict[str, object]:
    """What a rebuild makes on a store that has no view yet."""
    store = await played()
    lease, handler = await take_over(store)
    at_n = await store.feed_n(0) if n is None else n
    effects = await handler.rebuild(replace(lease, offset=f"{at_n}-0"), store)
    code = await store.commit(lease, from_n=lease.n, to_n=at_n, effects=effects, rebuilt=True)
    assert code is CommitCode.COMMITTED
    return everything(store)


@given(borders=st.lists(st.integers(1, 60), min_size=1, max_size=30), restart=st.booleans())
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
async def test_views_do_not_depend_on_where_batches_end_and_projectors_die(borders: list[int], restart: bool) -> None:
    store = await played()

    await follow(store, [*borders, *[97] * 10], restart=restart)

    assert everything(store) == await rebuilt_from_logs()


@pytest.mark.parametrize("n", [1, 2, 17, 90, 140])
async def test_a_rebuild_in_the_middle_gives_what_following_the_feed_gave_up_to_there(n: int) -> None:
    store = await played()

    await follow(store, [n])

    assert everything(store) == await rebuilt_from_logs(n)


async def test_following_goes_on_behind_a_rebuild_as_if_there_had_been_none() -> None:
    followed, mended = await played(), await played()
    await follow(followed, [50, 1000])

    lease, handler = await take_over(mended)
    effects = await handler.rebuild(replace(lease, offset="50-0"), mended)
    assert await mended.commit(lease, from_n=0, to_n=50, effects=effects, rebuilt=True) is CommitCode.COMMITTED
    await follow(mended, [7] * 100)

    assert everything(mended) == everything(followed)


async def test_an_event_that_comes_twice_counts_once() -> None:
    """Case F84: the score of a deal is delivered, and delivered again."""
    store = await played()
    lease, handler = await take_over(store)
    batch = await store.read_feed(0, 0, 1000)
    first = handler.handle(batch)

    again = handler.handle(batch)

    assert again == []
    assert await store.commit(lease, from_n=0, to_n=batch[-1].n, effects=first) is CommitCode.COMMITTED
    assert everything(store) == await rebuilt_from_logs()


async def test_a_crash_between_effect_and_offset_repeats_the_batch_and_changes_nothing() -> None:
    store = await played()
    lease, handler = await take_over(store)
    handler.handle(await store.read_feed(0, lease.n, 80))

    await follow(store, [80, 1000])

    assert everything(store) == await rebuilt_from_logs()


async def test_each_changed_view_is_written_once_a_batch() -> None:
    store = await played()
    _, handler = await take_over(store)

    effects = handler.handle(await store.read_feed(0, 0, 200))

    keys = [(type(effect).__name__, getattr(effect, "key", ""), getattr(effect, "field", "")) for effect in effects]
    assert len(keys) == len(set(keys))


async def test_a_batch_of_moves_leaves_standings_scores_and_lobby_alone() -> None:
    store = MemoryStore(clock=lambda: 5_000_000)
    log = named(in_a_deal(), "p00-a")
    start = next(event.v for event in log if isinstance(event, e.TurnStarted))
    await (await Recorder.on(store)).record(log)
    _, handler = await take_over(store)
    handler.handle(await store.read_feed(0, 0, start))

    effects = handler.handle(await store.read_feed(0, start, 3))

    assert {effect.key for effect in effects} == {views.table_key("p00-a", "table"), views.throughput_key(0)}


async def test_a_closed_table_leaves_the_lobby_and_keeps_its_other_views() -> None:
    store = await played()

    await follow(store, [1000])

    assert set(await store.view_hash(views.lobby_key(0))) == {"p00-c", "p00-d"}
    assert await store.view_members(views.shelf_key(0, ("starting", "201", "practice", "2500"))) == ("p00-d",)
    assert await store.view_members(views.shelf_key(0, ("playing", "61", "practice", "2500"))) == ("p00-c",)
    assert [key for key in await store.view_keys(0) if ":lobby:" in key and "ended" in key] == []
    for table in LOGS:
        assert await store.view_value(views.table_key(table, "scores")) is not None


async def test_taking_over_reads_the_logs_of_open_tables_only() -> None:
    store = CountingStore(await played())
    await follow(store.inner, [1000])

    _, handler = await take_over(store)  # type: ignore[arg-type] # a store that counts what is read of it

    assert set(handler.boards) == {"p00-c", "p00-d"}
    assert store.read == {"p00-c", "p00-d"}


class CountingStore:
    """Passes everything on, and notes whose logs are read."""

    def __init__(self, inner: MemoryStore) -> None:
        self.inner = inner
        self.read: set[str] = set()

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    async def read_table(self, table: str, from_version: int, count: int) -> object:
        self.read.add(table)
        return await self.inner.read_table(table, from_version, count)


async def test_a_version_that_is_missing_stops_the_partition() -> None:
    store = await played()
    _, handler = await take_over(store)
    batch = list(await store.read_feed(0, 0, 40))
    place = next(place for place, entry in enumerate(batch) if (entry.table, entry.version) == ("p00-a", 5))
    del batch[place]

    with pytest.raises(FeedGap, match="from version 4 of p00-a to 6"):
        handler.handle(batch)


async def test_a_tag_that_only_a_newer_release_knows_stops_the_projector_without_a_skip() -> None:
    """Case F79."""
    store = MemoryStore(clock=lambda: 5_000_000)
    recorder = await Recorder.on(store)
    await recorder.record(named(seating(), "p00-a")[:3])
    newer = b'{"actor":"system","at":1,"rule":"1.1","table":"p00-a","type":"split-doubled","v":4}'
    await recorder.record_bytes("p00-a", newer)

    await follow(store, [3])
    lease, handler = await take_over(store)

    with pytest.raises(NewerVersionNeeded, match="split-doubled"):
        handler.handle(await store.read_feed(0, lease.n, 10))
    assert (await store.read_table("p00-a", 4, 1))[0].payload == newer
    assert lease.n == 3


async def test_a_table_on_which_our_code_fails_stands_still_alone_until_a_rebuild() -> None:
    store = await played()
    await follow(store, [60])
    lease, handler = await take_over(store)
    (entry,) = await store.read_feed(0, lease.n, 1)

    effects = handler.poisoned(entry, "Traceback ...")
    assert await store.commit(lease, from_n=60, to_n=61, effects=effects) is CommitCode.COMMITTED
    await follow(store, [10] * 100)

    stored = msgspec.json.decode(await store.view_value(views.table_key(entry.table, "table")) or b"")
    (line,) = await store.read_parked(0, "0-0", 10)
    assert stored["v"] == entry.version - 1
    assert codec.decode_parked(line.payload).table == entry.table
    assert set(await store.view_hash(views.stuck_key(0))) == {entry.table}
    await rewrite(store)
    assert everything(store) == await rebuilt_from_logs()


async def rewrite(store: MemoryStore) -> None:
    lease = await store.acquire(0, "projector", "p", lease_ms=1_000_000)
    assert lease is not None
    n = await store.feed_n(0)
    effects = await ProjectorPartition(0).rebuild(replace(lease, offset=f"{n}-0"), store)
    assert await store.commit(lease, from_n=lease.n, to_n=n, effects=effects, rebuilt=True) is CommitCode.COMMITTED


async def test_a_rebuild_removes_what_no_log_gives_and_writes_only_what_differs() -> None:
    store = await played()
    await follow(store, [1000])
    part = store.part(0).views
    part.values[views.table_key("p00-ghost", "table")] = b"{}"
    part.hashes[views.lobby_key(0)]["p00-ghost"] = b"{}"
    part.values[views.table_key("p00-a", "scores")] = b"{}"
    found = await check_partition(0, store, quiet)

    await rewrite(store)

    assert {difference.key.rpartition(":")[2] for difference in found.differences} >= {"p00-a", "lobby p00-ghost"}
    assert everything(store) == await rebuilt_from_logs()
    again = [effect async for step in Rebuild(0, store, await store.feed_n(0)).steps() for effect in step.effects]
    assert [effect for effect in again if type(effect).__name__ == "Put"] == []
