"""What the projector remembers of one table: the table itself, and what people look back at once it has gone on.

Pure, and foldable from the log alone: the same events give the same board, whoever folds them and in whatever pieces.
"""

from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from poolrummy.rules import fold as rules
from poolrummy.rules.state import Table
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Card
from poolrummy_contracts.terms import Seat
from poolrummy_contracts.verdicts import ShowReason

CardGroups = tuple[tuple[Card, ...], ...]


class Show(msgspec.Struct, frozen=True, kw_only=True):
    """The last show of a table: what lay open, and the verdict once there is one (rule 6.2)."""

    v: int
    deal: int
    seat: Seat
    groups: CardGroups
    valid: bool | None = None
    reason: ShowReason | None = None
    points: int = 0
    """What a wrong show cost."""


class Comeback(msgspec.Struct, frozen=True, kw_only=True):
    """A rejoin after a deal: the score it gave and its price (rule 10.3)."""

    seat: Seat
    score: int
    price: int


class DealRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the score sheet: a deal that was scored or is void, and who went out and came back after it."""

    deal: int
    v: int
    at: int
    how: e.DealEnd | Literal["void"]
    winner: Seat | None = None
    scores: tuple[e.SeatScore, ...] = ()
    reason: str | None = None
    """Why the deal is void."""
    eliminated: tuple[Seat, ...] = ()
    left: tuple[Seat, ...] = ()
    """Who left before the next deal."""
    rejoins: tuple[Comeback, ...] = ()


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """One table as the projector holds it. Each ``…_v`` is the version of the last event that such a view shows."""

    table: Table
    opened_at: int
    started_at: int | None = None
    lobby_v: int = 1
    standings_v: int = 1
    scores_v: int = 1
    rows: tuple[DealRow, ...] = ()
    show: Show | None = None
    places: tuple[e.Place, ...] = ()
    how: e.MatchEnd | Literal["void"] | None = None
    """How the match ended, once it has."""


def evolve(board: Board | None, event: e.TableEvent) -> Board:
    """The board after one more event."""
    table = rules.evolve(None if board is None else board.table, event)
    if board is None:
        return Board(table=table, opened_at=event.at)
    kind = type(event)
    after = replace(
        board,
        table=table,
        lobby_v=event.v if kind in _IN_LOBBY else board.lobby_v,
        standings_v=event.v if kind in _IN_STANDINGS else board.standings_v,
        scores_v=event.v if kind in _IN_SCORES else board.scores_v,
    )
    return _noted(after, event) if kind in _NOTED else after


def _noted(board: Board, event: e.TableEvent) -> Board:  # noqa: C901, PLR0911 - one line an event
    match event:
        case e.MatchStarted():
            return replace(board, started_at=event.at)
        case e.ShowDeclared():
            groups = tuple(tuple(shown.card for shown in group) for group in event.groups)
            deal = board.table.deal_number
            return replace(board, show=Show(v=event.v, deal=deal, seat=event.seat, groups=groups))
        case e.ShowJudged():
            return replace(board, show=_judged(board.show, event))
        case e.ShowForfeited():
            return replace(board, show=_forfeited(event, board.table.deal_number))
        case e.DealScored():
            row = DealRow(
                deal=board.table.deal_number,
                v=event.v,
                at=event.at,
                how=event.how,
                winner=event.winner,
                scores=event.scores,
            )
            return replace(board, rows=(*board.rows, row))
        case e.DealVoided():
            row = DealRow(deal=board.table.deal_number, v=event.v, at=event.at, how="void", reason=event.reason)
            return replace(board, rows=(*board.rows, row))
        case e.SeatEliminated():
            return _in_last_row(board, eliminated=event.seat)
        case e.SeatForfeited():
            # Who leaves in the middle of a deal stands in that deal's own line, once it is scored.
            return board if board.table.deal is not None else _in_last_row(board, left=event.seat)
        case e.RejoinGranted():
            back = Comeback(seat=event.seat, score=event.score, price=event.price)
            return _in_last_row(board, back=back)
        case e.MatchEnded():
            return replace(board, how=event.how, places=event.places)
        case e.MatchVoided():
            return replace(board, how="void")
        case _:
            raise AssertionError(f"{type(event).__name__} is noted, and nobody says how")


def _judged(show: Show | None, event: e.ShowJudged) -> Show | None:
    assert show is not None, f"version {event.v} judges a show that was never declared"
    return replace(show, valid=event.valid, reason=event.reason, points=event.points)


def _forfeited(event: e.ShowForfeited, deal: int) -> Show:
    return Show(
        v=event.v,
        deal=deal,
        seat=event.seat,
        groups=(),
        valid=False,
        reason="not_declared_in_time",
        points=event.points,
    )


def _in_last_row(
    board: Board, *, eliminated: Seat | None = None, left: Seat | None = None, back: Comeback | None = None
) -> Board:
    """Who goes out or comes back stands in the line of the deal after which it happened."""
    if not board.rows:  # before the first deal is over there is no line, and nobody but a leaver to note
        return board
    row = board.rows[-1]
    row = replace(
        row,
        eliminated=row.eliminated if eliminated is None else (*row.eliminated, eliminated),
        left=row.left if left is None else (*row.left, left),
        rejoins=row.rejoins if back is None else (*row.rejoins, back),
    )
    return replace(board, rows=(*board.rows[:-1], row))


_IN_SCORES: Final = frozenset(
    {e.MatchStarted, e.DealScored, e.DealVoided, e.SeatEliminated, e.SeatForfeited, e.RejoinGranted, e.MatchEnded}
)
_IN_STANDINGS: Final = frozenset(
    {
        *_IN_SCORES,
        e.SeatTaken,
        e.SeatVacated,
        e.DealStarted,
        e.RejoinOffered,
        e.RejoinAsked,
        e.RejoinQueued,
        e.RejoinDeclined,
        e.RejoinClosed,
        e.MatchVoided,
    }
)
_IN_LOBBY: Final = frozenset(
    {
        e.SeatTaken,
        e.SeatVacated,
        e.StartScheduled,
        e.StartCancelled,
        e.MatchStarted,
        e.DealStarted,
        e.MatchEnded,
        e.MatchVoided,
        e.TableClosed,
        e.TableFrozen,
        e.TableUnfrozen,
        e.ClocksShifted,
    }
)
_NOTED: Final = frozenset(
    {
        e.MatchStarted,
        e.ShowDeclared,
        e.ShowJudged,
        e.ShowForfeited,
        e.DealScored,
        e.DealVoided,
        e.SeatEliminated,
        e.SeatForfeited,
        e.RejoinGranted,
        e.MatchEnded,
        e.MatchVoided,
    }
)
