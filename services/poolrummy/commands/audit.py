"""`poolrummy audit TABLE|BUNDLE|DIRECTORY`: everything that a log claims, checked, one line a check."""

import asyncio
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from poolrummy.audit import many
from poolrummy.audit.evidence import Evidence
from poolrummy.audit.findings import Result
from poolrummy.audit.many import Asked, Failed
from poolrummy.commands import audit_textfile
from poolrummy.commands.audit_lines import show, summary
from poolrummy.commands.reaching import ArchivePlace, AsJson, Data, Url, no_table, reached
from poolrummy.fairness.errors import FairnessError
from poolrummy.keeping.checkpoint_folder import kept
from poolrummy.keeping.keepers import keeper_of
from poolrummy.runtime.errors import RuntimeFault
from poolrummy_contracts.streams import is_table_id

EXIT_USAGE: Final = 2

app = typer.Typer(help="Check everything that a table's log claims.", add_completion=False)

Keys = Annotated[
    Path | None,
    typer.Option("--keys", help="Folder with auditor.key, which opens the seeds, and notary.pub, which is trusted."),
]
Checkpoints = Annotated[
    str | None,
    typer.Option("--checkpoints", help="Where the notary keeps signed checkpoints: a folder, or s3://bucket/prefix."),
]


@app.command()
def check(  # noqa: PLR0913 - the options of the command
    what: Annotated[str, typer.Argument(help="Id of a table, a bundle, or a directory of bundles.")],
    url: Url = None,
    data: Data = None,
    keys: Keys = None,
    checkpoints: Checkpoints = None,
    archive: ArchivePlace = None,
    *,
    exhaustive: Annotated[
        bool, typer.Option("--exhaustive", help="Search every arrangement of every counted hand: slow.")
    ] = False,
    as_json: AsJson = False,
    textfile: Annotated[
        Path | None, typer.Option("--textfile", help="Write the outcome as metrics, for a node exporter's collector.")
    ] = None,
) -> None:
    """Chain, checkpoints, packs, cards, commands, clocks, verdicts, points, totals, rejoins, splits, prizes.

    Ends with 0 if everything was checked and is right, 1 if anything is wrong, 2 if something could not be checked: it
    says what is missing.
    """
    asked = Asked(
        keys=None if keys is None else str(keys),
        checkpoints=checkpoints,
        exhaustive=exhaustive,
    )
    path = Path(what)
    if not path.exists() and not is_table_id(what):
        _refuse(f"{what!r} is neither a file nor a table id: a bundle ends in .jsonl, an id looks like p07-9f2c")
    try:
        found = (
            _files(path, asked, quiet=as_json)
            if path.exists()
            else [_table(what, asked, (url, data, archive), quiet=as_json)]
        )
    except (RuntimeFault, FairnessError) as fault:
        _refuse(str(fault))
    if textfile is not None:
        try:
            audit_textfile.write(found, textfile)
        except OSError as refused:
            _refuse(f"--textfile {textfile} cannot be written ({refused.strerror}); name a file in a folder of yours")
    if as_json:
        print(_as_json(found))  # noqa: T201 - what the command is for
    else:
        show(Console(), found)
    raise typer.Exit(many.exit_code(found))


def _files(path: Path, asked: Asked, *, quiet: bool) -> list[Result | Failed]:
    files = many.files_of(path) if path.is_dir() else [path]
    if not files:
        _refuse(f"there is no bundle (*{many.ENDING}) in {path}; make one with `poolrummy bundle TABLE --out FILE`")
    with _bar(sum(one.stat().st_size for one in files), "bytes", quiet=quiet) as advance:
        return list(many.all_audited(files, asked, advance))


def _table(table: str, asked: Asked, where: tuple[str | None, Path | None, str | None], *, quiet: bool) -> Result:
    evidence = asyncio.run(_read(table, *where))
    if evidence is None and not (asked.checkpoints and kept(keeper_of(asked.checkpoints), table).notes):
        _refuse(no_table(table))
    # What was signed and is gone is wrong, and not merely unknown.
    evidence = evidence or Evidence(source=table, table=table, lines=())
    with _bar(len(evidence.lines), "events", quiet=quiet) as advance:
        return many.evidence_audited(evidence, asked, advance)


async def _read(table: str, url: str | None, data: Path | None, archive: str | None) -> Evidence | None:
    async with reached(url, data, archive) as store:
        return await store.evidence_of(table)


@contextmanager
def _bar(total: int, unit: str, *, quiet: bool) -> Generator[Callable[[int], None]]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        task = bar.add_task("audit", total=total)
        yield lambda done: bar.advance(task, done)


def _as_json(found: Sequence[Result | Failed]) -> str:
    told = {"tables": found, "exit": many.exit_code(found), "summary": summary(found)}
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode()


def _refuse(why: str) -> NoReturn:
    typer.echo(f"poolrummy audit: {why}", err=True)
    raise typer.Exit(EXIT_USAGE)
