"""A table as everybody may see it, folded once for all the robots that sit at it."""

from collections.abc import Iterator, Mapping

from poolrummy.rules.state import Table
from poolrummy.rules.table import evolve
from poolrummy.simulator.robot import RESEND_MS, Robot
from poolrummy_contracts import events as e
from poolrummy_contracts.commands import OpenTable, PlatformCommand
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.replies import CommandRefused, ReplyMessage
from poolrummy_contracts.terms import Seat

MAY_COME_AGAIN = (Refusal.BUSY, Refusal.NO_MEMORY)


class TableRefused(Exception):
    """The platform did not open a table that the run needs."""


class Room:
    """The public state of one table, its robots, and when it last moved."""

    def __init__(
        self, table: str, robots: Mapping[Seat, Robot], *, now_ms: int, opening: OpenTable | None = None
    ) -> None:
        self.table = table
        self.robots = robots
        self.opening = opening
        self.state: Table | None = None
        self.last_event: e.TableEvent | None = None
        self.moved_ms = now_ms
        self.look_ms: int | None = now_ms
        self.places: tuple[e.Place, ...] = ()
        self._opens_again_ms = 0

    @property
    def version(self) -> int:
        """The version up to which the table is folded."""
        return 0 if self.state is None else self.state.v

    @property
    def over(self) -> bool:
        """Whether the table has had its last event."""
        return self.state is not None and self.state.closed

    def take(self, event: e.TableEvent, now_ms: int) -> None:
        """Fold the next event; the reader keeps them in order."""
        assert event.v == self.version + 1, f"{self.table}: version {event.v} after {self.version}"
        self.state = evolve(self.state, event)
        self.last_event, self.moved_ms, self.look_ms = event, now_ms, now_ms
        if isinstance(event, e.CardDrawn) and event.card is not None and event.seat in self.robots:
            self.robots[event.seat].own.took(event)
        if isinstance(event, e.MatchEnded):
            self.places = event.places

    def answered(self, reply: ReplyMessage, now_ms: int) -> int | None:
        """Hand an answer to who asked; how long that one waited, in milliseconds."""
        self.look_ms = now_ms
        if self.opening is not None and reply.command == self.opening.id:
            if isinstance(reply, CommandRefused) and reply.code not in MAY_COME_AGAIN:
                raise TableRefused(f"{self.table} was not opened: {reply.sentence}")
            return None
        for robot in self.robots.values():
            took_ms = robot.answered(reply, now_ms)
            if took_ms is not None:
                return took_ms
        return None

    def blind(self) -> list[Robot]:
        """The robots that have to read their own channel before they can go on."""
        state = self.state
        if state is None or state.deal is None:
            return []
        return [robot for robot in self.robots.values() if robot.is_blind(state)]

    def speak(self, now_ms: int) -> Iterator[PlatformCommand]:
        """What the table's robots send now; sets when to look at them again."""
        self.look_ms = None
        if self.state is None:
            yield from self._open(now_ms)
            return
        for robot in self.robots.values():
            said = robot.look(self.state, now_ms)
            if isinstance(said, int):
                self._look_at(said)
            elif said is not None:
                self._look_at(now_ms + RESEND_MS)
                yield said

    def _open(self, now_ms: int) -> Iterator[PlatformCommand]:
        """Ask for the table, again and again under the same id, until it is there."""
        if self.opening is not None and now_ms >= self._opens_again_ms:
            self._opens_again_ms = now_ms + RESEND_MS
            yield self.opening
        self._look_at(self._opens_again_ms)

    def _look_at(self, ms: int) -> None:
        self.look_ms = ms if self.look_ms is None else min(self.look_ms, ms)
