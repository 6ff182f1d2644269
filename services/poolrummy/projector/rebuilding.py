"""All read models of a partition from its table logs, exactly as they were when the feed stood at ``n``.

The logs go on while they are read. What stands in the feed behind ``n`` says where to stop in each log, so that the
result is what following the feed up to ``n`` would have given: byte for byte, counts included. Tables may be archived
meanwhile as well: they have left their counts, and their numbers say which of them the kept sum holds.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

import msgspec

from poolrummy.projector import views
from poolrummy.projector.board import Board
from poolrummy.projector.folding import Folded, fold_table
from poolrummy.projector.lobby import lobby_entry, shelf
from poolrummy.projector.throughput import Tally
from poolrummy.runtime.effects import Include, PutField, ViewEffect
from poolrummy.runtime.errors import FeedLost
from poolrummy.runtime.store import Reads, Store
from poolrummy.runtime.table_names import table_names
from poolrummy_contracts import codec, streams

FEED_PAGE: Final = 1000
HEADS_PAGE: Final = 1000

Progress = Callable[[int, int], None]
"""Told how many tables of how many are folded."""


class Rebuilt(msgspec.Struct, frozen=True, kw_only=True):
    """A partition folded from its logs: the open tables, all values by key, what was counted."""

    boards: dict[str, Board]
    values: dict[str, bytes]
    tally: Tally


async def rebuilt(partition: int, store: Store, n: int, progress: Progress = lambda _done, _all: None) -> Rebuilt:
    """The partition as it was when its feed stood at ``n``."""
    behind: dict[str, int] = {}
    read_n = await first_versions(partition, store, n, behind)
    tables = sorted({*await known_tables(partition, store), *behind})
    found: dict[str, Folded] = {}
    for done, table in enumerate(tables):
        progress(done, len(tables))
        await fold_into(found, table, store, behind)
    folded_before = dict(behind)
    await first_versions(partition, store, read_n, behind)
    for table in sorted(behind.keys() - folded_before.keys()):
        await fold_into(found, table, store, behind)
    progress(len(tables), len(tables))

    archived = await store.read_archived(partition)
    for table in await gone(found, store, archived.number):
        del found[table]
    tally, values = Tally(archived.tally), dict[str, bytes]()
    for folded in found.values():
        tally.merge(folded.tally)
        values |= views.values(folded.board)
    if tally.counts().counts:
        values[views.throughput_key(partition)] = codec.encode(tally.counts())
    is_open = {table: folded.board for table, folded in found.items() if not folded.board.table.closed}
    return Rebuilt(boards=is_open, values=values, tally=tally)


def lobby_of(partition: int, is_open: Mapping[str, Board]) -> Iterator[ViewEffect]:
    """The lobby of these tables, from nothing."""
    for table, board in sorted(is_open.items()):
        yield PutField(views.lobby_key(partition), table, codec.encode(lobby_entry(board)))
        yield Include(views.shelf_key(partition, shelf(board)), table)


async def known_tables(partition: int, store: Reads) -> set[str]:
    """Every table that is not archived and has a log or had one, and every one that read models are kept of."""
    keys = await store.view_keys(partition)
    kinds = prefixes(partition)
    named = {key.removeprefix(kind) for key in keys for kind in kinds if key.startswith(kind)}
    named.update(await table_names(partition, store))
    return named - await gone(named, store)


async def gone(tables: Iterable[str], store: Reads, number: int | None = None) -> set[str]:
    """Which of these tables are archived; up to this number, if one is given."""
    wanted, found = sorted(tables), set[str]()
    for start in range(0, len(wanted), HEADS_PAGE):
        page = wanted[start : start + HEADS_PAGE]
        for table, head in zip(page, await store.read_heads(page), strict=True):
            if head is not None and head.archived and (number is None or head.archived <= number):
                found.add(table)
    return found


async def first_versions(partition: int, store: Reads, n: int, behind: dict[str, int]) -> int:
    """Note the first version of each table in the feed behind ``n``; where the feed ends."""
    while page := await store.read_feed(partition, n, FEED_PAGE):
        for entry in page:
            if entry.n != n + 1:
                raise FeedLost(f"feed of partition {partition}: {n + 1} is no longer there; start the rebuild again")
            n = entry.n
            behind.setdefault(entry.table, entry.version)
    return n


async def fold_into(found: dict[str, Folded], table: str, store: Reads, behind: Mapping[str, int]) -> None:
    """Fold a table up to its first version behind; one that began there is none."""
    found.pop(table, None)
    if (first := behind.get(table)) == 1:
        return
    folded = await fold_table(table, store, until=None if first is None else first - 1)
    if folded is not None:
        found[table] = folded


async def is_stale(table: str, store: Reads) -> bool:
    """Whether read models that no log gives are to go. Those of a table whose log is missing stay: restore it first."""
    head = await store.read_head(table)
    return head is None or bool(head.archived) or bool(await store.read_table(table, 1, 1))


def prefixes(partition: int) -> list[str]:
    """How the keys of a table's read models begin; the rest is its id."""
    return [streams.view(partition, kind, "") for kind in (views.TABLE, views.STANDINGS, views.SCORES)]
