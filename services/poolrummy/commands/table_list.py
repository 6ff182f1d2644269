"""`poolrummy table list`: which tables a store has, so that somebody can ask about one of them."""

import asyncio
from pathlib import Path
from typing import Final, Literal

import msgspec
import typer
from msgspec import Struct

from poolrummy.commands.reaching import AsJson, Data, Url, reached_alone
from poolrummy.runtime.errors import RuntimeFault
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.table_names import table_names

EXIT_USAGE: Final = 2


class Listed(Struct, frozen=True, kw_only=True):
    """A table as the store knows it; ``events`` is the version of its last event."""

    table: str
    state: Literal["open", "closed", "archived"]
    events: int


def show_tables(url: Url = None, data: Data = None, *, as_json: AsJson = False) -> None:
    """Name every table of the store: open, closed, or archived, and how many events it has."""
    try:
        found = asyncio.run(_read(url, data))
    except RuntimeFault as refused:
        typer.echo(f"poolrummy table: {refused}", err=True)
        raise typer.Exit(EXIT_USAGE) from refused
    if as_json:
        typer.echo(msgspec.json.encode(found))
        return
    for one in found:
        typer.echo(f"{one.table}  {one.state:<8}  {one.events:>6,} events")
    if not found:
        typer.echo("no table has been opened in this store")


async def _read(url: str | None, data: Path | None) -> list[Listed]:
    async with reached_alone(url, data) as store:
        assert store.identity is not None, "a store that was reached is open"
        return [one for number in range(store.identity.partitions) for one in await listed(number, store)]


async def listed(partition: int, store: RedisStore) -> list[Listed]:
    """The tables of a partition, by id."""
    names = await table_names(partition, store)
    unfinished = set(await store.open_tables(partition))
    heads = zip(names, await store.read_heads(names) if names else (), strict=True)
    return [
        Listed(
            table=table,
            state="archived" if head.archived else "open" if table in unfinished else "closed",
            events=head.version,
        )
        for table, head in heads
        if head is not None
    ]
