"""A follower that lagged too far may look for every table that there ever was, under the user of its role."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from poolrummy.audit.notary import NotaryPartition
from poolrummy.keeping.checkpoint_folder import FolderKeeper
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.settings import Settings
from poolrummy.runtime.table_names import table_names
from poolrummy_contracts import streams

from .locked_server import LockedServer

pytestmark = pytest.mark.xdist_group("acl")


async def test_a_lost_notary_rebuilds_with_its_own_rights(tmp_path: Path) -> None:
    with LockedServer(tmp_path) as server:
        dealer = RedisStore.at(server.url("dealer"), Settings())
        await dealer.open_store(1)
        await dealer.aclose()
        store = RedisStore.at(server.url("notary"), Settings())
        await store.open_store(1)
        lease = await store.acquire(0, "notary", "n", lease_ms=60_000)
        assert lease is not None
        notary = NotaryPartition(0, FolderKeeper(tmp_path), Ed25519PrivateKey.generate())

        effects = await notary.rebuild(lease, store)

        await store.commit(lease, from_n=0, to_n=0, effects=effects, rebuilt=True)
        await store.aclose()
        with server.client("admin") as admin:
            assert admin.execute_command("ACL", "LOG") == []


@pytest.mark.parametrize("user", ["projector", "archiver", "auditor"])
async def test_who_lists_tables_may(user: str, tmp_path: Path) -> None:
    with LockedServer(tmp_path) as server:
        store = RedisStore.at(server.url(user), Settings())
        assert list(await table_names(0, store)) == []
        assert await store.view_values([streams.view(0, "table", "p00-a"), streams.view(0, "lobby")]) == (None, None)
        await store.aclose()
