"""`poolrummy accept-rewind TABLE`: a log that goes back behind a signed checkpoint may play on, on somebody's word."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, NoReturn

import msgspec
import typer
from rich.console import Console

from poolrummy.audit.evidence import Evidence, from_store
from poolrummy.audit.reading import read_log
from poolrummy.commands.reaching import AsJson, Data, Url, no_table, reached
from poolrummy.fairness.checkpoint import Checkpoint, unverified
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.log_tree import LogTree, leaf_of
from poolrummy.fairness.notary_keys import load_signing_key
from poolrummy.fairness.rewind import Rewind, recorded, superseding
from poolrummy.fairness.signed_note import NoteWrong
from poolrummy.keeping.checkpoint_folder import Keeper, kept, supersede
from poolrummy.keeping.keepers import keeper_of
from poolrummy.runtime.errors import RuntimeFault
from poolrummy_contracts.streams import is_table_id

EXIT_USAGE: Final = 2

app = typer.Typer(help="Accept a log that goes back behind a signed checkpoint.", add_completion=False)


@app.command()
def accept(
    table: Annotated[str, typer.Argument(help="Id of the table, such as p07-9f2c.")],
    operator: Annotated[str, typer.Option("--operator", help="Who accepts it.")],
    reason: Annotated[str, typer.Option("--reason", help="Why.")],
    checkpoints: Annotated[
        str, typer.Option("--checkpoints", help="Where the notary keeps checkpoints: a folder, or s3://bucket/prefix.")
    ],
    keys: Annotated[Path, typer.Option("--keys", help="Folder with notary.key: the record is signed.")],
    url: Url = None,
    data: Data = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Record it beside the checkpoints, signed. Those that do not lead to this log count no more, and are kept.

    The dealer takes the table over when it starts the next time. If the whole log is gone, its id may be opened again.
    """
    if not operator.strip() or not reason.strip():
        _refuse("an operator and a reason are needed: --operator NAME --reason TEXT")
    if not is_table_id(table):
        _refuse(f"{table!r} is no table id: one looks like p07-9f2c")
    try:
        keeper = keeper_of(checkpoints)
        keeper.refuse_unusable(writing=False)
        stored = asyncio.run(_read(table, url, data))
        rewind, dropped = _accepted(table, stored, keeper, operator, reason)
        record = recorded(rewind, load_signing_key(keys))
        supersede(keeper, table, [one.size for one in dropped], record, to=rewind.size)
    except (RuntimeFault, FairnessError, OSError) as fault:
        _refuse(str(fault))
    sizes = [one.size for one in dropped]
    if as_json:
        typer.echo(msgspec.json.encode({"table": table, "size": rewind.size, "superseded": sizes}))
    else:
        told = ", ".join(map(str, sizes))
        Console(highlight=False).print(f"{table}: {rewind.size} events accepted; superseded: {told}")


def _accepted(
    table: str, stored: Evidence | None, keeper: Keeper, operator: str, reason: str
) -> tuple[Rewind, Sequence[Checkpoint]]:
    """The record, and the checkpoints that do not lead to what is stored: where nothing is, none does."""
    notes = kept(keeper, table).notes
    if stored is None and not notes:
        _refuse(no_table(table))
    log = stored or Evidence(source=table, table=table, lines=())
    read = read_log(log)
    if read.findings and stored is not None:
        _refuse(f"{table} is no whole log: {read.findings[0].sentence}; restore it first")
    dropped = _not_leading_to(log, notes)
    if not dropped:
        _refuse(f"every checkpoint of {table} leads to this log: there is nothing to accept")
    rewind = Rewind(
        table=table,
        size=len(log.lines),
        chain=read.chain,
        operator=operator,
        reason=reason,
        superseded=superseding(dropped),
    )
    return rewind, dropped


def _not_leading_to(evidence: Evidence, notes: Sequence[bytes]) -> list[Checkpoint]:
    roots: dict[int, bytes] = {}
    tree = LogTree()
    for line in evidence.lines:
        tree.grow(leaf_of(line.payload))
        roots[tree.size] = tree.root
    found: list[Checkpoint] = []
    for note in notes:
        try:
            found.append(unverified(note))
        except NoteWrong:
            continue
    return [one for one in found if roots.get(one.size) != one.root]


async def _read(table: str, url: str | None, data: Path | None) -> Evidence | None:
    async with reached(url, data) as store:
        return await from_store(table, store)


def _refuse(why: str) -> NoReturn:
    typer.echo(f"poolrummy accept-rewind: {why}", err=True)
    raise typer.Exit(EXIT_USAGE)
