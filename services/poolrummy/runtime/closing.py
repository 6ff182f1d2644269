"""What a store keeps of acts on new play: numbered, chained, written once each; the runtime does not read them."""

from collections.abc import Sequence
from typing import Protocol

from poolrummy.runtime.records import TableEntry


class KeepsClosures(Protocol):
    """The part of a store that keeps them."""

    async def close_play(self, partition: int, n: int, payload: bytes, chain: bytes) -> bool:
        """Write act ``n`` on new play; False where somebody else has written that one."""
        ...

    async def read_closures(self, partition: int, after_n: int, count: int) -> Sequence[TableEntry]:
        """Acts on new play after this number, in order."""
        ...
