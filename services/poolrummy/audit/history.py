"""A table's log with the table before and after each event: what a dossier and a deal record are cut from.

The stored bytes are held against their chain and kept as they are: a proof is made of bytes, never of what was read.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from poolrummy.rules import fold
from poolrummy.rules.state import Table
from poolrummy.runtime.errors import FeedGap, NewerVersionNeeded
from poolrummy.runtime.store import TableEntry
from poolrummy.runtime.table_log import Chain
from poolrummy_contracts import codec
from poolrummy_contracts import events as e


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """One event, the table before and after it, its stored bytes, and the chain hash up to it."""

    event: e.TableEvent
    before: Table | None
    after: Table
    stored: bytes
    chain: bytes

    @property
    def v(self) -> int:
        """The version of the event."""
        return self.event.v


Moments = Sequence[Moment]


def moments_of(table: str, entries: Iterable[TableEntry]) -> tuple[Moment, ...]:
    """Every moment of the log, from version 1.

    ``ChainBroken`` where the stored bytes are not what was written, ``NewerVersionNeeded`` where only a newer release
    can read them.
    """
    chain = Chain(table)
    state: Table | None = None
    found: list[Moment] = []
    for entry in entries:
        event = read_event(table, chain.take(entry))
        after = fold.evolve(state, event)
        found.append(Moment(event=event, before=state, after=after, stored=entry.payload, chain=chain.hash))
        state = after
    return tuple(found)


def read_event(table: str, entry: TableEntry) -> e.TableEvent:
    """The event in these bytes, if it is canonical and stands where it says."""
    try:
        event = codec.decode_event(codec.canonical(entry.payload))
    except codec.WireError as unreadable:
        raise NewerVersionNeeded(
            f"{table} version {entry.version}: {unreadable}; use a newer release, nothing was skipped"
        ) from unreadable
    if event.table != table or event.v != entry.version:
        raise FeedGap(f"{table} version {entry.version} holds version {event.v} of {event.table}")
    return event


def before_deals(moments: Moments) -> Moments:
    """What happened before the first deal: opening, seats, toss."""
    return moments[: next((place for place, one in enumerate(moments) if _begins(one)), len(moments))]


def deals_of(moments: Moments) -> Iterator[tuple[int, Moments]]:
    """Each deal with its number: from its first event to the last one before the next deal, the break included."""
    starts = [place for place, one in enumerate(moments) if _begins(one)]
    for start, end in zip(starts, (*starts[1:], len(moments)), strict=False):
        number = moments[start].event.deal
        assert number is not None, "a deal has a number"
        yield number, moments[start:end]


def _begins(one: Moment) -> bool:
    return isinstance(one.event, e.DealStarted)
