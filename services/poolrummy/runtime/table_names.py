"""Every table that a partition has ever had, and every one whose log lies in the store. No process needs to know."""

from collections.abc import Sequence

from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.redis_reads import RedisReads
from poolrummy.runtime.store import Reads
from poolrummy_contracts import streams
from poolrummy_contracts.streams import is_table_id


async def table_names(partition: int, store: Reads) -> Sequence[str]:
    """Ids of all tables with a head, closed and archived ones too, sorted."""
    if isinstance(store, MemoryStore):
        tables = store.part(partition).tables
        return tuple(sorted(table for table, data in tables.items() if data.head is not None))
    assert isinstance(store, RedisReads), f"nobody has said how {type(store).__name__} lists its tables"
    return await _scanned(partition, store)


async def tables_with_logs(store: Reads) -> Sequence[str]:
    """Ids of all tables of all partitions whose log lies in the store, open and closed ones, sorted. One scan."""
    if isinstance(store, MemoryStore):
        held = (part.tables.items() for part in store.parts.values())
        return tuple(sorted(table for tables in held for table, data in tables if data.log))
    assert isinstance(store, RedisReads), f"nobody has said how {type(store).__name__} lists its tables"
    found = await store.calls.scan("{p*}:table:*")
    return tuple(sorted(table for key in found if is_table_id(table := key.rpartition(":")[2])))


async def _scanned(partition: int, store: RedisReads) -> Sequence[str]:
    prefix = streams.head(f"p{partition:02d}-x").removesuffix(f"p{partition:02d}-x")
    return tuple(sorted(key.removeprefix(prefix) for key in await store.calls.scan(f"{prefix}*")))
