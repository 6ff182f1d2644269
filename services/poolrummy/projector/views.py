"""From a board to the bytes of its read models, and from two boards to what has changed in the store."""

from collections.abc import Iterator, Mapping
from typing import Final

from poolrummy.projector.board import Board
from poolrummy.projector.lobby import lobby_entry, shelf
from poolrummy.projector.score_sheet import score_sheet
from poolrummy.projector.standings_view import standings_view
from poolrummy.projector.table_view import table_view
from poolrummy.runtime.effects import DropField, Effect, Exclude, Include, Put, PutField
from poolrummy_contracts import codec, streams

TABLE: Final = "table"
STANDINGS: Final = "standings"
SCORES: Final = "scores"
LOBBY: Final = "lobby"
THROUGHPUT: Final = "throughput"
STUCK: Final = "stuck"


def table_key(table: str, kind: str) -> str:
    """Key of a read model of one table: ``table``, ``standings`` or ``scores``.

    >>> table_key("p07-9f2c", "standings")
    '{p07}:view:standings:p07-9f2c'
    """
    return streams.view(streams.partition_of(table), kind, table)


def lobby_key(partition: int) -> str:
    """Hash: the tables of a partition that are not closed, each with its summary."""
    return streams.view(partition, LOBBY)


def shelf_key(partition: int, parts: tuple[str, ...]) -> str:
    """Set: ids of the tables with this state, variant, currency and stake.

    >>> shelf_key(7, ("seating", "101", "practice", "1000"))
    '{p07}:view:lobby:seating:101:practice:1000'
    """
    return streams.view(partition, LOBBY, *parts)


def throughput_key(partition: int) -> str:
    """Value: what the partition has done since its first event."""
    return streams.view(partition, THROUGHPUT)


def stuck_key(partition: int) -> str:
    """Hash: tables whose views stand still because our own code failed on an event, each with the reason."""
    return streams.view(partition, STUCK)


def values(board: Board) -> Mapping[str, bytes]:
    """The read models of one table, by key; the lobby is not among them, for closed tables leave it."""
    table = board.table.id
    return {
        table_key(table, TABLE): codec.encode(table_view(board)),
        table_key(table, STANDINGS): codec.encode(standings_view(board)),
        table_key(table, SCORES): codec.encode(score_sheet(board)),
    }


def changes(before: Board | None, after: Board) -> Iterator[Effect]:
    """What a batch has changed of one table's read models: each is written once, and only if it is another one."""
    table = after.table.id
    yield Put(table_key(table, TABLE), codec.encode(table_view(after)))
    if before is None or before.standings_v != after.standings_v:
        yield Put(table_key(table, STANDINGS), codec.encode(standings_view(after)))
    if before is None or before.scores_v != after.scores_v:
        yield Put(table_key(table, SCORES), codec.encode(score_sheet(after)))
    if before is None or before.lobby_v != after.lobby_v:
        yield from _lobby_changes(before, after)


def _lobby_changes(before: Board | None, after: Board) -> Iterator[Effect]:
    table, partition = after.table.id, streams.partition_of(after.table.id)
    old = None if before is None else shelf_key(partition, shelf(before))
    if after.table.closed:
        if old is not None:
            yield DropField(lobby_key(partition), table)
            yield Exclude(old, table)
        return
    new = shelf_key(partition, shelf(after))
    yield PutField(lobby_key(partition), table, codec.encode(lobby_entry(after)))
    if old != new:
        if old is not None:
            yield Exclude(old, table)
        yield Include(new, table)
