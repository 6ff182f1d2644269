"""`poolrummy archive`: closed tables leave the server, each into one file that can be audited without it."""

import asyncio
import re
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress

from poolrummy.archive.checking import Checked, check_archive
from poolrummy.archive.filing import Archive
from poolrummy.archive.passing import Pass, Wanted
from poolrummy.archive.place import keeper_at, writable
from poolrummy.commands.archive_lines import Ended, show_checked, show_pass, told_checked, told_pass
from poolrummy.commands.reaching import ArchivePlace, AsJson, Data, Url, reached_alone
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.keys import load_opening_keys
from poolrummy.fairness.notary_keys import load_trusted_keys
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.keeping.keeper import Keeper, KeeperFault
from poolrummy.keeping.keepers import keeper_of
from poolrummy.runtime.errors import RuntimeFault, SettingsInvalid
from poolrummy.runtime.settings import Settings

EXIT_WRONG: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130
AUDITOR_KEY: Final = "auditor.key"
UNITS_MS: Final = {"s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}

app = typer.Typer(help="Move closed tables out of the server into an archive.", add_completion=False)


@app.command()
def move(  # noqa: PLR0913 - the options of the command
    url: Url = None,
    data: Data = None,
    archive: ArchivePlace = None,
    older_than: Annotated[
        str, typer.Option("--older-than", help="How long a table must be closed: 90s, 15m, 12h, 7d.")
    ] = "7d",
    checkpoints: Annotated[
        str | None,
        typer.Option("--checkpoints", help="Where the notary keeps checkpoints; else POOLRUMMY_CHECKPOINTS_DIR."),
    ] = None,
    keys: Annotated[
        Path | None, typer.Option("--keys", help="Folder with notary.pub, whose signatures count; else any do.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option("--without", help="A role that follows the feed no more and is gone for good.")
    ] = None,
    *,
    unsigned: Annotated[
        bool, typer.Option("--unsigned", help="Take tables that the notary has not signed to their end as well.")
    ] = False,
    audit: Annotated[
        bool, typer.Option("--audit", help="Audit each table first: slow; with auditor.key in --keys its packs too.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check everything, and write and remove nothing.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Archive nothing: hold the archive against what stayed in the server.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write each table that is closed and followed to its end into the archive, read it back, then let it leave.

    May be run at any time, also while tables play, and killed at any time: the next run finishes the work. Ends with
    0, with 1 if a table is not what it must be (it stays, and is named), with 2 if there is no server or no archive.
    """
    try:
        settings = Settings.from_environment()
        place = archive or settings.archive
        if place is None:
            _refuse("no archive is named; add --archive FOLDER, or set POOLRUMMY_ARCHIVE")
        if check:
            found = asyncio.run(_checked(url, data, place, quiet=as_json))
            if as_json:
                print(told_checked(found, place))  # noqa: T201 - what the command is for
            else:
                show_checked(Console(highlight=False), found, place)
            raise typer.Exit(EXIT_WRONG if found.wrong else 0)
        wanted = _wanted(settings, older_than, checkpoints, keys, unsigned=unsigned, audit=audit)
        wanted = msgspec.structs.replace(wanted, without=tuple(without or ()))
        ended = asyncio.run(_pass(url, data, place, wanted, dry_run=dry_run, quiet=as_json))
    except (RuntimeFault, FairnessError) as fault:
        _refuse(str(fault))
    if as_json:
        print(told_pass(ended, place, dry_run=dry_run))  # noqa: T201 - what the command is for
    else:
        show_pass(Console(highlight=False), ended, place, dry_run=dry_run)
    if ended.fault is not None:
        _refuse(str(ended.fault))
    raise typer.Exit(EXIT_INTERRUPTED if ended.interrupted else EXIT_WRONG if ended.passing.wrong else 0)


def milliseconds(length: str) -> int:
    """A length of time as people write it; ``SettingsInvalid`` where it is none.

    >>> milliseconds("15m"), milliseconds("7d")
    (900000, 604800000)
    """
    found = re.fullmatch(r"(\d{1,6})([smhd])", length)
    if found is None:
        raise SettingsInvalid((f"--older-than {length!r} is no length of time; write it as 90s, 15m, 12h or 7d",))
    return int(found[1]) * UNITS_MS[found[2]]


def _wanted(
    settings: Settings, older_than: str, checkpoints: str | None, keys: Path | None, *, unsigned: bool, audit: bool
) -> Wanted:
    place = checkpoints or settings.checkpoints_dir
    opens = audit and keys is not None and (keys / AUDITOR_KEY).exists()
    trusted = () if keys is None else load_trusted_keys(keys)
    if keys is not None and not trusted and (place is not None or not opens):
        raise SettingsInvalid((f"--keys {keys} holds no notary.pub with a key in it; name the folder that does",))
    return Wanted(
        older_than_ms=milliseconds(older_than),
        checkpoints=None if place is None else _checkpoints(place),
        trusted=trusted,
        unsigned=unsigned,
        audit=audit,
        sealer=AgeSealer(load_opening_keys(keys)) if opens and keys is not None else None,
    )


def _checkpoints(place: str) -> Keeper:
    try:
        keeper = keeper_of(place)
        keeper.refuse_unusable(writing=False)
    except KeeperFault as missing:
        raise SettingsInvalid(
            (f"there are no checkpoints at {place} ({missing}); name where the notary keeps them with --checkpoints",)
        ) from missing
    return keeper


async def _pass(url: str | None, data: Path | None, place: str, wanted: Wanted, *, dry_run: bool, quiet: bool) -> Ended:
    archive = None if dry_run else Archive(writable(place), place)
    began_s = time.monotonic()
    fault: RuntimeFault | None = None
    interrupted = False
    async with reached_alone(url, data) as store:
        passing = Pass(store, archive, wanted)
        with _progress("tables", quiet=quiet) as progress:
            try:
                await passing.run(progress)
            except RuntimeFault as ended:
                fault = ended
            except asyncio.CancelledError:
                interrupted = True
    took_ms = round((time.monotonic() - began_s) * 1000)
    return Ended(passing=passing, took_ms=took_ms, fault=fault, interrupted=interrupted)


async def _checked(url: str | None, data: Path | None, place: str, *, quiet: bool) -> Checked:
    archive = Archive(keeper_at(place), place)
    async with reached_alone(url, data) as store:
        assert store.identity is not None, "a store that was reached is open"
        with _progress("partitions", quiet=quiet) as progress:
            return await check_archive(store, archive, store.identity.partitions, progress)


@contextmanager
def _progress(what: str, *, quiet: bool) -> Generator[Callable[[int, int], None]]:
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, known: bar.update(task, total=known, completed=done, description=f"{done} of {known} {what}")


def _refuse(why: str) -> NoReturn:
    typer.echo(f"poolrummy archive: {why}", err=True)
    raise typer.Exit(EXIT_USAGE)
