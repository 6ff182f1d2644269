"""One question to a Redis server: scripts by their hash, errors as ours, never sent twice by the client.

``retry=Retry(NoBackoff(), 0)``: redis-py would otherwise repeat a write whose answer was lost.
"""

from collections.abc import Awaitable, Generator, Sequence
from contextlib import contextmanager
from hashlib import sha1
from importlib import resources
from typing import Any, Final, Protocol, cast

from msgspec import Struct
from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    AskError,
    BusyLoadingError,
    ClusterDownError,
    MaxConnectionsError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import (
    ConnectionError as RedisConnectionError,
)
from redis.exceptions import (
    TimeoutError as RedisTimeoutError,
)

from poolrummy.runtime.errors import NoServer, StoreRefused, StoreUnreachable
from poolrummy.runtime.redis_packing import pack_in_c

Reply = Any
"""What redis-py hands back: nested lists of bytes and ints, shaped by the command."""

AWAY: Final = ("UNBLOCKED", "NOREPLICAS")


class RedisPipeline(Protocol):
    """What we use of redis-py's pipeline; its own annotations say less."""

    def execute_command(self, *words: str | bytes | float) -> object:
        """Queue one command."""
        ...

    def execute(self, *, raise_on_error: bool = True) -> Awaitable[list[Any]]:
        """Send what was queued."""
        ...


class RedisClient(Protocol):
    """What we use of redis-py's client."""

    def execute_command(self, *words: str | bytes | float) -> Awaitable[Any]:
        """Send one command."""
        ...

    def pipeline(self, *, transaction: bool) -> RedisPipeline:
        """Begin to queue commands."""
        ...

    def aclose(self) -> Awaitable[None]:
        """Let go of all connections."""
        ...


class Script(Struct, frozen=True):
    """A Lua script of ours and the name the server knows it by."""

    text: str
    sha: str


def script(name: str) -> Script:
    """The script of this name beside this module."""
    text = resources.files("poolrummy.runtime").joinpath(f"{name}.lua").read_text(encoding="ascii")
    return Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest())


class ScriptCall(Struct, frozen=True):
    """One call of a script: every key it touches, then its arguments."""

    script: Script
    keys: Sequence[str]
    args: Sequence[str | bytes | int]

    def command(self) -> tuple[str | bytes | int, ...]:
        """The words on the wire."""
        return ("EVALSHA", self.script.sha, len(self.keys), *self.keys, *self.args)


def connection(url: str, *, socket_timeout_s: float, connections_max: int = 64) -> RedisClient:
    """A client that tells us of every lost connection instead of repeating a write; ``NoServer`` for no address."""
    try:
        pool = cast("Any", ConnectionPool).from_url(
            url,
            retry=Retry(NoBackoff(), 0),
            socket_timeout=socket_timeout_s,
            socket_connect_timeout=socket_timeout_s,
            max_connections=connections_max,
        )
    except ValueError as wrong:  # the address itself may hold a password
        raise NoServer(f"the server's address is none ({wrong}); write it as redis://host:port/0") from wrong
    client = cast("RedisClient", Redis.from_pool(pool))
    pack_in_c(client)
    return client


@contextmanager
def faults(what: str) -> Generator[None]:
    """Turn what redis-py raises into our own tree."""
    try:
        yield
    except (RedisConnectionError, RedisTimeoutError, BusyLoadingError, ReadOnlyError, OSError) as away:
        if isinstance(away, MaxConnectionsError):
            raise StoreRefused(f"{what}: {away}; raise max_connections or run fewer partitions") from away
        raise StoreUnreachable(f"{what}: no answer from the server ({away}); is it running?") from away
    except (AskError, ClusterDownError, TryAgainError) as moved:  # a moved slot is an AskError to redis-py
        raise StoreUnreachable(f"{what}: the cluster is not settled ({type(moved).__name__}: {moved})") from moved
    except ResponseError as refused:
        if str(refused).startswith(AWAY):
            raise StoreUnreachable(f"{what}: {refused}") from refused
        raise StoreRefused(f"{what}: the server refused: {refused}") from refused
    except RedisError as other:
        raise StoreUnreachable(f"{what}: {other}") from other


class Calls:
    """Questions to one server, or to the server of a partition."""

    def __init__(self, client: RedisClient, *, wait_replicas: int = 0, wait_ms: int = 1000) -> None:
        pack_in_c(client)
        self.client = client
        self.wait_replicas = wait_replicas
        self.wait_ms = wait_ms

    async def ask(self, *words: str | bytes | int) -> Reply:
        """Send one command."""
        with faults(str(words[0])):
            return await self.client.execute_command(*words)

    async def ask_all(self, commands: Sequence[Sequence[str | bytes | int]]) -> list[Reply]:
        """Send several commands in one round trip; the first error is raised."""
        with faults(str(commands[0][0]) if commands else "nothing"):
            pipe = self.client.pipeline(transaction=False)
            for words in commands:
                pipe.execute_command(*words)
            return await pipe.execute()

    async def ask_nodes(self, *words: str | bytes | int) -> list[Reply]:
        """Send one command to the server, or to every node of a cluster; all answers."""
        with faults(str(words[0])):
            every = getattr(self.client, "every", None)
            return [await self.client.execute_command(*words)] if every is None else await every(*words)

    async def scan(self, pattern: str) -> set[str]:
        """All keys like this pattern (braces as they are), on every node."""
        escaped = pattern.replace("{", "\\{").replace("}", "\\}")
        found: set[str] = set()
        for client in getattr(self.client, "clients", (self.client,)):
            cursor = "0"
            while True:
                with faults("SCAN"):
                    reply, keys = await client.execute_command("SCAN", cursor, "MATCH", escaped, "COUNT", 1000)
                found.update(text(key) for key in keys)
                cursor = text(reply) if isinstance(reply, bytes) else str(reply)
                if cursor == "0":
                    break
        return found

    async def run(self, call: ScriptCall) -> Reply:
        """Run one script."""
        return (await self.run_all([call]))[0]

    async def run_all(self, calls: Sequence[ScriptCall]) -> list[Reply]:
        """Run scripts in order in one round trip; calls that the server did not know yet are sent again.

        Only those: a call that ran in between was judged by the store itself, which is what keeps order.
        """
        replies = await self._pipelined(calls)
        unknown = [at for at, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
        if unknown:
            for text in {calls[at].script.text for at in unknown}:
                await self.ask("SCRIPT LOAD", text)
            for at, reply in zip(unknown, await self._pipelined([calls[at] for at in unknown]), strict=True):
                replies[at] = reply
        for reply in replies:
            if isinstance(reply, Exception):
                with faults("script"):
                    raise reply
        return replies

    async def _pipelined(self, calls: Sequence[ScriptCall]) -> list[Reply]:
        with faults("EVALSHA"):
            pipe = self.client.pipeline(transaction=False)
            for call in calls:
                pipe.execute_command(*call.command())
            if self.wait_replicas:
                pipe.execute_command("WAIT", self.wait_replicas, self.wait_ms)
            replies: list[Reply] = await pipe.execute(raise_on_error=False)
        if self.wait_replicas:
            reached = replies.pop()
            if not isinstance(reached, int) or reached < self.wait_replicas:
                raise StoreUnreachable(
                    f"only {reached} of {self.wait_replicas} replicas confirmed a write within {self.wait_ms} ms; "
                    "mend the replicas, or lower POOLRUMMY_WAIT_REPLICAS"
                )
        return replies


def text(reply: bytes | str | None) -> str:
    """A reply as text."""
    return "" if reply is None else reply if isinstance(reply, str) else reply.decode()
