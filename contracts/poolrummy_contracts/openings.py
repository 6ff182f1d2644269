"""What a promise about a pack is made of, and how anybody checks it: hashes, Merkle paths, openings (rules 3.6 to 3.9).

Nothing but ``hashlib``: a client, a seat or a verifier needs no other part of the system. `FAIRNESS.md` explains it.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

from poolrummy_contracts.cards import FACES, place_of
from poolrummy_contracts.events import OpenedCard, SeedProof
from poolrummy_contracts.terms import Seat

PACK_LEAF: Final = b"poolrummy-pack-leaf-v1"
SEED_LEAF: Final = b"poolrummy-seed-leaf-v1"
SEAT_SEED: Final = b"poolrummy-seat-seed-v1"
HASH_BYTES: Final = 32
SEAT_SEED_BYTES: Final = 32
NUMBERS: Final = 1 << 32
"""Numbers are hashed as 32 bits, big-endian: this and above cannot be."""
_LEAF: Final = b"\x00"
_NODE: Final = b"\x01"


def check_card(opening: OpenedCard, *, root: str, generation: int, leaves: int) -> bool:
    """Whether the pack of this root, generation and number of cards has this card at its position (rule 3.7)."""
    return card_fault(opening, root=root, generation=generation, leaves=leaves) is None


def card_fault(opening: OpenedCard, *, root: str, generation: int, leaves: int) -> str | None:
    """What is wrong with the opening of a card, as a sentence; None where it proves the card.

    Hex counts in lower case only: one opening, one byte form.
    """
    wrong = _form_fault(opening, root) or _place_fault(opening, generation=generation, leaves=leaves)
    if wrong is not None:
        return wrong
    place, path = place_of(opening.position)[1], [bytes.fromhex(step) for step in opening.path]
    leaf = card_leaf(generation=generation, position=place, face=opening.card, salt=bytes.fromhex(opening.salt))
    if root_from(leaf, path, place, leaves=leaves) == bytes.fromhex(root):
        return None
    return f"{opening.card} with this opening does not lead to the root: another card was promised, or a byte changed"


def card_leaf(*, generation: int, position: int, face: str, salt: bytes) -> bytes:
    """The leaf of one card: each part behind its length in 16 bits, both numbers in 32 bits."""
    return leaf_hash(PACK_LEAF, _number(generation), _number(position), face.encode(), salt)


def seed_leaf(*, table: str, batch: int, index: int, seed: bytes) -> bytes:
    """The leaf of one seed of a batch: it hides the seed, since a seed has 640 bits of chance (rule 3.6)."""
    return leaf_hash(SEED_LEAF, table.encode(), _number(batch), _number(index), seed)


def seat_seed_commitment(*, table: str, seat: Seat, player: str, seed: bytes) -> str:
    """What a seat commits to before it reveals its own seed of 32 bytes (rule 3.8); in hex.

    >>> seat_seed_commitment(table="p07-9f2c", seat=Seat(1), player="asha", seed=bytes(32))[:16]
    'e40c7b900dfa86dd'
    """
    return leaf_hash(SEAT_SEED, table.encode(), _number(seat), player.encode(), seed).hex()


def check_seed_proof(proof: SeedProof, *, root: str, count: int) -> bool:
    """Whether the hash of this seed was in the batch of this root and size (rule 3.6)."""
    leaf, committed, path = hash_bytes(proof.leaf), hash_bytes(root), _path_of(proof.path)
    if leaf is None or committed is None or path is None or not 0 <= proof.index < count:
        return False
    return root_from(leaf, path, proof.index, leaves=count) == committed


def leaf_hash(domain: bytes, *parts: bytes) -> bytes:
    """The hash of a leaf: the domain and each part behind its length in 16 bits."""
    data = [_LEAF]
    for part in (domain, *parts):
        data += (len(part).to_bytes(2, "big"), part)
    return hashlib.sha256(b"".join(data)).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash above two hashes (RFC 6962)."""
    return hashlib.sha256(_NODE + left + right).digest()


def root_from(leaf: bytes, path: Sequence[bytes], position: int, *, leaves: int) -> bytes | None:
    """The root that a path leads to; None when the path is too short or too long."""
    rising, left_over, last = leaf, list(path), leaves - 1
    while last:
        if position % 2 or position < last:
            if not left_over:
                return None
            beside = left_over.pop(0)
            rising = node_hash(beside, rising) if position % 2 else node_hash(rising, beside)
        position, last = position >> 1, last >> 1
    return None if left_over else rising


def hash_bytes(text: str) -> bytes | None:
    """The 32 bytes that a text writes in lower-case hex, or None."""
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        return None
    return raw if len(raw) == HASH_BYTES and raw.hex() == text else None


def _path_of(texts: Sequence[str]) -> list[bytes] | None:
    path = [step for step in map(hash_bytes, texts) if step is not None]
    return path if len(path) == len(texts) else None


def _form_fault(opening: OpenedCard, root: str) -> str | None:
    if hash_bytes(root) is None:
        return "the root is not 32 bytes of lower-case hex"
    if not opening.salt and not opening.path:
        return "this line carries no opening: the table's reveal policy is `auditor`"
    if hash_bytes(opening.salt) is None or _path_of(opening.path) is None:
        return "salt and path are not lower-case hex of 32 bytes each"
    return None if opening.card in FACES else f"{opening.card!r} is no card"


def _place_fault(opening: OpenedCard, *, generation: int, leaves: int) -> str | None:
    try:
        of, place = place_of(opening.position)
    except ValueError:
        of, place = -1, -1
    if opening.position != f"{of}-{place}" or not (0 <= of < NUMBERS and 0 <= place < NUMBERS):
        return f"{opening.position!r} is no position: write generation and place, such as 0-41"
    if of != generation:
        return f"the position is of generation {of}, the root of generation {generation}"
    return None if place < leaves else f"the pack has {leaves} cards, so it has no place {place}"


def _number(value: int) -> bytes:
    return value.to_bytes(4, "big")
