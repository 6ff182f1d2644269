"""`poolrummy dossier TABLE`: why a seat was charged, as one page that needs no network and no script, or as JSON."""

from pathlib import Path
from typing import Annotated, Final, NoReturn

import msgspec
import typer

from poolrummy.audit.dossier.content import About, Dossier
from poolrummy.audit.dossier.making import Asked, NoSuchDeal, dossier_of
from poolrummy.audit.dossier.page import page_of
from poolrummy.audit.findings import Unauditable
from poolrummy.commands.past_of_table import (
    Keys,
    NotFound,
    Out,
    SeatOption,
    ViewOption,
    past_of,
    seat_there,
    told_from,
    view_of,
)
from poolrummy.commands.reaching import ArchivePlace, AsJson, Data, Url
from poolrummy.commands.rulebook import read_book
from poolrummy.fairness.errors import FairnessError
from poolrummy.runtime.errors import RuntimeFault
from poolrummy_contracts.terms import Seat

EXIT_USAGE: Final = 2

app = typer.Typer(help="Show from the log why a seat was charged.", add_completion=False)


@app.command()
def show(  # noqa: PLR0913, PLR0917 - the options of the command
    table: Annotated[str, typer.Argument(help="Id of the table, such as p07-9f2c, or a bundle file.")],
    deal: Annotated[int | None, typer.Option("--deal", help="This deal only; else the whole match.", min=1)] = None,
    seat: SeatOption = None,
    view: ViewOption = "public",
    about: Annotated[
        About | None,
        typer.Option("--about", help="The question, where the charge of the deal is not what is disputed."),
    ] = None,
    keys: Keys = None,
    url: Url = None,
    data: Data = None,
    archive: ArchivePlace = None,
    out: Out = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Write a dossier: the answer in a sentence, then totals, steps, shows, counts, arithmetic, proofs.

    The view of a seat shows that seat's cards only; the auditor's view shows every card and needs the auditor's key.
    """
    try:
        reader = view_of(view, seat)
        book = {one.number: (one.title, one.text) for one in read_book()}
        with told_from(table):
            past = past_of(table, reader, url=url, data=data, archive=archive, keys=keys)
            seat_there(past, seat)
            asked = Asked(view=reader, deal=deal, seat=None if seat is None else Seat(seat), about=about)
            dossier = dossier_of(past.moments, asked, past.known, book=book, refused=past.refused)
    except (RuntimeFault, FairnessError, Unauditable, NotFound, NoSuchDeal) as fault:
        _refuse(str(fault))
    if as_json:
        _write(as_bytes(dossier), out)
        return
    _write(page_of(dossier).encode(), out or Path(_name(dossier)))
    print(dossier.answer.sentence)  # noqa: T201 - what the command is for


def as_bytes(dossier: Dossier) -> bytes:
    """The dossier as canonical JSON."""
    return msgspec.json.encode(dossier, order="sorted") + b"\n"


def _name(dossier: Dossier) -> str:
    parts = ["dossier", dossier.table]
    parts += [] if dossier.deal is None else [f"deal-{dossier.deal}"]
    parts += [] if dossier.seat is None else [f"seat-{dossier.seat}"]
    return "-".join([*parts, dossier.view]) + ".html"


def _write(content: bytes, out: Path | None) -> None:
    if out is None:
        typer.echo(content.decode(), nl=False)
        return
    try:
        out.write_bytes(content)
    except OSError as refused:
        _refuse(f"{out} cannot be written ({refused.strerror}); name a file in a folder of yours")
    typer.echo(f"{out}: {len(content):,} bytes", err=True)


def _refuse(why: str) -> NoReturn:
    typer.echo(f"poolrummy dossier: {why}", err=True)
    raise typer.Exit(EXIT_USAGE)
