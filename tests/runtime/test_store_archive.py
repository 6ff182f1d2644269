"""One suite, two stores: a closed table leaves the store in one step, and its head stays."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from poolrummy.runtime.effects import Put
from poolrummy.runtime.errors import StoreChanged
from poolrummy.runtime.records import Archived, Head
from poolrummy.runtime.store import Append, AppendCode, ArchiveCode, Archiving, Lease, OpenChange, PrivateLine
from poolrummy.runtime.table_names import table_names, tables_with_logs
from poolrummy_contracts import streams

from .conftest import Bench

pytestmark = pytest.mark.conformance

T, U = "p00-one", "p00-two"
TALLY = b'{"counts":{"matches":{"won":1}}}'
VIEW, OTHER_VIEW = streams.view(0, "table", T), streams.view(0, "table", U)


async def closed(bench: Bench, *tables: str) -> Lease:
    """Tables of three events each with everything around them; who closed them still owns the partition."""
    lease = await bench.own()
    for table in tables:
        lines = (
            PrivateLine(seat=1, payload=b"line"),
            PrivateLine(seat=2, payload=b"kept", kept=True),
        )
        opens = bench.call(
            lease, "0-0", "0-0", table, 0, b"e1", b"e2", command_id="c1", reply=b"r1", private=lines,
            snapshot=b"state", open_change=OpenChange.OPENS,
        )  # fmt: skip
        closes = bench.call(lease, "0-0", "0-0", table, 2, b"e3", command_id="c2", open_change=OpenChange.CLOSES)
        assert [answer.code for answer in await bench.append(opens, closes)] == [AppendCode.APPENDED] * 2
    return lease


def step(bench: Bench, table: str = T, number: int = 0, **more: object) -> Archiving:
    made = Archiving(
        table=table,
        version=3,
        chain=bench.chain(table, 3),
        number=number,
        tally=TALLY,
        place="/srv/archive",
        seats=(1, 2),
        views=(streams.view(0, "table", table),),
    )
    return replace(made, **more)


async def with_views(bench: Bench) -> None:
    projector = await bench.own(role="projector")
    effects = [Put(VIEW, b"one"), Put(OTHER_VIEW, b"two")]
    await bench.store.commit(projector, from_n=0, to_n=6, effects=effects)


async def test_a_closed_table_leaves_the_store_in_one_step_and_its_head_stays(bench: Bench) -> None:
    await closed(bench, T, U)
    await with_views(bench)
    other = await bench.everything(0, U)

    assert await bench.store.archive(step(bench)) is ArchiveCode.ARCHIVED

    store = bench.store
    assert await store.read_head(T) == Head(version=3, chain=bench.chain(T, 3), archived=1)
    assert await store.read_table(T, 1, 100) == ()
    assert (await store.read_answers(T, "a"), await store.read_answers(T, "b")) == ({}, {})
    assert (await store.read_seat(T, 1, "0-0", 9), await store.read_saved(T, 2)) == ((), None)
    assert await store.view_value(VIEW) is None
    assert await store.read_archived(0) == Archived(number=1, tally=TALLY, place="/srv/archive")
    assert [key for key in other if key != VIEW] == [key for key in await bench.everything(0, U) if key != VIEW]
    assert await tables_with_logs(store) == (U,)
    assert await table_names(0, store) == (T, U)
    assert await store.read_archived(1) == Archived()


async def test_archived_tables_are_numbered_in_their_partition(bench: Bench) -> None:
    await closed(bench, T, U)

    codes = [await bench.store.archive(step(bench, table, number)) for number, table in enumerate((U, T))]

    heads = await bench.store.read_heads([T, U])
    assert codes == [ArchiveCode.ARCHIVED] * 2
    assert [head and head.archived for head in heads] == [2, 1]
    assert (await bench.store.read_archived(0)).number == 2


WRONG: dict[str, tuple[Callable[[Archiving], Archiving], ArchiveCode]] = {
    "version": (lambda one: replace(one, version=2), ArchiveCode.CONFLICT),
    "chain": (lambda one: replace(one, chain=bytes(32)), ArchiveCode.CONFLICT),
    "another archiver was faster": (lambda one: replace(one, number=1), ArchiveCode.CONFLICT),
    "no such table": (lambda one: replace(one, table="p00-nobody", views=()), ArchiveCode.CONFLICT),
}


@pytest.mark.parametrize("what", WRONG)
async def test_a_refused_step_changes_nothing(bench: Bench, what: str) -> None:
    await closed(bench, T)
    await with_views(bench)
    changed, code = WRONG[what]
    before = await bench.everything(0, T, "p00-nobody")

    assert await bench.store.archive(changed(step(bench))) is code
    assert await bench.everything(0, T, "p00-nobody") == before
    assert await bench.store.read_archived(0) == Archived()


async def test_an_open_table_is_never_archived(bench: Bench) -> None:
    lease = await bench.own()
    await bench.append(bench.call(lease, "0-0", "0-0", T, 0, b"e1", b"e2", b"e3", open_change=OpenChange.OPENS))

    assert await bench.store.archive(step(bench)) is ArchiveCode.OPEN
    assert len(await bench.store.read_table(T, 1, 9)) == 3


async def test_a_table_is_archived_once(bench: Bench) -> None:
    await closed(bench, T)
    await bench.store.archive(step(bench))

    assert await bench.store.archive(step(bench, number=1)) is ArchiveCode.ALREADY
    assert (await bench.store.read_archived(0)).number == 1


async def test_nothing_is_archived_from_a_store_that_became_another_one(bench: Bench) -> None:
    await closed(bench, T)
    made = step(bench)
    await bench.flush()

    with pytest.raises(StoreChanged):
        await bench.store.archive(made)


def late(bench: Bench, lease: Lease, **more: object) -> Append:
    return bench.call(lease, "0-0", "0-0", T, 3, command_id="late", reply=b"closed", **more)


async def test_an_archived_id_is_never_opened_again_and_its_answers_do_not_grow_back(bench: Bench) -> None:
    lease = await closed(bench, T)
    await bench.store.archive(step(bench))

    again, more, refused = await bench.append(
        bench.call(lease, "0-0", "0-0", T, 0, b"e1", open_change=OpenChange.OPENS),
        bench.call(lease, "0-0", "0-0", T, 3, b"e4"),
        late(bench, lease),
    )

    assert (again.code, more.code, refused.code) == (
        AppendCode.TABLE_EXISTS,
        AppendCode.CONFLICT,
        AppendCode.APPENDED,
    )
    assert (again.version, refused.version) == (3, 3)
    assert await bench.store.read_answers(T, "a") == {}
    assert await bench.store.read_table(T, 1, 9) == ()
    assert [line.payload for line in await bench.store.read_replies(0, "0-0", 9)] == [b"r1", b"closed"]


async def test_a_table_that_is_closed_and_not_archived_keeps_the_answer_to_a_late_command(bench: Bench) -> None:
    lease = await closed(bench, T)

    await bench.append(late(bench, lease))

    assert await bench.store.read_answers(T, "a") == {"c1": b"r1", "c2": b"", "late": b"closed"}


async def test_only_views_of_the_tables_own_partition_may_go(bench: Bench) -> None:
    await closed(bench, T)

    with pytest.raises(AssertionError, match="no read model of partition 0"):
        await bench.store.archive(step(bench, views=(streams.head(T),)))


async def test_roles_that_must_rebuild_are_named(bench: Bench) -> None:
    await closed(bench, T)
    for role in ("tally", "judge"):
        await bench.own(role=role)
    judge = await bench.own(role="judge")
    await bench.store.commit(judge, from_n=0, to_n=3)
    await bench.store.trim(0, lag_ms_max=10**9, lag_entries_max=1)

    assert await bench.store.lost_roles(0) == ("tally",)
