"""How a store in memory lets a table go: the same promises as ``archive.lua``, said in Python."""

from msgspec.structs import replace

from poolrummy.runtime.archiving import ArchiveCode, Archiving
from poolrummy.runtime.effects import Drop
from poolrummy.runtime.memory_partition import MemoryPartition, TableData
from poolrummy.runtime.store import Archived


def archive(part: MemoryPartition, step: Archiving) -> ArchiveCode:
    """The same as ``archive.lua``."""
    head = part.tables[step.table].head if step.table in part.tables else None
    if head is not None and head.archived:
        return ArchiveCode.ALREADY
    if step.table in part.open:
        return ArchiveCode.OPEN
    if head is None or (head.version, head.chain) != (step.version, step.chain):
        return ArchiveCode.CONFLICT
    if part.archived.number != step.number:
        return ArchiveCode.CONFLICT
    part.archived = Archived(number=step.number + 1, tally=step.tally, place=step.place)
    before = part.tables[step.table]
    after = part.tables[step.table] = TableData(head=replace(head, archived=step.number + 1))
    after.seats = {seat: lines for seat, lines in before.seats.items() if seat not in step.seats}
    after.saved = {seat: value for seat, value in before.saved.items() if seat not in step.seats}
    for key in step.views:
        part.views.apply(Drop(key))
    return ArchiveCode.ARCHIVED
