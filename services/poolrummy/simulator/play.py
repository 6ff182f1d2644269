"""All tables of this process and one reader: each pulse sends what robots say and hears what the platform answers.

One round trip a pulse, whatever the number of tables; a second one only where a robot has a line of its own to read.
"""

import time
from collections.abc import Callable, Iterable, Sequence

from poolrummy.runtime.redis_calls import Calls
from poolrummy.simulator import wire
from poolrummy.simulator.robot import Robot
from poolrummy.simulator.room import Room
from poolrummy.simulator.tally import Tally
from poolrummy.simulator.wire import Cursor, Heard
from poolrummy_contracts.events import TableEvent
from poolrummy_contracts.replies import CommandRefused, ReplyMessage
from poolrummy_contracts.streams import partition_of

Listener = Callable[[Room, TableEvent], None]
"""Told of each event of this run, after it is folded."""


def clock_ms() -> int:
    """A clock for think times and paces; the game itself goes by the server's."""
    return time.monotonic_ns() // 1_000_000


class Play:
    """The rooms of this process and how far their partitions are read."""

    def __init__(self, calls: Calls, tally: Tally, on_event: Listener = lambda _room, _event: None) -> None:
        self.rooms: dict[str, Room] = {}
        self.tally = tally
        self._on_event = on_event
        self._calls = calls
        self._cursors: dict[int, Cursor] = {}
        self._outbox: list[wire.Words] = []
        self._behind: set[str] = set()

    @property
    def has_something_to_say(self) -> bool:
        """Whether the next pulse should not wait."""
        return bool(self._outbox)

    async def enter(self, rooms: Iterable[Room]) -> None:
        """Take over tables, new ones or such as are played already: cursor first, then the log, then the feed."""
        entered = {room.table: room for room in rooms}
        fresh = {partition_of(table) for table in entered} - self._cursors.keys()
        if fresh:
            self._cursors |= await wire.cursors_at_the_end(self._calls, sorted(fresh))
        self.rooms |= entered
        self._behind |= {table for table, room in entered.items() if room.opening is None}
        await self._catch_up(counted=False)

    def depart(self, table: str) -> Room:
        """Leave a table that is over."""
        return self.rooms.pop(table)

    async def pulse(self) -> None:
        """Send, hear, fold, read own lines, look."""
        sent, self._outbox = self._outbox, []
        cursors = list(self._cursors.values())
        answers = await self._calls.ask_all([*sent, *(cursor.question() for cursor in cursors)])
        now_ms = clock_ms()
        for cursor, answer in zip(cursors, answers[len(sent) :], strict=True):
            before = cursor.n
            heard, replies = cursor.answer(answer)
            self._fold(heard, before, now_ms)
            self._hear(replies, now_ms)
        await self._catch_up()
        await self._read_own_lines()
        self._look(clock_ms())

    def _fold(self, heard: Sequence[Heard], before: int, now_ms: int) -> None:
        if heard and heard[0].n != before + 1:
            # Trimmed behind our back: we are no registered consumer. The table logs have everything.
            partition = partition_of(heard[0].table)
            self._behind |= {table for table in self.rooms if partition_of(table) == partition}
        for entry in heard:
            room = self.rooms.get(entry.table)
            if room is None or entry.version <= room.version or entry.table in self._behind:
                continue
            if entry.version > room.version + 1:
                self._behind.add(entry.table)
                continue
            self._take(room, entry.event, now_ms)

    def _hear(self, replies: Sequence[ReplyMessage], now_ms: int) -> None:
        for reply in replies:
            room = self.rooms.get(reply.table)
            took_ms = None if room is None else room.answered(reply, now_ms)
            if took_ms is None:
                continue
            self.tally.answered(took_ms)
            if isinstance(reply, CommandRefused):
                self.tally.refusals[reply.code] += 1

    async def _catch_up(self, *, counted: bool = True) -> None:
        """Read the logs of tables of which something was missed; what happened before this run is not counted."""
        behind, self._behind = self._behind, set()
        for table in behind:
            room = self.rooms[table]
            for event in await wire.log_of(self._calls, table, room.version + 1):
                now_ms = clock_ms()
                if counted:
                    self._take(room, event, now_ms)
                else:
                    room.take(event, now_ms)

    def _take(self, room: Room, event: TableEvent, now_ms: int) -> None:
        room.take(event, now_ms)
        self.tally.count(event, now_ms)
        self._on_event(room, event)

    async def _read_own_lines(self) -> None:
        blind = [robot for room in self.rooms.values() if room.look_ms is not None for robot in room.blind()]
        if not blind:
            return
        questions = [wire.asking_lines(robot.table, robot.seat, robot.line_id) for robot in blind]
        for robot, answer in zip(blind, await self._calls.ask_all(questions), strict=True):
            self._tell(robot, answer)

    def _tell(self, robot: Robot, answer: object) -> None:
        lines, last = wire.seat_lines(answer)
        for line in lines:
            robot.own.told(line)
        robot.line_id = last or robot.line_id

    def _look(self, now_ms: int) -> None:
        for room in self.rooms.values():
            if room.look_ms is not None and room.look_ms <= now_ms:
                self._outbox.extend(wire.sending(command) for command in room.speak(now_ms))
