"""What only the dealer knows, as the rules ask for it: faces, saved groupings, noted drops, packs and their seeds.

The rules are pure: whoever calls ``decide`` brings an object of this protocol. Within one decision it gives the same
answer however often it is asked, so all chance is drawn before. Nothing of what it tells gets into an event unless
the rules lay it open.
"""

from typing import Protocol

import msgspec

from poolrummy_contracts.cards import Card, Position
from poolrummy_contracts.events import (
    BatchSeed,
    OpenedCard,
    PackCommitment,
    Sealed,
    SeatedPlayer,
    SeatSeed,
    SeedProof,
)
from poolrummy_contracts.terms import Seat


class SeedPromise(msgspec.Struct, frozen=True, kw_only=True):
    """What the log says of a batch of seeds (rule 3.6)."""

    count: int
    root: str
    sealed: Sealed


class ShuffleBasis(msgspec.Struct, frozen=True, kw_only=True):
    """What the table brings to a shuffle: which promised seed, who plays in which order, and what they gave to it."""

    batch: int
    index: int
    root: str
    seats: tuple[SeatedPlayer, ...]
    seat_seeds: tuple[SeatSeed, ...]


class Toss(msgspec.Struct, frozen=True, kw_only=True):
    """The toss pack: its faces in order of place, the commitment to it, and its seed (hex), public at once."""

    faces: tuple[Card, ...]
    commitment: PackCommitment
    proof: SeedProof
    seed: str


class Pack(Protocol):
    """A shuffled pack, or one generation of it."""

    @property
    def faces(self) -> tuple[Card, ...]:
        """The faces in order of place, from place 0 up."""
        ...

    @property
    def commitment(self) -> PackCommitment:
        """The promise that stands in the log."""
        ...

    @property
    def proof(self) -> SeedProof:
        """That its seed was promised before; a later generation repeats that of its deal."""
        ...

    def opened(self, place: int) -> OpenedCard:
        """The card at this place with its opening."""
        ...


class Hidden(Protocol):
    """What only the dealer knows about one table."""

    @property
    def software(self) -> str | None:
        """The digest of the software that deals, as a log names it (rule 1.1); None where nobody says."""
        ...

    def face(self, where: Position) -> Card:
        """The face of a card of the running deal."""
        ...

    def saved(self, seat: Seat) -> tuple[tuple[Position, ...], ...] | None:
        """The grouping that the seat saved last in this deal (rule 6.7); cards in it may be gone since."""
        ...

    def noted_drop(self, seat: Seat) -> str | None:
        """The id of the command by which the seat asked to drop when its turn comes (rule 7.6)."""
        ...

    def can_seal(self, channel_key: str) -> bool:
        """Whether something can be sealed to this key (rule 3.10)."""
        ...

    def drawn_seat(self, number: int, free: tuple[Seat, ...]) -> Seat:
        """The seat that the draw of this number gives among the free ones (rule 3.12)."""
        ...

    def commit(self, batch: int) -> SeedPromise:
        """The promise about a new batch of seeds (rule 3.6)."""
        ...

    def toss(self, basis: ShuffleBasis) -> Toss:
        """The toss pack (rule 2.1)."""
        ...

    def pack(self, deal: int, basis: ShuffleBasis) -> Pack:
        """The pack of a deal (rule 3.1)."""
        ...

    def reshuffled(self, deal: int, generation: int, taken: tuple[Position, ...]) -> Pack:
        """The next generation of the pack of a deal, made of these cards (rule 4.6)."""
        ...

    def seed(self, deal: int) -> str:
        """The seed (hex) of the pack of a deal that is laid open (rules 3.9 and 13.2)."""
        ...

    def batch_seeds(self, batch: int, indexes: tuple[int, ...]) -> tuple[BatchSeed, ...]:
        """These seeds of a batch, to be laid open (rule 3.9)."""
        ...
