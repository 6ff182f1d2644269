"""A store whose archived tables are read from their archive, so that whoever reads a log finds it in either place."""

from collections.abc import Sequence

from poolrummy.archive.errors import ArchivedLogWrong, TableArchived
from poolrummy.archive.filing import Archive
from poolrummy.archive.place import file_of, keeper_at
from poolrummy.audit.evidence import Evidence, from_store
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.store import Head, TableEntry
from poolrummy_contracts.streams import is_table_id, partition_of


class StoreWithArchive(RedisStore):
    """A Redis store for commands: the log of an archived table comes from its archive, or a fault names it."""

    archive_place: str | None = None
    """Where it is; looked at only if a table is asked for that is archived."""
    _last: tuple[str, Sequence[TableEntry]] = ("", ())

    async def read_table(self, table: str, from_version: int, count: int) -> Sequence[TableEntry]:
        """Events of a table from this version on, in order, wherever its log is."""
        found = await super().read_table(table, from_version, count)
        if found:
            return found
        head = await self.read_head(table)
        if head is None or not head.archived:
            return found
        if self._last[0] != table:
            self._last = (table, entries_of(await self.archived(table, head), self.archive_place or ""))
        return self._last[1][from_version - 1 : from_version - 1 + count]

    async def evidence_of(self, table: str) -> Evidence | None:
        """What is known of a table, signed checkpoints in its archived file included; None if there never was one."""
        head = await self.read_head(table) if is_table_id(table) else None
        if head is not None and head.archived:
            return await self.archived(table, head)
        return await from_store(table, self)

    async def archived(self, table: str, head: Head) -> Evidence:
        """What the archive holds of a table that is archived; ``TableArchived`` where none was named."""
        last = (await self.read_archived(partition_of(table))).place
        if self.archive_place is None:
            raise TableArchived(table, last)
        return Archive(keeper_at(self.archive_place), self.archive_place).evidence(table, head, last)


def entries_of(evidence: Evidence, place: str) -> Sequence[TableEntry]:
    """The lines as a store would give them; ``ArchivedLogWrong`` if they are not the log whose head stayed there.

    Each line is held against its chain by whoever reads it, as the lines of a store are.
    """
    name, lines = file_of(evidence.table), evidence.lines
    if evidence.faults:
        raise ArchivedLogWrong(name, place, evidence.faults[0].what)
    if (len(lines), lines[-1].chain if lines else b"") != (evidence.head_version, evidence.head_chain):
        raise ArchivedLogWrong(name, place, "it does not end as the head says that stayed in the store")
    return tuple(TableEntry(version=v, payload=line.payload, chain=line.chain) for v, line in enumerate(lines, start=1))
