"""`poolrummy accept-rewind TABLE`: a log that goes back behind a signed checkpoint may play on, on somebody's word."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer
from rich.console import Console

from poolrummy.audit.evidence import Evidence, from_store
from poolrummy.audit.reading import read_log
from poolrummy.commands.reaching import Data, Url, reached
from poolrummy.fairness.checkpoint import Checkpoint, unverified
from poolrummy.fairness.checkpoint_folder import FolderKeeper, kept, supersede
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.log_tree import LogTree, leaf_of
from poolrummy.fairness.notary_keys import load_signing_key
from poolrummy.fairness.rewind import Rewind, recorded, superseding
from poolrummy.fairness.signed_note import NoteWrong
from poolrummy.runtime.errors import RuntimeFault

EXIT_USAGE: Final = 2

app = typer.Typer(help="Accept a log that goes back behind a signed checkpoint.", add_completion=False)


@app.command()
def accept(
    table: Annotated[str, typer.Argument(help="Id of the table, such as p07-9f2c.")],
    operator: Annotated[str, typer.Option("--operator", help="Who accepts it.")],
    reason: Annotated[str, typer.Option("--reason", help="Why.")],
    checkpoints: Annotated[Path, typer.Option("--checkpoints", help="Folder in which the notary keeps checkpoints.")],
    keys: Annotated[Path, typer.Option("--keys", help="Folder with notary.key: the record is signed.")],
    url: Url = None,
    data: Data = None,
) -> None:
    """Record it beside the checkpoints, signed. Those that do not lead to this log count no more, and are kept.

    The dealer takes the table over when it starts the next time.
    """
    if not operator.strip() or not reason.strip():
        _refuse("an operator and a reason are needed: --operator NAME --reason TEXT")
    if not checkpoints.is_dir():
        _refuse(f"there is no folder {checkpoints}; name the one in which the notary keeps checkpoints")
    try:
        evidence = asyncio.run(_read(table, url, data))
        if evidence is None:
            _refuse(f"there is no table {table} in this store; look for its id in the replies, or name another --url")
        dropped = _accepted(evidence, FolderKeeper(checkpoints), keys, operator, reason)
    except (RuntimeFault, FairnessError, OSError) as fault:
        _refuse(str(fault))
    sizes = ", ".join(str(one.size) for one in dropped)
    Console(highlight=False).print(f"{table}: {len(evidence.lines)} events accepted; superseded: {sizes}")


def _accepted(evidence: Evidence, keeper: FolderKeeper, keys: Path, operator: str, reason: str) -> Sequence[Checkpoint]:
    read = read_log(evidence)
    if read.findings:
        _refuse(f"{evidence.table} is no whole log: {read.findings[0].sentence}; restore it first")
    dropped = _not_leading_to(evidence, kept(keeper, evidence.table).notes)
    if not dropped:
        _refuse(f"every checkpoint of {evidence.table} leads to this log: there is nothing to accept")
    rewind = Rewind(
        table=evidence.table,
        size=len(evidence.lines),
        chain=read.chain,
        operator=operator,
        reason=reason,
        superseded=superseding(dropped),
    )
    record = recorded(rewind, load_signing_key(keys))
    supersede(keeper, evidence.table, [one.size for one in dropped], record, to=rewind.size)
    return dropped


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
