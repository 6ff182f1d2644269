"""Robot matches in which seats give seeds of their own, and small batches, so that a short match needs several."""

from collections.abc import Sequence
from hashlib import sha256, shake_256
from itertools import count

from poolrummy.dealer.packs import FairPacks, PackSource
from poolrummy.dealer.seed_keeper import SeedKeeper
from poolrummy.dealer.vault import Vault
from poolrummy.fairness.batch import SeedBatch, opened_batch
from poolrummy.fairness.entropy import SEED_BYTES
from poolrummy.fairness.sealing import Sealed, Sealer
from poolrummy.testing.robot_matches import Command, RobotMatch, robot_match
from poolrummy_contracts import commands as c
from poolrummy_contracts.events import SeedsCommitted, TableEvent
from poolrummy_contracts.openings import seat_seed_commitment
from poolrummy_contracts.terms import Seat, Terms

NewKeeper = type[SeedKeeper]


def seed_of(player: str) -> bytes:
    """The seed that a player gives."""
    return sha256(b"seed of " + player.encode()).digest()


class NumberedPacks(FairPacks):
    """Fair packs of seeds that follow from a number: the same match again."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._drawn = count()

    def fresh_seed(self, decks: int) -> bytes:
        """The next seed of this number."""
        return shake_256(f"seed {next(self._drawn)} of {self._number}".encode()).digest(SEED_BYTES[decks])


class SeedGivers(RobotMatch):
    """Robots that promise a seed when they sit down and lay it open when the table is full; some withhold it."""

    withhold: frozenset[Seat] = frozenset()
    silent: frozenset[Seat] = frozenset()

    def _do(self, command: Command) -> None:
        if isinstance(command, c.Sit) and command.seat not in self.silent:
            command = c.Sit(
                id=command.id,
                table=command.table,
                player=command.player,
                seat=command.seat,
                kind=command.kind,
                seed_commitment=seat_seed_commitment(
                    table=command.table, seat=command.seat, player=command.player, seed=seed_of(command.player)
                ),
            )
        super()._do(command)
        if isinstance(command, c.Sit) and self._held is not None and self._held.state.phase == "starting":
            self._lay_open()

    def _lay_open(self) -> None:
        assert self._held is not None, "the table is open"
        state = self._held.state
        if len(state.chairs) < state.terms.seats:
            return
        for chair in state.chairs:
            if chair.commitment is not None and chair.seat not in self.withhold:
                super()._do(
                    c.RevealSeed(
                        id=f"reveal-{chair.seat}",
                        table=self.table,
                        player=chair.player,
                        seat=chair.seat,
                        seed=seed_of(chair.player).hex(),
                    )
                )


def seeded_match(
    number: int,
    sealer: Sealer,
    *,
    per_batch: int = 8,
    source: PackSource | None = None,
    keeper: NewKeeper = SeedKeeper,
    overrides: dict[str, c.SettingValue] | None = None,
    withhold: frozenset[Seat] = frozenset(),
) -> SeedGivers:
    """A match of three robots with seeds of their own, not played yet."""
    packs = NumberedPacks(number) if source is None else source
    plain = robot_match(number, sealer, seats=3, variant="101", source=packs, overrides=overrides)

    def new_vault(table: str, terms: Terms) -> Vault:
        kept = keeper(table, decks=terms.decks, source=packs, sealer=sealer, per_batch=per_batch)
        return Vault(table, terms, source=packs, sealer=sealer, keeper=kept)

    opening, terms = plain.opening, plain.terms
    match = SeedGivers(opening, terms, number=number, new_vault=new_vault)
    match.withhold, match.silent = withhold, frozenset({Seat(3)})
    return match


def batches_of(events: Sequence[TableEvent], sealer: Sealer) -> dict[int, SeedBatch]:
    """What the auditor opens."""
    found: dict[int, SeedBatch] = {}
    for event in events:
        if isinstance(event, SeedsCommitted):
            plain = sealer.open(Sealed(key_ids=event.sealed.keys, blob=event.sealed.blob))
            batch = opened_batch(event.table, event.batch, plain, count=event.count)
            if batch is not None:
                found[event.batch] = batch
    return found
