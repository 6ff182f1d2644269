"""What is closed to new play on one partition, as the dealer knows it (R23, R29)."""

from collections.abc import Sequence
from typing import Final

import structlog

from poolrummy.runtime.closing import KeepsClosures
from poolrummy.runtime.store import InboxEntry, TableEntry
from poolrummy_contracts import closures, codec
from poolrummy_contracts.codec import InboxMessage
from poolrummy_contracts.commands import AskRejoin, Sit
from poolrummy_contracts.envelope import chain_next
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.terms import Terms

PAGE: Final = 500
NEW_PLAY: Final = frozenset({"open-table", "sit", "ask-rejoin"})
"""Types of the commands that bring somebody into play."""

log = structlog.get_logger()


class ClosedPlay:
    """The closures that hold, followed from the first act on."""

    def __init__(self) -> None:
        self._n = 0
        self._chain = b""
        self._closures: closures.Closures = {}

    async def read(self, partition: int, store: KeepsClosures) -> None:
        """Follow what has been closed and opened since."""
        if not self._n:
            self._chain = closures.chain_begin(partition)
        while page := await store.read_closures(partition, self._n, PAGE):
            for entry in page:
                self._take(partition, entry)

    async def read_if_asked(
        self, partition: int, batch: Sequence[InboxEntry], bytes_max: int, store: KeepsClosures
    ) -> None:
        """The same, where a message of this batch brings somebody into play: closed is closed from the next one on."""
        if any(_brings_in(entry.payload) for entry in batch if len(entry.payload) <= bytes_max):
            await self.read(partition, store)

    def against_opening(self, terms: Terms) -> Refused | None:
        """Whether no table with these terms may open."""
        return _refused(closures.against(self._closures, terms, None))

    def against(self, message: InboxMessage, terms: Terms) -> Refused | None:
        """Whether this player may not sit down at a table with these terms, or not come back into its match."""
        match message:
            case Sit():
                return _refused(closures.against(self._closures, terms, message.player))
            case AskRejoin():
                return _refused(closures.against(self._closures, terms, message.player, playing=True))
            case _:
                return None

    def _take(self, partition: int, entry: TableEntry) -> None:
        chain = chain_next(self._chain, entry.payload)
        if entry.version != self._n + 1 or entry.chain != chain:
            # Obeyed all the same: whoever could change this could also open play by leaving an act out.
            log.critical("closures were changed", partition=partition, n=entry.version)
        self._n, self._chain = entry.version, entry.chain
        try:
            self._closures = closures.evolve(self._closures, closures.decode(entry.payload))
        except ValueError as unreadable:
            log.critical("closure cannot be read", partition=partition, n=entry.version, reason=str(unreadable))


def _refused(closed: closures.PlayClosed | None) -> Refused | None:
    # The reason is the operator's: a player is not told what somebody wrote about another.
    return None if closed is None else Refused(Refusal.CLOSED_FOR_PLAY)


def _brings_in(payload: bytes) -> bool:
    # Decoded and not searched: looking for the three words in the bytes takes five times as long (1.3 against 6 µs).
    found = codec.tagged(payload)
    return found is not None and found.type in NEW_PLAY
