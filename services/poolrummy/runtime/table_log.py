"""Reading a table log from its first entry: in order, without gaps, the chain unbroken."""

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Final

from poolrummy.runtime.errors import FeedGap
from poolrummy.runtime.store import Reads, TableEntry
from poolrummy_contracts.envelope import chain_next, chain_start

PAGE: Final = 500


class ChainBroken(FeedGap):
    """A stored entry is not the one whose hash stands beside it, or an entry before it was changed."""

    def __init__(self, table: str, version: int) -> None:
        super().__init__(
            f"the log of {table} is not what was written: its chain breaks at version {version}; "
            "restore the store from a copy, and settle nothing from this log until then"
        )
        self.table = table
        self.version = version


class Chain:
    """How far a log is read, and the hash of everything up to there."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.version: int = 0
        self.hash: bytes = chain_start(table)

    def take(self, entry: TableEntry) -> TableEntry:
        """The entry, if it is the next one and the one that was written."""
        if entry.version != self.version + 1:
            raise FeedGap(
                f"the log of {self.table} goes from version {self.version} to {entry.version}; "
                "restore the store from a copy"
            )
        self.version, self.hash = entry.version, chain_next(self.hash, entry.payload)
        if self.hash != entry.chain:
            raise ChainBroken(self.table, self.version)
        return entry


def checked(table: str, entries: Iterable[TableEntry]) -> Iterator[TableEntry]:
    """These entries, each held against the one before it."""
    chain = Chain(table)
    return (chain.take(entry) for entry in entries)


async def entries_of(table: str, store: Reads, *, until: int | None = None) -> AsyncIterator[TableEntry]:
    """The entries of a table log from version 1 to ``until``, or to its end, each held against the one before it."""
    chain = Chain(table)
    while (until is None or chain.version < until) and (page := await store.read_table(table, chain.version + 1, PAGE)):
        for entry in page:
            yield chain.take(entry)
            if entry.version == until:
                return
