"""One log as the notary follows it: its tree, its chain, and what of it nobody has signed yet."""

from collections.abc import Sequence
from typing import Final

import msgspec
import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from poolrummy.fairness.checkpoint import Checkpoint, signed
from poolrummy.fairness.log_tree import LogTree, leaf_of
from poolrummy.keeping.checkpoint_folder import Keeper, keep
from poolrummy_contracts.envelope import chain_next, chain_start

log = structlog.get_logger()

CLOSED: Final = "table-closed"


class _Seen(msgspec.Struct):
    type: str
    at: int


_SEEN: Final = msgspec.json.Decoder(_Seen)
_NO_EVENT: Final = _Seen("", 0)


class Signing(msgspec.Struct, frozen=True):
    """A signed checkpoint that is yet to be kept, with the leaves since the one before."""

    checkpoint: Checkpoint
    note: bytes
    leaves: tuple[bytes, ...]

    def keep(self, keeper: Keeper) -> None:
        """Keep it; ``KeeperFault`` where that cannot be."""
        keep(keeper, self.checkpoint, self.note, self.leaves)


class Followed:
    """One log: its tree, its chain, the leaves that no checkpoint covers yet."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.tree = LogTree()
        self.chain = chain_start(table)
        self.first_chain = b""
        """The chain hash after the first line: another first line begins another log."""
        self.at_ms = 0
        self.closed = False
        self.unsigned: list[bytes] = []
        self.unsigned_since_ms: int | None = None
        """When the first event was recorded that no checkpoint covers; None while the table is frozen, or all are."""
        self.refused = ""
        self.refused_for_now = False
        """Whether only what is kept speaks against it: somebody may accept the log meanwhile."""

    def take(self, payload: bytes, chain: bytes) -> str:
        """Follow one line; its type."""
        seen = _seen(payload)
        leaf = leaf_of(payload)
        self.tree.grow(leaf)
        self.unsigned.append(leaf)
        self.chain, self.at_ms, self.closed = chain_next(self.chain, payload), seen.at, seen.type == CLOSED
        self.first_chain = self.first_chain or chain
        if seen.type == "table-frozen":
            self.unsigned_since_ms = None
        elif self.unsigned_since_ms is None:
            self.unsigned_since_ms = seen.at
        if not seen.type:
            self.refuse(f"version {self.tree.size} cannot be read")
        elif self.chain != chain and not self.refused:
            self.refuse(f"its chain breaks at version {self.tree.size}")
        return seen.type

    def refuse(self, reason: str, *, for_now: bool = False) -> None:
        """Sign this log no more, and say so."""
        self.refused, self.refused_for_now = reason, for_now
        log.critical("log not signed", table=self.table, reason=reason)

    def hold_against(self, last: Checkpoint) -> None:
        """Compare it with the last checkpoint that is kept, as soon as it has that size."""
        self.all_signed()
        if self.tree.root != last.root:
            self.refuse(f"it is not the log that was signed over {last.size} events", for_now=True)

    def signing(self, private: Ed25519PrivateKey) -> Signing:
        """A signed checkpoint of everything up to here."""
        checkpoint = Checkpoint(
            table=self.table, size=self.tree.size, root=self.tree.root, chain=self.chain, at_ms=self.at_ms
        )
        made = Signing(checkpoint, signed(checkpoint, private), tuple(self.unsigned))
        self.all_signed()
        return made

    def all_signed(self) -> None:
        """What was followed up to here is signed."""
        self.unsigned, self.unsigned_since_ms = [], None


def kind_of(payload: bytes) -> str:
    """The type of an event, without following it; empty where it is none."""
    return _seen(payload).type


def _seen(payload: bytes) -> _Seen:
    """Type and time of a line; no type where it is no event."""
    try:
        return _SEEN.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _NO_EVENT


def by_table(due: Sequence[Signing]) -> list[list[Signing]]:
    """Each table's signings in their order: those of one table are kept one after the other."""
    found: dict[str, list[Signing]] = {}
    for one in due:
        found.setdefault(one.checkpoint.table, []).append(one)
    return list(found.values())
