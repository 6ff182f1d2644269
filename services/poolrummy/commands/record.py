"""`poolrummy record TABLE --deal N`: one deal as a deal record, and a record checked or cut down to a narrower view."""

from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer

from poolrummy.audit import deal_record
from poolrummy.audit.deal_record import SUFFIX, DealRecord, Unrecorded
from poolrummy.audit.findings import Unauditable
from poolrummy.audit.recording import NotInLog, cut, projected, rebuilt, record_of
from poolrummy.audit.views import View
from poolrummy.commands.past_of_table import Keys, NotFound, Out, SeatOption, ViewOption, past_of, told_from, view_of
from poolrummy.commands.reaching import ArchivePlace, Data, Url
from poolrummy.fairness.errors import FairnessError
from poolrummy.runtime.errors import RuntimeFault

EXIT_WRONG: Final = 1
EXIT_USAGE: Final = 2

app = typer.Typer(help="Write one deal as a deal record (.rdr.json).", add_completion=False)


@app.command()
def write(  # noqa: PLR0913, PLR0917 - the options of the command
    table: Annotated[str, typer.Argument(help="Id of a table, a bundle file, or a deal record to check or narrow.")],
    deal: Annotated[int, typer.Option("--deal", help="Number of the deal.", min=1)] = 1,
    seat: SeatOption = None,
    view: ViewOption = "public",
    keys: Keys = None,
    url: Url = None,
    data: Data = None,
    archive: ArchivePlace = None,
    out: Out = None,
    *,
    check: Annotated[bool, typer.Option("--check", help="Make a record again from itself and compare.")] = False,
) -> None:
    """Write the record of a deal for a reader; with --check say whether a record is what it tells.

    Ends with 0, with 1 if a checked record contradicts itself, with 2 if there is no such table, deal or file.
    """
    if check and not table.endswith(SUFFIX):
        _refuse(f"--check reads a deal record (*{SUFFIX}), and {table!r} is none; write one with --out")
    try:
        reader = view_of(view, seat)
        if table.endswith(SUFFIX):
            _of_file(Path(table), reader, out, check=check)
            return
        with told_from(table):
            past = past_of(table, reader, url=url, data=data, archive=archive, keys=keys)
            cards, seed = past.known.packs.get(deal, {}), past.known.seeds.get(deal)
            record = record_of(cut(past.moments, deal, cards=cards, seed=seed, checkpoints=past.checkpoints), reader)
        _write(record, out)
    except (RuntimeFault, FairnessError, Unauditable, NotFound, NotInLog, Unrecorded) as fault:
        _refuse(str(fault))


def _of_file(path: Path, reader: View, out: Path | None, *, check: bool) -> None:
    try:
        content = path.read_bytes()
    except OSError as refused:
        _refuse(f"{path} cannot be read: {refused.strerror}")
    record = deal_record.read(content)
    if not check:
        _write(projected(record, reader), out)
        return
    try:
        same = deal_record.write(rebuilt(record)) == content
        why = "made again from itself it has other bytes"
    except Unrecorded as broken:
        same, why = False, str(broken)
    if not same:
        typer.echo(f"{path}: WRONG: {why}", err=True)
        raise typer.Exit(EXIT_WRONG)
    typer.echo(f"{path}: {len(record.moves)} events of deal {record.deal} of {record.table} give this record again")


def _write(record: DealRecord, out: Path | None) -> None:
    content = deal_record.write(record)
    if out is None:
        typer.echo(content.decode())
        return
    try:
        out.write_bytes(content)
    except OSError as refused:
        _refuse(f"{out} cannot be written ({refused.strerror}); name a file in a folder of yours")
    typer.echo(f"{out}: {len(content):,} bytes", err=True)


def _refuse(why: str) -> NoReturn:
    typer.echo(f"poolrummy record: {why}", err=True)
    raise typer.Exit(EXIT_USAGE)
