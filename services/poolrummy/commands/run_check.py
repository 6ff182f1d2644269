"""After a run: every log is folded again and held against the read models that the projector kept, byte for byte."""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct

from poolrummy.commands.run_lag import measured
from poolrummy.projector import views
from poolrummy.projector.folding import fold_table
from poolrummy.runtime.errors import FeedGap, NewerVersionNeeded
from poolrummy.runtime.redis_store import RedisStore
from poolrummy_contracts.streams import partition_of

SETTLE_S_MAX: Final = 20.0


class Difference(Struct, frozen=True, kw_only=True):
    """A read model that is not what the log gives, or a log that cannot be folded."""

    table: str
    what: str

    @property
    def sentence(self) -> str:
        """What a person reads."""
        return f"{self.table}: {self.what}"


async def settled(store: RedisStore, tables: Iterable[str], look_after: Callable[[], None]) -> bool:
    """Wait until validator, projector and notary have followed everything; False if they do not get there."""
    partitions = sorted({partition_of(table) for table in tables})
    deadline_s = time.monotonic() + SETTLE_S_MAX
    while partitions and not (await measured(store.calls, partitions)).settled:
        if time.monotonic() > deadline_s:
            return False
        look_after()
        await asyncio.sleep(0.1)
    return True


async def differences(store: RedisStore, tables: Sequence[str]) -> list[Difference]:
    """What differs; empty if every log gives exactly the standings, sheets and states that are stored."""
    found: list[Difference] = []
    for table in tables:
        found.extend(await _of_table(store, table))
    return found


async def _of_table(store: RedisStore, table: str) -> list[Difference]:
    try:
        folded = await fold_table(table, store)
    except (FeedGap, NewerVersionNeeded) as broken:
        return [Difference(table=table, what=str(broken))]
    if folded is None:
        return [Difference(table=table, what="there is no log")]
    differing = [key for key, value in views.values(folded.board).items() if await store.view_value(key) != value]
    return [Difference(table=table, what=f"{key} is not what the log gives") for key in differing]
