"""What only the dealer knows of a table: seeds, faces, saved groupings, noted drops.

The rules read it as ``Hidden``. For one decision it gives the same answers however often it is asked: a seed is
drawn when it is first needed and kept until an event has used it. After a takeover the sealed seed in the log
gives the same pack again; a pack that does not lead to the recorded root stops the table.
"""

from collections.abc import Mapping
from hashlib import sha256

from poolrummy.dealer.packs import PackSource
from poolrummy.fairness.pack import DealtPack
from poolrummy.fairness.sealing import Sealed as SealedBytes
from poolrummy.fairness.sealing import Sealer
from poolrummy.fairness.transcript import (
    DeckSpec,
    SeatPlace,
    Transcript,
    canonical,
    of_generation,
    without_seat_seeds,
)
from poolrummy.rules.hidden import Toss
from poolrummy_contracts.cards import Card, Position, place_of, position
from poolrummy_contracts.events import (
    DealStarted,
    OpenedCard,
    PackCommitment,
    Sealed,
    SeatedPlayer,
    StockReshuffled,
    TableEvent,
)
from poolrummy_contracts.seat_lines import (
    CardReceived,
    CardsDealt,
    DropNoted,
    DropWithdrawn,
    GroupingSaved,
    SeatMessage,
)
from poolrummy_contracts.terms import Seat, Terms, terms_hash

Groups = tuple[tuple[Position, ...], ...]


class PackMismatch(Exception):
    """A seed of the log does not lead to the root that was committed to: this is not the pack that was dealt."""


class _Deal:
    """The secret side of one deal: its seed, its transcript, and the packs of its generations."""

    def __init__(self, seed: bytes, transcript: Transcript, first: DealtPack, sealed: Sealed) -> None:
        self.seed = seed
        self.transcript = transcript
        self.sealed = sealed
        self.packs: dict[int, DealtPack] = {0: first}


class LaidPack:
    """One generation of a deal's pack, as the rules read it."""

    def __init__(self, deal: _Deal, generation: int) -> None:
        self._dealt = deal.packs[generation]
        self.faces = tuple(map(Card, self._dealt.faces))
        self.commitment = _commitment(self._dealt, of_generation(deal.transcript, generation))
        self.sealed = deal.sealed

    def opened(self, place: int) -> OpenedCard:
        """The card at this place with its opening."""
        return _opened(self._dealt, place)


class Vault:
    """The secrets of one table."""

    def __init__(self, table: str, terms: Terms, *, source: PackSource, sealer: Sealer) -> None:
        self._table = table
        self._terms = terms
        self._rules = terms_hash(terms)
        self._source = source
        self._sealer = sealer
        self._players: Mapping[Seat, str] = {}
        self._toss: tuple[bytes, DealtPack, Transcript] | None = None
        self._next: tuple[int, tuple[Seat, ...], _Deal] | None = None
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

    def toss(self, seats: tuple[SeatedPlayer, ...]) -> Toss:
        """The pack of the toss; its seed is laid open at once, since all its cards are."""
        self._seat(seats)
        if self._toss is None:
            transcript = self._transcript(0, tuple(one.seat for one in seats), purpose_toss=True)
            seed = self._source.fresh_seed(self._terms.decks)
            self._toss = seed, self._source.shuffled(seed, transcript), transcript
        seed, drawn, transcript = self._toss
        return Toss(faces=tuple(map(Card, drawn.faces)), commitment=_commitment(drawn, transcript), seed=seed.hex())

    def pack(self, deal: int, order: tuple[Seat, ...]) -> LaidPack:
        """A new pack for this deal, with what the log says of it."""
        if self._next is None or self._next[:2] != (deal, order):
            seed = self._source.fresh_seed(self._terms.decks)
            transcript = self._transcript(deal, order)
            sealed = self._sealer.seal(seed)
            self._next = (
                deal,
                order,
                _Deal(
                    seed,
                    transcript,
                    self._source.shuffled(seed, transcript),
                    Sealed(keys=sealed.key_ids, blob=sealed.blob),
                ),
            )
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

    # -- as the dealer keeps it

    def opened(self, where: Position) -> OpenedCard:
        """A card of the running deal with its opening."""
        generation, place = place_of(where)
        return _opened(self._running.packs[generation], place)

    def seat(self, players: Mapping[Seat, str]) -> None:
        """Say who sits where; the transcript names them."""
        self._players = dict(players)

    def observe(self, event: TableEvent) -> None:
        """Follow a recorded event: a new deal begins, a generation comes into play."""
        match event:
            case DealStarted():
                self._begin(event)
            case StockReshuffled():
                self._regenerate(event)
            case _:
                return

    def keep(self, line: SeatMessage) -> None:
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

    @property
    def _running(self) -> _Deal:
        assert self._deal is not None, f"no deal is running at {self._table}"
        return self._deal

    def _begin(self, event: DealStarted) -> None:
        assert event.deal is not None, "a deal has a number"
        self._saved, self._noted = {}, {}
        if self._next is not None and self._next[2].sealed == event.sealed:
            self._deal, self._next = self._next[2], None
            return
        seed = self._sealer.open(SealedBytes(key_ids=event.sealed.keys, blob=event.sealed.blob))
        transcript = self._transcript(event.deal, event.order)
        found = self._source.shuffled(seed, transcript)
        if found.root != event.pack.root:
            raise PackMismatch(f"{self._table} deal {event.deal}: the sealed seed gives root {found.root}")
        self._deal, self._next = _Deal(seed, transcript, found, event.sealed), None

    def _regenerate(self, event: StockReshuffled) -> None:
        running = self._running
        if event.generation not in running.packs:
            assert event.deal is not None, "a reshuffle is part of a deal"
            self.reshuffled(event.deal, event.generation, event.taken)
        if running.packs[event.generation].root != event.pack.root:
            raise PackMismatch(f"{self._table} deal {event.deal}: generation {event.generation} has another root")

    def _seat(self, seats: tuple[SeatedPlayer, ...]) -> None:
        self._players = {one.seat: one.player for one in seats}

    def _transcript(self, deal: int, order: tuple[Seat, ...], *, purpose_toss: bool = False) -> Transcript:
        return without_seat_seeds(
            deck=DeckSpec(decks=self._terms.decks, printed_jokers_per_deck=self._terms.printed_jokers_per_deck),
            rules=self._rules,
            table=self._table,
            deal=deal,
            seats=[SeatPlace(seat=str(seat), player=self._players[seat]) for seat in order],
            purpose="toss" if purpose_toss else "deal",
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
