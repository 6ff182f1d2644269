"""Whole robot matches with everything that can come in between, by their number: the same match every time.

Profiles, variants, numbers of seats, fees and rake, lots for seats, seeds of seats, short batches of seeds; players who
leave, are away, and come back; operators who freeze, void deals and matches; pauses of the platform.
"""

from functools import cache
from random import Random
from typing import Final

from msgspec.structs import replace

from poolrummy.audit.evidence import Evidence
from poolrummy.dealer.seed_keeper import SeedKeeper
from poolrummy.dealer.vault import Vault
from poolrummy.keeping.checkpoint_folder import kept
from poolrummy.testing.robot_matches import Command, RobotMatch, robot_match
from poolrummy_contracts import commands as c
from poolrummy_contracts.events import SeatTaken
from poolrummy_contracts.replies import CommandAccepted
from poolrummy_contracts.terms import Seat, Terms

from .signed_matches import SEALER, SeededPacks, notarised, of_lines

PROFILES: Final = ("house", "house", "house", "classic", "deccan", "rummypassion", "scorekeeper")
VARIANTS: Final = {"house": ("51", "61", "101", "201", "best_of_3"), "classic": ("101", "201", "best_of_3")}
EVERY: Final = 120
"""About so many beats of the match lie between two disturbances."""


class DisturbedMatch(RobotMatch):
    """Robots who play on, whatever happens around them."""

    dice: Random
    lots: bool

    def _pulse(self) -> None:
        if self._held is not None and not self._held.state.closed and self.dice.randrange(EVERY) == 0:
            self._disturb()
        if not self._room.over:
            super()._pulse()

    def _disturb(self) -> None:
        assert self._held is not None, "the table is open"
        state, dice = self._held.state, self.dice
        chair = dice.choice(state.chairs) if state.chairs else None
        named = {"id": f"{self.table}.x{len(self.events)}", "table": self.table}
        operator = {**named, "operator": "meera", "reason": "a complaint"}
        act = dice.choices(("pause", "freeze", "away", "leave", "void deal", "void match"), (8, 4, 4, 2, 3, 0.2))[0]
        if act == "pause":
            pause_ms = dice.randrange(1, 60_000)
            self._now_ms += pause_ms
            self._do(c.ShiftClocks(table=self.table, ms=pause_ms, reason="the partition had no dealer"))
        elif act == "freeze":
            self._do(c.FreezeTable(**operator))
            self._now_ms += dice.randrange(1, 60_000)
            self._do(c.UnfreezeTable(**operator | {"id": f"{named['id']}.u"}))
        elif act == "void deal":
            self._do(c.VoidDeal(**operator))
        elif act == "void match":
            self._do(c.VoidMatch(**operator))
        elif chair is not None:
            kind = c.Leave if act == "leave" else c.SetBack if chair.away else c.SetAway
            self._do(kind(**named, player=chair.player, seat=chair.seat))

    def _do(self, command: Command) -> None:
        if not (self.lots and isinstance(command, c.Sit)):
            super()._do(command)
            return
        before = len(self.events)
        named = f"{self.table}.{command.player}.sit"
        super()._do(c.Sit(id=named, table=self.table, player=command.player, seat=Seat(0), kind=command.kind))
        self._room.answered(CommandAccepted(command=command.id, table=self.table, v=len(self.events)), self._now_ms)
        taken = next((one for one in self.events[before:] if isinstance(one, SeatTaken)), None)
        robots = self._room.robots
        if taken is not None and taken.seat != command.seat:
            # The robot goes to the seat that it drew; who was to sit there takes its place.
            mine, other = robots[command.seat], robots[taken.seat]
            mine.seat, other.seat = taken.seat, command.seat
            robots.update({taken.seat: mine, command.seat: other})


def disturbed_match(number: int) -> DisturbedMatch:
    """The match of this number, not played yet."""
    dice = Random(f"disturbed {number}")
    profile = dice.choice(PROFILES)
    variant = dice.choice(VARIANTS.get(profile, ("101", "201")))
    allowed = (2,) if variant == "best_of_3" else (2, 6) if profile in {"deccan", "rummypassion"} else range(2, 7)
    seats = dice.choice(allowed)
    overrides: dict[str, c.SettingValue] = {
        "reveal_policy": dice.choice(("auditor", "own_cards", "public")),
        "time_bank_scope": dice.choice(("deal", "match")),
        "late_grace_ms": dice.choice((0, 0, 300)),
        "reshuffle_dropped_hands": dice.random() < 0.3,
    }
    source = SeededPacks(number)
    house = robot_match(
        number, SEALER, seats=seats, variant=variant, profile=profile, source=source, overrides=overrides
    )
    rake_bp, entry_fee = dice.choice((0, 500, 1000)), dice.choice((10_000, 2_500, 99))
    terms = replace(house.terms, rake_bp=rake_bp, entry_fee=entry_fee)
    per_batch = dice.choice((4, 32))

    def new_vault(table: str, of: Terms) -> Vault:
        keeper = SeedKeeper(table, decks=of.decks, source=source, sealer=SEALER, per_batch=per_batch)
        return Vault(table, of, source=source, sealer=SEALER, keeper=keeper)

    gives_seeds = dice.random() < 0.3
    match = DisturbedMatch(house.opening, terms, number=number, new_vault=new_vault, seat_seeds=gives_seeds)
    match.dice, match.lots = dice, dice.random() < 0.5
    return match


@cache
def signed_disturbed_matches() -> tuple[Evidence, ...]:
    """A few of them as the notary signs them: pauses, lots, rejoins, a split, timeouts, a reshuffle, a wrong show."""
    found: list[Evidence] = []
    for number in (5001, 5002, 5010, 5017, 5047, 5051, 5059):
        played = disturbed_match(number)
        stored = played.play()
        keeper = kept(notarised(played.table, stored), played.table)
        found.append(replace(of_lines(played.table, stored), notes=keeper.notes, leaves=keeper.leaves))
    return tuple(found)
