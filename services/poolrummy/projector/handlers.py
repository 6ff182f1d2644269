"""The projector's side of the feed: events in, read models out, saved together with the offset."""

from base64 import b64encode
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

import msgspec
import structlog

from poolrummy.projector import board as boards
from poolrummy.projector import views
from poolrummy.projector.board import Board
from poolrummy.projector.folding import fold_table, read_event
from poolrummy.projector.rebuild_steps import Rebuild
from poolrummy.projector.throughput import Tally, Throughput
from poolrummy.runtime.effects import Effect, Park, Put, PutField
from poolrummy.runtime.errors import FeedGap
from poolrummy.runtime.handlers import RebuildStep
from poolrummy.runtime.store import FeedEntry, Lease, Store
from poolrummy_contracts import codec
from poolrummy_contracts.replies import Parked

REASON_MAX: Final = 4000
PAYLOAD_MAX: Final = 65_536

log = structlog.get_logger()


class _Version(msgspec.Struct):
    v: int


_VERSION: Final = msgspec.json.Decoder(_Version)


class ProjectorPartition:
    """Keeps the read models of one partition (a ``FeedHandler`` of the runtime). Only open tables are held."""

    def __init__(self, partition: int) -> None:
        self.partition = partition
        self._boards: dict[str, Board] = {}
        self._stuck: set[str] = set()
        self._tally = Tally()
        self._n = 0

    @property
    def boards(self) -> Mapping[str, Board]:
        """The open tables, for metrics."""
        return self._boards

    @property
    def stuck(self) -> AbstractSet[str]:
        """Tables whose read models stand still, for metrics."""
        return self._stuck

    @property
    def throughput(self) -> Throughput:
        """What the partition has done, for metrics."""
        return self._tally.counts()

    async def load(self, lease: Lease, store: Store) -> None:
        """Fold the tables of the stored lobby up to their stored versions; closed ones cost nothing."""
        self._n = lease.n
        self._tally = Tally(await store.view_value(views.throughput_key(self.partition)))
        self._stuck = set(await store.view_hash(views.stuck_key(self.partition)))
        self._boards = {}
        for table in sorted(await store.view_hash(views.lobby_key(self.partition))):
            if table not in self._stuck:
                self._boards[table] = await _as_stored(table, store)

    async def rebuild(self, lease: Lease, store: Store) -> Sequence[Effect]:
        """Build everything from the table logs, as of the offset that the lease names."""
        return [effect async for step in self.rebuild_steps(lease, store) for effect in step.effects]

    async def rebuild_steps(self, lease: Lease, store: Store) -> AsyncIterator[RebuildStep]:
        """The same, page by page."""
        rebuild = Rebuild(self.partition, store, lease.n)
        async for step in rebuild.steps():
            yield step
        self._n, self._stuck = lease.n, set()
        self._boards, self._tally = rebuild.boards, rebuild.tally

    def handle(self, batch: Sequence[FeedEntry]) -> Sequence[Effect]:
        """Fold the batch; every read model that it changes is written once, as it is after the batch."""
        before: dict[str, Board | None] = {}
        counted = False
        for entry in batch:
            if entry.n <= self._n or entry.table in self._stuck:
                continue
            known = self._boards.get(entry.table)
            if known is not None and entry.version <= known.table.v:
                continue
            counted |= self._fold(known, entry)
            before.setdefault(entry.table, known)
        self._n = max(self._n, batch[-1].n) if batch else self._n
        return list(self._effects(before, counted=counted))

    def poisoned(self, entry: FeedEntry, reason: str) -> Sequence[Effect]:
        """Leave this table's read models as they are until a rebuild; all other tables go on."""
        log.error("table stuck", table=entry.table, n=entry.n)
        self._stuck.add(entry.table)
        self._boards.pop(entry.table, None)
        self._n = entry.n
        line = Parked(
            offset=f"{entry.n}-0",
            why="projector",
            detail=reason[-REASON_MAX:],
            table=entry.table,
            size=len(entry.payload),
            payload=b64encode(entry.payload[:PAYLOAD_MAX]).decode(),
        )
        mark = PutField(views.stuck_key(self.partition), entry.table, f"version {entry.version}".encode())
        return [Park(codec.encode(line)), mark]

    def _fold(self, known: Board | None, entry: FeedEntry) -> bool:
        version = 0 if known is None else known.table.v
        if entry.version != version + 1:
            raise FeedGap(
                f"the feed of partition {self.partition} goes from version {version} of {entry.table} to "
                f"{entry.version} at {entry.n}; stop the projectors, then run: poolrummy rebuild --write"
            )
        event = read_event(entry.table, entry.version, entry.payload)
        after = self._boards[entry.table] = boards.evolve(known, event)
        return self._tally.add(after.table, event)

    def _effects(self, before: Mapping[str, Board | None], *, counted: bool) -> Iterator[Effect]:
        for table, board in before.items():
            after = self._boards[table]
            yield from views.changes(board, after)
            if after.table.closed:
                del self._boards[table]
        if counted:
            yield Put(views.throughput_key(self.partition), codec.encode(self._tally.counts()))


async def _as_stored(table: str, store: Store) -> Board:
    mend = f"stop the projectors, then run: poolrummy rebuild --table {table} --write"
    stored = await store.view_value(views.table_key(table, views.TABLE))
    try:
        until = _VERSION.decode(stored or b"").v
    except msgspec.DecodeError as broken:
        raise FeedGap(f"{table} stands in the lobby and has no table view that can be read; {mend}") from broken
    folded = await fold_table(table, store, until=until)
    if folded is None or folded.board.table.v != until:
        raise FeedGap(f"{table} has read models at version {until}, which its log does not reach; {mend}")
    return folded.board
