"""How a command that looks at a store finds it: an address, a data folder, or the environment."""

import re
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer

from poolrummy.archive.archived_reads import StoreWithArchive
from poolrummy.runtime.embedded import embedded_server, sole_use
from poolrummy.runtime.errors import NoServer, ServerUnfit
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.settings import Settings
from poolrummy_contracts import streams

Url = Annotated[str | None, typer.Option("--url", help="Address of the server, such as redis://127.0.0.1:6379/0.")]
Data = Annotated[Path | None, typer.Option("--data", help="Data folder of `poolrummy run`.")]
ArchivePlace = Annotated[
    str | None, typer.Option("--archive", help="Where closed tables are archived; else POOLRUMMY_ARCHIVE.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

Kind = TypeVar("Kind", bound=RedisStore)

NO_ADDRESS: Final = "no server is named; add --url redis://…, or --data FOLDER, or set POOLRUMMY_REDIS_URL"


@asynccontextmanager
async def reached(url: str | None, data: Path | None, archive: str | None = None) -> AsyncGenerator[StoreWithArchive]:
    """The store at this address or in this folder; ``NoServer`` names the mend where there is none.

    Logs of archived tables are read from the archive that is named here or in the settings.
    """
    async with _opened(StoreWithArchive, url, data) as (store, settings):
        store.archive_place = archive or settings.archive
        yield store


@asynccontextmanager
async def reached_alone(url: str | None, data: Path | None) -> AsyncGenerator[RedisStore]:
    """The same store with nothing but what lies in it: an archived table has no log there."""
    async with _opened(RedisStore, url, data) as (store, _):
        yield store


@asynccontextmanager
async def _opened(kind: type[Kind], url: str | None, data: Path | None) -> AsyncGenerator[tuple[Kind, Settings]]:
    async with AsyncExitStack() as stack:
        settings = Settings.from_environment()
        address = url or (None if data is None else running_server(data))
        if address is None and data is not None:
            address = stack.enter_context(embedded_server(data)).url
        address = address or settings.redis_url
        if address is None:
            raise NoServer(NO_ADDRESS)
        store = kind.at(address, settings)
        stack.push_async_callback(store.aclose)
        await store.find_nodes()
        partitions = await store.calls.ask("HGET", streams.meta(0), "partitions")
        if partitions is None:
            raise NoServer(f"there is no table log at {address}; name another server with --url or --data")
        await store.open_store(int(partitions))
        yield store, settings


def no_table(table: str) -> str:
    """What to say of an id that this store does not know."""
    return f"there is no table {table} in this store; `poolrummy table list` names those that are there"


def running_server(data: Path) -> str | None:
    """The address of the server that works on this folder right now; ``None`` if none does."""
    if not (data / "server.json").exists():
        raise NoServer(f"{data} is no data folder of `poolrummy run`; name one with --data")
    try:
        with sole_use(data):
            return None
    except ServerUnfit:
        port = re.search(r"on port (\d+)", (data / "lock").read_text(errors="replace"))
        if port is None:
            raise
        return f"redis://127.0.0.1:{port[1]}/0"
