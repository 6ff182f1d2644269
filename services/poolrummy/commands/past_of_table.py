"""How a command finds everything that is known of a table's past: in a store, or in a bundle file."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
import typer

from poolrummy.audit import bundle
from poolrummy.audit.deal_record import Unrecorded
from poolrummy.audit.dossier.asking import stored_lines, stored_moments, stored_refusals
from poolrummy.audit.dossier.content import RefusedCommand
from poolrummy.audit.dossier.making import NoSuchDeal
from poolrummy.audit.history import Moment, moments_of
from poolrummy.audit.known_packs import Known, known_packs, nothing_known
from poolrummy.audit.many import sealer_of
from poolrummy.audit.recording import NotInLog
from poolrummy.audit.views import Kind, View
from poolrummy.commands.reaching import no_table, reached
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.sealing import Sealer
from poolrummy.runtime.errors import RuntimeFault
from poolrummy.runtime.records import TableEntry
from poolrummy_contracts.streams import is_table_id
from poolrummy_contracts.terms import Seat

Keys = Annotated[
    Path | None,
    typer.Option("--keys", help="Folder with auditor.key: opens the seeds, so that closed cards are known."),
]
Out = Annotated[Path | None, typer.Option("--out", help="The file to write.")]
ViewOption = Annotated[Literal["seat", "auditor", "public"], typer.Option("--view", help="Who will read it.")]
SeatOption = Annotated[int | None, typer.Option("--seat", help="The seat that is asked about.", min=1)]


ANSWERED: Final = (NoSuchDeal, NotInLog, Unrecorded, FairnessError, RuntimeFault)
"""What commands tell themselves."""


class NotFound(Exception):
    """There is no such table, file or view; the message says what to do."""


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """A table's log with everything around it that a reader of this view is shown."""

    moments: tuple[Moment, ...]
    known: Known
    refused: tuple[RefusedCommand, ...] = ()
    checkpoints: tuple[str, ...] = ()


@contextmanager
def told_from(named: str) -> Generator[None]:
    """What lies in a file may be anything: whatever breaks on it is the file's, and is said in one sentence.

    A log of a store is one of ours: what breaks there is our own mistake.
    """
    try:
        yield
    except (AssertionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as broken:
        if isinstance(broken, ANSWERED) or not Path(named).is_file():
            raise
        raise NotFound(f"{named} holds a log that cannot be told ({broken}); see poolrummy audit {named}") from broken


def view_of(kind: Kind, seat: int | None) -> View:
    """The reader; the view of a seat needs the seat."""
    if kind != "seat":
        return View(kind)
    if seat is None:
        raise NotFound("--view seat needs the seat: add --seat 1, 2, …")
    return View("seat", Seat(seat))


def past_of(
    named: str, view: View, *, url: str | None, data: Path | None, archive: str | None, keys: Path | None
) -> Past:
    """The past of a table by its id, or of the one in a bundle file; for the public no seed is opened."""
    sealer = None if keys is None or view.kind == "public" else sealer_of(str(keys))
    if Path(named).is_file():
        past = _of_bundle(Path(named), view, sealer)
    elif is_table_id(named):
        past = asyncio.run(_of_store(named, view, sealer, url=url, data=data, archive=archive))
    else:
        raise NotFound(f"{named!r} is neither a table id, such as p07-9f2c, nor a bundle file")
    if not past.moments:
        raise NotFound(no_table(named))
    seat_there(past, view.seat)
    if view.kind == "auditor" and not past.known.packs and past.moments[-1].after.deal_number:
        raise NotFound("the auditor's view needs the auditor's key: name its folder with --keys")
    return past


def seat_there(past: Past, seat: int | None) -> None:
    """Refuse a seat that the table has not."""
    seats = past.moments[-1].after.terms.seats
    if seat is not None and seat > seats:
        raise NotFound(f"there is no seat {seat} at this table; it has seats 1 to {seats}")


def _of_bundle(path: Path, view: View, sealer: Sealer | None) -> Past:
    found = bundle.read(path.read_bytes(), str(path))
    if found.faults:
        raise NotFound(f"{path}: {found.faults[0].what}; see poolrummy audit {path}")
    entries = [
        TableEntry(version=v, payload=line.payload, chain=line.chain) for v, line in enumerate(found.lines, start=1)
    ]
    moments = moments_of(found.table, entries)
    notes = tuple(note.decode(errors="replace") for note in found.notes)
    if view.kind == "public" or not moments:
        return Past(moments=moments, known=nothing_known(), checkpoints=notes)
    return Past(moments=moments, known=known_packs(moments, sealer, opened_seeds=found.seeds), checkpoints=notes)


async def _of_store(
    table: str, view: View, sealer: Sealer | None, *, url: str | None, data: Path | None, archive: str | None
) -> Past:
    async with reached(url, data, archive) as store:
        moments = await stored_moments(table, store)
        if view.kind == "public" or not moments:
            return Past(moments=moments, known=nothing_known())
        lines = await stored_lines(table, moments, store)
        refused = await stored_refusals(table, store)
        return Past(moments=moments, known=known_packs(moments, sealer, lines=lines), refused=refused)
