"""One robot in one seat: it looks at its table, thinks, speaks, and waits for the answer before it speaks again."""

from collections.abc import Callable
from typing import Final

import msgspec

from poolrummy.rules.state import Table
from poolrummy.simulator import choices
from poolrummy.simulator.own_cards import OwnCards
from poolrummy.simulator.styles import Style
from poolrummy.simulator.wishes import Seen, Wish
from poolrummy_contracts.commands import PlayerCommand
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.replies import CommandAccepted, CommandRefused
from poolrummy_contracts.terms import Seat

TRIES_MAX: Final = 6
"""After so many refusals at one moment a robot lets the table's clock decide."""

RESEND_MS: Final = 2500
BUSY_MS: Final = 300
REFUSED_MS: Final = 250

ThinkMs = Callable[[int], int]
"""Think time in milliseconds for a throw of the dice from 0 to 999."""


class Spoken(msgspec.Struct):
    """A command on its way: the same bytes go out again while no answer comes."""

    moment: str
    command: PlayerCommand
    first_ms: int
    again_ms: int


class Robot:
    """The will of one seat. It holds nothing that it could not read again after a restart."""

    def __init__(self, *, table: str, seat: Seat, player: str, style: Style, seed: str, think_ms: ThinkMs) -> None:
        self.table = table
        self.seat = seat
        self.player = player
        self.own = OwnCards()
        self.line_id = "0-0"
        self.spoken: Spoken | None = None
        self._style = style
        self._seed = seed
        self._think_ms = think_ms
        self._settled: set[str] = set()
        self._tries: dict[str, int] = {}
        self._thinks: tuple[str, int] = ("", 0)
        self._deal = 0
        self._rests_until_ms = 0

    def seen(self, table: Table) -> Seen:
        """The table as this robot sees it."""
        return Seen(table=table, seat=self.seat, player=self.player, own=self.own, style=self._style, seed=self._seed)

    def is_blind(self, table: Table) -> bool:
        """Whether its own channel holds a line that it has to read first."""
        return choices.waits_for_own_line(self.seen(table))

    def look(self, table: Table, now_ms: int) -> PlayerCommand | int | None:
        """The command to send now, or when to look again (ms), or nothing to do until something happens."""
        if self._deal != table.deal_number:
            self._deal, self._settled, self._tries = table.deal_number, set(), {}
        if self.spoken is not None:
            return self._again(self.spoken, now_ms)
        if now_ms < self._rests_until_ms:
            return self._rests_until_ms
        seen = self.seen(table)
        wish = next((one for one in choices.wishes(seen) if one.moment not in self._settled), None)
        if wish is None:
            return None
        if wish.command is None:
            self._settled.add(wish.moment)
            return None
        return self._think(seen, wish, wish.command, now_ms)

    def answered(self, reply: CommandAccepted | CommandRefused, now_ms: int) -> int | None:
        """Take in the answer to what was spoken; how long it took, in milliseconds."""
        spoken = self.spoken
        if spoken is None or spoken.command.id != reply.command:
            return None
        if isinstance(reply, CommandRefused) and reply.code is Refusal.BUSY:
            spoken.again_ms = now_ms + BUSY_MS
            return None
        self.spoken = None
        if isinstance(reply, CommandAccepted):
            self._settled.add(spoken.moment)
        else:
            tries = self._tries[spoken.moment] = self._tries.get(spoken.moment, 0) + 1
            self._rests_until_ms = now_ms + REFUSED_MS
            if tries >= TRIES_MAX or reply.code is Refusal.TABLE_CLOSED:
                self._settled.add(spoken.moment)
        return now_ms - spoken.first_ms

    def _think(self, seen: Seen, wish: Wish, command: PlayerCommand, now_ms: int) -> PlayerCommand | int:
        moment, ready_ms = self._thinks
        if moment != wish.moment:
            share = self._style.think_percent * wish.ease_percent
            ready_ms = now_ms + self._think_ms(seen.dice(f"{wish.moment}.think")) * share // 10_000
            self._thinks = (wish.moment, ready_ms)
        if now_ms < ready_ms:
            return ready_ms
        self._thinks = ("", 0)
        tries = self._tries.get(wish.moment, 0)
        named = f"{self.table}.{self.seat}.{wish.moment}" + (f".{tries}" if tries else "")
        command = msgspec.structs.replace(command, id=named)
        self.spoken = Spoken(wish.moment, command, now_ms, now_ms + RESEND_MS)
        return command

    def _again(self, spoken: Spoken, now_ms: int) -> PlayerCommand | int:
        if now_ms < spoken.again_ms:
            return spoken.again_ms
        spoken.again_ms = now_ms + RESEND_MS
        return spoken.command
