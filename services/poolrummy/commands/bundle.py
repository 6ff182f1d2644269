"""`poolrummy bundle TABLE --out FILE`: one table in one file, complete enough to be audited without a server."""

import asyncio
from pathlib import Path
from typing import Annotated, Final, NoReturn

import msgspec
import typer
from rich.console import Console

from poolrummy.audit.bundle import written
from poolrummy.audit.bundling import opened
from poolrummy.audit.evidence import Evidence
from poolrummy.audit.findings import Unauditable
from poolrummy.audit.many import sealer_of
from poolrummy.commands.audit import Checkpoints
from poolrummy.commands.reaching import ArchivePlace, AsJson, Data, Url, no_table, reached
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.notary_keys import load_trusted_keys
from poolrummy.fairness.notary_keys import written as key_line
from poolrummy.keeping.checkpoint_folder import kept
from poolrummy.keeping.keepers import keeper_of
from poolrummy.runtime.errors import RuntimeFault

EXIT_USAGE: Final = 2

app = typer.Typer(help="Put a table into one file.", add_completion=False)


@app.command()
def make(  # noqa: PLR0913 - the options of the command
    table: Annotated[str, typer.Argument(help="Id of the table, such as p07-9f2c.")],
    out: Annotated[Path, typer.Option("--out", help="The file to write.")],
    url: Url = None,
    data: Data = None,
    keys: Annotated[
        Path | None, typer.Option("--keys", help="Folder of keys: notary.pub goes along, auditor.key makes proofs.")
    ] = None,
    checkpoints: Checkpoints = None,
    archive: ArchivePlace = None,
    *,
    open_seeds: Annotated[
        bool, typer.Option("--open-seeds", help="Lay the seeds open: only for who may see every card of every hand.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Events, chain, terms, checkpoints and keys; with the auditor's key the proof of every card laid open as well."""
    try:
        evidence = asyncio.run(_read(table, url, data, archive))
        if evidence is None:
            _refuse(no_table(table))
        content = _bundle(evidence, keys, checkpoints, open_seeds=open_seeds)
        out.write_bytes(content)
    except (RuntimeFault, FairnessError, Unauditable) as fault:
        _refuse(str(fault))
    except OSError as refused:
        _refuse(f"{out} cannot be written ({refused.strerror}); name a file in a folder of yours")
    told = {"file": str(out), "table": table, "events": len(evidence.lines), "bytes": len(content)}
    if as_json:
        typer.echo(msgspec.json.encode(told))
    else:
        Console().print(f"{out}: {told['events']:,} events of {table}, {told['bytes']:,} bytes", highlight=False)


def _bundle(evidence: Evidence, keys: Path | None, checkpoints: str | None, *, open_seeds: bool) -> bytes:
    if checkpoints is not None:
        found = kept(keeper_of(checkpoints), evidence.table)
        evidence = msgspec.structs.replace(evidence, notes=found.notes, leaves=found.leaves, rewinds=found.rewinds)
    trusted = [] if keys is None else [key_line(key).strip() for key in load_trusted_keys(keys)]
    sealer = None if keys is None else sealer_of(str(keys))
    if sealer is None:
        if open_seeds:
            _refuse("--open-seeds needs the auditor's key; name its folder with --keys")
        return written(evidence, keys=trusted)
    seeds, proofs = opened(evidence, sealer)
    return written(evidence, keys=trusted, seeds=seeds if open_seeds else (), openings=proofs)


async def _read(table: str, url: str | None, data: Path | None, archive: str | None) -> Evidence | None:
    async with reached(url, data, archive) as store:
        return await store.evidence_of(table)


def _refuse(why: str) -> NoReturn:
    typer.echo(f"poolrummy bundle: {why}", err=True)
    raise typer.Exit(EXIT_USAGE)
