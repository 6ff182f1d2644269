"""`poolrummy fairness`: the seven statistical tests on real shuffles, and raw output for a laboratory (R6)."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
import typer

from poolrummy.commands.reaching import AsJson
from poolrummy.fairness import sampling
from poolrummy.fairness.pack import unshuffled
from poolrummy.fairness.statistics import seven_tests

EXIT_FALSE: Final = 1
EXIT_USAGE: Final = 2

Deals = Annotated[int, typer.Option("--deals", help="How many shuffles.", min=2)]
Decks = Annotated[int, typer.Option("--decks", help="How many decks.", min=1, max=3)]
Name = Annotated[str, typer.Option("--name", help="Name of the sample: the same name, the same shuffles.")]

app = typer.Typer(help="Measure shuffles, or write raw ones out.", add_completion=False, no_args_is_help=True)


@app.command("test")
def measure(deals: Deals = 20_000, decks: Decks = 2, name: Name = "measured", *, as_json: AsJson = False) -> None:
    """Chi-square, overlaps, coupon collector, runs, interplay and serial correlation, duplicates; each at 99 %.

    One sound sample in some fourteen fails one of the seven: that is what 99 % means. A fault fails in every sample.
    Ends with 0 if all pass, else 1.
    """
    n = len(unshuffled(decks, printed_jokers_per_deck=1))
    outcomes = seven_tests(sampling.orders(name, deals, n), n)
    if as_json:
        print(msgspec.json.encode({"deals": deals, "cards": n, "name": name, "tests": outcomes}).decode())  # noqa: T201 - what the command is for
    else:
        for one in outcomes:
            print(f"{one.name:<22} {one.figure:>16.3f}  p = {one.p:.4f}  {'passed' if one.passed else 'FAILED'}")  # noqa: T201 - what the command is for
    raise typer.Exit(0 if all(one.passed for one in outcomes) else EXIT_FALSE)


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
        typer.echo(f"poolrummy fairness: {out} cannot be written: {refused.strerror}", err=True)
        raise typer.Exit(EXIT_USAGE) from refused


def _cards(pack: tuple[str, ...], name: str, deals: int) -> Iterator[bytes]:
    for order in sampling.orders(name, deals, len(pack)):
        yield (" ".join(pack[place] for place in order) + "\n").encode()
