"""From a table log in the store to a board, and what the projector makes of bytes that it cannot read."""

import msgspec

from poolrummy.projector import board as boards
from poolrummy.projector.board import Board
from poolrummy.projector.throughput import Tally
from poolrummy.runtime.errors import FeedGap, NewerVersionNeeded
from poolrummy.runtime.store import Reads
from poolrummy.runtime.table_log import entries_of
from poolrummy_contracts import codec
from poolrummy_contracts.events import TableEvent


class Folded(msgspec.Struct, frozen=True):
    """A table folded from its log, and what its events count for."""

    board: Board
    tally: Tally


def read_event(table: str, version: int, payload: bytes) -> TableEvent:
    """The event that these bytes are; ``NewerVersionNeeded`` where only a newer release can read them (F79)."""
    try:
        event = codec.decode_event(payload)
    except codec.WireError as unreadable:
        raise NewerVersionNeeded(
            f"{table} version {version}: {unreadable}; start a newer release, nothing was skipped"
        ) from unreadable
    if event.table != table or event.v != version:
        raise FeedGap(f"{table} version {version} holds version {event.v} of {event.table}; restore the store")
    return event


async def fold_table(table: str, store: Reads, *, until: int | None = None) -> Folded | None:
    """The table at version ``until``, or where its log ends; ``None`` if there is no log."""
    board: Board | None = None
    tally = Tally()
    async for entry in entries_of(table, store, until=until):
        event = read_event(table, entry.version, entry.payload)
        board = boards.evolve(board, event)
        tally.add(board.table, event)
    return None if board is None else Folded(board, tally)
