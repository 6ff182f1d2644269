"""`poolrummy export TABLE --out FOLDER`: a match as CSV files that any spreadsheet opens (R15)."""

from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import msgspec
import typer

from poolrummy.audit.csv_form import written
from poolrummy.audit.findings import Unauditable
from poolrummy.audit.tabular import KINDS, tables_of
from poolrummy.audit.views import View
from poolrummy.commands.past_of_table import NotFound, past_of, told_from
from poolrummy.commands.reaching import ArchivePlace, AsJson, Data, Url
from poolrummy.runtime.errors import RuntimeFault

EXIT_USAGE: Final = 2

app = typer.Typer(help="Write a match as CSV files.", add_completion=False)


@app.command()
def write(
    table: Annotated[str, typer.Argument(help="Id of a table, or a bundle file.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the files; it is made if it is not there.")],
    url: Url = None,
    data: Data = None,
    archive: ArchivePlace = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Write matches, players, deals, points, money and acts as <table>.<kind>.csv: RFC 4180, safe in a spreadsheet.

    For everybody: no closed card stands in them. The whole evidence, byte for byte, is what `poolrummy bundle` writes.
    Ends with 0, or with 2 if there is no such table or the folder cannot be written.
    """
    try:
        with told_from(table):
            past = past_of(table, View("public"), url=url, data=data, archive=archive, keys=None)
            tables = msgspec.structs.asdict(tables_of(past.moments))
    except (RuntimeFault, Unauditable, NotFound) as fault:
        _refuse(str(fault))
    try:
        files = _write(past.moments[0].event.table, tables, out)
    except OSError as refused:
        _refuse(f"{refused.filename or out} cannot be written ({refused.strerror}); name a folder of yours")
    if as_json:
        typer.echo(msgspec.json.encode(files))
        return
    for one in files:
        typer.echo(f"{one.file}: {one.rows} {'row' if one.rows == 1 else 'rows'}")


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was written, and how many rows stand under its head."""

    file: str
    kind: str
    rows: int


def _write(table: str, found: dict[str, Any], out: Path) -> list[Written]:
    out.mkdir(parents=True, exist_ok=True)
    files: list[Written] = []
    for name, kind in KINDS.items():
        file = out / f"{table}.{name}.csv"
        file.write_text(written(kind, found[name]), encoding="utf-8", newline="")
        files.append(Written(file=str(file), kind=name, rows=len(found[name])))
    return files


def _refuse(why: str) -> NoReturn:
    typer.echo(f"poolrummy export: {why}", err=True)
    raise typer.Exit(EXIT_USAGE)
