"""A Redis Cluster behind the client that one server has: every command goes to the node that holds its partition.

All keys of a partition lie in one slot, so a command needs one node, and no command is ever split. Commands of several
partitions go out side by side. When a slot has moved, or a node is gone, the call fails like one to a server that is
away, and the next one asks the nodes again who holds what: whoever called takes over afresh, as it can anyway.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, Final, cast
from urllib.parse import urlsplit, urlunsplit

from redis.crc import key_slot
from redis.exceptions import AskError, ClusterDownError, RedisError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from poolrummy.runtime.redis_calls import RedisClient, RedisPipeline, text

Word = str | bytes | float
Address = tuple[str, int]
Connect = Callable[[Address], RedisClient]

KEYLESS: Final = frozenset(
    {"TIME", "INFO", "PING", "WAIT", "CONFIG GET", "CONFIG SET", "COMMAND INFO", "CLUSTER SLOTS"}
)
EVERYWHERE: Final = frozenset({"SCRIPT LOAD", "SCRIPT FLUSH", "FLUSHALL"})
MOVED: Final = (AskError, ClusterDownError, RedisConnectionError, RedisTimeoutError)
"""After these it has to be asked again who holds what; a moved slot is an ``AskError`` to redis-py."""


class ClusterClient:
    """Plain clients, one for each node, and who holds which slot."""

    def __init__(self, seed: RedisClient, connect: Connect) -> None:
        self._seed, self._connect = seed, connect
        self._clients: dict[Address, RedisClient] = {}
        self._ranges: tuple[tuple[int, int, Address], ...] = ()
        self._stale = True

    async def learn(self) -> Sequence[Address]:
        """Ask any node that answers who holds what; the nodes, none where the server is no cluster."""
        trouble: Exception | None = None
        for client in (self._seed, *self._clients.values()):
            try:
                self._ranges = tuple(_ranges(await client.execute_command("CLUSTER SLOTS")))
            except ResponseError:
                return ()
            except RedisError as away:
                trouble = away
                continue
            self._stale = False
            return self.nodes
        raise trouble or RedisConnectionError("no node of the cluster answers")

    @property
    def nodes(self) -> tuple[Address, ...]:
        """The nodes that hold slots."""
        return tuple(sorted({address for _, _, address in self._ranges}))

    @property
    def clients(self) -> tuple[RedisClient, ...]:
        """The clients of the nodes that hold slots."""
        return tuple(self.client_of(address) for address in self.nodes)

    def holder(self, key: str | bytes) -> Address:
        """The node that holds this key, as far as is known."""
        slot = key_slot(key.encode() if isinstance(key, str) else key)
        found = next((address for first, last, address in self._ranges if first <= slot <= last), None)
        if found is None:
            self._stale = True
            raise ClusterDownError(f"no node holds slot {slot}")
        return found

    def client_of(self, address: Address) -> RedisClient:
        """The client of a node."""
        if address not in self._clients:
            self._clients[address] = self._connect(address)
        return self._clients[address]

    async def execute_command(self, *words: Word) -> Any:  # noqa: ANN401 - what redis-py answers
        """Send one command to the node of its key; one without a key to any node, or to all."""
        await self._fresh()
        if str(words[0]) in EVERYWHERE:
            return (await self.every(*words))[0]
        key = key_of(words)
        client = self.client_of(self.nodes[0] if key is None else self.holder(key))
        return await self.watched(client.execute_command(*words))

    async def every(self, *words: Word) -> list[Any]:
        """The answers of all nodes."""
        await self._fresh()
        return list(await self.watched(asyncio.gather(*(client.execute_command(*words) for client in self.clients))))

    def pipeline(self, *, transaction: bool) -> RedisPipeline:
        """Begin to queue commands."""
        assert not transaction, "a transaction would need one slot; a script is what spans several keys"
        return ClusterPipeline(self)

    async def aclose(self) -> None:
        """Let go of all connections."""
        await self.let_go()
        await self._seed.aclose()

    async def let_go(self) -> None:
        """Let go of all connections but those that it was given."""
        for client in self._clients.values():
            await client.aclose()

    async def _fresh(self) -> None:
        if self._stale:
            await self.learn()

    async def watched(self, answer: Awaitable[Any]) -> Any:  # noqa: ANN401 - what redis-py answers
        """The answer; what says that slots moved is noted on the way."""
        try:
            return await answer
        except MOVED:
            self._stale = True
            raise

    def noticed(self, replies: Sequence[object]) -> None:
        """Note what these replies say of moved slots."""
        self._stale = self._stale or any(isinstance(reply, MOVED) for reply in replies)

    async def ready(self) -> None:
        """Know who holds what."""
        await self._fresh()


class ClusterPipeline:
    """Commands in order for each node; the answers stand in the order in which they were queued."""

    def __init__(self, cluster: ClusterClient) -> None:
        self._cluster = cluster
        self._queue: list[tuple[Word, ...]] = []

    def execute_command(self, *words: Word) -> object:
        """Queue one command."""
        self._queue.append(words)
        return self

    async def execute(self, *, raise_on_error: bool = True) -> list[Any]:
        """Send what was queued, to all nodes side by side."""
        cluster, queue = self._cluster, self._queue
        await cluster.ready()
        self._queue = []
        places = [(at, address) for at, words in enumerate(queue) for address in self._addresses(queue, at, words)]
        of_node: dict[Address, list[int]] = {}
        for at, address in places:
            of_node.setdefault(address, []).append(at)

        async def ask(address: Address) -> list[Any]:
            pipe = cluster.client_of(address).pipeline(transaction=False)
            for at in of_node[address]:
                pipe.execute_command(*queue[at])
            return await pipe.execute(raise_on_error=False)

        answers = await cluster.watched(asyncio.gather(*(ask(address) for address in of_node)))
        replies: list[Any] = [None] * len(queue)
        for ats, found in zip(of_node.values(), answers, strict=True):
            cluster.noticed(found)
            for at, reply in zip(ats, found, strict=True):
                replies[at] = reply if replies[at] is None else min(replies[at], reply)
        if raise_on_error:
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
        return replies

    def _addresses(self, queue: Sequence[tuple[Word, ...]], at: int, words: tuple[Word, ...]) -> Sequence[Address]:
        """Where a command goes. ``TIME`` goes with its neighbours, ``WAIT`` to every node that was written to."""
        key = key_of(words)
        if key is not None:
            return (self._cluster.holder(key),)
        keys = [found for other in (*queue[at:], *reversed(queue[:at])) if (found := key_of(other)) is not None]
        if str(words[0]) == "WAIT":
            return tuple(sorted({self._cluster.holder(found) for found in keys}))
        return (self._cluster.holder(keys[0]) if keys else self._cluster.nodes[0],)


def key_of(words: Sequence[Word]) -> str | bytes | None:
    """The key that says where a command goes: the first one, since all of a command lie in one slot.

    >>> key_of(("EVALSHA", "5f", 2, "{p07}:dealer", "{p07}:inbox", "x")), key_of(("TIME",)), key_of(("GET", "{p07}:x"))
    ('{p07}:dealer', None, '{p07}:x')
    """
    name = str(words[0])
    if name in KEYLESS or name in EVERYWHERE:
        return None
    return cast("str | bytes", words[3 if name == "EVALSHA" else 1])


def node_url(url: str, address: Address) -> str:
    """The same address at another node, with the same user, password and kind of connection.

    >>> node_url("rediss://user:word@one:6379/0", ("10.0.0.2", 6380))
    'rediss://user:word@10.0.0.2:6380/0'
    """
    parts = urlsplit(url)
    user = parts.netloc.rpartition("@")[0]
    host = f"[{address[0]}]" if ":" in address[0] else address[0]
    return urlunsplit(parts._replace(netloc=f"{user}@{host}:{address[1]}" if user else f"{host}:{address[1]}"))


async def spread(seed: RedisClient, url: str, connect: Callable[[str], RedisClient]) -> ClusterClient | None:
    """A client for all nodes, if the server is one of several of a cluster."""
    cluster = ClusterClient(seed, lambda address: connect(node_url(url, address)))
    return cluster if not url.startswith("unix:") and len(await cluster.learn()) > 1 else None


def _ranges(slots: Sequence[Sequence[Any]]) -> Iterator[tuple[int, int, Address]]:
    for first, last, (host, port, *_), *_ in slots:
        yield int(first), int(last), (text(host), int(port))
