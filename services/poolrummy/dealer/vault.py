"""What only the dealer knows of a table: seeds, faces, saved groupings, noted drops.

The rules read it as ``Hidden``. For one decision it gives the same answers however often it is asked: a seed is
drawn when it is first needed and kept until an event has used it. After a takeover the sealed seed in the log
gives the same pack again; a pack that does not lead to the recorded root stops the table.
"""

from hashlib import sha256

from poolrummy.dealer.packs import PackSource
from poolrummy.dealer.seed_keeper import SeedKeeper
from poolrummy.fairness.errors import KeyUnreadableError
from poolrummy.fairness.pack import DealtPack
from poolrummy.fairness.sealing import Sealed as SealedBytes
from poolrummy.fairness.sealing import Sealer
from poolrummy.fairness.seating import drawn_seat
from poolrummy.fairness.transcript import (
    BatchPlace,
    DeckSpec,
    Purpose,
    SeatPlace,
    SeatSeed,
    Transcript,
    canonical,
    of_generation,
)
from poolrummy.rules import seeds
from poolrummy.rules.hidden import SeedPromise, ShuffleBasis, Toss
from poolrummy.rules.state import Table
from poolrummy_contracts import codec
from poolrummy_contracts.cards import Card, Position, place_of, position
from poolrummy_contracts.events import (
    BatchSeed,
    DealStarted,
    OpenedCard,
    PackCommitment,
    SeedProof,
    SeedsCommitted,
    StockReshuffled,
    TableEvent,
)
from poolrummy_contracts.seat_lines import (
    CardReceived,
    CardsDealt,
    DropNoted,
    DropWithdrawn,
    GroupingSaved,
    PlainLine,
    SealedLine,
    SeatMessage,
)
from poolrummy_contracts.terms import Seat, Terms, terms_hash

Groups = tuple[tuple[Position, ...], ...]


class PackMismatch(Exception):
    """A seed of the log does not lead to the root that was committed to: this is not the pack that was dealt."""


class _Deal:
    """The secret side of one deal: its seed, its transcript, and the packs of its generations."""

    def __init__(self, seed: bytes, transcript: Transcript, first: DealtPack, proof: SeedProof) -> None:
        self.seed = seed
        self.transcript = transcript
        self.proof = proof
        self.packs: dict[int, DealtPack] = {0: first}


class LaidPack:
    """One generation of a deal's pack, as the rules read it."""

    def __init__(self, deal: _Deal, generation: int) -> None:
        self._dealt = deal.packs[generation]
        self.faces = tuple(map(Card, self._dealt.faces))
        self.commitment = _commitment(self._dealt, of_generation(deal.transcript, generation))
        self.proof = deal.proof

    def opened(self, place: int) -> OpenedCard:
        """The card at this place with its opening."""
        return _opened(self._dealt, place)


class Vault:
    """The secrets of one table."""

    def __init__(
        self,
        table: str,
        terms: Terms,
        *,
        source: PackSource,
        sealer: Sealer,
        keeper: SeedKeeper | None = None,
        software: str | None = None,
    ) -> None:
        self.software = software
        self._table = table
        self._terms = terms
        self._rules = terms_hash(terms)
        self._source = source
        self._sealer = sealer
        self._keeper = keeper or SeedKeeper(table, decks=terms.decks, source=source, sealer=sealer)
        self._next: tuple[int, ShuffleBasis, _Deal] | None = None
        self._deal: _Deal | None = None
        self._saved: dict[Seat, Groups] = {}
        self._noted: dict[Seat, str] = {}

    # -- as the rules read it (poolrummy.rules.hidden.Hidden)

    def face(self, where: Position) -> Card:
        """The card at this position of the running deal."""
        generation, place = place_of(where)
        return Card(self._running.packs[generation].faces[place])

    def saved(self, seat: Seat) -> Groups | None:
        """The grouping that the seat saved last in this deal."""
        return self._saved.get(seat)

    def noted_drop(self, seat: Seat) -> str | None:
        """Id of the command that asked for a drop in advance."""
        return self._noted.get(seat)

    def can_seal(self, channel_key: str) -> bool:
        """Whether something can be sealed to this key: tried, since only the library knows."""
        try:
            self._sealer.seal(b"", channel_key)
        except KeyUnreadableError:
            return False
        return True

    def drawn_seat(self, number: int, free: tuple[Seat, ...]) -> Seat:
        """A free seat, by the seed that will shuffle the toss."""
        return drawn_seat(self._keeper.batch(1).seeds[0], table=self._table, number=number, free=free)

    def commit(self, batch: int) -> SeedPromise:
        """The promise about a new batch of seeds."""
        return self._keeper.promise(batch)

    def toss(self, basis: ShuffleBasis) -> Toss:
        """The pack of the toss; its seed is laid open at once, since all its cards are."""
        tossed = self._shuffled(0, basis, "toss")
        drawn = tossed.packs[0]
        return Toss(
            faces=tuple(map(Card, drawn.faces)),
            commitment=_commitment(drawn, tossed.transcript),
            proof=tossed.proof,
            seed=tossed.seed.hex(),
        )

    def pack(self, deal: int, basis: ShuffleBasis) -> LaidPack:
        """A new pack for this deal, with what the log says of it."""
        if self._next is None or self._next[:2] != (deal, basis):
            self._next = deal, basis, self._shuffled(deal, basis, "deal")
        return LaidPack(self._next[2], 0)

    def reshuffled(self, deal: int, generation: int, taken: tuple[Position, ...]) -> LaidPack:
        """The next generation of the running deal's pack, made of the cards at these positions."""
        running = self._running
        assert running.transcript.deal == deal, f"deal {deal} is not the running one"
        transcript = of_generation(running.transcript, generation)
        faces = tuple(self.face(where) for where in taken)
        running.packs[generation] = self._source.reshuffled(running.seed, transcript, faces)
        return LaidPack(running, generation)

    def seed(self, deal: int) -> str:
        """The seed of the running deal (hex), to be laid open."""
        assert self._running.transcript.deal == deal, f"deal {deal} is not the running one"
        return self._running.seed.hex()

    def batch_seeds(self, batch: int, indexes: tuple[int, ...]) -> tuple[BatchSeed, ...]:
        """These seeds of a batch, to be laid open."""
        return self._keeper.laid_open(batch, indexes)

    # -- as the dealer keeps it

    def opened(self, where: Position) -> OpenedCard:
        """A card of the running deal with its opening."""
        generation, place = place_of(where)
        return _opened(self._running.packs[generation], place)

    def observe(self, event: TableEvent, table: Table) -> None:
        """Follow a recorded event that led to this table: seeds are promised, a deal or a generation begins."""
        match event:
            case SeedsCommitted():
                self._keeper.observe(event)
            case DealStarted():
                self._begin(event, table)
            case StockReshuffled():
                self._regenerate(event)
            case _:
                return

    def promises(self) -> tuple[SeedsCommitted, ...]:
        """The promises that the running deal and later ones need, for a snapshot."""
        return self._keeper.committed_from(self._running.proof.batch)

    def keep(self, line: PlainLine) -> None:
        """Follow a private line of this deal."""
        match line:
            case GroupingSaved():
                self._saved[line.seat] = line.groups
            case DropNoted():
                self._noted[line.seat] = line.command
            case DropWithdrawn():
                self._noted.pop(line.seat, None)
            case CardsDealt() | CardReceived():
                return

    def sealed(self, line: PlainLine, channel_key: str) -> SealedLine:
        """The line for nobody but the seat; and for a later dealer, if it has to find it again."""
        ours = () if isinstance(line, CardsDealt | CardReceived) else (self._sealer.own,)
        sealed = self._sealer.seal(codec.encode(line), channel_key, *ours)
        return SealedLine(
            table=line.table, seat=line.seat, deal=line.deal, v=line.v, keys=sealed.key_ids, blob=sealed.blob
        )

    def read(self, line: SeatMessage) -> PlainLine | None:
        """A stored line; None where it was sealed to its seat alone."""
        if not isinstance(line, SealedLine):
            return line
        if not self._sealer.holds(line.keys):
            return None
        found = codec.decode_seat_line(self._sealer.open(SealedBytes(key_ids=line.keys, blob=line.blob)))
        assert not isinstance(found, SealedLine), "a line is sealed once"
        return found

    @property
    def _running(self) -> _Deal:
        assert self._deal is not None, f"no deal is running at {self._table}"
        return self._deal

    def _begin(self, event: DealStarted, table: Table) -> None:
        assert event.deal is not None, "a deal has a number"
        self._saved, self._noted = {}, {}
        if self._next is not None and self._next[2].proof == event.proof:
            self._deal, self._next = self._next[2], None
            return
        proof = event.proof
        basis = seeds.basis_at(table, event.order, batch=proof.batch, index=proof.index)
        found = self._shuffled(event.deal, basis, "deal")
        if found.packs[0].root != event.pack.root or found.proof != proof:
            raise PackMismatch(f"{self._table} deal {event.deal}: its seed gives root {found.packs[0].root}")
        self._deal, self._next = found, None

    def _regenerate(self, event: StockReshuffled) -> None:
        running = self._running
        if event.generation not in running.packs:
            assert event.deal is not None, "a reshuffle is part of a deal"
            self.reshuffled(event.deal, event.generation, event.taken)
        if running.packs[event.generation].root != event.pack.root:
            raise PackMismatch(f"{self._table} deal {event.deal}: generation {event.generation} has another root")

    def _shuffled(self, deal: int, basis: ShuffleBasis, purpose: Purpose) -> _Deal:
        batch = self._keeper.batch(basis.batch)
        seed, transcript = batch.seeds[basis.index], self._transcript(deal, basis, purpose)
        return _Deal(seed, transcript, self._source.shuffled(seed, transcript), batch.proof(basis.index))

    def _transcript(self, deal: int, basis: ShuffleBasis, purpose: Purpose) -> Transcript:
        return Transcript(
            deck=DeckSpec(decks=self._terms.decks, printed_jokers_per_deck=self._terms.printed_jokers_per_deck),
            rules=self._rules,
            table=self._table,
            deal=deal,
            purpose=purpose,
            seats=tuple(SeatPlace(seat=str(one.seat), player=one.player) for one in basis.seats),
            batch=BatchPlace(batch=basis.batch, index=basis.index, root=basis.root),
            seat_seeds=tuple(
                SeatSeed(seat=str(one.seat), state=one.state, commitment=one.commitment, seed=one.seed)
                for one in basis.seat_seeds
            ),
        )


def _commitment(pack: DealtPack, transcript: Transcript) -> PackCommitment:
    return PackCommitment(cards=pack.leaves, root=pack.root, transcript=sha256(canonical(transcript)).hexdigest())


def _opened(pack: DealtPack, place: int) -> OpenedCard:
    opening = pack.opening(place)
    return OpenedCard(
        card=Card(opening.face),
        position=position(pack.generation, opening.position),
        salt=opening.salt,
        path=opening.path,
    )
