"""How one decision becomes events: each is stamped, and folded at once, so that the next is decided on what is true."""

from typing import TypedDict

from poolrummy.rules import conservation
from poolrummy.rules.fold import evolve
from poolrummy.rules.hidden import Hidden
from poolrummy.rules.standings import Standings
from poolrummy.rules.state import Deal, Table
from poolrummy_contracts.cards import Position
from poolrummy_contracts.events import Actor, DealStarted, StockReshuffled, TableEvent
from poolrummy_contracts.seat_lines import GroupingSaved, PlainLine
from poolrummy_contracts.terms import Seat


class Stamp(TypedDict):
    """What every event says beside what happened."""

    v: int
    table: str
    at: int
    actor: Actor
    rule: str
    cause: str | None
    deal: int | None
    turn: int | None


class SeatStamp(TypedDict):
    """What every line of a seat's own channel says, beside whose it is."""

    table: str
    deal: int
    v: int


class Recorder:
    """The table as it changes during one decision, with the events that changed it."""

    def __init__(self, table: Table, now_ms: int, hidden: Hidden, *, actor: Actor, cause: str | None) -> None:
        self.table = table
        self.at = max(now_ms, table.at)
        self.hidden = hidden
        self.events: list[TableEvent] = []
        self.lines: list[PlainLine] = []
        self._actor: Actor = actor
        self._cause = cause
        self._dealt = False

    def record(self, event: TableEvent) -> None:
        """Take the event over; the table is what it makes of it."""
        self.table = evolve(self.table, event)
        self.events.append(event)
        if isinstance(event, DealStarted):
            self._dealt = True
        deal = self.table.deal
        if deal is None:
            return
        if isinstance(event, DealStarted | StockReshuffled):
            conservation.check_places(deal)
        else:
            conservation.check_count(deal)

    def tell(self, line: PlainLine) -> None:
        """Tell a single seat something that nobody else may see."""
        self.lines.append(line)

    def own(self, rule: str, *, cause: str | None = None) -> Stamp:
        """The stamp of what the author of the command does himself, or had asked for with the command ``cause``."""
        return self._stamp(rule, self._actor, cause or self._cause, None)

    def noted(self, rule: str, cause: str) -> Stamp:
        """The stamp of what a player had asked for before."""
        return self._stamp(rule, "player", cause, None)

    def follow(self, rule: str, *, deal: int | None = None, turn: int | None = None) -> Stamp:
        """The stamp of what follows by the rules alone; a new deal or turn brings its number."""
        stamp = self._stamp(rule, "system", self._cause, turn)
        if deal is not None:
            stamp["deal"] = deal
        return stamp

    def line(self) -> SeatStamp:
        """The stamp of a line for a single seat."""
        return {"table": self.table.id, "deal": self.table.deal_number, "v": self.table.v}

    def just_saved(self, seat: Seat) -> tuple[tuple[Position, ...], ...] | None:
        """The grouping that the seat has placed in this very decision: the keeper of secrets does not know it yet."""
        told = [line.groups for line in self.lines if isinstance(line, GroupingSaved) and line.seat == seat]
        return told[-1] if told else None

    @property
    def dealt(self) -> bool:
        """Whether a deal began in this very decision: nobody can have asked anything for it yet."""
        return self._dealt

    @property
    def deal(self) -> Deal:
        """The deal that is played."""
        assert self.table.deal is not None, f"no deal is played at version {self.table.v} of {self.table.id}"
        return self.table.deal

    @property
    def standings(self) -> Standings:
        """The standings of the match."""
        assert self.table.standings is not None, f"no match is played at version {self.table.v} of {self.table.id}"
        return self.table.standings

    def _stamp(self, rule: str, actor: Actor, cause: str | None, turn: int | None) -> Stamp:
        table = self.table
        if turn is None and table.deal is not None:
            turn = table.deal.turn or None
        return {
            "v": table.v + 1,
            "table": table.id,
            "at": self.at,
            "actor": actor,
            "rule": rule,
            "cause": cause,
            "deal": table.deal_number or None,
            "turn": turn,
        }
