"""The notary follows the feed and signs how far each log has come.

A checkpoint is signed when a deal or the match is over, and at least every so many events. It is kept outside the
server, where who can change the log cannot change it.

A log that does not go on from what it has signed is not signed again; everything else is.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec
import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from poolrummy.fairness.checkpoint import Checkpoint, signed, unverified
from poolrummy.fairness.checkpoint_folder import Keeper, keep, kept
from poolrummy.fairness.log_tree import LogTree, leaf_of
from poolrummy.fairness.signed_note import NoteWrong
from poolrummy.runtime.effects import DropField, Effect, PutField
from poolrummy.runtime.errors import FeedGap, OutOfReach
from poolrummy.runtime.store import FeedEntry, Lease, Store
from poolrummy_contracts import streams
from poolrummy_contracts.envelope import chain_next, chain_start

log = structlog.get_logger()

EVENTS_UNSIGNED_MAX: Final = 256
SIGNED_AT: Final = frozenset({"deal-scored", "deal-voided", "match-ended", "match-voided", "table-closed"})
PAGE: Final = 500


class CheckpointsUnwritable(OutOfReach):
    """The place where checkpoints are kept takes none: nothing is lost, the notary goes on when it does."""


class _Seen(msgspec.Struct):
    type: str
    at: int


_SEEN: Final = msgspec.json.Decoder(_Seen)


class Followed:
    """One log: its tree, its chain, the leaves that are not kept outside yet."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.tree = LogTree()
        self.chain = chain_start(table)
        self.at_ms = 0
        self.unsigned: list[bytes] = []
        self.unsigned_since_ms: int | None = None
        """When the first event was recorded that no checkpoint covers; None while the table is frozen, or all are."""
        self.refused = ""

    def take(self, payload: bytes, chain: bytes) -> str:
        """Follow one line; its type."""
        seen = _SEEN.decode(payload)
        leaf = leaf_of(payload)
        self.tree.grow(leaf)
        self.unsigned.append(leaf)
        self.chain, self.at_ms = chain_next(self.chain, payload), seen.at
        if seen.type == "table-frozen":
            self.unsigned_since_ms = None
        elif self.unsigned_since_ms is None:
            self.unsigned_since_ms = seen.at
        if self.chain != chain and not self.refused:
            self.refused = f"its chain breaks at version {self.tree.size}"
            log.critical("log not signed", table=self.table, reason=self.refused)
        return seen.type

    def sign(self, private: Ed25519PrivateKey, keeper: Keeper) -> None:
        """Keep a signed checkpoint of everything up to here."""
        if self.refused:
            return
        checkpoint = Checkpoint(
            table=self.table, size=self.tree.size, root=self.tree.root, chain=self.chain, at_ms=self.at_ms
        )
        try:
            keep(keeper, checkpoint, signed(checkpoint, private), self.unsigned)
        except OSError as full:
            raise CheckpointsUnwritable(
                f"the checkpoint of {self.table} over {self.tree.size} events cannot be kept: {full}; "
                "make room in the folder of POOLRUMMY_CHECKPOINTS_DIR, or mend its rights"
            ) from full
        self.all_signed()

    def all_signed(self) -> None:
        """What was followed up to here is kept outside."""
        self.unsigned, self.unsigned_since_ms = [], None


class NotaryPartition:
    """Signs the logs of one partition (a ``FeedHandler`` of the runtime)."""

    def __init__(
        self,
        partition: int,
        keeper: Keeper,
        private: Ed25519PrivateKey,
        on_signed: Callable[[], None] = lambda: None,
    ) -> None:
        self._view = streams.view(partition, "notary")
        self._keeper = keeper
        self._private = private
        self._on_signed = on_signed
        self._logs: dict[str, Followed] = {}

    @property
    def logs(self) -> Iterable[Followed]:
        """The logs that are followed, for metrics."""
        return self._logs.values()

    async def load(self, lease: Lease, store: Store) -> None:
        """Go on with the logs that are not closed, up to where each was followed."""
        del lease
        for table, size in (await store.view_hash(self._view)).items():
            self._logs[table] = await self._read(table, store, int(size))

    async def rebuild(self, lease: Lease, store: Store) -> Sequence[Effect]:
        """Sign what stands in the logs now: the feed went on without us."""
        known = set(await store.view_hash(self._view)) | set(await store.open_tables(lease.partition))
        effects: list[Effect] = []
        for table in sorted(known):
            followed = self._logs[table] = await self._read(table, store, None)
            if followed.unsigned:
                self._sign(followed)
            effects.append(PutField(self._view, table, str(followed.tree.size).encode()))
        return effects

    def handle(self, batch: Sequence[FeedEntry]) -> Sequence[Effect]:
        """Follow these events and sign where it is time."""
        effects: dict[str, Effect] = {}
        for entry in batch:
            followed = self._logs.get(entry.table)
            if followed is None:
                followed = self._logs[entry.table] = Followed(entry.table)
            if entry.version <= followed.tree.size:
                continue
            if entry.version != followed.tree.size + 1:
                raise FeedGap(f"{entry.table} goes from version {followed.tree.size} to {entry.version} in the feed")
            kind = followed.take(entry.payload, entry.chain)
            if kind in SIGNED_AT or len(followed.unsigned) >= EVENTS_UNSIGNED_MAX:
                self._sign(followed)
            effects[entry.table] = PutField(self._view, entry.table, str(followed.tree.size).encode())
            if kind == "table-closed":
                del self._logs[entry.table]
                effects[entry.table] = DropField(self._view, entry.table)
        return list(effects.values())

    def poisoned(self, entry: FeedEntry, reason: str) -> Sequence[Effect]:
        """An event that is no event: this log is not signed any more, all others are."""
        followed = self._logs.setdefault(entry.table, Followed(entry.table))
        followed.refused = f"version {entry.version} cannot be read"
        log.error("log not signed", table=entry.table, version=entry.version, reason=reason[-500:])
        return []

    def _sign(self, followed: Followed) -> None:
        followed.sign(self._private, self._keeper)
        if not followed.refused:
            self._on_signed()

    async def _read(self, table: str, store: Store, until: int | None) -> Followed:
        """The log as it stands, held against the last checkpoint that is kept outside."""
        followed = Followed(table)
        found = kept(self._keeper, table)
        last = self._last(found.notes)
        while (until is None or followed.tree.size < until) and (
            page := await store.read_table(table, followed.tree.size + 1, PAGE)
        ):
            for entry in page[: None if until is None else until - followed.tree.size]:
                followed.take(entry.payload, entry.chain)
                if last is not None and followed.tree.size == last.size:
                    followed.all_signed()
                    if followed.tree.root != last.root:
                        followed.refused = f"it is not the log that was signed over {last.size} events"
        if last is not None and followed.tree.size < last.size:
            followed.refused = f"it ends at version {followed.tree.size}, {last.size} events were signed"
        if followed.refused:
            log.critical("log not signed", table=table, reason=followed.refused)
        return followed

    @staticmethod
    def _last(notes: Sequence[bytes]) -> Checkpoint | None:
        for note in reversed(notes):
            try:
                return unverified(note)
            except NoteWrong:
                continue
        return None
