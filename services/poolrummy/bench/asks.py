"""Tables that only ask: hands laid open by the thousand, written into a real log as a dealer writes it."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from poolrummy.fairness.pack import unshuffled
from poolrummy.profile_files import load_all
from poolrummy.runtime.store import DEALER, Append, NewEvent, OpenChange, Store
from poolrummy_contracts import codec
from poolrummy_contracts.cards import Card, position
from poolrummy_contracts.envelope import chain_next, chain_start
from poolrummy_contracts.events import HandLaidOpen, ShownCard, TableEvent, TableOpened
from poolrummy_contracts.profiles import practice_terms
from poolrummy_contracts.streams import partition_of
from poolrummy_contracts.terms import EDITION, Seat, Terms, terms_hash

BATCH: Final = 50


def asking_table(table: str, asks: int, dice: Random) -> Iterator[TableEvent]:
    """A table's opening, and so many hands that ask for their count."""
    terms = practice_terms(load_all()["house"], "101", 2)
    assert isinstance(terms, Terms), terms
    yield TableOpened(
        v=1,
        table=table,
        at=1,
        actor="operator",
        rule="1.1",
        terms=terms,
        terms_hash=terms_hash(terms),
        edition=EDITION,
        fill_until=2,
    )
    pack = unshuffled(2, 1)
    for v in range(2, asks + 2):
        wild, *hand = dice.sample(pack, 14)
        yield HandLaidOpen(
            v=v,
            table=table,
            at=1,
            actor="timer",
            rule="6.6",
            deal=1,
            seat=Seat(1),
            hand=tuple(ShownCard(card=Card(card), position=position(0, n)) for n, card in enumerate(hand)),
            groups=(),
            wild_rank="A" if wild == "JK" else wild[0],
            basis="best",
            late=True,
        )


async def write(store: Store, table: str, events: Sequence[TableEvent]) -> None:
    """Append the events to the table's log and its partition's feed, as the owner of the partition does."""
    partition = partition_of(table)
    lease = await store.acquire(partition, DEALER, "bench", lease_ms=600_000)
    assert lease is not None, "the bench owns its server"
    chain, version = chain_start(table), 0
    for start in range(0, len(events), BATCH):
        before, new = chain, list[NewEvent]()
        for event in events[start : start + BATCH]:
            payload = codec.encode(event)
            chain = chain_next(chain, payload)
            new.append(NewEvent(payload, chain))
        call = Append(
            partition=partition,
            token=lease.token,
            from_offset=lease.offset,
            to_offset=lease.offset,
            table=table,
            expected_version=version,
            expected_chain=before,
            events=tuple(new),
            open_change=OpenChange.NONE if version else OpenChange.OPENS,
        )
        (answer,) = await store.append([call])
        assert answer.done, answer
        version += len(new)
    await store.release(lease)
