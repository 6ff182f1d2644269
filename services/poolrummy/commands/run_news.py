"""The last things that happened at the tables of a run, in a sentence each."""

from collections import deque
from typing import Final

from poolrummy.simulator.names import short
from poolrummy.simulator.room import Room
from poolrummy.simulator.tournament import Finished
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat

LINES_KEPT: Final = 12


class News:
    """A ticker: it remembers a few lines and forgets the rest."""

    def __init__(self) -> None:
        self.lines: deque[str] = deque(maxlen=LINES_KEPT)

    def say(self, line: str) -> None:
        """Add a line that is not about a table."""
        self.lines.append(line)

    def hear(self, room: Room, event: e.TableEvent) -> None:
        """Add a line where the event is worth one."""
        said = _sentence(room, event)
        if said:
            self.lines.append(f"{number(room.table)}  {said}")


def number(table: str) -> str:
    """What a table of a run is called for short: the number of its pool.

    >>> number("p07-r1a2b3-0012")
    '0012'
    """
    return table.rpartition("-")[2]


def result(one: Finished) -> str:
    """How a pool ended, in a line."""
    if not one.places:
        return f"{number(one.table)}  void after {one.deals} deals"
    winners = ", ".join(f"{short(place.player)} {place.prize / 100:,.2f}" for place in one.places if place.prize)
    others = ", ".join(short(place.player) for place in one.places if not place.prize)
    return f"{number(one.table)}  {one.deals} deals: {winners}" + (f", then {others}" if others else "")


def _sentence(room: Room, event: e.TableEvent) -> str:  # noqa: PLR0911 - one return an event that is news
    match event:
        case e.ShowJudged(valid=True):
            return f"{_name(room, event.seat)} shows and wins deal {event.deal}"
        case e.ShowJudged():
            return f"{_name(room, event.seat)} shows wrongly ({event.reason.replace('_', ' ')}): {event.points} points"
        case e.SeatEliminated():
            return f"{_name(room, event.seat)} is out with {event.total}"
        case e.RejoinGranted():
            return f"{_name(room, event.seat)} comes back on {event.score}"
        case e.SplitAgreed():
            shares = ", ".join(f"{_name(room, part.seat)} {part.amount / 100:,.2f}" for part in event.amounts)
            return f"the prize is split: {shares}"
        case e.SeatForfeited():
            return f"{_name(room, event.seat)} leaves the match"
        case e.MatchEnded():
            first = event.places[0]
            return f"{short(first.player)} wins the pool: {first.prize / 100:,.2f}"
        case e.MatchVoided() | e.DealVoided() | e.TableFrozen():
            return f"{event.__struct_config__.tag}: {event.reason}"
        case _:
            return ""


def _name(room: Room, seat: Seat) -> str:
    chair = None if room.state is None else room.state.chair(seat)
    return f"seat {seat}" if chair is None else short(chair.player)
