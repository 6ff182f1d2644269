"""A table from its opening to its close: ``decide`` says what a command leads to, ``evolve`` folds what happened."""

import msgspec

from poolrummy.rules.hidden import Hidden
from poolrummy.rules.state import Clock, Table, next_clock
from poolrummy_contracts.commands import PlatformCommand, SystemCommand
from poolrummy_contracts.events import TableEvent
from poolrummy_contracts.refusals import Refused
from poolrummy_contracts.seat_lines import SeatMessage
from poolrummy_contracts.verdicts import VerdictMessage

__all__ = ["Clock", "Decided", "Hidden", "Table", "decide", "evolve", "next_clock"]


class Decided(msgspec.Struct, frozen=True):
    """What happens: events in order, each already stamped with its version, and lines for single seats."""

    events: tuple[TableEvent, ...]
    lines: tuple[SeatMessage, ...] = ()


def decide(
    table: Table | None, command: PlatformCommand | VerdictMessage | SystemCommand, now_ms: int, hidden: Hidden
) -> Decided | Refused:
    """What the command leads to at this moment, or the first reason against it; never raises."""
    raise NotImplementedError


def evolve(table: Table | None, event: TableEvent) -> Table:
    """The table after one more event; everything that was ever recorded is accepted."""
    raise NotImplementedError
