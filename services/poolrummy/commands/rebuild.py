"""`poolrummy rebuild`: all read models anew from the logs, or a comparison of what is stored with what they give."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Final, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress
from rich.text import Text

from poolrummy.commands.reaching import AsJson, Data, Url, no_table, reached_alone
from poolrummy.commands.replay import verdict_line
from poolrummy.projector.checking import Difference, TableCheck, check_table
from poolrummy.projector.partition_check import (
    PartitionCheck,
    check_partition,
    write_partition,
    write_table,
)
from poolrummy.runtime.errors import RuntimeFault
from poolrummy.runtime.redis_store import RedisStore
from poolrummy_contracts.streams import is_table_id

EXIT_DIFFERENT: Final = 1
EXIT_USAGE: Final = 2
DIFFERENCES_PRINTED_MAX: Final = 20

app = typer.Typer(help="Make all views anew from the logs, or compare them.", add_completion=False)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What a rebuild did or found."""

    wrote: bool
    tables: tuple[TableCheck, ...] = ()
    partitions: tuple[PartitionCheck, ...] = ()
    changed: int = 0
    """How many changes were written."""

    @property
    def different(self) -> bool:
        """Whether anything stored is not what the logs give."""
        return bool(self.differences)

    @property
    def differences(self) -> list[Difference]:
        """All of them, each with the key it concerns."""
        found = [difference for check in self.tables for difference in check.differences]
        return found + [difference for check in self.partitions for difference in check.differences]


@app.command()
def make(
    url: Url = None,
    data: Data = None,
    table: Annotated[str | None, typer.Option("--table", help="This table only.")] = None,
    *,
    write: Annotated[bool, typer.Option("--write/--check", help="Write the views, or only compare them.")] = False,
    as_json: AsJson = False,
) -> None:
    """Fold the logs, and compare the views with what is stored (--check, the default) or write them.

    Ends with 0 if they are equal or only behind, 1 if they differ, 2 if there is no such table or no server. Writing
    needs the projectors to be stopped; comparing does not.
    """
    try:
        report = asyncio.run(_done(url, data, table, write=write, quiet=as_json))
    except RuntimeFault as fault:
        _refuse(str(fault))
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())  # noqa: T201 - what the command is for
    else:
        _print(report)
    raise typer.Exit(EXIT_DIFFERENT if report.different else 0)


async def _done(url: str | None, data: Path | None, table: str | None, *, write: bool, quiet: bool) -> Report:
    async with reached_alone(url, data) as store:
        if table is not None:
            return await _one(table, store, write=write)
        assert store.identity is not None, "a store that was reached is open"
        partitions = store.identity.partitions
        checks: list[PartitionCheck] = []
        changed = 0
        async with _progress(quiet=quiet) as progress_of:
            for partition in range(partitions):
                progress = progress_of(partition, partitions)
                if write:
                    changed += await write_partition(partition, store, progress)
                checks.append(await check_partition(partition, store, progress))
        return Report(wrote=write, partitions=tuple(checks), changed=changed)


async def _one(table: str, store: RedisStore, *, write: bool) -> Report:
    if not is_table_id(table):
        _refuse(f"{table!r} is no table id: it looks like p07-9f2c")
    head = await store.read_head(table)
    if write and head is not None and head.archived:
        _refuse(f"{table} is archived, and its views left with its log; poolrummy replay {table} tells where it ended")
    found = not write or await write_table(table, store)
    check = await check_table(table, store)
    if check is None or not found:
        _refuse(no_table(table))
    return Report(wrote=write, tables=(check,), changed=int(write))


@asynccontextmanager
async def _progress(*, quiet: bool) -> AsyncGenerator[Callable[[int, int], Callable[[int, int], None]]]:
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        task = bar.add_task("partitions", total=None)

        def of(partition: int, partitions: int) -> Callable[[int, int], None]:
            def moved(done: int, tables: int) -> None:
                share = done / tables if tables else 1
                what = f"partition {partition} of {partitions}: {done} of {tables} tables"
                bar.update(task, total=partitions, completed=partition + share, description=what)

            return moved

        yield of


def _print(report: Report) -> None:
    console = Console()
    if report.wrote:
        console.print(f"written: {report.changed} changes")
    for check in report.tables:
        console.print(verdict_line(check))
    tables = sum(one.tables for one in report.partitions)
    behind = [table for one in report.partitions for table in one.behind]
    moving = sum(one.compared == "tables" for one in report.partitions)
    if report.partitions:
        state = Text("DIFFERENT", "bold red") if report.different else Text("equal", "green")
        console.print(Text.assemble(f"{tables} tables in {len(report.partitions)} partitions: ", state))
    if behind:
        console.print(f"  {len(behind)} of them behind their logs, such as {behind[0]}")
    if moving:
        console.print(f"  {moving} partitions in motion: their counts and lobby sets were not compared")
    for difference in report.differences[:DIFFERENCES_PRINTED_MAX]:
        console.print(Text(f"  {difference.sentence}", "red"))
    if report.different and not report.wrote:
        console.print("mend: stop the projectors, then: poolrummy rebuild --write")


def _refuse(why: str) -> NoReturn:
    typer.echo(f"poolrummy rebuild: {why}", err=True)
    raise typer.Exit(EXIT_USAGE)
