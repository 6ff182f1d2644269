"""A table's whole past from its log alone: held against its chain, decoded, folded to where it stands.

Nobody is asked and nothing is decided again: the log tells outcomes, and the fold adds them up.
"""

from collections.abc import Iterable

import msgspec

from poolrummy.audit.story import Step, Teller
from poolrummy.rules import fold as rules
from poolrummy.rules.state import Table
from poolrummy.runtime.errors import FeedGap, NewerVersionNeeded
from poolrummy.runtime.store import Reads, TableEntry
from poolrummy.runtime.table_log import Chain, entries_of
from poolrummy_contracts import codec
from poolrummy_contracts.events import TableEvent
from poolrummy_contracts.replies import CommandRefused

REPLIES_PAGE = 1000


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A table as its log gives it: every event, where it stands after the last, and the chain hash up to there."""

    table: Table
    events: tuple[TableEvent, ...]
    steps: tuple[Step, ...]
    chain: bytes


def replay(table: str, entries: Iterable[TableEntry]) -> Replay | None:
    """The table that these entries give, from version 1; ``None`` where there are none.

    ``ChainBroken`` where the stored bytes are not what was written, ``NewerVersionNeeded`` where only a newer release
    can read them.
    """
    chain = Chain(table)
    events = [_decoded(table, chain.take(entry)) for entry in entries]
    state: Table | None = None
    teller = Teller()
    steps: list[Step] = []
    for event in events:
        state = rules.evolve(state, event)
        steps.append(teller.step(state, event))
    if state is None:
        return None
    return Replay(table=state, events=tuple(events), steps=tuple(steps), chain=chain.hash)


async def replay_stored(table: str, store: Reads) -> Replay | None:
    """The table as the store's log gives it; ``None`` where there is no log of this table."""
    head = await store.read_head(table)
    found = replay(table, [entry async for entry in entries_of(table, store)])
    if head is not None and (found is None or found.table.v < head.version):
        reached = 0 if found is None else found.table.v
        raise FeedGap(
            f"the log of {table} ends at version {reached} and its head says {head.version}; restore the store from a "
            "copy, or read the table's archive"
        )
    return found


def story(table: str, entries: Iterable[TableEntry]) -> tuple[Step, ...]:
    """What happened at a table, step by step (F86)."""
    found = replay(table, entries)
    return () if found is None else found.steps


async def refusals(table: str, partition: int, store: Reads) -> tuple[CommandRefused, ...]:
    """The commands for this table that were refused, oldest first; the reply stream keeps only the latest answers."""
    found: list[CommandRefused] = []
    after = "0-0"
    while page := await store.read_replies(partition, after, REPLIES_PAGE):
        after = page[-1].id
        answers = (codec.decode_reply(line.payload) for line in page)
        found.extend(one for one in answers if isinstance(one, CommandRefused) and one.table == table)
    return tuple(found)


def _decoded(table: str, entry: TableEntry) -> TableEvent:
    try:
        event = codec.decode_event(codec.canonical(entry.payload))
    except codec.WireError as unreadable:
        raise NewerVersionNeeded(
            f"{table} version {entry.version}: {unreadable}; use a newer release, nothing was skipped"
        ) from unreadable
    if event.table != table or event.v != entry.version:
        raise FeedGap(f"{table} version {entry.version} holds version {event.v} of {event.table}")
    return event
