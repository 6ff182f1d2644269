"""`poolrummy pairs TABLE…|BUNDLE…|DIRECTORY`: which pairs of players deserve a look, with the deals to open."""

import asyncio
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer
from rich.console import Console

from poolrummy.audit.many import sealer_of
from poolrummy.audit.pairs.page import page_of
from poolrummy.audit.pairs.ranking import DEALS_MIN, Ranking, ranked
from poolrummy.audit.pairs.reading import Skipped
from poolrummy.audit.pairs.sums import PairSums, encode
from poolrummy.commands.pair_sources import SUMS_ENDING, NotThere, read, sources_of
from poolrummy.commands.pair_tables import show
from poolrummy.commands.reaching import ArchivePlace, AsJson, Data, Url
from poolrummy.fairness.errors import FairnessError
from poolrummy.runtime.errors import RuntimeFault

EXIT_USAGE: Final = 2

app = typer.Typer(help="Rank pairs of players by evidence of collusion.", add_completion=False)


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """The ranking, cut to what was asked for, and what was not counted."""

    ranking: Ranking
    pairs_compared: int
    skipped: tuple[Skipped, ...]


@app.command()
def rank(  # noqa: PLR0913, PLR0917 - the options of the command
    what: Annotated[
        list[str] | None,
        typer.Argument(help="Table ids, bundles, directories of bundles, saved sums; none: every table of the store."),
    ] = None,
    url: Url = None,
    data: Data = None,
    archive: ArchivePlace = None,
    keys: Annotated[
        Path | None, typer.Option("--keys", help="Folder with auditor.key: hands of those who dropped count as well.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", help=f"Write the sums to a file; as *{SUMS_ENDING} they can be read again.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write one page that needs no network, with links to dossiers.")
    ] = None,
    top: Annotated[int, typer.Option("--top", help="How many pairs to show.", min=1)] = 20,
    min_deals: Annotated[int, typer.Option("--min-deals", help="Leave out pairs with fewer common deals.", min=1)] = (
        DEALS_MIN
    ),
    *,
    as_json: AsJson = False,
) -> None:
    """Who fed whom, left in time, held back shows, won beside whom: against what the two do with everybody else.

    It is evidence, not a verdict. Ends with 0 whatever it finds, 2 if there is nothing to read.
    """
    try:
        sealer = sealer_of(None if keys is None else str(keys))
        sums, skipped = asyncio.run(read(sources_of(what or []), (url, data, archive), sealer))
        if skipped and not sums.tables:
            raise NotThere(f"nothing of that can be read: {skipped[0].source}: {skipped[0].why}")  # noqa: TRY301 - told as all the others are
        if save is not None:
            _keep(save, encode(sums))
        found = _found(sums, skipped, min_deals=min_deals, top=top)
        if html is not None:
            _keep(html, page_of(found.ranking, compared=found.pairs_compared, skipped=len(skipped)).encode())
    except (RuntimeFault, FairnessError, NotThere) as fault:
        typer.echo(f"poolrummy pairs: {fault}", err=True)
        raise typer.Exit(EXIT_USAGE) from fault
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(found, order="sorted"), indent=2).decode())  # noqa: T201 - what the command is for
    else:
        show(Console(), found.ranking, found.pairs_compared, found.skipped)


def _found(sums: PairSums, skipped: tuple[Skipped, ...], *, min_deals: int, top: int) -> Found:
    ranking = ranked(sums, deals_min=min_deals)
    return Found(
        ranking=msgspec.structs.replace(ranking, pairs=ranking.pairs[:top]),
        pairs_compared=len(ranking.pairs),
        skipped=skipped,
    )


def _keep(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as refused:
        raise NotThere(f"{path} cannot be written ({refused.strerror}); name a file in a folder of yours") from refused
