"""A table's file in the archive: written, read back and compared before anybody may rely on it."""

from collections.abc import Iterable

import msgspec

from poolrummy.archive.errors import ArchivedLogWrong, ArchiveUnusable, NotInArchive
from poolrummy.archive.place import file_of
from poolrummy.audit import bundle, packed
from poolrummy.audit.evidence import Evidence
from poolrummy.audit.findings import Unauditable
from poolrummy.keeping.keeper import Keeper, KeeperFault, KeptOtherwise
from poolrummy.runtime.store import Head


class Filed(msgspec.Struct, frozen=True, kw_only=True):
    """A table that lies in the archive."""

    name: str
    bundle_bytes: int
    file_bytes: int


class Archive:
    """The archive at one place."""

    def __init__(self, keeper: Keeper, place: str) -> None:
        self.keeper = keeper
        self.place = place

    def file(self, evidence: Evidence, keys: Iterable[str] = ()) -> Filed:
        """Put the table into the archive, and read it back; ``ArchivedLogWrong`` if another log has its name there.

        What an earlier pass put there and could not finish is left as it is, if it says the same.
        """
        name, content = file_of(evidence.table), bundle.written(evidence, keys=keys)
        found = self._get(name)
        if found is None:
            self._put_once(name, packed.packed(content))
            found = self._get(name)
        elif self._same(name, found, evidence) and packed.unpacked(found, name) != content:
            self._put(name, packed.packed(content))  # the same log, with checkpoints that were not known then
            found = self._get(name)
        if found is None:
            raise ArchiveUnusable(self.place, f"{name} was put there and is not there")
        if not self._same(name, found, evidence):
            raise ArchivedLogWrong(name, self.place, "it holds other lines than the log in the store")
        return Filed(name=name, bundle_bytes=len(content), file_bytes=len(found))

    def evidence(self, table: str, head: Head, last_place: str) -> Evidence:
        """What the archive holds of a table, to be held against the head that stayed in the store."""
        name = file_of(table)
        content = self._get(name)
        if content is None:
            raise NotInArchive(name, self.place, last_place)
        try:
            found = bundle.read(content, name)
        except Unauditable as broken:
            raise ArchivedLogWrong(name, self.place, str(broken)) from broken
        if found.table != table:
            raise ArchivedLogWrong(name, self.place, f"it is of {found.table}")
        return msgspec.structs.replace(found, source=table, head_version=head.version, head_chain=head.chain)

    def _same(self, name: str, content: bytes, evidence: Evidence) -> bool:
        try:
            found = bundle.read(content, name)
        except Unauditable as broken:
            raise ArchivedLogWrong(name, self.place, str(broken)) from broken
        return not found.faults and (found.table, found.lines) == (evidence.table, evidence.lines)

    def _get(self, name: str) -> bytes | None:
        try:
            return self.keeper.get(name)
        except (OSError, KeeperFault) as refused:
            raise ArchiveUnusable(self.place, _why(refused)) from refused

    def _put_once(self, name: str, content: bytes) -> None:
        try:
            self.keeper.put_once(name, content)
        except KeptOtherwise:
            return  # another archiver was faster; whether it is the same log is looked at next
        except (OSError, KeeperFault) as refused:
            raise ArchiveUnusable(self.place, _why(refused)) from refused

    def _put(self, name: str, content: bytes) -> None:
        try:
            self.keeper.put(name, content)
        except (OSError, KeeperFault) as refused:
            raise ArchiveUnusable(self.place, _why(refused)) from refused


def _why(refused: Exception) -> str:
    """What the system says, without what a folder's keeper says around it: that speaks of checkpoints."""
    told = refused.__cause__ if isinstance(refused.__cause__, OSError) else refused
    return getattr(told, "strerror", None) or str(refused)
