"""`poolrummy fairness`: the seven statistical tests on real shuffles, and raw output for a laboratory (R6)."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, Literal, NoReturn

import msgspec
import typer

from poolrummy.audit import bundle
from poolrummy.audit.findings import Unauditable
from poolrummy.audit.many import files_of, sealer_of
from poolrummy.audit.reading import read_log
from poolrummy.audit.seed_scan import SeedScan
from poolrummy.commands.reaching import AsJson
from poolrummy.fairness import sampling
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.pack import unshuffled
from poolrummy.fairness.statistics import seven_tests
from poolrummy.identity import identity
from poolrummy.libraries import versions

EXIT_FALSE: Final = 1
EXIT_USAGE: Final = 2

Deals = Annotated[int, typer.Option("--deals", help="How many shuffles.", min=2)]
Decks = Annotated[int, typer.Option("--decks", help="How many decks.", min=1, max=3)]
Name = Annotated[str, typer.Option("--name", help="Name of the sample: the same name, the same shuffles.")]

app = typer.Typer(help="Measure shuffles, or write raw ones out.", add_completion=False, no_args_is_help=True)


@app.command("test")
def measure(
    deals: Deals = 20_000,
    decks: Decks = 2,
    name: Name = "measured",
    report: Annotated[
        Path | None, typer.Option("--report", help="File to keep the figures in, with the software that was measured.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Chi-square, overlaps, coupon collector, runs, interplay and serial correlation, duplicates; each at 99 %.

    One sound sample in some fourteen fails one of the seven: that is what 99 % means. A fault fails in every sample.
    Ends with 0 if all pass, else 1.
    """
    n = len(unshuffled(decks, printed_jokers_per_deck=1))
    outcomes = seven_tests(sampling.orders(name, deals, n), n)
    told: dict[str, object] = {"deals": deals, "cards": n, "name": name, "tests": outcomes}
    if report is not None:
        _keep(report, told | {"software": identity().outcome, "others": versions()})
    if as_json:
        print(msgspec.json.encode(told).decode())  # noqa: T201 - what the command is for
    else:
        for one in outcomes:
            print(f"{one.name:<22} {one.figure:>16.3f}  p = {one.p:.4f}  {'passed' if one.passed else 'FAILED'}")  # noqa: T201 - what the command is for
    raise typer.Exit(0 if all(one.passed for one in outcomes) else EXIT_FALSE)


def _keep(report: Path, told: dict[str, object]) -> None:
    try:
        report.write_bytes(msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n")
    except OSError as refused:
        _refuse(f"{report} cannot be written ({refused.strerror}); name a file in a folder of yours")


@app.command("export")
def export(
    out: Annotated[Path, typer.Option("--out", help="File to write; - for standard output.")],
    kind: Annotated[
        Literal["draws", "cards"], typer.Option("--kind", help="16-bit draws, or packs of faces.")
    ] = "draws",
    deals: Deals = 20_000,
    decks: Decks = 2,
    name: Name = "exported",
) -> None:
    """Write raw output for a laboratory: big-endian 16-bit draws (dieharder -g 201), or one pack of faces a line."""
    pack = unshuffled(decks, printed_jokers_per_deck=1)
    chunks = _cards(pack, name, deals) if kind == "cards" else sampling.raw_draws(name, deals, draws_each=512)
    if str(out) == "-":
        for chunk in chunks:
            sys.stdout.buffer.write(chunk)
        return
    try:
        with out.open("wb") as file:
            for chunk in chunks:
                file.write(chunk)
    except OSError as refused:
        typer.echo(
            f"poolrummy fairness: {out} cannot be written ({refused.strerror}); name a file in a folder of yours",
            err=True,
        )
        raise typer.Exit(EXIT_USAGE) from refused


@app.command("repeated")
def repeated(
    where: Annotated[list[Path], typer.Argument(help="Bundles, or folders of them.")],
    keys: Annotated[
        Path | None,
        typer.Option("--keys", help="Folder with auditor.key: every seed is looked at, not only open ones."),
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Look for a seed that was promised in two places, over all these tables (R5).

    Ends with 0 if there is none, 1 if there is one, 2 if a file cannot be read or its seeds are not what was promised.
    """
    scan = SeedScan()
    try:
        sealer = sealer_of(None if keys is None else str(keys))
        for path in (one for each in where for one in (files_of(each) if each.is_dir() else [each])):
            evidence = bundle.read(path.read_bytes(), str(path))
            log = read_log(evidence)
            if log.findings:
                _refuse(f"{path} is no whole log: {log.findings[0].sentence}; see poolrummy audit {path}")
            scan.take(log.events, sealer, evidence.seeds)
    except OSError as refused:
        _refuse(f"{refused.filename} cannot be read: {refused.strerror}")
    except (Unauditable, FairnessError) as fault:
        _refuse(str(fault))
    if not scan.tables:
        _refuse(f"there is no bundle in {where[0]}; make one with `poolrummy bundle TABLE --out FILE`")
    if as_json:
        told = {"tables": scan.tables, "seeds": scan.seeds, "repeated": scan.repeated}
        print(msgspec.json.encode(told).decode())  # noqa: T201 - what the command is for
    else:
        for one in scan.repeated:
            places = ", ".join(f"{place.table} seed {place.index} of batch {place.batch}" for place in one.places)
            print(f"WRONG: one seed in {len(one.places)} places: {places}")  # noqa: T201 - what the command is for
        print(f"{scan.tables} tables, {scan.seeds} seeds, {len(scan.repeated)} in more than one place")  # noqa: T201 - what the command is for
    raise typer.Exit(EXIT_FALSE if scan.repeated else 0)


def _refuse(why: str) -> NoReturn:
    typer.echo(f"poolrummy fairness: {why}", err=True)
    raise typer.Exit(EXIT_USAGE)


def _cards(pack: tuple[str, ...], name: str, deals: int) -> Iterator[bytes]:
    for order in sampling.orders(name, deals, len(pack)):
        yield (" ".join(pack[place] for place in order) + "\n").encode()
