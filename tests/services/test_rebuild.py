"""A rebuild reads logs that go on meanwhile, and is still what following the feed up to one point gave."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from poolrummy.projector import views
from poolrummy.projector.checking import check_table, differences
from poolrummy.projector.handlers import ProjectorPartition
from poolrummy.projector.partition_check import check_partition, write_table
from poolrummy.projector.rebuild_steps import Rebuild
from poolrummy.projector.rebuilding import rebuilt
from poolrummy.runtime.errors import FeedLost
from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.store import CommitCode, TableEntry
from poolrummy_contracts.events import TableEvent

from .played_logs import Recorder, dull, eventful, everything, follow, in_a_deal, named, seating

MOVES = 40


def quiet(_done: int, _all: int) -> None:
    pass


class GoesOn(MemoryStore):
    """A store whose dealer records one more event whenever somebody reads a log."""

    def __init__(self) -> None:
        super().__init__(clock=lambda: 5_000_000)
        self.recorder: Recorder | None = None
        self.to_come: list[TableEvent] = []

    async def read_table(self, table: str, from_version: int, count: int) -> Sequence[TableEntry]:
        if self.recorder is not None and self.to_come:
            await self.recorder.record([self.to_come.pop(0)])
        return await super().read_table(table, from_version, count)


async def stored(*logs: tuple[TableEvent, ...]) -> MemoryStore:
    store = MemoryStore(clock=lambda: 5_000_000)
    recorder = await Recorder.on(store)
    for log in logs:
        await recorder.record(log)
    return store


@pytest.mark.parametrize("at_once", [1, 2, 100])
async def test_a_rebuild_in_steps_gives_the_same_while_logs_go_on(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("poolrummy.runtime.table_log.PAGE", 3)
    monkeypatch.setattr("poolrummy.projector.rebuild_steps.TABLES_AT_ONCE", at_once)
    logs = {name: named(log(), name) for name, log in (("p00-a", in_a_deal), ("p00-b", dull), ("p00-c", eventful))}
    opening = named(seating(), "p00-d")
    store = GoesOn()
    store.recorder = await Recorder.on(store)
    for log in logs.values():
        await store.recorder.record(log[:-3])
    n = await store.feed_n(0)
    store.to_come = [*logs["p00-b"][-3:], *opening, *logs["p00-a"][-3:], *logs["p00-c"][-3:]]
    rebuild = Rebuild(0, store, n)

    for effect in [effect async for step in rebuild.steps() for effect in step.effects]:
        store.part(0).views.apply(effect)

    as_it_was = await stored(*(log[:-3] for log in logs.values()))
    await follow(as_it_was, [1000])
    assert not store.to_come
    assert everything(store) == everything(as_it_was)
    assert set(rebuild.boards) == {"p00-a", "p00-b", "p00-c"}


@pytest.mark.parametrize("page", [1, 3])
async def test_logs_that_go_on_while_they_are_read_are_read_up_to_one_point(
    page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("poolrummy.runtime.table_log.PAGE", page)
    running, closing, opening = named(in_a_deal(), "p00-a"), named(dull(), "p00-b"), named(seating(), "p00-c")
    store = GoesOn()
    store.recorder = await Recorder.on(store)
    await store.recorder.record([*running[:-3], *closing[:-3]])
    n = await store.feed_n(0)
    store.to_come = [*closing[-3:], *opening, *running[-3:]]

    result = await rebuilt(0, store, n)

    as_it_was = await stored((*running[:-3], *closing[:-3]))
    await follow(as_it_was, [1000])
    assert not store.to_come
    assert set(result.boards) == {"p00-a", "p00-b"}
    assert result.values == {key: value for key, value in as_it_was.part(0).views.values.items() if value}


async def test_a_table_that_plays_on_is_behind_and_not_different() -> None:
    log = named(in_a_deal(), "p00-a")
    store = await stored(log)
    await follow(store, [len(log) - 2])

    check = await check_table("p00-a", store)
    partition = await check_partition(0, store, quiet)

    assert check is not None
    assert (check.verdict, check.stored_v, check.log_v) == ("behind", len(log) - 2, len(log))
    assert (partition.compared, partition.behind, partition.differences) == ("tables", ("p00-a",), ())


async def test_a_log_without_views_is_behind_and_a_table_that_never_was_is_none() -> None:
    store = await stored(named(in_a_deal(), "p00-a"))

    check = await check_table("p00-a", store)

    assert check is not None
    assert (check.verdict, check.differences) == ("missing", ())
    assert await check_table("p00-nobody", store) is None


async def test_views_at_a_version_that_the_log_has_not_reached_are_different() -> None:
    log = named(in_a_deal(), "p00-a")
    store, other = await stored(log[:-2]), await stored(log)
    await follow(other, [1000])
    store.part(0).views = other.part(0).views

    check = await check_table("p00-a", store)

    assert check is not None
    assert check.verdict == "different"
    assert any(found.where == "$.v" or found.where.startswith("$.") for found in check.differences)


async def test_what_is_kept_of_a_table_whose_log_is_missing_stays() -> None:
    store = await stored(named(dull(), "p00-a"), named(in_a_deal(), "p00-b"))
    await follow(store, [1000])
    key = views.table_key("p00-a", "standings")
    kept = await store.view_value(key)
    store.table("p00-a").log.clear()

    effects = [effect async for step in Rebuild(0, store, await store.feed_n(0)).steps() for effect in step.effects]

    assert kept is not None
    assert [effect for effect in effects if getattr(effect, "key", "") == key] == []


async def test_one_table_is_written_as_of_the_offset_and_the_projector_goes_on_behind_it() -> None:
    log = named(eventful(), "p00-a")
    store, untouched = await stored(log), await stored(log)
    n = await follow(store, [MOVES])
    store.part(0).views.values[views.table_key("p00-a", "table")] = b"{}"
    release(store)

    assert await write_table("p00-a", store)

    check = await check_table("p00-a", store)
    assert n == MOVES
    assert check is not None
    assert (check.verdict, check.stored_v) == ("behind", MOVES)
    await follow(store, [7] * 100)
    await follow(untouched, [1000])
    assert everything(store) == everything(untouched)


async def test_one_table_alone_cannot_be_mended_where_the_feed_went_on_without_the_projector() -> None:
    store = await stored(named(eventful(), "p00-a"))
    await follow(store, [MOVES])
    store.part(0).followers["projector"].lost = True
    release(store)

    with pytest.raises(FeedLost, match="rebuild all of it"):
        await write_table("p00-a", store)


def test_a_difference_names_the_first_place_and_both_values() -> None:
    (found,) = differences({"k": b'{"a":[1,{"b":2}],"c":3}'}, {"k": b'{"a":[1,{"b":4}],"c":5}'})
    (shorter,) = differences({"k": b'{"a":[1]}'}, {"k": b'{"a":[1,2]}'})
    (absent,) = differences({}, {"k": b"{}"})
    (spelled,) = differences({"k": b'{"b":1,"a":2}'}, {"k": b'{"a":2,"b":1}'})

    assert found.sentence == "k: $.a[1].b is 2, and the log gives 4"
    assert shorter.sentence == "k: $.a.length is 1, and the log gives 2"
    assert absent.sentence == "k: all of it is absent, and the log gives {}"
    assert spelled.where == ""


def release(store: MemoryStore) -> None:
    """The projector that `follow` was has ended."""
    store.part(0).followers["projector"].token = None


async def test_a_lost_projector_rebuilds_and_goes_on_as_if_it_had_never_been_away() -> None:
    log = named(eventful(), "p00-a")
    store, untouched = await stored(log), await stored(log)
    await follow(store, [MOVES])
    await follow(untouched, [1000])
    trimmed = await store.trim(0, lag_ms_max=10**9, lag_entries_max=1)
    assert trimmed.newly_lost == ("projector",)
    lease = await store.acquire(0, "projector", "p", lease_ms=1000)
    assert lease is not None
    assert lease.lost

    n = await store.feed_n(0)
    effects = await ProjectorPartition(0).rebuild(replace(lease, offset=f"{n}-0"), store)

    assert await store.commit(lease, from_n=MOVES, to_n=n, effects=effects, rebuilt=True) is CommitCode.COMMITTED
    assert everything(store) == everything(untouched)
