"""Logs of real matches for the projector's tests, and a dealer that does nothing but record them."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import count

from msgspec.structs import replace

from poolrummy.projector.handlers import ProjectorPartition
from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.store import DEALER, Append, CommitCode, Lease, NewEvent, OpenChange, Store
from poolrummy.testing.matches import terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.tables import TABLE, TestTable, opened, started
from poolrummy_contracts import codec
from poolrummy_contracts import commands as c
from poolrummy_contracts.envelope import chain_next, chain_start
from poolrummy_contracts.events import TableClosed, TableEvent, TableOpened

Log = tuple[TableEvent, ...]

VALID = "3H 4H 5H 6H / 6C 7C 8C / 9S 9D 9C / QD QC QS"
WRONG = "2H 4D 6S / 8H 10S QC / 3D 5C 7S / 9H JD KS AD"


@cache
def eventful() -> Log:
    """Three seats, 101 pool, a tenth kept: timeouts, drops, a valid and a wrong show, a rejoin, a freeze, the end."""
    deals = {
        1: DealScript(hands={1: VALID.replace("/", "")}, wild="KD"),
        2: DealScript(hands={3: WRONG.replace("/", "")}, wild="KD", order=2),
    }
    table = started(terms_of("house", "101", seats=3, rake_bp=1000), deals)
    table.play(3)
    table.time_out()
    table.draw("open")
    table.discard()
    table.do(c.SetAway(**table.who(3)))
    table.play(1)
    table.show(VALID)
    table.declare(2, " ".join(table.hand(2)))
    table.time_out()
    table.judge()
    while table.on_turn != 3:
        table.play(1)
    table.show(WRONG)
    table.drop()
    table.rejoin(3)
    table.play(2)
    operator = {"table": TABLE, "operator": "meera", "reason": "a complaint"}
    table.do(c.FreezeTable(id="op1", **operator))
    table.now_ms += 60_000
    table.do(c.UnfreezeTable(id="op2", **operator))
    table.do(c.VoidDeal(id="op3", **operator))
    table.do(c.SetBack(**table.who(3)))
    return played_to_the_end(table)


@cache
def six_seats_two_back() -> Log:
    """Case F42: six entries of 100, no rake, the highest survivor has 45; two seats come back in one break."""
    table = started(terms_of("house", "101", seats=6, entry_fee=100), totals=(25, 20, 90, 90, 10, 5))
    while table.table.phase == "turn":
        table.drop()
    table.rejoin(3)
    table.rejoin(4)
    return tuple(table.log)


@cache
def dull(seats: int = 2) -> Log:
    """Nobody ever plays a card: everybody drops until somebody is out."""
    return played_to_the_end(started(terms_of("house", "101", seats=seats)))


@cache
def seating() -> Log:
    """A table that waits: one has come and gone, two are there."""
    table = opened(terms_of("house", "201", seats=6))
    table.sit(1, 2, 3)
    table.leave(1)
    return tuple(table.log)


@cache
def in_a_deal() -> Log:
    """A table in the middle of its first deal."""
    table = started(terms_of("house", "61", seats=4))
    table.play(3)
    table.drop()
    table.draw("open")
    return tuple(table.log)


def played_to_the_end(table: TestTable) -> Log:
    """Everybody drops, nobody rejoins or splits, until the table is closed."""
    for _ in range(1000):
        if table.table.closed:
            return tuple(table.log)
        if table.table.phase == "turn":
            table.drop()
        else:
            table.time_out()
    raise AssertionError(f"the table is still in phase {table.table.phase}")


def named(log: Iterable[TableEvent], table: str) -> Log:
    """The same log for a table of another name."""
    return tuple(replace(event, table=table) for event in log)


class Recorder:
    """A dealer that only records, on one partition."""

    def __init__(self, store: Store, lease: Lease) -> None:
        self.store, self.lease = store, lease
        self.chains: dict[str, bytes] = {}
        self.versions: dict[str, int] = {}

    @classmethod
    async def on(cls, store: Store, partition: int = 0, *, partitions: int = 3) -> "Recorder":
        await store.open_store(partitions)
        lease = await store.acquire(partition, DEALER, "dealer", lease_ms=1_000_000)
        assert lease is not None
        return cls(store, lease)

    async def record(self, events: Sequence[TableEvent]) -> None:
        """Append these events, each alone, as they come."""
        for event in events:
            await self.record_bytes(event.table, codec.encode(event), event)

    async def record_bytes(self, table: str, payload: bytes, event: TableEvent | None = None) -> None:
        before = self.chains.get(table, chain_start(table))
        after = self.chains[table] = chain_next(before, payload)
        change = OpenChange.NONE
        if isinstance(event, TableOpened):
            change = OpenChange.OPENS
        if isinstance(event, TableClosed):
            change = OpenChange.CLOSES
        call = Append(
            partition=self.lease.partition,
            token=self.lease.token,
            from_offset=self.lease.offset,
            to_offset=self.lease.offset,
            table=table,
            expected_version=self.versions.get(table, 0),
            expected_chain=before,
            events=(NewEvent(payload, after),),
            open_change=change,
        )
        (answer,) = await self.store.append([call])
        assert answer.done, answer
        self.versions[table] = answer.version


async def follow(store: Store, borders: Iterable[int], *, partition: int = 0, restart: bool = False) -> int:
    """Be a projector to the end of the feed, in batches of these sizes; a new one for every batch with ``restart``."""
    lease, handler = await take_over(store, partition)
    batches = count()
    for size in borders:
        if next(batches) and restart:
            lease, handler = await take_over(store, partition)
        batch = await store.read_feed(partition, lease.n, size)
        if not batch:
            break
        effects = handler.handle(batch)
        code = await store.commit(lease, from_n=lease.n, to_n=batch[-1].n, effects=effects)
        assert code is CommitCode.COMMITTED
        lease = replace(lease, offset=f"{batch[-1].n}-0")
    return lease.n


async def take_over(store: Store, partition: int = 0) -> tuple[Lease, ProjectorPartition]:
    """A lease and a handler that is loaded from what is stored."""
    lease = await store.acquire(partition, "projector", "p", lease_ms=1_000_000)
    assert lease is not None
    handler = ProjectorPartition(partition)
    await handler.load(lease, store)
    return lease, handler


def everything(store: MemoryStore, partition: int = 0) -> dict[str, object]:
    """All read models of a partition, of every shape."""
    views = store.part(partition).views
    return {**views.values, **views.hashes, **views.members, **views.rankings}
