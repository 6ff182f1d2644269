"""The standings of a match: who has what, who is close to the limit, who is out, and what is at stake (chapter 9)."""

from typing import Literal

import msgspec

from poolrummy.projector.board import Board
from poolrummy.projector.windows import rejoin_offers
from poolrummy.rules.standings import SeatStanding, drops_left, headroom
from poolrummy.rules.state import Table
from poolrummy_contracts.events import MatchEnd, Place, RejoinOffer, SeatKind
from poolrummy_contracts.terms import NoneWord, Seat, Terms, Variant

MatchState = Literal["seating", "playing", "ended", "voided"]
State = Literal["seated", "playing", "eliminated", "left", "won", "lost"]


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """What a rejoin would give and cost now."""

    score: int
    price: int


class SeatStands(msgspec.Struct, frozen=True, kw_only=True):
    """A seat in the match. Headroom is what it can still take and be in; absent where there is no limit (rule 9.3).

    ``won`` and ``lost`` are said at the end of those who were still in; place and prize are absent until then.
    """

    seat: Seat
    player: str
    kind: SeatKind
    total: int
    headroom: int | None
    drops_left: int
    state: State
    rejoins: int
    rejoin: Offer | None
    place: int | None
    prize: int | None


class StandingsView(msgspec.Struct, frozen=True, kw_only=True):
    """The standings; ``v`` is the version of the last event that changed them, later ones left them as they are."""

    v: int
    table: str
    state: MatchState
    how: MatchEnd | Literal["void"] | None
    variant: Variant
    limit: int | NoneWord
    currency: str
    entry_fee: int
    prize_pool: int
    deal: int
    scored: int
    seats: tuple[SeatStands, ...]


def standings_view(board: Board) -> StandingsView:
    """The standings of the table's match."""
    table, terms, standings = board.table, board.table.terms, board.table.standings
    return StandingsView(
        v=board.standings_v,
        table=table.id,
        state=_match_state(board),
        how=board.how,
        variant=terms.variant,
        limit=terms.limit,
        currency=terms.currency,
        entry_fee=terms.entry_fee,
        prize_pool=0 if standings is None else standings.prize_pool,
        deal=0 if standings is None else standings.deal,
        scored=0 if standings is None else standings.scored,
        seats=_before(table, terms) if standings is None else _in_match(board, standings.seats),
    )


def _match_state(board: Board) -> MatchState:
    if board.how is not None:
        return "voided" if board.how == "void" else "ended"
    return "playing" if board.table.started else "seating"


def _before(table: Table, terms: Terms) -> tuple[SeatStands, ...]:
    return tuple(
        SeatStands(
            seat=chair.seat,
            player=chair.player,
            kind=chair.kind,
            total=0,
            headroom=headroom(0, terms),
            drops_left=drops_left(0, terms),
            state="seated",
            rejoins=0,
            rejoin=None,
            place=None,
            prize=None,
        )
        for chair in table.chairs
    )


def _in_match(board: Board, seats: tuple[SeatStanding, ...]) -> tuple[SeatStands, ...]:
    offers = {offer.seat: offer for offer in rejoin_offers(board.table)}
    places = {place.seat: place for place in board.places}
    return tuple(_stands(board, one, offers.get(one.seat), places.get(one.seat)) for one in seats)


def _stands(board: Board, one: SeatStanding, offer: RejoinOffer | None, place: Place | None) -> SeatStands:
    terms, is_in = board.table.terms, one.state == "playing"
    room = headroom(one.total, terms)
    return SeatStands(
        seat=one.seat,
        player=one.player,
        kind=one.kind,
        total=one.total,
        headroom=room if is_in or room is None else 0,
        drops_left=drops_left(one.total, terms) if is_in else 0,
        state=_state(board, one, place),
        rejoins=one.rejoins,
        rejoin=None if offer is None else Offer(score=offer.score, price=offer.price),
        place=None if place is None else place.place,
        prize=None if place is None else place.prize,
    )


def _state(board: Board, one: SeatStanding, place: Place | None) -> State:
    """Who shares a split has won, whatever the place; else who is first has (rules 11.2 and 12.1)."""
    if place is None:
        return one.state
    if place.place == 1 or (board.how in ("split", "auto-split") and one.state == "playing"):
        return "won"
    return "lost" if one.state == "playing" else one.state
