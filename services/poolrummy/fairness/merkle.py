"""A commitment to a pack that can be opened card by card: an RFC 6962 tree over salted leaves."""

from collections.abc import Iterator, Sequence

import msgspec

from poolrummy_contracts import openings
from poolrummy_contracts.cards import Card, position
from poolrummy_contracts.events import OpenedCard
from poolrummy_contracts.openings import node_hash

Levels = tuple[tuple[bytes, ...], ...]
"""The hashes of a tree from its leaves up; the last level is the root alone."""


class Opening(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The proof that this face lies at this position of a pack that was committed to."""

    position: int
    face: str
    salt: str
    path: tuple[str, ...]


def leaf_hash(*, generation: int, position: int, face: str, salt: bytes) -> bytes:
    """The leaf of one card."""
    return openings.card_leaf(generation=generation, position=position, face=face, salt=salt)


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
    """Whether the pack of this root, generation and number of leaves has this face at this position."""
    if opening.position < 0 or not 0 <= generation < openings.NUMBERS:
        return False
    card = OpenedCard(Card(opening.face), position(generation, opening.position), opening.salt, opening.path)
    return openings.check_card(card, root=root, generation=generation, leaves=leaves)


def _above(level: tuple[bytes, ...]) -> Iterator[bytes]:
    for left, right in zip(level[::2], level[1::2], strict=False):
        yield node_hash(left, right)
    if len(level) % 2:
        yield level[-1]
