"""One suite, two stores: what the runtime promises of every store."""

import pytest

from poolrummy.runtime.effects import (
    Drop,
    DropField,
    Exclude,
    Include,
    Park,
    Put,
    PutField,
    Rank,
    Send,
    Unrank,
)
from poolrummy.runtime.errors import AppendTooLarge, FeedLost, NotOwner, StoreChanged
from poolrummy.runtime.store import DEALER, AppendCode, CommitCode, OpenChange, PrivateLine
from poolrummy_contracts import streams

from .conftest import Bench

pytestmark = pytest.mark.conformance

T, U = "p00-one", "p00-two"
FIRST = {"open_change": OpenChange.OPENS}


async def sent(bench: Bench, count: int, partition: int = 0) -> list[str]:
    return [await bench.store.send(partition, b"m%d" % number) for number in range(count)]


async def opened(bench: Bench):
    """A lease, and one table at version 2 with its inbox read up to the first of three messages."""
    ids = await sent(bench, 3)
    lease = await bench.own()
    [answer] = await bench.append(
        bench.call(lease, "0-0", ids[0], T, 0, b"e1", b"e2", command_id="c1", reply=b"r1", **FIRST)
    )
    assert answer.code is AppendCode.APPENDED
    return lease, ids


# -- identity


async def test_a_store_keeps_its_identity_until_it_is_flushed(bench: Bench) -> None:
    first = await bench.store.open_store(2)
    again = await bench.store.open_store(2)
    await bench.store.check_identity()

    assert first == again
    await bench.flush()
    with pytest.raises(StoreChanged, match="flushed or replaced"):
        await bench.store.check_identity()


async def test_another_number_of_partitions_is_refused(bench: Bench) -> None:
    with pytest.raises(StoreChanged, match="2 partitions and the settings say 4"):
        await bench.store.open_store(4)


async def test_nothing_can_be_owned_or_written_after_a_flush(bench: Bench) -> None:
    lease, ids = await opened(bench)
    await bench.flush()

    [answer] = await bench.append(bench.call(lease, ids[0], ids[1], T, 2, b"e3"))
    assert answer.code is AppendCode.FENCED
    with pytest.raises(NotOwner):
        await bench.store.renew(lease, lease_ms=1000)
    with pytest.raises(StoreChanged):
        await bench.store.acquire(0, DEALER, "me", lease_ms=1000)
    assert await bench.store.read_head(T) is None


# -- leases


async def test_a_lease_belongs_to_one_member_until_it_expires(bench: Bench) -> None:
    first = await bench.own(lease_ms=200)
    assert await bench.store.acquire(0, DEALER, "you", lease_ms=200) is None
    await bench.pass_ms(250)
    second = await bench.own(member="you")

    assert first.unowned_ms == 0
    assert 200 <= second.unowned_ms < 2000
    assert second.token != first.token
    with pytest.raises(NotOwner):
        await bench.store.renew(first, lease_ms=200)
    assert not await bench.store.release(first)


async def test_renewing_keeps_a_lease_and_says_how_far_its_inbox_goes(bench: Bench) -> None:
    lease = await bench.own(lease_ms=300)
    for _ in range(3):
        await bench.pass_ms(150)
        seen = await bench.store.renew(lease, lease_ms=300)
        assert await bench.store.acquire(0, DEALER, "you", lease_ms=300) is None
    [last] = await sent(bench, 1)

    assert seen.last_id == seen.offset == "0-0"
    assert (await bench.store.renew(lease, lease_ms=300)).last_id == last


async def test_a_member_that_takes_its_own_lease_again_fences_its_former_self(bench: Bench) -> None:
    first = await bench.own()
    second = await bench.own()

    assert first.token != second.token
    with pytest.raises(NotOwner):
        await bench.store.begin(first)


async def test_a_released_lease_is_free_at_once(bench: Bench) -> None:
    lease = await bench.own()
    assert await bench.store.release(lease)

    assert (await bench.own(member="you")).unowned_ms < 1000
    [answer] = await bench.append(bench.call(lease, "0-0", "1-0", None, 0))
    assert answer.code is AppendCode.FENCED


async def test_takeovers_count_owners_that_began_and_did_not_get_past_an_entry(bench: Bench) -> None:
    await sent(bench, 1)
    counted = []
    for member in ("a", "b", "c", "d"):
        lease = await bench.own(member=member, lease_ms=100)
        counted.append(lease.takeovers)
        await bench.store.begin(lease)
        await bench.pass_ms(150)

    assert counted == [0, 1, 2, 3]


async def test_an_owner_that_never_began_is_no_victim(bench: Bench) -> None:
    await sent(bench, 1)
    for member in ("a", "b"):
        await bench.own(member=member, lease_ms=100)
        await bench.pass_ms(150)

    assert (await bench.own(member="c")).takeovers == 0


async def test_nobody_is_a_victim_while_nothing_waits(bench: Bench) -> None:
    for member in ("a", "b"):
        lease = await bench.own(member=member, lease_ms=100)
        await bench.store.begin(lease)
        await bench.pass_ms(150)

    assert (await bench.own(member="c")).takeovers == 0


@pytest.mark.parametrize("ending", ["release", "progress"])
async def test_a_clean_end_or_progress_resets_the_takeovers(bench: Bench, ending: str) -> None:
    ids = await sent(bench, 2)
    for member in ("a", "b"):
        lease = await bench.own(member=member, lease_ms=100)
        await bench.store.begin(lease)
        await bench.pass_ms(150)
    lease = await bench.own(member="c", lease_ms=100)
    assert lease.takeovers == 2
    if ending == "release":
        await bench.store.release(lease)
    else:
        await bench.append(bench.call(lease, "0-0", ids[0], None, 0))
        await bench.pass_ms(150)

    assert (await bench.own(member="d")).takeovers == 0


async def test_owners_that_ended_while_they_acted_on_a_clock_are_counted_for_its_tables(bench: Bench) -> None:
    acted_on = [("p00-a", "p00-b"), ("p00-b",), ("p00-b",)]
    counted = []
    for number, tables in enumerate(acted_on):
        lease = await bench.own(member=f"owner-{number}", lease_ms=100)
        counted.append(lease.ended_acting)
        await bench.store.begin_clocks(lease, tables)
        await bench.pass_ms(150)
    last = await bench.own(member="last", lease_ms=100)
    await bench.store.end_clocks(last, ["p00-b"])
    await bench.pass_ms(150)

    assert counted == [{}, {"p00-a": 1, "p00-b": 1}, {"p00-a": 1, "p00-b": 2}]
    assert last.ended_acting == {"p00-a": 1, "p00-b": 3}
    assert (await bench.own(member="next")).ended_acting == {"p00-a": 1}


@pytest.mark.parametrize("ending", ["release", "append", "end", "same member"])
async def test_an_owner_that_lived_through_the_act_suspects_nobody(bench: Bench, ending: str) -> None:
    lease = await bench.own(member="a", lease_ms=100)
    await bench.store.begin_clocks(lease, ["p00-a"])
    if ending == "release":
        await bench.store.release(lease)
    elif ending == "append":
        await bench.append(bench.call(lease, "0-0", "0-0", T, 0, b"e1"))
    elif ending == "end":
        await bench.store.end_clocks(lease, ["p00-a"])
    else:
        await bench.own(member="a", lease_ms=100)
    await bench.pass_ms(150)

    assert (await bench.own(member="b")).ended_acting == {}


@pytest.mark.parametrize("other", [(), ("p00-b",)])
async def test_a_table_that_closes_is_suspected_no_more(bench: Bench, other: tuple[str, ...]) -> None:
    lease = await bench.own(member="a", lease_ms=100)
    await bench.append(bench.call(lease, "0-0", "0-0", T, 0, b"e1", open_change=OpenChange.OPENS))
    await bench.store.begin_clocks(lease, [T, *other])
    await bench.pass_ms(150)
    lease = await bench.own(member="b")
    assert lease.ended_acting == dict.fromkeys((T, *other), 1)

    await bench.append(bench.call(lease, "0-0", "0-0", T, 1, b"e2", open_change=OpenChange.CLOSES))

    assert (await bench.own(member="b")).ended_acting == dict.fromkeys(other, 1)


async def test_who_ended_on_a_clock_is_no_victim_of_the_entry_that_waits(bench: Bench) -> None:
    await sent(bench, 1)
    counted = []
    for member in ("a", "b", "c"):
        lease = await bench.own(member=member, lease_ms=100)
        counted.append(lease.takeovers)
        await bench.store.begin(lease)
        await bench.store.begin_clocks(lease, ["p00-a"])
        await bench.pass_ms(150)

    assert counted == [0, 0, 0]


@pytest.mark.parametrize("waits", [False, True])
async def test_nothing_is_noted_for_a_deadline_while_a_message_waits(bench: Bench, *, waits: bool) -> None:
    lease = await bench.own(member="a", lease_ms=100)
    ids = await sent(bench, 1)
    if not waits:
        await bench.append(bench.call(lease, "0-0", ids[0], None, 0))

    now_ms, last_id = await bench.store.begin_clocks(lease, ["p00-a"], unless_waiting=True)
    await bench.pass_ms(150)

    assert (last_id, abs(now_ms - await bench.store.now_ms()) < 5000) == (ids[0], True)
    assert (await bench.own(member="b")).ended_acting == ({} if waits else {"p00-a": 1})


async def test_a_clock_that_goes_wrong_without_a_death_is_counted_as_one(bench: Bench) -> None:
    lease = await bench.own(member="a")
    for _ in range(2):
        await bench.store.begin_clocks(lease, ["p00-a"])
        await bench.store.blame_clocks(lease, ["p00-a"])

    assert (await bench.own(member="a")).ended_acting == {"p00-a": 2}


@pytest.mark.parametrize("what", ["begin_clocks", "end_clocks", "blame_clocks"])
async def test_only_the_owner_says_on_which_clocks_it_acts(bench: Bench, what: str) -> None:
    former = await bench.own(member="a")
    await bench.own(member="a")

    with pytest.raises(NotOwner):
        await getattr(bench.store, what)(former, ["p00-a"])


async def test_members_are_those_who_spoke_lately(bench: Bench) -> None:
    """Case F103."""
    assert await bench.store.join("dealer", "a", stale_ms=200) == ("a",)
    assert await bench.store.join("dealer", "b", stale_ms=200) == ("a", "b")
    await bench.pass_ms(250)
    assert await bench.store.join("dealer", "b", stale_ms=200) == ("b",)
    await bench.store.leave("dealer", "b")
    assert await bench.store.join("dealer", "c", stale_ms=200) == ("c",)
    assert await bench.store.join("tally", "t", stale_ms=200) == ("t",)


# -- append


async def test_an_append_writes_everything_in_one_step(bench: Bench) -> None:
    ids = await sent(bench, 1)
    lease = await bench.own()
    call = bench.call(
        lease,
        "0-0",
        ids[0],
        T,
        0,
        b"e1",
        b"e2",
        command_id="c1",
        reply=b"r1",
        snapshot=b"state",
        parked=b"aside",
        private=(
            PrivateLine(seat=1, payload=b"cards"),
            PrivateLine(seat=2, payload=b"groups", kept=True),
            PrivateLine(seat=1, payload=b"more"),
        ),
        **FIRST,
    )
    [answer] = await bench.append(call)
    store = bench.store

    assert (answer.code, answer.version, answer.feed_n, answer.offset) == (AppendCode.APPENDED, 2, 2, ids[0])
    log = await store.read_table(T, 1, 10)
    assert [(entry.version, entry.payload) for entry in log] == [(1, b"e1"), (2, b"e2")]
    assert [entry.chain for entry in log] == [bench.chain(T, 1), bench.chain(T, 2)]
    feed = await store.read_feed(0, 0, 10)
    assert [(e.n, e.table, e.version, e.payload, e.chain) for e in feed] == [
        (1, T, 1, b"e1", bench.chain(T, 1)),
        (2, T, 2, b"e2", bench.chain(T, 2)),
    ]
    assert abs(feed[0].at_ms - await store.now_ms()) < 5000
    head = await store.read_head(T)
    assert (head.version, head.chain) == (2, bench.chain(T, 2))
    assert await store.open_tables(0) == (T,)
    assert await store.read_snapshot(T) == b"state"
    assert [line.payload for line in await store.read_seat(T, 1, "0-0", 10)] == [b"cards", b"more"]
    assert await store.read_saved(T, 2) == b"groups"
    assert [line.payload for line in await store.read_replies(0, "0-0", 10)] == [b"r1"]
    assert [line.payload for line in await store.read_parked(0, "0-0", 10)] == [b"aside"]
    assert await store.read_answers(T, "a") == {"c1": b"r1"}


async def test_feed_numbers_and_versions_have_no_gap_over_tables_and_owners(bench: Bench) -> None:
    """Case F87."""
    ids = await sent(bench, 6)
    lease, at, versions = await bench.own(), "0-0", {T: 0, U: 0}
    for number, entry_id in enumerate(ids):
        table = (T, U)[number % 2]
        payloads = [b"e%d" % step for step in range(number % 3 + 1)]
        [answer] = await bench.append(bench.call(lease, at, entry_id, table, versions[table], *payloads))
        assert answer.code is AppendCode.APPENDED
        at, versions[table] = entry_id, versions[table] + len(payloads)
        if number == 2:
            await bench.store.release(lease)
            lease = await bench.own(member="you")
            assert lease.offset == entry_id

    feed = await bench.store.read_feed(0, 0, 100)
    assert [entry.n for entry in feed] == list(range(1, 13))
    for table in (T, U):
        log = await bench.store.read_table(table, 1, 100)
        assert [entry.version for entry in log] == list(range(1, versions[table] + 1))
        assert [entry.payload for entry in feed if entry.table == table] == [entry.payload for entry in log]
    assert await bench.store.read_table(T, 3, 2) == (await bench.store.read_table(T, 1, 100))[2:4]


REFUSALS = {
    "another token": (AppendCode.FENCED, {"token": "1:0000000000000000"}),
    "no token": (AppendCode.FENCED, {"token": ""}),
    "an older version": (AppendCode.CONFLICT, {"version": 1}),
    "a version to come": (AppendCode.CONFLICT, {"version": 3}),
    "another chain": (AppendCode.CONFLICT, {"chain": bytes(32)}),
    "an offset to come": (AppendCode.OFFSET_MOVED, {"start": 1}),
    "an offset passed": (AppendCode.OFFSET_MOVED, {"start": "0-0"}),
}


@pytest.mark.parametrize("what", REFUSALS)
async def test_a_refused_append_changes_nothing(bench: Bench, what: str) -> None:
    lease, ids = await opened(bench)
    code, wrong = REFUSALS[what]
    bench.chains[T, 3] = bytes(32)
    start = wrong.get("start", 0)
    more = {key: value for key, value in wrong.items() if key in ("token", "chain")}
    call = bench.call(
        lease,
        ids[start] if isinstance(start, int) else start,
        ids[2],
        T,
        wrong.get("version", 2),
        b"x1",
        b"x2",
        command_id="c2",
        reply=b"x",
        snapshot=b"x",
        parked=b"x",
        private=(PrivateLine(seat=1, payload=b"x"), PrivateLine(seat=2, payload=b"x", kept=True)),
        open_change=OpenChange.CLOSES,
        clear_slot=True,
        forget_seats=(1, 2),
        **more,
    )
    before = await bench.everything(0, T)
    [answer] = await bench.append(call)

    assert answer.code is code
    assert not answer.done
    assert await bench.everything(0, T) == before
    assert answer.offset == ids[0]
    assert (await bench.store.renew(lease, lease_ms=60_000)).offset == ids[0]


async def test_a_command_that_was_answered_is_answered_again_and_changes_nothing_else(bench: Bench) -> None:
    lease, ids = await opened(bench)
    call = bench.call(lease, ids[0], ids[1], T, 2, b"x", command_id="c1", reply=b"other", parked=b"x")
    [answer] = await bench.append(call)

    assert (answer.code, answer.version, answer.offset) == (AppendCode.DUPLICATE, 2, ids[1])
    assert answer.done
    assert [line.payload for line in await bench.store.read_replies(0, "0-0", 10)] == [b"r1", b"r1"]
    assert await bench.store.feed_n(0) == 2
    assert await bench.store.read_parked(0, "0-0", 10) == ()


async def test_a_duplicate_is_found_before_its_stale_version_is(bench: Bench) -> None:
    lease, ids = await opened(bench)
    [answer] = await bench.append(bench.call(lease, ids[0], ids[1], T, 1, b"x", command_id="c1"))
    assert answer.code is AppendCode.DUPLICATE


async def test_command_ids_are_kept_for_this_deal_and_the_last_one(bench: Bench) -> None:
    lease, ids = await opened(bench)
    at = ids[0]

    async def step(command: str, slot: str, *, clear: bool = False) -> AppendCode:
        nonlocal at
        entry_id = await bench.store.send(0, b"m")
        head = await bench.store.read_head(T)
        [answer] = await bench.append(
            bench.call(
                lease,
                at,
                entry_id,
                T,
                head.version,
                b"e",
                command_id=command,
                reply=command.encode(),
                answers_slot=slot,
                clear_slot=clear,
            )
        )
        at = entry_id
        return answer.code

    assert await step("deal-2", "b", clear=True) is AppendCode.APPENDED
    assert await step("c1", "b") is AppendCode.DUPLICATE
    assert await step("deal-3", "a", clear=True) is AppendCode.APPENDED
    assert await step("deal-2", "a") is AppendCode.DUPLICATE
    assert await bench.store.read_answers(T, "a") == {"deal-3": b"deal-3"}
    assert await step("c1", "a") is AppendCode.APPENDED


async def test_a_command_of_the_cleared_slot_is_still_a_duplicate_of_itself(bench: Bench) -> None:
    lease, ids = await opened(bench)
    [answer] = await bench.append(bench.call(lease, ids[0], ids[1], T, 2, b"x", command_id="c1", clear_slot=True))

    assert answer.code is AppendCode.DUPLICATE
    assert await bench.store.read_answers(T, "a") == {"c1": b"r1"}


async def test_a_command_without_a_reply_is_remembered_too(bench: Bench) -> None:
    lease, ids = await opened(bench)
    calls = [
        bench.call(lease, ids[0], ids[1], T, 2, b"e3", command_id="quiet"),
        bench.call(lease, ids[1], ids[2], T, 3, b"e4", command_id="quiet"),
    ]

    assert [answer.code for answer in await bench.append(*calls)] == [AppendCode.APPENDED, AppendCode.DUPLICATE]
    assert len(await bench.store.read_replies(0, "0-0", 10)) == 1


async def test_answers_of_calls_without_events_are_dropped_at_the_limit(bench: Bench, monkeypatch) -> None:
    for module in ("memory_partition", "redis_writes"):
        monkeypatch.setattr(f"poolrummy.runtime.{module}.ANSWERS_MAX", 2)
    lease, ids = await opened(bench)
    await bench.append(
        bench.call(lease, ids[0], ids[0], T, 2, command_id="c2", reply=b"no"),
        bench.call(lease, ids[0], ids[0], T, 2, command_id="c3", reply=b"no"),
        bench.call(lease, ids[0], ids[0], T, 2, b"e3", command_id="c4", reply=b"yes"),
    )

    assert set(await bench.store.read_answers(T, "a")) == {"c1", "c2", "c4"}


async def test_a_table_id_is_never_used_twice(bench: Bench) -> None:
    lease, ids = await opened(bench)
    close = bench.call(lease, ids[0], ids[1], T, 2, b"closed", open_change=OpenChange.CLOSES, snapshot=b"late")
    await bench.append(close)
    chain = bench.chain(T, 3)
    [answer] = await bench.append(bench.call(lease, ids[1], ids[2], T, 0, b"again", **FIRST))

    assert (answer.code, answer.version) == (AppendCode.TABLE_EXISTS, 3)
    assert await bench.store.open_tables(0) == ()
    assert await bench.store.read_snapshot(T) is None
    head = await bench.store.read_head(T)
    assert (head.version, head.chain) == (3, chain)
    assert [head is None for head in await bench.store.read_heads([U, T])] == [True, False]


async def test_seat_channels_are_forgotten_before_new_lines_are_written(bench: Bench) -> None:
    lease, ids = await opened(bench)
    await bench.append(
        bench.call(
            lease,
            ids[0],
            ids[1],
            T,
            2,
            b"dealt",
            private=(PrivateLine(seat=1, payload=b"old"), PrivateLine(seat=1, payload=b"kept", kept=True)),
        ),
        bench.call(
            lease,
            ids[1],
            ids[2],
            T,
            3,
            b"dealt again",
            forget_seats=(1, 2),
            private=(PrivateLine(seat=1, payload=b"new"),),
        ),
    )

    lines = await bench.store.read_seat(T, 1, "0-0", 10)
    assert [(line.id, line.payload) for line in lines] == [("4-0", b"new")], "named by the version, so ids only grow"
    assert await bench.store.read_saved(T, 1) is None


async def test_a_pipeline_stops_where_one_call_is_refused(bench: Bench) -> None:
    lease, ids = await opened(bench)
    bench.chains[T, 9] = bytes(32)
    answers = await bench.append(
        bench.call(lease, ids[0], ids[1], T, 2, b"e3", command_id="c2", reply=b"r2"),
        bench.call(lease, ids[1], ids[2], T, 9, b"wrong", chain=bytes(32), command_id="c3"),
        bench.call(lease, ids[2], "9999999999999-0", U, 0, b"e1", command_id="c4"),
    )

    assert [answer.code for answer in answers] == [
        AppendCode.APPENDED,
        AppendCode.CONFLICT,
        AppendCode.OFFSET_MOVED,
    ]
    assert await bench.store.feed_n(0) == 3
    assert await bench.store.read_head(U) is None


async def test_a_deadline_leaves_the_offset_where_it_is(bench: Bench) -> None:
    lease, ids = await opened(bench)
    answers = await bench.append(
        bench.call(lease, ids[0], ids[0], T, 2, b"rang"), bench.call(lease, ids[0], ids[1], T, 3, b"moved")
    )

    assert [answer.offset for answer in answers] == [ids[0], ids[1]]


async def test_a_call_without_a_table_answers_parks_and_moves_on(bench: Bench) -> None:
    ids = await sent(bench, 1)
    lease = await bench.own()
    [answer] = await bench.append(bench.call(lease, "0-0", ids[0], None, 0, reply=b"what?", parked=b"rubbish"))

    assert (answer.code, answer.offset, answer.feed_n) == (AppendCode.APPENDED, ids[0], 0)
    assert [line.payload for line in await bench.store.read_replies(0, "0-0", 10)] == [b"what?"]
    assert [line.payload for line in await bench.store.read_parked(0, "0-0", 10)] == [b"rubbish"]


@pytest.mark.parametrize(("events", "fits"), [(64, True), (65, False)])
async def test_at_most_64_events_are_taken(bench: Bench, events: int, fits: bool) -> None:
    lease, ids = await opened(bench)
    call = bench.call(lease, ids[0], ids[1], T, 2, *[b"e"] * events)
    if fits:
        assert (await bench.append(call))[0].version == 66
    else:
        with pytest.raises(AppendTooLarge, match="65 events"):
            await bench.append(call)
        assert await bench.store.feed_n(0) == 2


@pytest.mark.parametrize(("size", "fits"), [(256 * 1024, True), (256 * 1024 + 1, False)])
async def test_at_most_256_kb_are_taken(bench: Bench, size: int, fits: bool) -> None:
    lease, ids = await opened(bench)
    call = bench.call(lease, ids[0], ids[1], T, 2, b"x" * size)
    if fits:
        assert (await bench.append(call))[0].code is AppendCode.APPENDED
    else:
        with pytest.raises(AppendTooLarge, match="262145 bytes"):
            await bench.append(call)


async def test_partitions_do_not_touch_each_other(bench: Bench) -> None:
    [here] = await sent(bench, 1, 0)
    [there] = await sent(bench, 1, 1)
    mine, yours = await bench.own(0), await bench.own(1, member="you")
    answers = await bench.append(
        bench.call(mine, "0-0", here, T, 0, b"e", **FIRST),
        bench.call(yours, "0-0", there, "p01-x", 0, b"e", **FIRST),
    )

    assert [answer.feed_n for answer in answers] == [1, 1]
    assert await bench.store.open_tables(1) == ("p01-x",)


async def test_an_inbox_gives_every_message_its_place(bench: Bench) -> None:
    ids = await sent(bench, 5)
    read = await bench.store.read_inbox(0, ids[1], 2)
    now_ms, last_id = await bench.store.inbox_reading(0)

    assert [(entry.id, entry.payload) for entry in read] == [(ids[2], b"m2"), (ids[3], b"m3")]
    assert last_id == ids[4]
    assert read[0].at_ms <= now_ms
    assert (await bench.store.inbox_reading(1))[1] == "0-0"


# -- commits


async def test_a_commit_stores_effects_and_offset_in_one_step(bench: Bench) -> None:
    await opened(bench)
    lease = await bench.own(role="tally")
    a, h, s, r = (streams.view(0, name) for name in "ahsr")
    code = await bench.store.commit(
        lease,
        from_n=0,
        to_n=2,
        effects=[
            Send(b"verdict"),
            Park(b"odd"),
            Put(a, b"1"),
            PutField(h, "x", b"1"),
            PutField(h, "y", b"2"),
            DropField(h, "x"),
            Include(s, "m"),
            Include(s, "n"),
            Exclude(s, "m"),
            Rank(r, "p", 7),
            Rank(r, "q", 3),
            Rank(r, "z", 1),
            Unrank(r, "z"),
        ],
    )
    store = bench.store

    assert code is CommitCode.COMMITTED
    assert (await store.view_value(a), await store.view_hash(h)) == (b"1", {"y": b"2"})
    assert (await store.view_members(s), await store.view_ranking(r)) == (("n",), (("q", 3), ("p", 7)))
    assert await store.view_keys(0) == tuple(sorted([a, h, s, r]))
    assert (await store.read_inbox(0, "0-0", 10))[-1].payload == b"verdict"
    assert [line.payload for line in await store.read_parked(0, "0-0", 10)] == [b"odd"]
    assert await store.roles(0) == {"tally": 2}
    assert (await bench.own(role="tally", member="me")).n == 2
    lease = await bench.own(role="tally", member="me")
    await store.commit(lease, from_n=2, to_n=2, effects=[Drop(a), DropField(h, "y"), Exclude(s, "n")])
    assert await store.view_keys(0) == (r,)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [("token", CommitCode.FENCED), ("from", CommitCode.OFFSET_MOVED), ("flush", CommitCode.FENCED)],
)
async def test_a_refused_commit_changes_nothing(bench: Bench, wrong: str, code: CommitCode) -> None:
    await opened(bench)
    lease = await bench.own(role="tally")
    if wrong == "token":
        await bench.own(role="tally")
    if wrong == "flush":
        await bench.flush()
    before = await bench.everything(0, T)
    effects = [Send(b"x"), Park(b"x"), Put(streams.view(0, "x"), b"x")]

    assert await bench.store.commit(lease, from_n=int(wrong == "from"), to_n=2, effects=effects) is code
    assert await bench.everything(0, T) == before


@pytest.mark.parametrize("key", [streams.head(T), streams.view(1, "x"), streams.dealer(0)])
async def test_a_consumer_touches_nothing_but_its_views(bench: Bench, key: str) -> None:
    lease = await bench.own(role="tally")
    with pytest.raises(AssertionError, match="no read model of partition 0"):
        await bench.store.commit(lease, from_n=0, to_n=0, effects=[Put(key, b"x")])


async def test_a_feed_is_read_from_any_number(bench: Bench) -> None:
    lease, ids = await opened(bench)
    await bench.append(bench.call(lease, ids[0], ids[1], T, 2, b"e3"))

    assert [entry.payload for entry in await bench.store.read_feed(0, 1, 1)] == [b"e2"]
    assert await bench.store.read_feed(0, 3, 10) == ()


# -- trimming


async def read_all(bench: Bench, lease, start: str, ids: list[str], version: int) -> None:
    for entry_id in ids:
        await bench.append(bench.call(lease, start, entry_id, T, version, b"e%d" % version))
        start, version = entry_id, version + 1


async def test_trimming_keeps_what_somebody_has_yet_to_read(bench: Bench) -> None:
    """Case F88: what is trimmed is the way of the events, never the log of a table."""
    lease, ids = await opened(bench)
    await read_all(bench, lease, ids[0], ids[1:2], 2)
    fast, slow = await bench.own(role="fast"), await bench.own(role="slow")
    await bench.store.commit(fast, from_n=0, to_n=3)
    await bench.store.commit(slow, from_n=0, to_n=1)
    trimmed = await bench.store.trim(0, lag_ms_max=60_000, lag_entries_max=100)

    assert (trimmed.inbox_entries, trimmed.feed_entries, trimmed.newly_lost) == (1, 1, ())
    assert trimmed.lags == {"fast": 0, "slow": 2}
    assert [entry.id for entry in await bench.store.read_inbox(0, "0-0", 10)] == ids[1:]
    assert [entry.n for entry in await bench.store.read_feed(0, 1, 10)] == [2, 3]
    with pytest.raises(FeedLost, match="rebuild"):
        await bench.store.read_feed(0, 0, 10)
    assert [entry.version for entry in await bench.store.read_table(T, 1, 10)] == [1, 2, 3]


@pytest.mark.parametrize("bound", ["entries", "age"])
async def test_a_consumer_that_lags_beyond_its_bound_is_lost_and_must_rebuild(bench: Bench, bound: str) -> None:
    _lease, _ids = await opened(bench)
    slow, fast = await bench.own(role="slow"), await bench.own(role="fast")
    await bench.store.commit(fast, from_n=0, to_n=2)
    await bench.pass_ms(60)
    bounds = (
        {"lag_ms_max": 30, "lag_entries_max": 100} if bound == "age" else {"lag_ms_max": 60_000, "lag_entries_max": 1}
    )
    trimmed = await bench.store.trim(0, **bounds)

    assert (trimmed.newly_lost, trimmed.feed_entries) == (("slow",), 2)
    assert (await bench.store.trim(0, **bounds)).newly_lost == ()
    with pytest.raises(FeedLost):
        await bench.store.renew(slow, lease_ms=1000)
    assert await bench.store.commit(slow, from_n=0, to_n=2) is CommitCode.LOST
    again = await bench.own(role="slow")
    assert again.lost
    assert await bench.store.commit(again, from_n=0, to_n=1, rebuilt=True) is CommitCode.LOST
    view = Put(streams.view(0, "x"), b"rebuilt")
    assert await bench.store.commit(again, from_n=0, to_n=2, effects=[view], rebuilt=True) is CommitCode.COMMITTED
    assert not (await bench.own(role="slow")).lost


async def test_a_rebuild_that_ends_in_the_middle_is_not_whole_and_the_next_owner_begins_it_again(bench: Bench) -> None:
    lease = await bench.own()
    await bench.append(bench.call(lease, "0-0", "0-0", T, 0, b"e1", b"e2"))
    role = await bench.own(role="tally", lease_ms=100)
    values = [Put(streams.view(0, name), name.encode()) for name in ("a", "b")]

    code = await bench.store.commit(role, from_n=0, to_n=0, effects=values[:1], part=True)
    plain = await bench.store.commit(role, from_n=0, to_n=2)
    await bench.pass_ms(150)
    after = await bench.own(role="tally", member="next")

    assert (code, plain) == (CommitCode.COMMITTED, CommitCode.LOST)
    assert (role.lost, after.lost, after.n) == (False, True, 0)
    assert await bench.store.view_values([value.key for value in values]) == (b"a", None)
    assert await bench.store.commit(after, from_n=0, to_n=0, effects=values[:1], part=True) is CommitCode.COMMITTED
    assert await bench.store.commit(after, from_n=0, to_n=2, effects=values[1:], rebuilt=True) is CommitCode.COMMITTED
    last = await bench.own(role="tally", member="next")
    assert (last.lost, last.n) == (False, 2)
    assert await bench.store.view_values([value.key for value in values]) == (b"a", b"b")


async def test_a_part_of_a_rebuild_is_stored_by_the_owner_alone(bench: Bench) -> None:
    role = await bench.own(role="tally")
    await bench.own(role="tally")
    put = Put(streams.view(0, "a"), b"a")

    assert await bench.store.commit(role, from_n=0, to_n=0, effects=[put], part=True) is CommitCode.FENCED
    assert await bench.store.view_values([put.key]) == (None,)


async def test_a_role_that_comes_late_to_a_trimmed_feed_must_rebuild(bench: Bench) -> None:
    await opened(bench)
    early = await bench.own(role="early")
    await bench.store.commit(early, from_n=0, to_n=2)
    await bench.store.trim(0, lag_ms_max=60_000, lag_entries_max=100)

    assert (await bench.own(role="late")).lost


async def test_without_followers_the_feed_keeps_what_one_may_lag(bench: Bench) -> None:
    await opened(bench)
    trimmed = await bench.store.trim(0, lag_ms_max=60_000, lag_entries_max=1)

    assert trimmed.feed_entries == 1
    assert [entry.n for entry in await bench.store.read_feed(0, 1, 10)] == [2]


@pytest.mark.parametrize(("kept", "left"), [(0, []), (1, [2]), (5, [1, 2])])
async def test_the_last_events_of_a_feed_are_kept_for_those_who_register_nowhere(bench: Bench, kept, left) -> None:
    await opened(bench)
    lease = await bench.own(role="tally")
    await bench.store.commit(lease, from_n=0, to_n=2)
    await bench.store.trim(0, lag_ms_max=60_000, lag_entries_max=100, kept_entries=kept)

    assert [entry.n for entry in await bench.store.read_feed(0, 2 - len(left), 10)] == left


async def test_a_retired_role_holds_nothing_back(bench: Bench) -> None:
    await opened(bench)
    await bench.own(role="old")
    new = await bench.own(role="new")
    await bench.store.commit(new, from_n=0, to_n=2)
    await bench.store.retire(0, "old")

    assert await bench.store.roles(0) == {"new": 2}
    assert (await bench.store.trim(0, lag_ms_max=60_000, lag_entries_max=100)).feed_entries == 2


async def test_takeovers_of_a_follower_are_counted_like_those_of_a_dealer(bench: Bench) -> None:
    await opened(bench)
    counted = []
    for member in ("a", "b", "c"):
        lease = await bench.own(role="tally", member=member, lease_ms=100)
        counted.append(lease.takeovers)
        await bench.store.begin(lease)
        await bench.pass_ms(150)
    lease = await bench.own(role="tally", member="d", lease_ms=100)
    await bench.store.commit(lease, from_n=0, to_n=1)

    assert counted == [0, 1, 2]
    await bench.pass_ms(150)
    assert (await bench.own(role="tally", member="e")).takeovers == 0


async def test_a_feed_that_went_back_stops_its_followers(bench: Bench) -> None:
    await opened(bench)
    lease = await bench.own(role="tally")
    await bench.store.commit(lease, from_n=0, to_n=2)
    if bench.memory is not None:
        bench.memory.part(0).feed_n = 1
    else:
        await bench.store.calls.ask("HSET", streams.dealer(0), "feed", 1)

    with pytest.raises(StoreChanged, match="went back from 2 to 1"):
        await bench.store.renew(lease, lease_ms=1000)
    with pytest.raises(StoreChanged, match="went back from 2 to 1"):
        await bench.own(role="tally")
