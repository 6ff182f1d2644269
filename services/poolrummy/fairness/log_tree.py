"""The RFC 6962 tree over the lines of a table log: one hash for a whole log, and for each of its beginnings."""

import hashlib
from collections.abc import Iterable

LEAF = b"\x00"
NODE = b"\x01"
EMPTY = hashlib.sha256(b"").digest()


def leaf_of(stored: bytes) -> bytes:
    """The leaf of one stored line."""
    return hashlib.sha256(LEAF + stored).digest()


class LogTree:
    """A tree that grows by one leaf at a time and keeps only the roots of its full parts.

    >>> LogTree().root == EMPTY, LogTree([leaf_of(b"")]).root == leaf_of(b"")
    (True, True)
    """

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        self.size = 0
        self._full: list[bytes] = []
        for leaf in leaves:
            self.grow(leaf)

    def grow(self, leaf: bytes) -> None:
        """Take in the next leaf."""
        height, rising = self.size, leaf
        while height & 1:
            rising = _above(self._full.pop(), rising)
            height >>= 1
        self._full.append(rising)
        self.size += 1

    @property
    def root(self) -> bytes:
        """The root over all leaves so far."""
        if not self._full:
            return EMPTY
        *others, root = self._full
        for left in reversed(others):
            root = _above(left, root)
        return root


def _above(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(NODE + left + right).digest()
