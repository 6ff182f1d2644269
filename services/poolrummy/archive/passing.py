"""One pass of the archiver: every closed table that may go is filed, read back, and leaves the store.

It may die anywhere: what it filed and did not remove is found by the next pass, and removed then.
"""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from poolrummy.archive import choosing
from poolrummy.archive.choosing import Closed, Left
from poolrummy.archive.errors import ArchivedLogWrong, CheckpointsUnread
from poolrummy.archive.filing import Archive
from poolrummy.archive.judging import Broken, Whole, judged, signed_until
from poolrummy.audit.auditing import Means, audited
from poolrummy.audit.evidence import Evidence, from_store
from poolrummy.audit.findings import Unauditable
from poolrummy.fairness.notary_keys import written as key_line
from poolrummy.fairness.sealing import Sealer
from poolrummy.fairness.signed_note import NoteKey
from poolrummy.keeping.checkpoint_folder import Keeper, kept
from poolrummy.keeping.keeper import KeeperFault
from poolrummy.projector import views
from poolrummy.projector.throughput import Tally
from poolrummy.runtime.side_by_side import side_by_side
from poolrummy.runtime.store import ArchiveCode, Archiving, Store
from poolrummy.runtime.table_names import tables_with_logs
from poolrummy_contracts import codec
from poolrummy_contracts.streams import partition_of

ATTEMPTS_MAX: Final = 100
"""How often a step is tried again because another archiver was faster."""

HELD_BACK: Final = (Broken, Unauditable, ArchivedLogWrong)
"""What keeps one table where it is, and no other."""

Progress = Callable[[int, int], None]
"""Told how many closed tables of how many were looked at."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """How a pass was asked for."""

    older_than_ms: int
    checkpoints: Keeper | None = None
    trusted: tuple[NoteKey, ...] = ()
    unsigned: bool = False
    """Take tables that the notary has not signed to their end."""
    without: tuple[str, ...] = ()
    """Roles that are gone for good."""
    audit: bool = False
    sealer: Sealer | None = None
    at_once: int = 8
    """How many tables are filed side by side: a disk and a bucket make one wait."""


class Gone(msgspec.Struct, frozen=True, kw_only=True):
    """A table that has left the store, or would have."""

    table: str
    events: int
    log_bytes: int
    file_bytes: int


class Wrong(msgspec.Struct, frozen=True, kw_only=True):
    """A table that stays because something about it is not as it must be."""

    table: str
    what: str


class Ready(msgspec.Struct, frozen=True, kw_only=True):
    """A table that may go."""

    table: Closed
    evidence: Evidence
    whole: Whole


class Pass:
    """One pass over a store. What it has done so far can be told whenever it ends, and however."""

    def __init__(self, store: Store, archive: Archive | None, wanted: Wanted) -> None:
        self.gone: list[Gone] = []
        self.left: list[Left] = []
        self.wrong: list[Wrong] = []
        self._store, self._archive, self._wanted = store, archive, wanted

    async def run(self, progress: Progress) -> None:
        """Archive what may go; without an archive only find out what would."""
        by_partition: dict[int, list[str]] = {}
        for name in await tables_with_logs(self._store):
            by_partition.setdefault(partition_of(name), []).append(name)
        done, known = 0, sum(map(len, by_partition.values()))
        for partition, tables in sorted(by_partition.items()):
            progress(done, known)
            chosen = await self._chosen(partition, tables)
            done += len(tables) - len(chosen)
            for start in range(0, len(chosen), self._wanted.at_once):
                some = chosen[start : start + self._wanted.at_once]
                await self._take(some)
                done += len(some)
                progress(done, known)
        progress(known, known)

    async def _chosen(self, partition: int, tables: Sequence[str]) -> list[Closed]:
        """The tables that are closed, followed and old enough."""
        wanted = self._wanted
        closed = await choosing.closed_tables(partition, tables, self._store)
        followed = await choosing.followed(partition, self._store, without=wanted.without)
        now_ms, signed = await self._store.now_ms(), wanted.checkpoints is not None
        chosen: list[Closed] = []
        for table in closed:
            left = choosing.left(table, now_ms, followed, older_than_ms=wanted.older_than_ms, checkpoints=signed)
            if left is None:
                chosen.append(table)
            else:
                self.left.append(left)
        return chosen

    async def _take(self, tables: Sequence[Closed]) -> None:
        """Verify these tables one by one, file them side by side, and let them go one by one."""
        ready = [one for table in tables if (one := await self._ready(table)) is not None]
        filed = await side_by_side(self._filed, ready) if self._archive is not None else [0] * len(ready)
        for one, file in zip(ready, filed, strict=True):
            try:
                if isinstance(file, Exception):
                    raise file
                await self._let_go(one, file)
            except HELD_BACK as why:
                await self._hold_back(one.table, why)

    async def _ready(self, table: Closed) -> Ready | None:
        wanted = self._wanted
        try:
            evidence = await _evidence(table, self._store, wanted)
            whole = judged(evidence)
            signed = len(evidence.lines) if wanted.checkpoints is None else signed_until(evidence, wanted.trusted)
            if signed < len(evidence.lines) and not wanted.unsigned:
                self.left.append(Left(table=table.table, why="not-signed"))
                return None
            if wanted.audit:
                _audit(evidence, wanted)
        except HELD_BACK as why:
            await self._hold_back(table, why)
            return None
        return Ready(table=table, evidence=evidence, whole=whole)

    def _filed(self, ready: Ready) -> int | Exception:
        """Bytes of the table's file; called in a thread."""
        assert self._archive is not None, "a dry run files nothing"
        try:
            keys = [key_line(key).strip() for key in self._wanted.trusted]
            return self._archive.file(ready.evidence, keys).file_bytes
        except HELD_BACK as why:
            return why

    async def _let_go(self, ready: Ready, file_bytes: int) -> None:
        if self._archive is not None:
            await _remove(ready.table, ready.whole, self._store, self._archive.place)
        lines = ready.evidence.lines
        log_bytes = sum(len(line.payload) for line in lines)
        table = ready.table.table
        self.gone.append(Gone(table=table, events=len(lines), log_bytes=log_bytes, file_bytes=file_bytes))

    async def _hold_back(self, table: Closed, why: Exception) -> None:
        """The table stays, and somebody has to look; unless another archiver was faster, while its log was read."""
        head = await self._store.read_head(table.table)
        if head is None or not head.archived:
            self.wrong.append(Wrong(table=table.table, what=str(why)))


async def _evidence(table: Closed, store: Store, wanted: Wanted) -> Evidence:
    evidence = await from_store(table.table, store)
    assert evidence is not None, "a table with a head has evidence"
    if wanted.checkpoints is None:
        return evidence
    try:
        found = kept(wanted.checkpoints, table.table)
    except KeeperFault as away:
        raise CheckpointsUnread(table.table, str(away)) from away
    return msgspec.structs.replace(evidence, notes=found.notes, leaves=found.leaves, rewinds=found.rewinds)


def _audit(evidence: Evidence, wanted: Wanted) -> None:
    result = audited(evidence, Means(sealer=wanted.sealer))
    if result.first is not None:
        raise Broken(f"the audit finds it wrong: {result.first.check}, {result.first.sentence}")


async def _remove(table: Closed, whole: Whole, store: Store, place: str) -> None:
    """The step that lets the table go; another archiver may have been faster, with this table or another one."""
    partition = partition_of(table.table)
    kinds = (views.TABLE, views.STANDINGS, views.SCORES)
    for _ in range(ATTEMPTS_MAX):
        archived = await store.read_archived(partition)
        tally = Tally(archived.tally)
        tally.merge(whole.tally)
        step = Archiving(
            table=table.table,
            version=table.head.version,
            chain=table.head.chain,
            number=archived.number,
            tally=codec.encode(tally.counts()),
            place=place,
            seats=whole.seats,
            views=tuple(views.table_key(table.table, kind) for kind in kinds),
        )
        match await store.archive(step):
            case ArchiveCode.ARCHIVED | ArchiveCode.ALREADY:
                return
            case ArchiveCode.OPEN:
                raise Broken("it is open again, and no dealer does that")
            case ArchiveCode.CONFLICT:
                head = await store.read_head(table.table)
                if head is None or (head.version, head.chain) != (table.head.version, table.head.chain):
                    raise Broken("its head changed after it was closed")
    raise Broken(f"other archivers were faster {ATTEMPTS_MAX} times; let one of them do it")
