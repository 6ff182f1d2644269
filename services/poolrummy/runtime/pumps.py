"""What brings entries to us: one read loop for each owned partition, always behind the stored offset."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from poolrummy.runtime.store import FeedEntry, InboxEntry, Store

OnInbox = Callable[[Sequence[InboxEntry]], Awaitable[None]]
OnFeed = Callable[[Sequence[FeedEntry]], Awaitable[None]]


class Pump(Protocol):
    """One running read loop. It never reads on while a batch is in hand, and ends when the receiver raises."""

    @property
    def alive(self) -> bool:
        """Whether the loop still runs."""
        ...

    async def stop(self) -> None:
        """Let the batch in hand finish, then read no more."""
        ...


class Pumps(Protocol):
    """Starts read loops."""

    async def inbox(self, partition: int, after: str, receive: OnInbox) -> Pump:
        """Bring the messages behind this offset."""
        ...

    async def feed(self, partition: int, after_n: int, receive: OnFeed) -> Pump:
        """Bring the events behind this number."""
        ...


class PollingPumps:
    """Read loops over any store, by asking again and again: for the memory store and for tests."""

    def __init__(self, store: Store, *, read_count: int, poll_ms: int) -> None:
        self.store, self.read_count, self.poll_s = store, read_count, poll_ms / 1000

    async def inbox(self, partition: int, after: str, receive: OnInbox) -> Pump:
        """Bring the messages behind this offset."""

        async def turn(offset: str) -> str:
            batch = await self.store.read_inbox(partition, offset, self.read_count)
            if not batch:
                return offset
            await receive(batch)
            return batch[-1].id

        return PollingPump(turn, after, self.poll_s)

    async def feed(self, partition: int, after_n: int, receive: OnFeed) -> Pump:
        """Bring the events behind this number."""

        async def turn(offset: str) -> str:
            batch = await self.store.read_feed(partition, int(offset), self.read_count)
            if not batch:
                return offset
            await receive(batch)
            return str(batch[-1].n)

        return PollingPump(turn, str(after_n), self.poll_s)


class PollingPump:
    """One such loop."""

    def __init__(self, turn: Callable[[str], Awaitable[str]], offset: str, poll_s: float) -> None:
        self.in_hand = asyncio.Lock()
        self.task = asyncio.create_task(self._run(turn, offset, poll_s))

    @property
    def alive(self) -> bool:
        """Whether the loop still runs."""
        return not self.task.done()

    async def stop(self) -> None:
        """Let the batch in hand finish, then read no more."""
        async with self.in_hand:
            self.task.cancel()
        await asyncio.wait([self.task])

    async def _run(self, turn: Callable[[str], Awaitable[str]], offset: str, poll_s: float) -> None:
        while True:
            async with self.in_hand:
                before, offset = offset, await turn(offset)
            if offset == before:
                await asyncio.sleep(poll_s)
