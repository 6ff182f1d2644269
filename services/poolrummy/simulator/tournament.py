"""Pool after pool on so many tables at once: opens tables, seats robots, keeps what came of it, sees what is stuck."""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from poolrummy.rules.state import Table, next_clock
from poolrummy.simulator.names import PREFIX, player_in
from poolrummy.simulator.play import Play, clock_ms
from poolrummy.simulator.robot import Robot
from poolrummy.simulator.room import Room
from poolrummy.simulator.speeds import Speed
from poolrummy.simulator.styles import style_of
from poolrummy_contracts.commands import OpenTable
from poolrummy_contracts.events import Place
from poolrummy_contracts.terms import Seat, Variant

SLACK_MS: Final = 25_000
"""Beyond its clocks a table may stand still so long: a killed process has to be replaced."""

_OURS: Final = re.compile(r"p\d+-(?P<run>[a-z0-9]+)-(?P<pool>\d+)")


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played."""

    tables: int
    seats: int
    variant: Variant
    profile: str
    pools: int | None
    """How many pools; None: as many as begin within the duration."""
    duration_ms: int | None
    speed: Speed
    seed: str
    entry_fee: int = 10_000


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """A table that is over."""

    table: str
    deals: int
    places: tuple[Place, ...]
    """Empty where the match was void."""


class Stuck(msgspec.Struct, frozen=True, kw_only=True):
    """A table that stands still although its clocks do not allow it."""

    table: str
    phase: str
    version: int
    last_event: str
    still_ms: int
    allowed_ms: int

    @property
    def sentence(self) -> str:
        """What a person reads."""
        return (
            f"{self.table} is stuck: phase {self.phase}, last event {self.last_event} (version {self.version}), "
            f"nothing for {self.still_ms} ms where {self.allowed_ms} ms are allowed"
        )


class Tournament:
    """All pools of one run."""

    def __init__(self, play: Play, plan: Plan, *, run: str, partitions: int) -> None:
        self.finished: list[Finished] = []
        self.resumed: list[str] = []
        self.opened = 0
        self._numbered = 0
        """Highest pool number of the tables of earlier runs: new ones are numbered on from it."""
        self._play = play
        self._plan = plan
        self._run = run
        self._partitions = partitions
        self._began_ms = clock_ms()

    @property
    def done(self) -> bool:
        """Whether everything that was to be played is over."""
        return not self._play.rooms and not self._more

    @property
    def target(self) -> int | None:
        """How many tables this run plays to their end, those of a run before it included; None: until time is up."""
        return None if self._plan.pools is None else self._plan.pools + len(self.resumed)

    async def resume(self, tables: Sequence[str]) -> list[str]:
        """Go on with tables that robots of an earlier run left behind; which ones."""
        found = [(table, parts) for table in tables if (parts := _OURS.fullmatch(table)) is not None]
        await self._play.enter(self._room(table, int(parts["pool"]), seats=6) for table, parts in found)
        for table, parts in found:
            room = self._play.rooms[table]
            if room.state is None or room.state.frozen or room.over or not _only_robots(room.state):
                self._play.depart(table)
                continue
            seats = room.state.terms.seats
            room.robots = {seat: robot for seat, robot in room.robots.items() if seat <= seats}
            self.resumed.append(table)
            self._numbered = max(self._numbered, int(parts["pool"]))
        return self.resumed

    async def step(self) -> None:
        """Open what may be opened, play a pulse, take away what is over."""
        if self._more and len(self._play.rooms) < self._plan.tables:
            wanted = self._plan.tables - len(self._play.rooms)
            left = wanted if self._plan.pools is None else min(wanted, self._plan.pools - self.opened)
            await self._play.enter([self._opened() for _ in range(left)])
        await self._play.pulse()
        for table in [room.table for room in self._play.rooms.values() if room.over]:
            room = self._play.depart(table)
            deals = room.state.deal_number if room.state else 0
            self.finished.append(Finished(table=table, deals=deals, places=room.places))

    def stuck(self) -> list[Stuck]:
        """Tables that stand still for longer than their clocks allow, and such as are frozen."""
        now_ms = clock_ms()
        return [found for room in self._play.rooms.values() if (found := _stuck(room, now_ms)) is not None]

    @property
    def _more(self) -> bool:
        in_time = self._plan.duration_ms is None or clock_ms() - self._began_ms < self._plan.duration_ms
        return in_time and (self._plan.pools is None or self.opened < self._plan.pools)

    def _opened(self) -> Room:
        self.opened += 1
        plan, pool = self._plan, self.opened + self._numbered
        table = f"p{(pool - 1) % self._partitions:02d}-{self._run}-{pool:04d}"
        return self._room(table, pool, seats=plan.seats, opening=opening_of(plan, table))

    def _room(self, table: str, pool: int, *, seats: int, opening: OpenTable | None = None) -> Room:
        robots = self._robots(table, pool, seats)
        return Room(table, robots, now_ms=clock_ms(), opening=opening)

    def _robots(self, table: str, pool: int, seats: int) -> dict[Seat, Robot]:
        return {
            seat: Robot(
                table=table,
                seat=seat,
                player=player_in(pool, seat),
                style=style_of(pool, seat),
                seed=f"{self._plan.seed}:{pool}",
                think_ms=self._plan.speed.think_ms,
            )
            for seat in map(Seat, range(1, seats + 1))
        }


def opening_of(plan: Plan, table: str) -> OpenTable:
    """The command that opens a table of this plan."""
    return OpenTable(
        id=f"{table}.open",
        table=table,
        profile=plan.profile,
        variant=plan.variant,
        seats=plan.seats,
        entry_fee=plan.entry_fee,
        currency="practice",
        rake_bp=0,
        rejoin_payment="none",
        overrides=plan.speed.overrides,
    )


def _only_robots(state: Table) -> bool:
    return all(chair.kind == "robot" and chair.player.startswith(PREFIX) for chair in state.chairs)


def _stuck(room: Room, now_ms: int) -> Stuck | None:
    state = room.state
    clock = None if state is None else next_clock(state)
    allowed_ms = SLACK_MS + (0 if clock is None or state is None else max(clock.ends_at - state.at, 0))
    if state is not None and state.frozen:
        allowed_ms = 0
    still_ms = now_ms - room.moved_ms
    if still_ms <= allowed_ms:
        return None
    return Stuck(
        table=room.table,
        phase="not opened" if state is None else ("frozen in " if state.frozen else "") + state.phase,
        version=room.version,
        last_event="none" if room.last_event is None else str(room.last_event.__struct_config__.tag),
        still_ms=still_ms,
        allowed_ms=allowed_ms,
    )
