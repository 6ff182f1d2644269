"""The notary follows the feed and signs how far each log has come.

A checkpoint is signed when a deal or the match is over, and at least every so many events. It is kept outside the
server, where who can change the log cannot change it.

A log that does not go on from what it has signed is not signed again, until somebody accepts it; everything else is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from poolrummy.audit.followed import CLOSED, Followed, Signing, by_table, kind_of
from poolrummy.fairness.checkpoint import Checkpoint
from poolrummy.keeping.checkpoint_folder import CheckpointForked, Keeper, KeptCheckpoints
from poolrummy.keeping.keeper import KeeperFault
from poolrummy.runtime.effects import DropField, Effect, PutField
from poolrummy.runtime.errors import FeedGap, OutOfReach
from poolrummy.runtime.side_by_side import side_by_side
from poolrummy.runtime.store import FeedEntry, Head, Lease, Store
from poolrummy.runtime.table_names import table_names
from poolrummy_contracts import streams

log = structlog.get_logger()

EVENTS_UNSIGNED_MAX: Final = 256
SIGNED_AT: Final = frozenset({"deal-scored", "deal-voided", "match-ended", "match-voided", CLOSED})
PAGE: Final = 500
TABLES_AT_ONCE: Final = 200
"""So many logs are looked at together in a rebuild: what they have unsigned is kept before the next are read."""


class CheckpointsUnreached(OutOfReach):
    """The place where checkpoints are kept cannot be used: nothing is lost, the notary goes on when it can."""


class NotaryPartition:
    """Signs the logs of one partition (a ``FeedHandler`` of the runtime that ``Settles``)."""

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
        self._store: Store
        self._logs: dict[str, Followed] = {}
        self._again: set[str] = set()
        """Logs that the feed alone does not tell: they are read from the store before the batch is settled."""
        self.due: list[Signing] = []
        """What is signed and has yet to be kept."""

    @property
    def logs(self) -> Iterable[Followed]:
        """The logs that are followed, for metrics."""
        return self._logs.values()

    async def load(self, lease: Lease, store: Store) -> None:
        """Go on with the logs that are not closed, up to where each was followed."""
        del lease
        self._store = store
        sizes = await store.view_hash(self._view)
        last = await self._last_kept(list(sizes))
        for table, size in sizes.items():
            self._logs[table] = await self._read(table, last.get(table), until=int(size))

    async def rebuild(self, lease: Lease, store: Store) -> Sequence[Effect]:
        """Sign what stands in the logs now, also in those that opened and closed while the feed went on without us.

        Every table of the partition is looked at; a closed one is read only where its end is not signed.
        """
        self._store = store
        view = await store.view_hash(self._view)
        in_play = {*view, *await store.open_tables(lease.partition)}
        names = sorted({*in_play, *await table_names(lease.partition, store)})
        effects: list[Effect] = []
        for at in range(0, len(names), TABLES_AT_ONCE):
            part = names[at : at + TABLES_AT_ONCE]
            heads = dict(zip(part, await store.read_heads(part), strict=True))
            last = await self._last_kept(part)
            for table in part:
                if table not in in_play and _signed_to_its_end(heads[table], last.get(table)):
                    continue
                followed = await self._catch_up(table, heads[table], last.get(table))
                if followed is not None:
                    effects.append(PutField(self._view, table, str(followed.tree.size).encode()))
                elif table in view:
                    effects.append(DropField(self._view, table))
            await self._keep_due()
        return effects

    def handle(self, batch: Sequence[FeedEntry]) -> Sequence[Effect]:
        """Follow these events and sign where it is time; ``settle`` keeps what was signed."""
        effects: dict[str, Effect] = {}
        for entry in batch:
            if not self._reads_again(entry):
                self._follow(entry)
            if kind_of(entry.payload) == CLOSED:
                self._logs.pop(entry.table, None)
                effects[entry.table] = DropField(self._view, entry.table)
            else:
                effects[entry.table] = PutField(self._view, entry.table, str(entry.version).encode())
        return list(effects.values())

    async def settle(self) -> None:
        """Keep what was signed, before the feed offset moves on."""
        again, self._again = sorted(self._again), set()
        if again:
            last = await self._last_kept(again)
            for table, head in zip(again, await self._store.read_heads(again), strict=True):
                await self._catch_up(table, head, last.get(table))
        await self._keep_due()

    def poisoned(self, entry: FeedEntry, reason: str) -> Sequence[Effect]:
        """An event that is no event: this log is not signed any more, all others are."""
        followed = self._logs.setdefault(entry.table, Followed(entry.table))
        followed.refused = f"version {entry.version} cannot be read"
        log.error("log not signed", table=entry.table, version=entry.version, reason=reason[-500:])
        return []

    # -- following

    def _reads_again(self, entry: FeedEntry) -> bool:
        """Whether this log has to be read from the store: we come into the middle of it, or it is another one."""
        followed = self._logs.get(entry.table)
        in_the_middle = followed is None and entry.version > 1
        another = followed is not None and entry.version == 1 and followed.first_chain not in (b"", entry.chain)
        if in_the_middle or another:
            self._again.add(entry.table)
        return entry.table in self._again

    def _follow(self, entry: FeedEntry) -> None:
        followed = self._logs.get(entry.table)
        if followed is None:
            followed = self._logs[entry.table] = Followed(entry.table)
        if entry.version <= followed.tree.size or (followed.refused and not followed.refused_for_now):
            return
        if entry.version != followed.tree.size + 1:
            raise FeedGap(f"{entry.table} goes from version {followed.tree.size} to {entry.version} in the feed")
        kind = followed.take(entry.payload, entry.chain)
        if kind not in SIGNED_AT and len(followed.unsigned) < EVENTS_UNSIGNED_MAX:
            return
        if followed.refused_for_now:
            self._again.add(entry.table)
        self._sign(followed)

    def _sign(self, followed: Followed) -> None:
        if not followed.refused:
            self.due.append(followed.signing(self._private))

    async def _catch_up(self, table: str, head: Head | None, last: Checkpoint | None) -> Followed | None:
        """The log as it stands in the store, signed to its end; ``None`` where nothing more will come."""
        self._logs.pop(table, None)
        if head is None or head.archived:
            return None
        followed = await self._read(table, last, until=None)
        if followed.unsigned:
            self._sign(followed)
        if followed.closed:
            return None
        self._logs[table] = followed
        return followed

    async def _read(self, table: str, last: Checkpoint | None, *, until: int | None) -> Followed:
        """The log up to this version, and at least as far as it is signed, held against what is kept outside."""
        followed = Followed(table)
        if until is not None and last is not None:
            until = max(until, last.size)  # signed, and then we ended before that was noted
        while (until is None or followed.tree.size < until) and (
            page := await self._store.read_table(table, followed.tree.size + 1, PAGE)
        ):
            for entry in page[: None if until is None else until - followed.tree.size]:
                followed.take(entry.payload, entry.chain)
                if last is not None and followed.tree.size == last.size:
                    followed.hold_against(last)
        if last is not None and followed.tree.size < last.size:
            followed.refuse(f"it ends at version {followed.tree.size}, {last.size} events were signed", for_now=True)
        return followed

    # -- what is kept outside

    async def _last_kept(self, tables: Sequence[str]) -> Mapping[str, Checkpoint]:
        """The last checkpoint of each of these tables."""
        try:
            found = await side_by_side(KeptCheckpoints(self._keeper).latest, tables)
        except KeeperFault as away:
            raise CheckpointsUnreached(f"checkpoints cannot be read: {away}") from away
        return {table: one for table, one in zip(tables, found, strict=True) if one is not None}

    async def _keep_due(self) -> None:
        due, self.due = self.due, []
        for kept in await side_by_side(self._keep, by_table(due)):
            for _ in range(kept):
                self._on_signed()

    def _keep(self, signings: Sequence[Signing]) -> int:
        """Keep the checkpoints of one table, one after the other, in a thread; how many were kept."""
        for number, one in enumerate(signings):
            try:
                one.keep(self._keeper)
            except CheckpointForked as forked:
                table = one.checkpoint.table
                log.critical("log not signed", table=table, reason=str(forked))
                if table in self._logs:
                    self._logs[table].refused = str(forked)
                return number
            except KeeperFault as away:
                raise CheckpointsUnreached(
                    f"the checkpoint of {one.checkpoint.table} over {one.checkpoint.size} events cannot be kept: {away}"
                ) from away
        return len(signings)


def _signed_to_its_end(head: Head | None, last: Checkpoint | None) -> bool:
    return head is not None and last is not None and (head.version, head.chain) == (last.size, last.chain)
