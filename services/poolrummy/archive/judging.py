"""Whether a closed table may leave the store: whole, unchanged, as signed. Pure."""

from collections.abc import Sequence

import msgspec

from poolrummy.audit.evidence import Evidence
from poolrummy.audit.reading import read_log
from poolrummy.audit.signed import Trust, check_signed
from poolrummy.fairness.checkpoint import Checkpoint, unverified
from poolrummy.fairness.log_tree import LogTree, leaf_of
from poolrummy.fairness.signed_note import NoteKey, NoteWrong
from poolrummy.projector.throughput import Tally
from poolrummy.rules import fold as rules
from poolrummy.rules.state import Table
from poolrummy_contracts.events import TableClosed, TableEvent


class Broken(Exception):
    """The log is not what it should be: it stays where it is, and somebody has to look."""


class Whole(msgspec.Struct, frozen=True, kw_only=True):
    """A log that may go: who sat where does not matter any more, what it counts for does."""

    tally: Tally
    seats: tuple[int, ...]


def judged(evidence: Evidence) -> Whole:
    """What stays of a closed log; ``Broken`` if a line is not what was written, or the log does not reach its end."""
    read = read_log(evidence)
    if read.findings:
        raise Broken(read.findings[0].sentence)
    if read.newer:
        raise Broken(f"{read.newer}; archive it with a newer release")
    if not read.events or not isinstance(read.events[-1], TableClosed):
        raise Broken("it is listed as closed, and its last event is not table-closed")
    return _counted(read.events)


def signed_until(evidence: Evidence, trusted: Sequence[NoteKey]) -> int:
    """How many of its events are signed; ``Broken`` if a checkpoint leads to another log.

    With trusted keys only their signatures count; without any, whatever the checkpoints say is held against the log.
    """
    if trusted and evidence.notes:
        line = check_signed(evidence, Trust(keys=tuple(trusted), required=True), closed=True)
        if line.finding is not None:
            raise Broken(line.finding.sentence)
    signed = [_read(note) for note in evidence.notes]
    roots, tree = dict[int, bytes](), LogTree()
    sizes = {one.size for one in signed}
    for stored in evidence.lines:
        tree.grow(leaf_of(stored.payload))
        if tree.size in sizes:
            roots[tree.size] = tree.root
    for one in signed:
        if one.table != evidence.table or roots.get(one.size) != one.root:
            raise Broken(f"a checkpoint over {one.size} events is not of this log")
    return max(sizes, default=0)


def _read(note: bytes) -> Checkpoint:
    try:
        return unverified(note)
    except NoteWrong as wrong:
        raise Broken(str(wrong)) from wrong


def _counted(events: Sequence[TableEvent]) -> Whole:
    tally = Tally()
    table: Table | None = None
    for event in events:
        table = rules.evolve(table, event)
        tally.add(table, event)
    assert table is not None, "a log that ends has begun"
    return Whole(tally=tally, seats=tuple(range(1, table.terms.seats + 1)))
