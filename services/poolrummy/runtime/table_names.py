"""Every table that a partition has ever had: what a rebuild must know, and nothing else needs."""

from collections.abc import Sequence
from typing import cast

from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.redis_calls import text
from poolrummy.runtime.redis_reads import RedisReads
from poolrummy.runtime.store import Reads
from poolrummy_contracts import streams


async def table_names(partition: int, store: Reads) -> Sequence[str]:
    """Ids of all tables with a head, closed and archived ones too, sorted."""
    if isinstance(store, MemoryStore):
        tables = store.part(partition).tables
        return tuple(sorted(table for table, data in tables.items() if data.head is not None))
    assert isinstance(store, RedisReads), f"nobody has said how {type(store).__name__} lists its tables"
    return await _scanned(partition, store)


async def _scanned(partition: int, store: RedisReads) -> Sequence[str]:
    prefix = streams.head(f"p{partition:02d}-x").removesuffix(f"p{partition:02d}-x")
    pattern = prefix.replace("{", "\\{").replace("}", "\\}") + "*"
    tables: set[str] = set()
    cursor = "0"
    while True:
        cursor, found = await store.calls.ask("SCAN", cursor, "MATCH", pattern, "COUNT", 1000)
        tables.update(text(key).removeprefix(prefix) for key in cast("Sequence[bytes]", found))
        cursor = text(cursor) if isinstance(cursor, bytes) else str(cursor)
        if cursor == "0":
            return tuple(sorted(tables))
