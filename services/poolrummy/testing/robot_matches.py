"""Whole matches of robots without a server: real packs, real verdicts, the bytes that a store would hold.

The dealer's own table holder records, the validator's own judge answers; only time is made up. A second of play takes
as long as its decisions take.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

import msgspec

from poolrummy.dealer.held import HeldTable, Recorded
from poolrummy.dealer.opening import Opening
from poolrummy.dealer.packs import FairPacks, PackSource
from poolrummy.dealer.vault import Vault
from poolrummy.fairness.sealing import Sealer
from poolrummy.profile_files import load_all
from poolrummy.rules import table as rules
from poolrummy.rules.state import Table, next_clock
from poolrummy.runtime.store import NewEvent
from poolrummy.simulator.robot import Robot
from poolrummy.simulator.room import Room
from poolrummy.simulator.speeds import SPEEDS
from poolrummy.simulator.styles import style_of
from poolrummy.validator.judging import count_hand, judge_show
from poolrummy_contracts import codec
from poolrummy_contracts import commands as c
from poolrummy_contracts.events import HandLaidOpen, ShowDeclared, TableEvent
from poolrummy_contracts.openings import seat_seed_commitment
from poolrummy_contracts.refusals import Refused
from poolrummy_contracts.replies import CommandAccepted, CommandRefused
from poolrummy_contracts.terms import Seat, Terms, Variant
from poolrummy_contracts.verdicts import VerdictMessage

Command = c.PlatformCommand | VerdictMessage | c.SystemCommand
NewVault = Callable[[str, Terms], Vault]

BEGAN_MS = 1_764_450_000_000
EVENTS_MAX = 100_000


class RobotMatch:
    """One table, played by robots until it closes."""

    def __init__(
        self, opening: c.OpenTable, terms: Terms, *, number: int, new_vault: NewVault, seat_seeds: bool = False
    ) -> None:
        self.table = opening.table
        self._seat_seeds = seat_seeds
        self.stored: list[NewEvent] = []
        self.events: list[TableEvent] = []
        self.opening = opening
        self.terms = self._terms = terms
        self._new_vault = new_vault
        self._held: HeldTable | None = None
        self._now_ms = BEGAN_MS + number * 1000
        self._verdicts: list[VerdictMessage] = []
        self._room = Room(opening.table, self._robots(number, terms), now_ms=self._now_ms, opening=opening)

    def play(self) -> Sequence[NewEvent]:
        """Play to the end; the stored lines with their chain hashes."""
        while not self._room.over and len(self.stored) < EVENTS_MAX:
            self._pulse()
        return self.stored

    def _robots(self, number: int, terms: Terms) -> dict[Seat, Robot]:
        speed = SPEEDS["fast"]
        return {
            seat: Robot(
                table=self.table,
                seat=seat,
                player=f"robot-{number}-{seat}",
                style=style_of(number, seat),
                seed=f"match {number}",
                think_ms=speed.think_ms,
            )
            for seat in map(Seat, range(1, terms.seats + 1))
        }

    def _pulse(self) -> None:
        moved = False
        for verdict in self._take_verdicts():
            self._do(verdict)
            moved = True
        for said in list(self._room.speak(self._now_ms)):
            self._now_ms += 3
            self._do(said)
            moved = True
        if not moved and not self._verdicts:
            self._wait()

    def _take_verdicts(self) -> Iterator[VerdictMessage]:
        waiting, self._verdicts = self._verdicts, []
        for verdict in waiting:
            self._now_ms += 7
            yield verdict

    def _wait(self) -> None:
        """Let time pass to the next look of a robot, or to the end of the running clock."""
        clock = None if self._held is None else next_clock(self._held.state)
        look_ms = self._room.look_ms
        if clock is not None and (look_ms is None or clock.ends_at <= look_ms):
            self._now_ms = max(self._now_ms, clock.ends_at)
            self._do(c.RunClock(table=self.table, deadline=clock.armed_by))
            return
        assert look_ms is not None, f"nothing happens any more at {self.table}"
        self._now_ms = max(self._now_ms + 1, look_ms)

    def _do(self, command: Command) -> None:
        if self._seat_seeds and isinstance(command, c.Sit):
            command = msgspec.structs.replace(command, seed_commitment=self._promise(command))
        decided = self._decided(command)
        recorded: Recorded = Recorded()
        reply: CommandAccepted | CommandRefused | None
        if isinstance(decided, Refused):
            reply = _refusal(command, decided)
        else:
            assert self._held is not None, "a table that decides is open"
            recorded = self._held.record(decided.events, decided.lines)
            reply = _acceptance(command, self._held.place.version)
            self.stored.extend(recorded.events)
            self.events.extend(decided.events)
            for event in decided.events:
                self._see(event)
        for line in recorded.private:
            self._room.robots[Seat(line.seat)].own.told(codec.decode_seat_line(line.payload))
        if reply is not None:
            self._room.answered(reply, self._now_ms)
        if self._seat_seeds and isinstance(command, c.Sit) and self._held is not None:
            self._reveal_if_full(self._held.state)

    def _promise(self, command: c.Sit) -> str:
        seed = _seat_seed(command.seat)
        return seat_seed_commitment(table=self.table, seat=command.seat, player=command.player, seed=seed)

    def _reveal_if_full(self, state: Table) -> None:
        """Every seat but the last lays its seed open; the last one keeps nobody waiting longer than it may."""
        if len(state.chairs) < state.terms.seats or state.started:
            return
        for chair in state.chairs[:-1]:
            who = {"id": f"{self.table}.{chair.seat}.seed", "table": self.table, "player": chair.player}
            self._do(c.RevealSeed(**who, seat=chair.seat, seed=_seat_seed(chair.seat).hex()))

    def _decided(self, command: Command) -> rules.Decided | Refused:
        if self._held is None:
            assert isinstance(command, c.OpenTable), "a match begins with its table"
            vault = self._new_vault(self.table, self._terms)
            opened = msgspec.structs.replace(command, terms=self._terms)
            self._held = HeldTable(self.table, vault)
            return rules.decide(None, opened, self._now_ms, vault)
        return rules.decide(self._held.state, command, self._now_ms, self._held.vault)

    def _see(self, event: TableEvent) -> None:
        self._room.take(event, self._now_ms)
        if isinstance(event, ShowDeclared):
            self._verdicts.append(judge_show(event, self._terms))
        if isinstance(event, HandLaidOpen):
            self._verdicts.append(count_hand(event, self._terms))


def robot_match(  # noqa: PLR0913 - what a test may want of a match
    number: int,
    sealer: Sealer,
    *,
    seats: int = 6,
    variant: Variant = "101",
    profile: str = "house",
    source: PackSource | None = None,
    overrides: dict[str, c.SettingValue] | None = None,
    seat_seeds: bool = False,
    software: str | None = None,
) -> RobotMatch:
    """A match by its number: the same robots in the same mood; packs come from the source."""
    table = f"p{number % 16:02d}-robots-{number}"
    opening = c.OpenTable(
        id=f"{table}.open",
        table=table,
        profile=profile,
        variant=variant,
        seats=seats,
        entry_fee=10_000,
        currency="practice",
        rake_bp=0,
        rejoin_payment="none",
        overrides={**SPEEDS["fast"].overrides, **(overrides or {})},
    )
    terms = Opening(load_all(), money=False).terms_of(opening)
    assert isinstance(terms, Terms), terms
    packs = FairPacks() if source is None else source

    def new_vault(name: str, of: Terms) -> Vault:
        return Vault(name, of, source=packs, sealer=sealer, software=software)

    return RobotMatch(opening, terms, number=number, new_vault=new_vault, seat_seeds=seat_seeds)


def _seat_seed(seat: Seat) -> bytes:
    return sha256(f"the seed of seat {seat}".encode()).digest()


def _refusal(command: Command, refused: Refused) -> CommandRefused | None:
    if not isinstance(command, c.PlatformCommand):
        return None
    return CommandRefused(command=command.id, table=command.table, v=0, code=refused.refusal, sentence=refused.sentence)


def _acceptance(command: Command, version: int) -> CommandAccepted | None:
    if not isinstance(command, c.PlatformCommand):
        return None
    return CommandAccepted(command=command.id, table=command.table, v=version)
