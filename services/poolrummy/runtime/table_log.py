"""Reading a table log from its first entry or from where one stands: in order, without gaps, the chain unbroken."""

from collections.abc import AsyncIterator
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


async def entries_of(table: str, store: Reads, *, until: int | None = None) -> AsyncIterator[TableEntry]:
    """The entries of a table log from version 1 to ``until``, each with its chain hash checked."""
    version, chain = 0, chain_start(table)
    while (until is None or version < until) and (page := await store.read_table(table, version + 1, PAGE)):
        for entry in page:
            if entry.version != version + 1:
                raise FeedGap(
                    f"the log of {table} goes from version {version} to {entry.version}; restore the store from a copy"
                )
            version, chain = entry.version, chain_next(chain, entry.payload)
            if chain != entry.chain:
                raise ChainBroken(table, version)
            yield entry
            if version == until:
                return
