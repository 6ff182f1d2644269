"""The pack of a deal: its order, its commitment, and the opening of each of its cards (R2, R4, R8)."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from poolrummy.fairness import merkle, shuffle, stream
from poolrummy.fairness.transcript import FORMAT, Transcript, context
from poolrummy_contracts.cards import PRINTED_JOKER, RANKS, SUITS


@dataclass(frozen=True, slots=True)
class DealtPack:
    """A shuffled pack. Faces and salts are secret: neither ``repr`` nor a log line shows them."""

    generation: int
    root: str
    leaves: int
    faces: tuple[str, ...] = field(repr=False)
    salts: tuple[bytes, ...] = field(repr=False)
    tree: merkle.Levels = field(repr=False)

    def opening(self, position: int) -> merkle.Opening:
        """The proof of the card at this position."""
        assert 0 <= position < self.leaves, f"the pack has no position {position}"
        return merkle.Opening(
            position=position,
            face=self.faces[position],
            salt=self.salts[position].hex(),
            path=merkle.path(self.tree, position),
        )

    def openings(self, positions: Iterable[int]) -> tuple[merkle.Opening, ...]:
        """The proofs of several cards, in the order asked."""
        return tuple(self.opening(position) for position in positions)


def unshuffled(decks: int, printed_jokers_per_deck: int) -> tuple[str, ...]:
    """The pack before the shuffle: deck by deck, spades to clubs, ace to king, then the deck's jokers.

    >>> unshuffled(2, 1)[:3], unshuffled(2, 1)[51:54], len(unshuffled(2, 1))
    (('AS', '2S', '3S'), ('KC', 'JK', 'AS'), 106)
    """
    suited = tuple(rank + suit for suit in SUITS for rank in RANKS)
    return (suited + (PRINTED_JOKER,) * printed_jokers_per_deck) * decks


def toss_pack(decks: int) -> tuple[str, ...]:
    """The pack that decides the seats: the decks of the table without printed jokers."""
    return unshuffled(decks, printed_jokers_per_deck=0)


def deal_pack(seed: bytes, transcript: Transcript) -> DealtPack:
    """The first pack of a deal, or the pack of a toss, as the transcript says."""
    deck = transcript.deck
    if transcript.purpose == "toss":
        return reshuffled(seed, transcript, toss_pack(deck.decks))
    return reshuffled(seed, transcript, unshuffled(deck.decks, deck.printed_jokers_per_deck))


def reshuffled(seed: bytes, transcript: Transcript, faces: Sequence[str]) -> DealtPack:
    """A pack of these faces, listed as they go in: an order, salts and a root of its own."""
    bound, stem = context(transcript), label_stem(transcript, faces)
    order = shuffle.order(len(faces), stream.draws(seed, stem=stem, context=bound))
    return _committed(seed, transcript, stem, tuple(faces[source] for source in order))


def in_this_order(seed: bytes, transcript: Transcript, faces: Sequence[str]) -> DealtPack:
    """A committed pack whose order was not drawn: for packs that a test writes down, and for tests of checkers."""
    return _committed(seed, transcript, label_stem(transcript, faces), tuple(faces))


def _committed(seed: bytes, transcript: Transcript, stem: bytes, lying: tuple[str, ...]) -> DealtPack:
    salts = stream.salts(seed, stem=stem, context=context(transcript), positions=len(lying))
    tree = merkle.levels(
        [
            merkle.leaf_hash(generation=transcript.generation, position=position, face=face, salt=salt)
            for position, (face, salt) in enumerate(zip(lying, salts, strict=True))
        ]
    )
    return DealtPack(
        generation=transcript.generation,
        root=merkle.root(tree),
        leaves=len(lying),
        faces=lying,
        salts=salts,
        tree=tree,
    )


def label_stem(transcript: Transcript, faces: Sequence[str]) -> bytes:
    """The label of this shuffle: purpose, deal, generation, and a hash of the cards that go in.

    The hash is there so that nobody, the holder of the seed included, knows where a discard will lie after
    the reshuffle before the last card has been discarded.
    """
    goes_in = hashlib.sha256(msgspec.json.encode(list(faces))).hexdigest()
    where = f"{FORMAT}/{transcript.purpose}/{transcript.deal}/{transcript.generation}/{goes_in}"
    return where.encode()
