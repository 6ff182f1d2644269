"""A club of robots in which some pairs collude: simulated play for the pair evidence, the same for the same seed.

Everything follows from the plan: who sits where, the packs, the dice. Beside the pairs of a pact there are companions,
who sit together as often and play fair: whoever only looks at who sits with whom takes them for colluders.
"""

import base64
from collections.abc import Collection, Iterator, Sequence
from hashlib import blake2b, sha512
from itertools import count
from typing import Final, TypeVar

import msgspec

from poolrummy.dealer.opening import Opening
from poolrummy.dealer.packs import FairPacks
from poolrummy.dealer.vault import Vault
from poolrummy.fairness.sealing import Sealed
from poolrummy.profile_files import load_all
from poolrummy.simulator.collusion import ClubPlayer, Clumsiness, Pact
from poolrummy.simulator.robot import Robot
from poolrummy.simulator.speeds import SPEEDS
from poolrummy.simulator.styles import STYLES, Style
from poolrummy.testing.robot_matches import RobotMatch
from poolrummy_contracts import commands as c
from poolrummy_contracts.terms import Seat, Terms, Variant

T = TypeVar("T")

SEATS: Final = 6
MIXED_EVERY: Final = 4
"""Every so many rounds pairs are torn apart, and anybody sits with anybody."""


class PlantedPact(msgspec.Struct, frozen=True):
    """A pair that colludes, and how: ``strength_permille`` as :class:`poolrummy.simulator.collusion.Pact` has it."""

    strength_permille: int
    mutual: bool


class ClubPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A club: the pairs that collude, pairs of honest companions, players without a companion, and rounds of play."""

    seed: int
    pacts: tuple[PlantedPact, ...]
    companions: int
    singles: int
    rounds: int
    variant: Variant = "101"

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Who always sits together but in the mixed rounds: the pacts first, in their order, then the companions."""
        number = len(self.pacts) + self.companions
        return tuple((self.player(2 * at), self.player(2 * at + 1)) for at in range(number))

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody."""
        return tuple(self.player(at) for at in range(2 * (len(self.pacts) + self.companions) + self.singles))

    @property
    def planted(self) -> dict[tuple[str, str], PlantedPact]:
        """The pairs that collude."""
        return dict(zip(self.pairs, self.pacts, strict=False))

    def player(self, number: int) -> str:
        """The name of a player."""
        return f"club-{self.seed}-{number:03d}"


def seatings(plan: ClubPlan) -> Iterator[tuple[str, ...]]:
    """The tables of all rounds, six players each; who is left over rests for the round."""
    for number in range(plan.rounds):
        label = f"{plan.seed} round {number}"
        if number % MIXED_EVERY == MIXED_EVERY - 1:
            everybody = _mixed(plan.players, label)
        else:
            pairs, singles = _mixed(plan.pairs, label), _mixed(plan.players[2 * len(plan.pairs) :], label)
            everybody = [player for pair in pairs for player in pair]
            # Two pairs and two others to a table, as long as there are others.
            seated: list[str] = []
            while everybody:
                seated += everybody[:4] + singles[:2]
                everybody, singles = everybody[4:], singles[2:]
            everybody = seated
        for at in range(0, len(everybody) - SEATS + 1, SEATS):
            yield tuple(_mixed(everybody[at : at + SEATS], f"{label} table {at}"))


def play(plan: ClubPlan) -> Iterator[RobotMatch]:
    """The matches of the club, each played to its end."""
    for number, players in enumerate(seatings(plan)):
        match = ClubMatch(plan, number, players)
        match.play()
        yield match


def style_of_player(player: str) -> Style:
    """How this player plays wherever it sits: one of the three styles, a little of its own."""
    style = STYLES[_dice(f"{player} style") % len(STYLES)]
    more = 50 + _dice(f"{player} more") % 100
    return msgspec.structs.replace(
        style,
        drops_from=max(0, style.drops_from + _dice(f"{player} drops") % 41 - 20),
        middle_drops_permille=style.middle_drops_permille * more // 100,
        chases=style.chases != (_dice(f"{player} chases") % 4 == 0),
        accepts_split_percent=min(95, style.accepts_split_percent * more // 100),
        rejoins_percent=min(95, style.rejoins_percent * more // 100),
    )


def clumsiness_of(player: str) -> Clumsiness:
    """How clumsy this player is: up to an eighth of the discards, up to a quarter of the shows."""
    return Clumsiness(
        slips_permille=_dice(f"{player} slips") % 126, overlooks_permille=_dice(f"{player} overlooks") % 251
    )


class ClubMatch(RobotMatch):
    """One match of the club."""

    def __init__(self, plan: ClubPlan, number: int, players: Sequence[str]) -> None:
        self._plan = plan
        self._players = players
        table = f"p{number % 16:02d}-club-{plan.seed}-{number}"
        opening = c.OpenTable(
            id=f"{table}.open",
            table=table,
            profile="house",
            variant=plan.variant,
            seats=SEATS,
            entry_fee=10_000,
            currency="practice",
            rake_bp=0,
            rejoin_payment="none",
            overrides=SPEEDS["fast"].overrides,
        )
        terms = Opening(load_all(), money=False).terms_of(opening)
        assert isinstance(terms, Terms), terms

        def new_vault(name: str, of: Terms) -> Vault:
            return Vault(name, of, source=SeededPacks(name), sealer=OpenSealer())

        super().__init__(opening, terms, number=number, new_vault=new_vault)

    def _robots(self, number: int, terms: Terms) -> dict[Seat, Robot]:
        del number
        assert terms.seats == len(self._players), "every seat of a club's table is taken"
        robots = {Seat(at): self._club_player(Seat(at), player) for at, player in enumerate(self._players, start=1)}
        by_name = {robot.player: robot for robot in robots.values()}
        for pair, planted in self._plan.planted.items():
            if all(player in by_name for player in pair):
                pact = Pact(strength_permille=planted.strength_permille, mutual=planted.mutual)
                for player in pair:
                    by_name[player].join(pact)
        return dict[Seat, Robot](robots)

    def _club_player(self, seat: Seat, player: str) -> ClubPlayer:
        """A robot with this player's habits. It does not think: time is no clue."""
        robot = ClubPlayer(
            table=self.table,
            seat=seat,
            player=player,
            style=style_of_player(player),
            seed=self.table,
            think_ms=lambda _dice: 0,
        )
        robot.clumsiness = clumsiness_of(player)
        return robot


class SeededPacks(FairPacks):
    """Packs as they ship, from seeds that follow from the table's name: nothing here is secret."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._numbers = count()

    def fresh_seed(self, decks: int) -> bytes:
        """The next seed of this table."""
        named = f"{self._table} seed {next(self._numbers)}"
        return sha512(named.encode()).digest() + bytes(56 if decks > 2 else 16)


class OpenSealer:
    """Seals nothing: play that follows from a seed has nothing to hide, and its logs are the same bytes every time."""

    own: str = "open"

    def holds(self, key_ids: Collection[str]) -> bool:
        """Whether it was written here."""
        return "open" in key_ids

    def seal(self, plain: bytes, *recipients: str) -> Sealed:
        """The bytes as they are."""
        assert not recipients, "club seats have no channel keys"
        return Sealed(key_ids=("open",), blob=base64.b64encode(plain).decode())

    def open(self, sealed: Sealed) -> bytes:
        """The bytes as they were."""
        return base64.b64decode(sealed.blob)


def _mixed(things: Sequence[T], label: str) -> list[T]:
    return sorted(things, key=lambda one: blake2b(f"{label} {one}".encode(), digest_size=8).digest())


def _dice(label: str) -> int:
    return int.from_bytes(blake2b(label.encode(), digest_size=6).digest())
