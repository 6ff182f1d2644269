"""The packs of a table, dealt again: from seeds that were laid open, or that the auditor's key opens.

A pack is *known* where its seed is; else only what the log lays open of it is.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from poolrummy.fairness import pack
from poolrummy.fairness.batch import SeedBatch, next_batch, opened_batch
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.pack import DealtPack
from poolrummy.fairness.sealing import Sealed, Sealer
from poolrummy.fairness.transcript import (
    BatchPlace,
    DeckSpec,
    SeatPlace,
    SeatSeed,
    Transcript,
    canonical,
    of_generation,
)
from poolrummy.rules.hidden import ShuffleBasis
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Card, Position, place_of, position
from poolrummy_contracts.openings import seed_leaf
from poolrummy_contracts.terms import Terms, terms_hash


class KnownPack:
    """One generation of a pack whose seed is known, as the rules read it."""

    def __init__(self, dealt: DealtPack, transcript: Transcript, proof: e.SeedProof) -> None:
        self.dealt = dealt
        self.faces = tuple(map(Card, dealt.faces))
        self.commitment = e.PackCommitment(
            cards=dealt.leaves, root=dealt.root, transcript=sha256(canonical(transcript)).hexdigest()
        )
        self.proof = proof

    def opened(self, place: int) -> e.OpenedCard:
        """The card at this place with its opening."""
        opening = self.dealt.opening(place)
        return e.OpenedCard(
            card=Card(opening.face),
            position=position(self.dealt.generation, opening.position),
            salt=opening.salt,
            path=opening.path,
        )


class Table:
    """What the transcripts of one table have in common."""

    def __init__(self, table: str, terms: Terms) -> None:
        self._table = table
        self._deck = DeckSpec(decks=terms.decks, printed_jokers_per_deck=terms.printed_jokers_per_deck)
        self._rules = terms_hash(terms)

    def transcript(self, deal: int, basis: ShuffleBasis) -> Transcript:
        """The transcript of a deal, or of the toss (deal 0), with what the table brought to it."""
        return Transcript(
            deck=self._deck,
            rules=self._rules,
            table=self._table,
            deal=deal,
            seats=tuple(SeatPlace(seat=str(one.seat), player=one.player) for one in basis.seats),
            purpose="deal" if deal else "toss",
            batch=BatchPlace(batch=basis.batch, index=basis.index, root=basis.root),
            seat_seeds=tuple(
                SeatSeed(seat=str(one.seat), state=one.state, commitment=one.commitment, seed=one.seed)
                for one in basis.seat_seeds
            ),
        )


class DealtAgain:
    """The packs of one deal, all generations of them, from its seed."""

    def __init__(self, seed: bytes, transcript: Transcript, proof: e.SeedProof) -> None:
        self.seed = seed
        self._transcript = transcript
        self._proof = proof
        self._packs = {0: KnownPack(pack.deal_pack(seed, transcript), transcript, proof)}

    @property
    def first(self) -> KnownPack:
        """The pack that was dealt from."""
        return self._packs[0]

    def face(self, where: Position) -> Card | None:
        """The card at this position; ``None`` where there is no such position."""
        generation, place = place_of(where)
        found = self._packs.get(generation)
        return found.faces[place] if found is not None and 0 <= place < len(found.faces) else None

    def opened(self, where: Position) -> e.OpenedCard:
        """The card at this position with its opening."""
        generation, place = place_of(where)
        return self._packs[generation].opened(place)

    def reshuffled(self, generation: int, faces: Sequence[Card]) -> KnownPack:
        """The next generation, made of these cards."""
        transcript = of_generation(self._transcript, generation)
        dealt = pack.reshuffled(self.seed, transcript, faces)
        found = self._packs[generation] = KnownPack(dealt, transcript, self._proof)
        return found


class Seeds:
    """Where the seeds of the deals come from: the log itself, the auditor's key, or somebody who opened them (hex)."""

    def __init__(
        self, events: Iterable[e.TableEvent], sealer: Sealer | None, opened: Mapping[int, str] | None = None
    ) -> None:
        self._sealer = sealer
        self._revealed: dict[int, str] = dict(opened or {})
        self._committed: dict[int, e.SeedsCommitted] = {}
        self._batches: dict[int, SeedBatch | None] = {}
        for one in events:
            if isinstance(one, e.SeedRevealed):
                self._revealed[one.of_deal] = one.seed
            if isinstance(one, e.SeedsCommitted):
                self._committed.setdefault(one.batch, one)
        self.missing_keys: tuple[str, ...] = ()
        """The keys that the first batch which could not be opened is sealed to."""

    def of(self, event: e.DealStarted) -> bytes | None:
        """The seed of this deal; ``FairnessError`` where it is not the one that was promised."""
        proof, batch = event.proof, self.batch(event.proof.batch)
        revealed = self._revealed.get(event.deal or 0)
        if batch is not None and 0 <= proof.index < len(batch.seeds):
            return batch.seeds[proof.index]
        if revealed is None:
            return None
        try:
            seed = bytes.fromhex(revealed)
        except ValueError:
            raise SeedUnreadable(revealed) from None
        if seed_leaf(table=event.table, batch=proof.batch, index=proof.index, seed=seed).hex() != proof.leaf:
            raise SeedsBroken(f"the seed that was laid open is not seed {proof.index} of batch {proof.batch}")
        return seed

    def batch(self, number: int) -> SeedBatch | None:
        """A batch that the auditor's key opens; ``FairnessError`` where it is not what was promised."""
        if number not in self._batches:
            event = self._committed.get(number)
            self._batches[number] = None if event is None else self._opened(event)
        return self._batches[number]

    def _opened(self, event: e.SeedsCommitted) -> SeedBatch | None:
        if self._sealer is None or not self._sealer.holds(event.sealed.keys):
            self.missing_keys = self.missing_keys or event.sealed.keys
            return None
        plain = self._sealer.open(Sealed(key_ids=event.sealed.keys, blob=event.sealed.blob))
        found = opened_batch(event.table, event.batch, plain, count=event.count)
        if found is None or found.root != event.root:
            raise SeedsBroken(f"the sealed seeds of batch {event.batch} do not give its root")
        before = self.batch(event.batch - 1) if event.batch > 1 else None
        if before is not None and next_batch(before).seeds != found.seeds:
            raise SeedsBroken(f"batch {event.batch} does not come from the last seed of the batch before it")
        return found


class SeedsBroken(FairnessError):
    """What is sealed or laid open is not what was promised."""


class SeedUnreadable(FairnessError):
    """A seed that was laid open is no hex."""

    def __init__(self, seed: str) -> None:
        super().__init__(f"the seed {seed[:24]!r} is no hex")
