"""What the dealer knew and the log does not say outright, as the rules ask for it when a step is decided again.

Packs come from their seeds where these are known, else from what the log lays open. Groupings that were saved and drops
that were noted are private: they are taken from the events that acted on them, which the decision then has to give.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from msgspec.structs import replace

from poolrummy.audit.laid_open import COSTLY, NO_PACK, NO_PROOF, LaidOpenPack, faces_of_deal
from poolrummy.audit.packs import DealtAgain, KnownPack, Seeds
from poolrummy.audit.packs import Table as Packs
from poolrummy.fairness import pack
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.seating import drawn_seat
from poolrummy.rules.arranger import arrange
from poolrummy.rules.hidden import Pack, SeedPromise, ShuffleBasis, Toss
from poolrummy.rules.meld_rules import MeldRules
from poolrummy.rules.state import Table
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import PRINTED_JOKER, Card, Position
from poolrummy_contracts.openings import check_seed_proof, seed_leaf
from poolrummy_contracts.terms import Seat, Terms

Groups = tuple[tuple[Position, ...], ...]

STEP_MOST: Final = 64
"""At most so many events stand in one step: a store takes no more at once."""


ANY_SEED: Final = bytes(80)

Kind = TypeVar("Kind", bound=e.Event)


class Oracle:
    """The keeper of secrets of one table, made of its log (``poolrummy.rules.hidden.Hidden``)."""

    def __init__(self, events: Sequence[e.TableEvent], seeds: Seeds) -> None:
        self._events = events
        self._seeds = seeds
        self._packs: Packs | None = None
        self._terms: Terms | None = None
        self._next = 0
        self._table: Table | None = None
        self._deal: DealtAgain | None = None
        self._faces: dict[Position, Card] = {}
        self._proof = NO_PROOF
        self._protected = False
        self.wrong: list[tuple[int, str]] = []
        """Seeds that do not open, by the version of the deal they belong to."""
        self.known = 0
        self.unknown = 0
        """How many packs could be dealt again, and how many could not."""
        self.dealt: dict[int, DealtAgain] = {}
        """The packs that could be, by deal."""
        self.taken = 0
        """How many private acts were taken from the events that acted on them."""

    def stand_at(self, number: int, table: Table | None) -> None:
        """The next step begins with the event of this number (counted from 0), at this table."""
        self._next, self._table, self._protected = number, table, False
        if self._packs is None and table is not None:
            self._packs, self._terms = Packs(table.id, table.terms), table.terms

    def begin(self, deal: e.DealStarted) -> None:
        """Follow a recorded deal: its cards that are ever laid open are known from now on."""
        if self._deal is None:
            self._faces = faces_of_deal(self._events[n] for n in range(deal.v - 1, len(self._events)))

    # -- as the rules read it

    @property
    def software(self) -> str | None:
        """What the log names: only its writer can know."""
        named = next((one for one in self._ahead() if isinstance(one, e.TableOpened | e.DealStarted)), None)
        before = None if self._table is None else self._table.software
        return before if named is None or named.software is None else named.software

    def face(self, where: Position) -> Card:
        """The card at this position: from the pack, else as the log lays it open."""
        known = None if self._deal is None else self._deal.face(where)
        if known is not None:
            return known
        return self._faces.get(where, PRINTED_JOKER if self._protected else COSTLY)

    def saved(self, seat: Seat) -> Groups | None:
        """The grouping that acted in this step; where none did, one that explains that a seat was not dropped."""
        for event in self._ahead():
            match event:
                case e.ShowDeclared(timed_out=True) | e.HandLaidOpen(basis="placed") if event.seat == seat:
                    self.taken += 1
                    return tuple(tuple(card.position for card in group) for group in event.groups)
                case e.TurnMissed() if event.seat == seat:
                    return self._protecting(seat)
                case _:
                    continue
        return None

    def noted_drop(self, seat: Seat) -> str | None:
        """The ask that acted when the turn of the seat came; a noted drop acts right after its turn has begun."""
        begun = False
        for event in self._ahead():
            if begun:
                noted = isinstance(event, e.SeatDropped) and event.rule == "7.6" and event.seat == seat
                self.taken += noted
                return event.cause if noted else None
            begun = isinstance(event, e.TurnStarted) and event.seat == seat
        return None

    def can_seal(self, channel_key: str) -> bool:
        """A key that stands in the log has been sealed to."""
        return bool(channel_key)

    def drawn_seat(self, number: int, free: tuple[Seat, ...]) -> Seat:
        """The seat that the seed of the toss gives; as recorded, where that seed is not known."""
        recorded = self._ahead_of(e.SeatTaken)
        if recorded is None:
            return free[0]
        toss = next((event for event in self._events if isinstance(event, e.TossDrawn)), None)
        try:
            known = self._seeds.batch(1)
            seed = known.seeds[0] if known is not None else None if toss is None else bytes.fromhex(toss.seed)
        except (FairnessError, ValueError):
            seed = None
        if seed is None:
            return recorded.seat if recorded.seat in free else free[0]
        return drawn_seat(seed, table=recorded.table, number=number, free=free)

    def commit(self, batch: int) -> SeedPromise:
        """The promise about a batch as recorded; what is sealed in it has to keep it."""
        recorded = self._ahead_of(e.SeedsCommitted)
        if recorded is None:
            return SeedPromise(count=0, root="", sealed=e.Sealed(keys=(), blob=""))
        try:
            self._seeds.batch(batch)
        except FairnessError as broken:
            self.wrong.append((recorded.v, str(broken)))
        return SeedPromise(count=recorded.count, root=recorded.root, sealed=recorded.sealed)

    def toss(self, basis: ShuffleBasis) -> Toss:
        """The toss pack, from the seed that is laid open with it."""
        recorded = self._ahead_of(e.TossDrawn)
        transcript = self._of_table.transcript(0, basis)
        try:
            seed = bytes.fromhex("" if recorded is None else recorded.seed)
            dealt = KnownPack(pack.deal_pack(seed or ANY_SEED, transcript), transcript, NO_PROOF)
        except ValueError:
            # Whatever comes of another seed, it is not what is recorded.
            seed, dealt = b"", KnownPack(pack.deal_pack(ANY_SEED, transcript), transcript, NO_PROOF)
        proof = NO_PROOF if recorded is None else self._promised(recorded, basis, seed)
        return Toss(faces=dealt.faces, commitment=dealt.commitment, proof=proof, seed=seed.hex())

    def pack(self, deal: int, basis: ShuffleBasis) -> Pack:
        """The pack of a deal from its seed; without it, what the log lays open of it."""
        recorded = self._ahead_of(e.DealStarted)
        if recorded is None:
            self._deal, self._proof = None, NO_PROOF
            return LaidOpenPack(replace(NO_PACK, cards=len(self._decks)), NO_PROOF, (), self._decks)
        seed = self._seed_of(recorded)
        self._proof = self._promised(recorded, basis, seed)
        if seed is not None:
            try:
                return self._dealt_again(seed, deal, basis, self._proof)
            except ValueError as unfit:
                self.wrong.append((recorded.v, f"the seed gives no pack: {unfit}"))
        self._deal = None
        self.unknown += 1
        opened = (recorded.wild, recorded.open, *recorded.set_aside)
        return LaidOpenPack(recorded.pack, self._proof, opened, self._decks)

    def reshuffled(self, deal: int, generation: int, taken: tuple[Position, ...]) -> Pack:
        """The next generation of the pack, made of cards that everybody has seen."""
        del deal
        if self._deal is None:
            recorded = self._ahead_of(e.StockReshuffled)
            promised = NO_PACK if recorded is None else recorded.pack
            return LaidOpenPack(promised, self._proof, (), [COSTLY] * len(taken))
        return self._deal.reshuffled(generation, [self.face(where) for where in taken])

    def seed(self, deal: int) -> str:
        """The seed of a deal that is laid open."""
        if self._deal is not None:
            return self._deal.seed.hex()
        recorded = self._ahead_of(e.SeedRevealed)
        return recorded.seed if recorded is not None and recorded.of_deal == deal else ""

    def batch_seeds(self, batch: int, indexes: tuple[int, ...]) -> tuple[e.BatchSeed, ...]:
        """The seeds of a batch that are laid open at the end."""
        try:
            known = self._seeds.batch(batch)
        except FairnessError:
            known = None  # said already where the batch was promised
        if known is not None:
            return tuple(e.BatchSeed(index, known.seeds[index].hex()) for index in indexes)
        ahead = (event for event in self._ahead() if isinstance(event, e.BatchClosed) and event.batch == batch)
        return next((event.seeds for event in ahead), ())

    # -- from the log

    @property
    def _of_table(self) -> Packs:
        assert self._packs is not None, "a pack is dealt at an open table"
        return self._packs

    @property
    def _decks(self) -> tuple[str, ...]:
        terms = self._of_terms
        return pack.unshuffled(terms.decks, terms.printed_jokers_per_deck)

    @property
    def _of_terms(self) -> Terms:
        assert self._terms is not None, "a pack is dealt at an open table"
        return self._terms

    def _ahead(self) -> Iterator[e.TableEvent]:
        return iter(self._events[self._next : self._next + STEP_MOST])

    def _ahead_of(self, kind: type[Kind]) -> Kind | None:
        """The event of this kind that has to follow; where there is none, nothing that is decided fits what does."""
        return next((event for event in self._ahead() if isinstance(event, kind)), None)

    def _seed_of(self, recorded: e.DealStarted) -> bytes | None:
        try:
            return self._seeds.of(recorded)
        except FairnessError as broken:
            self.wrong.append((recorded.v, str(broken)))
            return None

    def _dealt_again(self, seed: bytes, deal: int, basis: ShuffleBasis, proof: e.SeedProof) -> KnownPack:
        self._deal = DealtAgain(seed, self._of_table.transcript(deal, basis), proof)
        self.known += 1
        self.dealt[deal] = self._deal
        return self._deal.first

    def _promised(self, recorded: e.TossDrawn | e.DealStarted, basis: ShuffleBasis, seed: bytes | None) -> e.SeedProof:
        """The proof as it must be: of the seed whose turn it is, under the root of its batch."""
        proof = recorded.proof
        if (proof.batch, proof.index) != (basis.batch, basis.index):
            return e.SeedProof(basis.batch, basis.index, proof.leaf, proof.path)
        leaf = proof.leaf
        if seed is not None:
            leaf = seed_leaf(table=recorded.table, batch=proof.batch, index=proof.index, seed=seed).hex()
        count = self._batch_size(proof.batch)
        if leaf != proof.leaf or not check_seed_proof(proof, root=basis.root, count=count):
            self.wrong.append((recorded.v, f"seed {proof.index} of batch {proof.batch} is not the promised one"))
        return proof

    def _batch_size(self, number: int) -> int:
        batches = () if self._table is None else self._table.batches
        sizes = [batch.count for batch in batches if batch.number == number]
        # The batch may have been promised in this very step.
        promised = (one.count for one in self._ahead() if isinstance(one, e.SeedsCommitted) and one.batch == number)
        return sizes[0] if sizes else next(promised, 0)

    def _protecting(self, seat: Seat) -> Groups:
        """A grouping that explains why the missed turn did, or did not, put the seat out of the deal (rule 4.8)."""
        self.taken += 1
        if self._was_dropped(seat):
            return ()
        one = None if self._table is None or self._table.deal is None else self._table.deal.of(seat)
        if one is None or self._table is None or self._table.deal is None:
            return ()
        if self._deal is None:
            self._protected = True
            return ()
        drawn = self._table.deal.drawn
        hand = [where for where in one.hand if drawn is None or where != drawn.position]
        found = arrange([self.face(where) for where in hand], self._table.deal.wild_rank, MeldRules.of(self._of_terms))
        return tuple(tuple(_taken_out(hand, card, self.face) for card in group.cards) for group in found.groups)

    def _was_dropped(self, seat: Seat) -> bool:
        for event in self._ahead():
            if isinstance(event, e.TurnStarted | e.DealScored):
                return False
            if isinstance(event, e.SeatDropped) and event.seat == seat:
                return True
        return False


def _taken_out(hand: list[Position], card: Card, face: Callable[[Position], Card]) -> Position:
    where = next(one for one in hand if face(one) == card)
    hand.remove(where)
    return where
