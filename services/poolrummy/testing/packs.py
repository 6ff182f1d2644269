"""Scripted packs: who holds what is written down, and the rest of the pack follows from a number.

Only tests hand such a pack in. Faces are real, commitments and openings are not: they carry no proof.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final

import msgspec

from poolrummy.fairness.batch import SEEDS_PER_BATCH
from poolrummy.fairness.pack import toss_pack, unshuffled
from poolrummy.rules.deal_out import deal_out
from poolrummy.rules.hidden import SeedPromise, ShuffleBasis, Toss
from poolrummy_contracts.cards import Card, Position, parse_cards, place_of, position
from poolrummy_contracts.events import (
    BatchSeed,
    DealStarted,
    OpenedCard,
    PackCommitment,
    Sealed,
    SeedProof,
    TableEvent,
)
from poolrummy_contracts.seat_lines import DropNoted, DropWithdrawn, GroupingSaved, PlainLine
from poolrummy_contracts.terms import Seat, Terms

Groups = tuple[tuple[Position, ...], ...]

_NO_HANDS: Final[Mapping[int, str]] = {}


class DealScript(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a deal before it is dealt: cards as text, by seat; whatever is left out is filled up.

    ``order`` says which faces fill the gaps: another number, another pack. A bare pack is dealt as it stands.
    """

    hands: Mapping[int, str] = _NO_HANDS
    wild: str = ""
    open: str = ""
    stock: str = ""
    order: int = 0
    faces: tuple[Card, ...] = ()


class ScriptedPack:
    """A pack, or one generation of it, as the rules read it."""

    def __init__(self, faces: Sequence[Card], *, label: str, generation: int, proof: SeedProof) -> None:
        self.faces = tuple(faces)
        self.commitment = PackCommitment(cards=len(self.faces), root=_hex(label), transcript=_hex("of " + label))
        self.proof = proof
        self._generation = generation

    def opened(self, place: int) -> OpenedCard:
        """The card at this place; salt and path are none."""
        return OpenedCard(self.faces[place], position(self._generation, place), "", ())


class Script:
    """What only the dealer knows, written down beforehand: the ``Hidden`` of tests.

    It follows the table: :meth:`follow` takes the events and lines of each decision.
    """

    software: str | None = None

    def __init__(self, terms: Terms, deals: Mapping[int, DealScript] | None = None, *, toss: str = "") -> None:
        self._terms = terms
        self._deals = dict(deals or {})
        self._toss = parse_cards(toss)
        self._packs: dict[tuple[int, int], ScriptedPack] = {}
        self._deal = 0
        self._saved: dict[Seat, Groups] = {}
        self._noted: dict[Seat, str] = {}

    def script(self, deal: int, script: DealScript) -> None:
        """Say what a later deal will be."""
        self._deals[deal] = script

    def follow(self, events: Sequence[TableEvent], lines: Sequence[PlainLine]) -> None:
        """Take over what a decision recorded: a new deal begins without groupings and noted drops."""
        for event in events:
            if isinstance(event, DealStarted) and event.deal is not None:
                self._deal = event.deal
                self._saved, self._noted = {}, {}
        for line in lines:
            match line:
                case GroupingSaved():
                    self._saved[line.seat] = line.groups
                case DropNoted():
                    self._noted[line.seat] = line.command
                case DropWithdrawn():
                    self._noted.pop(line.seat, None)
                case _:
                    pass

    def face(self, where: Position) -> Card:
        """The face of a card of the running deal."""
        generation, place = place_of(where)
        return self._packs[self._deal, generation].faces[place]

    def saved(self, seat: Seat) -> Groups | None:
        """The grouping that the seat saved last."""
        return self._saved.get(seat)

    def noted_drop(self, seat: Seat) -> str | None:
        """The command that asked for a drop in advance."""
        return self._noted.get(seat)

    def can_seal(self, channel_key: str) -> bool:
        """Any key of age will do."""
        return channel_key.startswith("age1")

    def drawn_seat(self, number: int, free: tuple[Seat, ...]) -> Seat:
        """The last free one."""
        del number
        return free[-1]

    def commit(self, batch: int) -> SeedPromise:
        """A promise about nothing."""
        sealed = Sealed(keys=("test",), blob=f"batch {batch}")
        return SeedPromise(count=SEEDS_PER_BATCH, root=_hex(f"batch {batch}"), sealed=sealed)

    def toss(self, basis: ShuffleBasis) -> Toss:
        """The toss as scripted; without a script seat 1 draws highest, and so on."""
        rest = [Card(face) for face in toss_pack(self._terms.decks)]
        highest_first = [Card(rank + "S") for rank in "AKQJT9"][: len(basis.seats)]
        return Toss(
            faces=_filled(self._toss or highest_first, rest),
            commitment=PackCommitment(cards=len(rest), root=_hex("toss"), transcript=_hex("of toss")),
            proof=_proof(basis),
            seed="00",
        )

    def pack(self, deal: int, basis: ShuffleBasis) -> ScriptedPack:
        """The pack of a deal, with every scripted card where it belongs."""
        script = self._deals.get(deal, DealScript(order=deal))
        faces = script.faces or faces_for(self._terms, [one.seat for one in basis.seats], script)
        pack = ScriptedPack(faces, label=f"deal {deal}", generation=0, proof=_proof(basis))
        self._packs[deal, 0] = pack
        return pack

    def reshuffled(self, deal: int, generation: int, taken: tuple[Position, ...]) -> ScriptedPack:
        """The taken cards, the oldest on top: tests can say which card comes next."""
        faces = [self.face(where) for where in taken]
        label, proof = f"deal {deal}, generation {generation}", self._packs[deal, 0].proof
        pack = ScriptedPack(faces, label=label, generation=generation, proof=proof)
        self._packs[deal, generation] = pack
        return pack

    def seed(self, deal: int) -> str:
        """A seed that is none."""
        return _hex(f"seed of {deal}")

    def batch_seeds(self, batch: int, indexes: tuple[int, ...]) -> tuple[BatchSeed, ...]:
        """Seeds that are none."""
        return tuple(BatchSeed(index, _hex(f"seed {index} of {batch}")) for index in indexes)


def faces_for(terms: Terms, order: Sequence[Seat], script: DealScript) -> tuple[Card, ...]:
    """A whole pack that deals what the script says; asking for a card that the decks do not hold is an error."""
    faces = composition(terms)
    plain = [face if face != "JK" else Card("2S") for face in faces]
    layout = deal_out(terms, order, plain)
    wanted: dict[int, Card] = {}
    for seat, places in zip(order, layout.hands, strict=True):
        wanted |= dict(zip(places, parse_cards(script.hands.get(seat, "")), strict=False))
    for places, text in (((layout.wild,), script.wild), ((layout.open,), script.open), (layout.stock, script.stock)):
        wanted |= dict(zip(places, parse_cards(text), strict=False))
    rest = iter(_shuffled(_left(faces, wanted.values()), script.order))
    dealt = [wanted[place] if place in wanted else next(rest) for place in range(len(faces))]
    return _without_joker_turned_up(dealt, layout.wild, layout.stock, wanted)


def composition(terms: Terms) -> tuple[Card, ...]:
    """The cards of the decks that the terms name."""
    return tuple(Card(face) for face in unshuffled(terms.decks, terms.printed_jokers_per_deck))


def shuffled_faces(terms: Terms, number: int) -> tuple[Card, ...]:
    """A bare pack in an order that follows from a number."""
    return tuple(_shuffled(composition(terms), number))


def _filled(first: Sequence[Card], rest: Sequence[Card]) -> tuple[Card, ...]:
    return (*first, *_left(rest, first))


def _left(cards: Sequence[Card], taken: Iterable[Card]) -> list[Card]:
    left = Counter(cards)
    left.subtract(Counter(taken))
    missing = [card for card, count in left.items() if count < 0]
    assert not missing, f"the pack does not hold so many of {missing}"
    return list(left.elements())


def _shuffled(cards: Sequence[Card], number: int) -> Iterator[Card]:
    keys = {place: sha256(f"{number}:{place}".encode()).digest() for place in range(len(cards))}
    return (cards[place] for place in sorted(keys, key=lambda place: keys[place]))


def _without_joker_turned_up(
    faces: list[Card], wild: int, stock: Sequence[int], wanted: Mapping[int, Card]
) -> tuple[Card, ...]:
    """A printed joker is turned up only where the script says so: another would move what comes after it."""
    if faces[wild] == "JK" and wild not in wanted:
        other = next(place for place in reversed(stock) if place not in wanted and faces[place] != "JK")
        faces[wild], faces[other] = faces[other], faces[wild]
    return tuple(faces)


def _proof(basis: ShuffleBasis) -> SeedProof:
    return SeedProof(basis.batch, basis.index, _hex(f"seed {basis.index} of {basis.batch}"), ())


def _hex(label: str) -> str:
    return sha256(label.encode()).hexdigest()
