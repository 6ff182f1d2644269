"""The steps of a table's story: version, time, seat, who acted, which card, how many are left, which rule (F86)."""

import msgspec

from poolrummy.audit.sentences import sentence
from poolrummy.audit.wording import Names
from poolrummy.rules.state import Table
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Card
from poolrummy_contracts.terms import Seat


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One event as a person reads it. ``cards_left`` is what the seat holds after it."""

    v: int
    at: int
    deal: int
    turn: int
    seat: Seat | None
    player: str | None
    actor: e.Actor
    type: str
    card: Card | None
    cards_left: int | None
    rule: str
    cause: str | None
    text: str


class Teller:
    """Tells the events of one table in order; it remembers who sits where, also once a seat is empty again."""

    def __init__(self) -> None:
        self._players: dict[Seat, str] = {}

    def step(self, table: Table, event: e.TableEvent) -> Step:
        """What this event says; ``table`` is as the event leaves it."""
        self._players |= {chair.seat: chair.player for chair in table.chairs}
        seat: Seat | None = getattr(event, "seat", None)
        dealt_in = None if table.deal is None or seat is None else table.deal.of(seat)
        return Step(
            v=event.v,
            at=event.at,
            deal=event.deal or table.deal_number,
            turn=event.turn or 0,
            seat=seat,
            player=None if seat is None else self._players.get(seat),
            actor=event.actor,
            type=str(event.__struct_config__.tag),
            card=getattr(event, "card", None),
            cards_left=None if dealt_in is None else len(dealt_in.hand),
            rule=event.rule,
            cause=event.cause,
            text=sentence(event, Names(self._players, table.terms.currency)),
        )
