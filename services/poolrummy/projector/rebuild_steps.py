"""Writing all read models of a partition anew, step by step: a page of tables is folded, written, and forgotten.

However many tables there are, only the open ones stay in memory, and no step is more than the server does at once. What
is written is what following the feed up to ``n`` would have given. Each page is folded and then held against what
the feed went on with meanwhile, so that a table that moved is folded again, up to its last version before that.

Doing it again changes nothing: values that are right already are left alone, and the lobby is mended, never emptied.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from poolrummy.projector import views
from poolrummy.projector.board import Board
from poolrummy.projector.folding import Folded
from poolrummy.projector.lobby import lobby_entry, shelf
from poolrummy.projector.rebuilding import first_versions, fold_into, gone, is_stale, known_tables, prefixes
from poolrummy.projector.throughput import Tally
from poolrummy.runtime.effects import Drop, DropField, Effect, Exclude, Include, Put, PutField
from poolrummy.runtime.handlers import RebuildStep
from poolrummy.runtime.store import Store
from poolrummy_contracts import codec

TABLES_AT_ONCE: Final = 100
READS_AT_ONCE: Final = 10
"""Logs that are read side by side: their round trips overlap, and the pool of connections has room."""


class Rebuild:
    """One rebuild; when its steps are done it holds the open tables and what was counted."""

    def __init__(self, partition: int, store: Store, n: int) -> None:
        self.boards: dict[str, Board] = {}
        self.tally = Tally()
        self._partition, self._store, self._n = partition, store, n
        self._read_n = n
        self._behind: dict[str, int] = {}
        self._kept: set[str] = set()
        self._in_lobby: frozenset[str] = frozenset()
        self._shelves: dict[str, tuple[str, ...]] = {}

    async def steps(self) -> AsyncIterator[RebuildStep]:
        """The effects, page by page; the last step stands for all of them and goes with the offset."""
        partition, store = self._partition, self._store
        await self._read_on()
        self._in_lobby = frozenset(await store.view_hash(views.lobby_key(partition)))
        self._shelves = await self._stored_shelves()
        archived = await store.read_archived(partition)
        self.tally = Tally(archived.tally)
        tables = sorted({*await known_tables(partition, store), *self._behind})
        for start in range(0, len(tables), TABLES_AT_ONCE):
            folded = await self._folded(tables[start : start + TABLES_AT_ONCE])
            effects = await self._written(folded)
            yield RebuildStep(effects=effects, done=min(start + TABLES_AT_ONCE, len(tables)), tables=len(tables))
        await self._count_again(archived.number, tables)
        stale = await self._stale()
        for start in range(0, len(stale), TABLES_AT_ONCE):
            drops = [Drop(key) for key in stale[start : start + TABLES_AT_ONCE]]
            yield RebuildStep(effects=drops, done=len(tables), tables=len(tables))
        yield RebuildStep(effects=await self._last(), done=len(tables), tables=len(tables))

    async def _read_on(self) -> None:
        self._read_n = await first_versions(self._partition, self._store, self._read_n, self._behind)

    async def _folded(self, tables: Sequence[str]) -> dict[str, Folded]:
        """These tables as they were when the feed stood at ``n``."""
        found: dict[str, Folded] = {}
        folded_before = frozenset(self._behind)
        await self._fold(found, tables)
        await self._read_on()
        await self._fold(found, [table for table in tables if table in self._behind and table not in folded_before])
        # Half a log was read of a table that was archived meanwhile: it does not seem to be closed.
        for table in await gone((table for table, one in found.items() if not one.board.table.closed), self._store):
            del found[table]
        return found

    async def _fold(self, found: dict[str, Folded], tables: Sequence[str]) -> None:
        for start in range(0, len(tables), READS_AT_ONCE):
            some = tables[start : start + READS_AT_ONCE]
            await asyncio.gather(*(fold_into(found, table, self._store, self._behind) for table in some))

    async def _written(self, folded: Mapping[str, Folded]) -> list[Effect]:
        values: dict[str, bytes] = {}
        for one in folded.values():
            values |= views.values(one.board)
        stored = dict(zip(values, await self._store.view_values(list(values)), strict=True))
        effects: list[Effect] = [Put(key, value) for key, value in values.items() if stored[key] != value]
        for table, one in sorted(folded.items()):
            self.tally.merge(one.tally)
            self._kept.add(table)
            effects.extend(self._lobby(table, one.board))
            if not one.board.table.closed:
                self.boards[table] = one.board
        return effects

    def _lobby(self, table: str, board: Board) -> Iterator[Effect]:
        """Where the table stands in the lobby, and nowhere else."""
        if board.table.closed:
            yield from self._off_lobby(table)
            return
        now = views.shelf_key(self._partition, shelf(board))
        yield PutField(views.lobby_key(self._partition), table, codec.encode(lobby_entry(board)))
        yield Include(now, table)
        yield from (Exclude(key, table) for key in self._shelves.get(table, ()) if key != now)

    def _off_lobby(self, table: str) -> Iterator[Effect]:
        if table in self._in_lobby:
            yield DropField(views.lobby_key(self._partition), table)
        yield from (Exclude(key, table) for key in self._shelves.get(table, ()))

    async def _count_again(self, number: int, tables: Sequence[str]) -> None:
        """Tables were archived meanwhile: whether the kept sum or ours holds one cannot be told, so all are counted."""
        partition, store = self._partition, self._store
        while (archived := await store.read_archived(partition)).number != number:
            number, self.tally = archived.number, Tally(archived.tally)
            self._kept -= await gone(self._kept, store)
            left = [table for table in tables if table in self._kept]
            for start in range(0, len(left), TABLES_AT_ONCE):
                for one in (await self._folded(left[start : start + TABLES_AT_ONCE])).values():
                    self.tally.merge(one.tally)

    async def _stale(self) -> list[str]:
        """Keys of tables that the logs do not give."""
        kinds = prefixes(self._partition)
        stale: list[str] = []
        for key in await self._store.view_keys(self._partition):
            table = next((key.removeprefix(kind) for kind in kinds if key.startswith(kind)), None)
            if table is not None and table not in self._kept and await is_stale(table, self._store):
                stale.append(key)
        return stale

    async def _last(self) -> list[Effect]:
        """What is of the whole partition: tables that have no place in the lobby any more, stuck ones, the counts."""
        listed = self._in_lobby | self._shelves.keys()
        off = (self._off_lobby(table) for table in sorted(listed - self._kept))
        effects: list[Effect] = [*chain.from_iterable(off), Drop(views.stuck_key(self._partition))]
        key, counts = views.throughput_key(self._partition), self.tally.counts()
        wanted = codec.encode(counts) if counts.counts else None
        if await self._store.view_value(key) != wanted:
            effects.append(Drop(key) if wanted is None else Put(key, wanted))
        return effects

    async def _stored_shelves(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        lobby = views.lobby_key(self._partition)
        for key in await self._store.view_keys(self._partition):
            if key.startswith(f"{lobby}:"):
                for table in await self._store.view_members(key):
                    found[table] = (*found.get(table, ()), key)
        return found
