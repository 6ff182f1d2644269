"""What a robot wants at a moment of its table: a command, or to let the moment pass.

A moment is named by what the table says (deal, turn, window), never by a clock or a count of looks. It seeds the
dice and names the command, so a robot that starts again makes the same choice under the same command id.
"""

from hashlib import blake2b
from typing import Final

import msgspec

from poolrummy.rules.state import Deal, DealSeat, Table
from poolrummy.simulator.own_cards import OwnCards
from poolrummy.simulator.styles import Style
from poolrummy_contracts.commands import PlayerCommand
from poolrummy_contracts.terms import Seat

UNNAMED: Final = "-"
"""The id of a command that is only wished for; the robot names it when it speaks."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What to do at a moment; without a command the robot lets the moment pass."""

    moment: str
    command: PlayerCommand | None
    ease_percent: int = 100
    """Share of a usual think time that this takes."""


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """All that a robot goes by: the public table, its own cards, its style, the seed of the run."""

    table: Table
    seat: Seat
    player: str
    own: OwnCards
    style: Style
    seed: str

    def dice(self, moment: str) -> int:
        """A throw from 0 to 999 of this seat at this moment: the same one, however often it is thrown."""
        thrown = blake2b(f"{self.seed}:{self.seat}:{moment}".encode(), digest_size=6).digest()
        return int.from_bytes(thrown) % 1000

    def happens(self, moment: str, permille: int) -> bool:
        """Whether something happens now that does so many times in a thousand."""
        return permille > 0 and self.dice(moment) < permille

    @property
    def deal(self) -> Deal:
        """The deal that is played."""
        assert self.table.deal is not None, f"no deal is played at {self.table.id}"
        return self.table.deal

    @property
    def mine(self) -> DealSeat | None:
        """This seat in the running deal; None where it was not dealt in."""
        return None if self.table.deal is None else self.table.deal.of(self.seat)

    @property
    def absent(self) -> bool:
        """Whether the player said to be away."""
        chair = self.table.chair(self.seat)
        return chair is not None and chair.away
