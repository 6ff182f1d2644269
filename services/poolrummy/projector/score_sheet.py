"""The score sheet of a match: a line a deal, with who went out and who came back after it (F33: from one event)."""

import msgspec

from poolrummy.projector.board import Board, DealRow
from poolrummy_contracts.events import SeatedPlayer
from poolrummy_contracts.terms import NoneWord, Variant


class ScoreSheet(msgspec.Struct, frozen=True, kw_only=True):
    """All deals so far; ``v`` is the version of the last event that changed the sheet."""

    v: int
    table: str
    variant: Variant
    limit: int | NoneWord
    seats: tuple[SeatedPlayer, ...]
    deals: tuple[DealRow, ...]


def score_sheet(board: Board) -> ScoreSheet:
    """The score sheet of the table's match."""
    table = board.table
    seats = () if table.standings is None else table.standings.seats
    return ScoreSheet(
        v=board.scores_v,
        table=table.id,
        variant=table.terms.variant,
        limit=table.terms.limit,
        seats=tuple(SeatedPlayer(seat=one.seat, player=one.player, kind=one.kind) for one in seats),
        deals=board.rows,
    )
