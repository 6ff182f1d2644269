"""Whether an archive holds what left the store: every table, the very log, and together what was counted."""

from collections.abc import Callable

import msgspec

from poolrummy.archive.archived_reads import entries_of
from poolrummy.archive.errors import ArchivedLogWrong, NotInArchive
from poolrummy.archive.filing import Archive
from poolrummy.archive.judging import Broken, judged
from poolrummy.archive.passing import Wrong
from poolrummy.projector.throughput import Tally
from poolrummy.runtime.store import Head, Store
from poolrummy.runtime.table_names import table_names
from poolrummy_contracts import codec

HEADS_PAGE = 1000


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What a comparison of store and archive found."""

    tables: int
    events: int
    wrong: tuple[Wrong, ...]


async def check_archive(
    store: Store, archive: Archive, partitions: int, progress: Callable[[int, int], None]
) -> Checked:
    """Hold every archived table against the head that stayed, and their counts against the sum that stayed."""
    tables, events = 0, 0
    wrong: list[Wrong] = []
    for partition in range(partitions):
        progress(partition, partitions)
        left = await store.read_archived(partition)
        tally, whole = Tally(), True
        for table, head in await _archived(partition, store, left.number):
            tables += 1
            try:
                evidence = archive.evidence(table, head, left.place)
                events += len(entries_of(evidence, archive.place))
                tally.merge(judged(evidence).tally)
            except (Broken, ArchivedLogWrong, NotInArchive) as why:
                wrong.append(Wrong(table=table, what=str(why)))
                whole = False
        if whole and codec.encode(tally.counts()) != codec.encode(Tally(left.tally).counts()):
            what = f"the tables of partition {partition} do not count for what was handed over when they left"
            wrong.append(Wrong(table=f"p{partition:02d}", what=what))
    progress(partitions, partitions)
    return Checked(tables=tables, events=events, wrong=tuple(wrong))


async def _archived(partition: int, store: Store, number: int) -> list[tuple[str, Head]]:
    """The archived tables of a partition up to this number."""
    names = await table_names(partition, store) if number else ()
    found: list[tuple[str, Head]] = []
    for start in range(0, len(names), HEADS_PAGE):
        page = names[start : start + HEADS_PAGE]
        heads = await store.read_heads(page)
        found += [
            (name, head)
            for name, head in zip(page, heads, strict=True)
            if head is not None and 0 < head.archived <= number
        ]
    return found
