"""Places outside the server that keep bytes under names for ever: what they promise, and what can be wrong with one.

::

    FairnessError
    └── KeeperFault          a place that keeps checkpoints cannot be used as it was meant
        ├── KeeperUnfit      what was named is no such place, or it does not let us in: somebody has to mend it
        ├── KeeperAway       it does not answer now: later it may
        └── KeptOtherwise    other bytes are kept under this name: one of the two is not what it seems
"""

import hashlib
from collections.abc import Sequence
from typing import Final, Protocol

from poolrummy.fairness.errors import FairnessError

MARK: Final = "READ-ME.txt"
"""What a notary puts into a place when it begins to use it; a dealer that does not find it is in the wrong place."""
MARK_TEXT: Final = (
    b"Signed checkpoints of poolrummy's table logs, one folder a table. They are evidence: nothing here is ever\n"
    b"overwritten. `poolrummy audit TABLE --checkpoints PLACE` holds a log against them.\n"
)


class KeeperFault(FairnessError):
    """A place that keeps checkpoints cannot be used as it was meant."""


class KeeperUnfit(KeeperFault):
    """What was named is no such place, or it does not let us in."""


class KeeperAway(KeeperFault):
    """The place does not answer now; what was not kept is not lost, it is still in the log."""


class KeptOtherwise(KeeperFault):
    """Other bytes are kept under this name already. Neither is thrown away."""

    def __init__(self, name: str, kept: bytes, new: bytes) -> None:
        super().__init__(
            f"{name} is kept with other bytes: {len(kept)} bytes of SHA-256 {_digest(kept)} are there, {len(new)} of "
            f"{_digest(new)} were to be kept; who has signed twice, or who has changed the place?"
        )
        self.name = name
        self.kept = kept
        self.new = new


class Keeper(Protocol):
    """Keeps bytes under names, such as ``p07-9f2c/000000000412.checkpoint``; every method may raise ``KeeperFault``."""

    def put(self, name: str, content: bytes) -> None:
        """Keep it; what was there under this name is replaced, all at once."""
        ...

    def put_once(self, name: str, content: bytes) -> None:
        """Keep it for ever. The same bytes again change nothing; ``KeptOtherwise`` where others are kept."""
        ...

    def get(self, name: str) -> bytes | None:
        """What is kept under this name."""
        ...

    def names(self, folder: str) -> Sequence[str]:
        """The names in a folder, sorted, without the folder."""
        ...

    def remove(self, name: str) -> None:
        """Forget it; nothing happens where nothing is kept."""
        ...

    def refuse_unusable(self, *, writing: bool) -> None:
        """Raise now what using it would raise later; ``writing`` marks it as a place where checkpoints are kept."""
        ...


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
