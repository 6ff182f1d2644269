"""Tens of thousands of small tables in one partition: real events under many names, recorded as dealers do."""

from collections.abc import Iterator
from functools import cache

from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.store import DEALER, Append, NewEvent, OpenChange
from poolrummy.testing.matches import terms_of
from poolrummy.testing.tables import TABLE, opened
from poolrummy_contracts import codec
from poolrummy_contracts import commands as c
from poolrummy_contracts.envelope import chain_next, chain_start
from poolrummy_contracts.events import TableClosed

from .played_logs import Log, named, seating

AT_ONCE = 100


@cache
def voided() -> Log:
    """A table that is closed before a card is dealt."""
    table = opened(terms_of("house", "101", seats=3))
    table.sit(1, 2)
    table.do(c.VoidMatch(id="op", table=TABLE, operator="meera", reason="opened by mistake"))
    return tuple(table.log)


def tables(count: int) -> Iterator[tuple[str, Log]]:
    """Every fourth is open."""
    for number in range(count):
        name = f"p00-{number:06d}"
        yield name, named(voided() if number % 4 else seating(), name)


async def fill(store: RedisStore, count: int) -> int:
    """Record so many tables on partition 0, each in one step; how many events. The dealer has ended afterwards."""
    lease = await store.acquire(0, DEALER, "filler", lease_ms=600_000)
    assert lease is not None
    calls: list[Append] = []
    events = 0
    for name, log in tables(count):
        chain, made = chain_start(name), list[NewEvent]()
        for event in log:
            payload = codec.encode(event)
            chain = chain_next(chain, payload)
            made.append(NewEvent(payload, chain))
        calls.append(
            Append(
                partition=0,
                token=lease.token,
                from_offset=lease.offset,
                to_offset=lease.offset,
                table=name,
                expected_chain=chain_start(name),
                events=tuple(made),
                open_change=OpenChange.NONE if isinstance(log[-1], TableClosed) else OpenChange.OPENS,
            )
        )
        events += len(made)
        if len(calls) == AT_ONCE:
            assert all(answer.done for answer in await store.append(calls))
            calls = []
    assert all(answer.done for answer in await store.append(calls))
    await store.release(lease)
    return events
