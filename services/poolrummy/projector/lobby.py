"""The lobby: the tables that are not closed, and which of them are alike in state, stake and variant."""

from typing import Literal

import msgspec

from poolrummy.projector.board import Board
from poolrummy_contracts.terms import Variant

LobbyState = Literal["seating", "starting", "playing", "frozen", "ended", "voided"]


class LobbyEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A table in the lobby; ``v`` is the version of the last event that changed this entry."""

    v: int
    table: str
    state: LobbyState
    variant: Variant
    profile: str
    currency: str
    entry_fee: int
    seats: int
    taken: int
    robots: int
    deal: int
    opened_at: int
    started_at: int | None
    waits_until: int | None
    """Before the match: when it starts, or when the table is void for lack of players."""


def lobby_entry(board: Board) -> LobbyEntry:
    """The table as the lobby lists it."""
    table, terms = board.table, board.table.terms
    waits = table.phase in ("seating", "starting") and table.clock is not None
    return LobbyEntry(
        v=board.lobby_v,
        table=table.id,
        state=lobby_state(board),
        variant=terms.variant,
        profile=terms.profile,
        currency=terms.currency,
        entry_fee=terms.entry_fee,
        seats=terms.seats,
        taken=len(table.chairs),
        robots=sum(chair.kind == "robot" for chair in table.chairs),
        deal=table.deal_number,
        opened_at=board.opened_at,
        started_at=board.started_at,
        waits_until=table.clock.ends_at if waits and table.clock is not None else None,
    )


def lobby_state(board: Board) -> LobbyState:
    """What a player asks of a lobby: can I sit, do they play, is it over."""
    table = board.table
    if table.frozen:
        return "frozen"
    if table.phase in ("seating", "starting", "ended", "voided"):
        return table.phase
    return "playing"


def shelf(board: Board) -> tuple[str, ...]:
    """What the table is alike in with others: state, variant, currency and stake, the parts of a set's key."""
    terms = board.table.terms
    return (lobby_state(board), terms.variant, terms.currency, str(terms.entry_fee))
