"""The public state of a table: what a gateway needs to resume a screen, and then follows the feed from ``v`` on.

Nothing hidden stands in it: hands are counts, the stock is a count, and of the open pile everybody has seen every card.
"""

from typing import Literal

import msgspec

from poolrummy.projector.board import Board, DealRow, Show
from poolrummy.projector.windows import RejoinNow, SplitNow, rejoin_now, split_now
from poolrummy.rules.standings import SeatState
from poolrummy.rules.state import ClockName, Deal, Phase, Standing, Table
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Card
from poolrummy_contracts.terms import Seat, Variant


class InDeal(msgspec.Struct, frozen=True, kw_only=True):
    """A seat in the running deal: how many cards, whether it still plays, and points that are fixed already."""

    cards: int
    standing: Standing
    dropped: e.DropKind | None
    points: int
    misses: int


class SeatNow(msgspec.Struct, frozen=True, kw_only=True):
    """A taken seat; ``total`` and ``state`` are absent before the match, ``deal`` where it was not dealt in."""

    seat: Seat
    player: str
    kind: e.SeatKind
    away: bool
    total: int | None
    state: SeatState | None
    bank_ms: int
    deal: InDeal | None


class DealNow(msgspec.Struct, frozen=True, kw_only=True):
    """The running deal. ``pile`` is the open pile, its top last, and ``open`` that top with its place in the pack."""

    number: int
    order: tuple[Seat, ...]
    dealer: Seat
    turn: int
    on_turn: Seat | None
    drawn: Literal["stock", "open"] | None
    wild: e.ShownCard
    wild_rank: str
    open: e.ShownCard | None
    pile: tuple[Card, ...]
    pile_size: int
    stock_size: int
    generation: int
    finisher: Seat | None
    winner: Seat | None
    waiting: tuple[Seat, ...]
    """Seats that have not laid out their hands after a valid show."""


class ClockNow(msgspec.Struct, frozen=True, kw_only=True):
    """The deadline that runs: until ``ends_at``, and then as long as the time bank of the seat on turn lasts."""

    what: ClockName
    ends_at: int
    bank_ms: int


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table at version ``v``, as everybody may see it."""

    v: int
    table: str
    at: int
    variant: Variant
    profile: str
    edition: int
    phase: Phase
    frozen: bool
    seats: tuple[SeatNow, ...]
    order: tuple[Seat, ...]
    deal_number: int
    deal: DealNow | None
    clock: ClockNow | None
    rejoin: RejoinNow | None
    split: SplitNow | None
    last_show: Show | None
    last_deal: DealRow | None


def table_view(board: Board) -> TableView:
    """The public state of the table."""
    table = board.table
    clock = table.clock
    return TableView(
        v=table.v,
        table=table.id,
        at=table.at,
        variant=table.terms.variant,
        profile=table.terms.profile,
        edition=table.edition,
        phase=table.phase,
        frozen=table.frozen,
        seats=_seats(table),
        order=table.order,
        deal_number=table.deal_number,
        deal=None if table.deal is None else _deal(table.deal),
        clock=None if clock is None else ClockNow(what=clock.what, ends_at=clock.ends_at, bank_ms=clock.bank_ms),
        rejoin=rejoin_now(table),
        split=split_now(table),
        last_show=board.show,
        last_deal=board.rows[-1] if board.rows else None,
    )


def _seats(table: Table) -> tuple[SeatNow, ...]:
    standings = {} if table.standings is None else {one.seat: one for one in table.standings.seats}
    return tuple(
        SeatNow(
            seat=chair.seat,
            player=chair.player,
            kind=chair.kind,
            away=chair.away,
            total=standings[chair.seat].total if chair.seat in standings else None,
            state=standings[chair.seat].state if chair.seat in standings else None,
            bank_ms=table.bank_ms(chair.seat),
            deal=None if table.deal is None else _in_deal(table.deal, chair.seat),
        )
        for chair in table.chairs
    )


def _in_deal(deal: Deal, seat: Seat) -> InDeal | None:
    one = deal.of(seat)
    if one is None:
        return None
    return InDeal(cards=len(one.hand), standing=one.standing, dropped=one.kind, points=one.points, misses=one.misses)


def _deal(deal: Deal) -> DealNow:
    return DealNow(
        number=deal.number,
        order=deal.order,
        dealer=deal.dealer,
        turn=deal.turn,
        on_turn=deal.on_turn,
        drawn=None if deal.drawn is None else deal.drawn.source,
        wild=deal.wild,
        wild_rank=deal.wild_rank,
        open=deal.pile[-1] if deal.pile else None,
        pile=tuple(shown.card for shown in deal.pile),
        pile_size=len(deal.pile),
        stock_size=len(deal.stock),
        generation=deal.generation,
        finisher=deal.finisher,
        winner=deal.winner,
        waiting=deal.waiting,
    )
