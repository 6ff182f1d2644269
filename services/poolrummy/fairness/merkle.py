"""A commitment to a pack that can be opened card by card: an RFC 6962 tree over salted leaves."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from poolrummy_contracts.cards import FACES

LEAF_DOMAIN: Final = b"poolrummy-pack-leaf-v1"
HASH_BYTES: Final = 32
_NUMBERS: Final = 1 << 32
_LEAF: Final = b"\x00"
_NODE: Final = b"\x01"

Levels = tuple[tuple[bytes, ...], ...]
"""The hashes of a tree from its leaves up; the last level is the root alone."""


class Opening(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The proof that this face lies at this position of a pack that was committed to."""

    position: int
    face: str
    salt: str
    path: tuple[str, ...]


def leaf_hash(*, generation: int, position: int, face: str, salt: bytes) -> bytes:
    """The leaf of one card: each part behind its length in 16 bits, both numbers in 32 bits."""
    parts = (LEAF_DOMAIN, generation.to_bytes(4, "big"), position.to_bytes(4, "big"), face.encode(), salt)
    data = b"".join(len(part).to_bytes(2, "big") + part for part in parts)
    return hashlib.sha256(_LEAF + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash above two hashes."""
    return hashlib.sha256(_NODE + left + right).digest()


def levels(leaves: Sequence[bytes]) -> Levels:
    """The whole tree; a hash without a right neighbour rises unchanged, which is RFC 6962's split.

    >>> [len(level) for level in levels([bytes(32)] * 5)]
    [5, 3, 2, 1]
    """
    assert leaves, "a pack has at least one card"
    built = [tuple(leaves)]
    while len(built[-1]) > 1:
        built.append(tuple(_above(built[-1])))
    return tuple(built)


def root(tree: Levels) -> str:
    """The commitment, in hex."""
    return tree[-1][0].hex()


def path(tree: Levels, position: int) -> tuple[str, ...]:
    """The neighbours from a leaf up to the root, in hex; a level without a neighbour adds none."""
    beside = [(level, (position >> height) ^ 1) for height, level in enumerate(tree[:-1])]
    return tuple(level[neighbour].hex() for level, neighbour in beside if neighbour < len(level))


def check_opening(opening: Opening, *, root: str, leaves: int, generation: int) -> bool:
    """Whether the pack of this root, generation and number of leaves has this face at this position.

    Hex counts in lower case only: one opening, one byte form.
    """
    salt, committed = _bytes_of(opening.salt), _bytes_of(root)
    path = [step for step in map(_bytes_of, opening.path) if step is not None]
    if salt is None or committed is None or len(path) != len(opening.path):
        return False
    if opening.face not in FACES or not 0 <= opening.position < leaves or not 0 <= generation < _NUMBERS:
        return False
    leaf = leaf_hash(generation=generation, position=opening.position, face=opening.face, salt=salt)
    return _root_from(leaf, path, opening.position, last=leaves - 1) == committed


def _above(level: tuple[bytes, ...]) -> Iterator[bytes]:
    for left, right in zip(level[::2], level[1::2], strict=False):
        yield node_hash(left, right)
    if len(level) % 2:
        yield level[-1]


def _root_from(leaf: bytes, path: Sequence[bytes], position: int, *, last: int) -> bytes | None:
    """The root that a path leads to; None when the path is too short or too long."""
    rising, left_over = leaf, list(path)
    while last:
        if position % 2 or position < last:
            if not left_over:
                return None
            beside = left_over.pop(0)
            rising = node_hash(beside, rising) if position % 2 else node_hash(rising, beside)
        position, last = position >> 1, last >> 1
    return None if left_over else rising


def _bytes_of(text: str) -> bytes | None:
    """The 32 bytes that a text writes in lower-case hex, or None."""
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        return None
    return raw if len(raw) == HASH_BYTES and raw.hex() == text else None
