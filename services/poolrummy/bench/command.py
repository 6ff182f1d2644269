"""``poolrummy bench``: every figure beside a baseline that was taken in the same run."""

import importlib
import os
import platform
from collections.abc import Callable
from typing import Annotated, Final

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from poolrummy.bench.rows import Row

BENCHES: Final[dict[str, str]] = {
    "arranger": "poolrummy.bench.arranging",
    "moves": "poolrummy.bench.moves",
    "verdicts": "poolrummy.bench.verdicts",
    "storm": "poolrummy.bench.storm",
}

app = typer.Typer(add_completion=False)


@app.command()
def measure(
    only: Annotated[list[str] | None, typer.Option(help=f"One of {', '.join(BENCHES)}; repeatable.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document instead of a table.")] = False,  # noqa: FBT002 - a flag of the command line
) -> None:
    """Measure, bounded in count and time; what others do on the machine shows in the figures."""
    unknown = [name for name in only or () if name not in BENCHES]
    if unknown:
        raise typer.BadParameter(f"{', '.join(unknown)}: there is no such bench, use {', '.join(BENCHES)}")
    console = Console(stderr=True)
    rows: dict[str, list[Row]] = {}
    for name in only or BENCHES:
        with console.status(f"measuring {name} …"):
            bench: Callable[[], list[Row]] = importlib.import_module(BENCHES[name]).measure
            rows[name] = bench()
    if as_json:
        typer.echo(msgspec.json.encode({"machine": machine(), "rows": rows}, order="sorted").decode())
    else:
        Console().print(table_of(rows))


def table_of(rows: dict[str, list[Row]]) -> Table:
    """The rows as a person reads them."""
    table = Table("what", "measured", "baseline", "ratio", "bar", title=machine(), title_justify="left")
    for row in (row for found in rows.values() for row in found):
        table.add_row(
            row.what,
            f"{row.value:,.1f} {row.unit}",
            f"{row.baseline:,.1f} ({row.beside})" if row.baseline is not None else "",
            f"{row.ratio:.2f} x" if row.ratio is not None else "",
            bar_of(row),
        )
    return table


def bar_of(row: Row) -> str:
    """The bar, and whether it is reached."""
    if row.bar is None:
        return ""
    sign = "≥" if row.better == "more" else "≤"
    return f"[{'green' if row.reached else 'red'}]{sign} {row.bar:,.0f} {row.unit}[/]"


def machine() -> str:
    """On what this was measured, and how busy it was."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load}"
