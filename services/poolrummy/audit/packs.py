"""The packs of a table, dealt again: from seeds that were laid open, or that the auditor's key opens.

A pack is *known* where its seed is; else only what the log lays open of it is.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from poolrummy.fairness import pack
from poolrummy.fairness.errors import FairnessError, KeyForeignError
from poolrummy.fairness.pack import DealtPack
from poolrummy.fairness.sealing import Sealed, Sealer
from poolrummy.fairness.transcript import (
    DeckSpec,
    SeatPlace,
    Transcript,
    canonical,
    of_generation,
    without_seat_seeds,
)
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Card, Position, place_of, position
from poolrummy_contracts.terms import Seat, Terms, terms_hash


class KnownPack:
    """One generation of a pack whose seed is known, as the rules read it."""

    def __init__(self, dealt: DealtPack, transcript: Transcript, sealed: e.Sealed) -> None:
        self.dealt = dealt
        self.faces = tuple(map(Card, dealt.faces))
        self.commitment = e.PackCommitment(
            cards=dealt.leaves, root=dealt.root, transcript=sha256(canonical(transcript)).hexdigest()
        )
        self.sealed = sealed

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

    def transcript(self, deal: int, seats: Sequence[tuple[Seat, str]]) -> Transcript:
        """The transcript of a deal, or of the toss (deal 0), for these seats in order and their players."""
        return without_seat_seeds(
            deck=self._deck,
            rules=self._rules,
            table=self._table,
            deal=deal,
            seats=[SeatPlace(seat=str(seat), player=player) for seat, player in seats],
            purpose="deal" if deal else "toss",
        )


class DealtAgain:
    """The packs of one deal, all generations of them, from its seed."""

    def __init__(self, seed: bytes, transcript: Transcript, sealed: e.Sealed) -> None:
        self.seed = seed
        self._transcript = transcript
        self._sealed = sealed
        self._packs = {0: KnownPack(pack.deal_pack(seed, transcript), transcript, sealed)}

    @property
    def first(self) -> KnownPack:
        """The pack that was dealt from."""
        return self._packs[0]

    def face(self, where: Position) -> Card | None:
        """The card at this position; ``None`` where there is no such position."""
        generation, place = place_of(where)
        found = self._packs.get(generation)
        return found.faces[place] if found is not None and 0 <= place < len(found.faces) else None

    def reshuffled(self, generation: int, faces: Sequence[Card]) -> KnownPack:
        """The next generation, made of these cards."""
        transcript = of_generation(self._transcript, generation)
        dealt = pack.reshuffled(self.seed, transcript, faces)
        found = self._packs[generation] = KnownPack(dealt, transcript, self._sealed)
        return found


class Seeds:
    """Where the seeds of the deals come from: the log itself, and the auditor's key."""

    def __init__(self, events: Iterable[e.TableEvent], sealer: Sealer | None) -> None:
        self._sealer = sealer
        self._revealed: Mapping[int, str] = {
            one.of_deal: one.seed for one in events if isinstance(one, e.SeedRevealed)
        }
        self.missing_keys: tuple[str, ...] = ()
        """The keys that the first seed which could not be opened is sealed to."""

    def of(self, event: e.DealStarted) -> bytes | None:
        """The seed of this deal; ``FairnessError`` where the named key is here and does not open it."""
        if self._sealer is not None:
            try:
                return self._sealer.open(Sealed(key_ids=event.sealed.keys, blob=event.sealed.blob))
            except KeyForeignError:
                pass
        revealed = self._revealed.get(event.deal or 0)
        if revealed is None:
            self.missing_keys = self.missing_keys or event.sealed.keys
            return None
        try:
            return bytes.fromhex(revealed)
        except ValueError:
            raise SeedUnreadable(revealed) from None


class SeedUnreadable(FairnessError):
    """A seed that was laid open is no hex."""

    def __init__(self, seed: str) -> None:
        super().__init__(f"the seed {seed[:24]!r} is no hex")
