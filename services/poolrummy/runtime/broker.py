"""FastStream as the pump: one batch subscriber for each owned partition, on offsets instead of groups.

What FastStream would do by itself and we must not let it (measured, FastStream 0.7.8): a group re-reads no
pending entry after a crash and lets the next message overtake a failed one, so there is no group and the offset
is ours. A handler's exception is swallowed, so the receiver keeps it and ``StopConsume`` ends the loop. Errors
of the server restart the loop without a pause, so its supervisor is off and a dead loop is found by ``alive``.
A second ``start()`` would add a second loop, so every subscriber is new and started once.
"""

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, cast

from faststream import AckPolicy
from faststream.exceptions import StopConsume
from faststream.redis import RedisBroker, StreamSub
from faststream.redis.message import RedisBatchStreamMessage
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from poolrummy.runtime.cluster import Address, ClusterClient, node_url, spread
from poolrummy.runtime.errors import RuntimeFault, StoreUnreachable
from poolrummy.runtime.pumps import OnFeed, OnInbox, Pump
from poolrummy.runtime.redis_calls import RedisClient, connection, faults
from poolrummy.runtime.redis_reads import feed_entry, inbox_entry
from poolrummy.runtime.settings import Settings
from poolrummy_contracts import streams

CONNECTIONS_MAX: Final = 512

Batch = Sequence[tuple[bytes, Mapping[bytes, bytes]]]


class FastStreamPumps:
    """A broker and the read loops that it runs."""

    def __init__(self, url: str, settings: Settings) -> None:
        self.url, self.settings = url, settings
        self.broker = self._broker(url)
        self._cluster: ClusterClient | None = None
        self._asked = False
        self._brokers: dict[Address, RedisBroker] = {}

    def _broker(self, url: str) -> RedisBroker:
        settings = self.settings
        return RedisBroker(
            url,
            logger=None,  # type: ignore[arg-type]  # documented as "no logging"; its annotation forgot it
            apply_types=False,
            max_connections=CONNECTIONS_MAX,
            socket_timeout=settings.socket_timeout_s,
            socket_connect_timeout=settings.socket_timeout_s,
            retry=Retry(NoBackoff(), 0),
            graceful_timeout=settings.socket_timeout_s * 2 + 1,
        )

    async def start(self) -> RedisClient:
        """Start the broker, which has no subscriber yet; the client that appends go through."""
        os.environ["FASTSTREAM_SUPERVISOR_DISABLED"] = "1"
        with faults("connect"):
            await self.broker.start()
            return cast("RedisClient", await self.broker.connect())

    def _connected(self, url: str) -> RedisClient:
        return connection(url, socket_timeout_s=self.settings.socket_timeout_s)

    async def _broker_for(self, key: str) -> RedisBroker:
        """The broker of the node that holds this stream."""
        if not self._asked:
            seed = cast("RedisClient", await self.broker.connect())
            self._cluster, self._asked = await spread(seed, self.url, self._connected), True
        if self._cluster is None:
            return self.broker
        await self._cluster.learn()  # a read loop starts rarely, and often because a slot has moved
        address = self._cluster.holder(key)
        if address not in self._brokers:
            broker = self._broker(node_url(self.url, address))
            await broker.start()
            self._brokers[address] = broker
        return self._brokers[address]

    async def stop(self) -> None:
        """Stop what still reads and let go of all connections."""
        for broker in (self.broker, *self._brokers.values()):
            await broker.stop()
        if self._cluster is not None:
            await self._cluster.let_go()

    async def inbox(self, partition: int, after: str, receive: OnInbox) -> Pump:
        """Bring the messages behind this offset."""

        async def arrived(batch: Batch) -> None:
            await receive(tuple(inbox_entry(entry_id, fields) for entry_id, fields in batch))

        return await self._started(streams.inbox(partition), after, arrived)

    async def feed(self, partition: int, after_n: int, receive: OnFeed) -> Pump:
        """Bring the events behind this number."""

        async def arrived(batch: Batch) -> None:
            await receive(tuple(feed_entry(entry_id, fields) for entry_id, fields in batch))

        return await self._started(streams.feed(partition), f"{after_n}-0", arrived)

    async def _started(self, key: str, after: str, arrived: Callable[[Batch], Awaitable[None]]) -> Pump:
        with faults(f"read loop of {key}"):
            broker = await self._broker_for(key)
        subscriber = cast("Any", broker).subscriber(
            stream=StreamSub(
                key,
                last_id=after,
                batch=True,
                max_records=self.settings.read_count,
                polling_interval=self.settings.poll_ms,
            ),
            parser=parsed,
            decoder=decoded,
            ack_policy=AckPolicy.MANUAL,
            no_reply=True,
            persistent=False,
        )

        async def receive(batch: Batch) -> None:
            try:
                await arrived(batch)
            except RuntimeFault as ended:
                raise StopConsume from ended

        subscriber(receive)
        pump = FastStreamPump(subscriber)
        try:
            with faults(f"read loop of {key}"):
                await subscriber.start()
        except StoreUnreachable:
            await pump.stop()
            raise
        return pump


class FastStreamPump:
    """One subscriber, from its only start to its stop."""

    def __init__(self, subscriber: Any) -> None:  # noqa: ANN401 - FastStream's own type is private
        self.subscriber = subscriber
        self.tasks: list[Any] = []

    @property
    def alive(self) -> bool:
        """Whether the loop still runs."""
        self._look()
        return bool(self.subscriber.running) and any(not task.done() for task in self.tasks)

    async def stop(self) -> None:
        """Let the batch in hand finish, then read no more."""
        self._look()
        await self.subscriber.stop()
        self._look()

    def _look(self) -> None:
        self.tasks += [task for task in self.subscriber.tasks if task not in self.tasks]
        for task in self.tasks:
            if task.done() and not task.cancelled():
                task.exception()  # asked for here, so that asyncio does not report it as forgotten


async def parsed(message: Mapping[str, Any], original: object) -> RedisBatchStreamMessage:
    """FastStream's message around the raw entries; our fields carry no FastStream envelope."""
    del original
    return RedisBatchStreamMessage(
        raw_message=cast("Any", message),
        body=message["data"],
        consumer=cast("Any", None),
        group=None,
        correlation_id="-",
        message_id=message["message_ids"][-1].decode(),
    )


async def decoded(message: RedisBatchStreamMessage) -> Batch:
    """Ids and fields of the entries, in order."""
    raw: Mapping[str, Any] = message.raw_message
    return tuple(zip(raw["message_ids"], raw["data"], strict=True))
