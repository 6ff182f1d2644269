"""`poolrummy replay TABLE`: a table's story and standings from its log alone, held against the projector's views."""

import asyncio
from pathlib import Path
from typing import Annotated, Final, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.text import Text

from poolrummy.audit import replay as audit
from poolrummy.audit.story import Step
from poolrummy.commands.reaching import ArchivePlace, AsJson, Data, Url, no_table, reached
from poolrummy.commands.replay_tables import WIDE_COLUMNS, refused_table, standings_table, story_table
from poolrummy.projector.checking import TableCheck, check_table
from poolrummy.projector.folding import fold_table
from poolrummy.projector.standings_view import StandingsView, standings_view
from poolrummy.runtime.errors import RuntimeFault
from poolrummy.runtime.table_log import entries_of
from poolrummy_contracts.replies import CommandRefused
from poolrummy_contracts.streams import is_table_id, partition_of

EXIT_DIFFERENT: Final = 1
EXIT_USAGE: Final = 2

app = typer.Typer(help="Tell a table's story and standings from its log.", add_completion=False)


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a replay found."""

    replay: audit.Replay
    standings: StandingsView
    refused: tuple[CommandRefused, ...]
    check: TableCheck | None
    """None where an earlier version is told: views are those of the last one."""


@app.command()
def tell(
    table: Annotated[str, typer.Argument(help="Id of the table, such as p07-9f2c.")],
    url: Url = None,
    data: Data = None,
    archive: ArchivePlace = None,
    deal: Annotated[int | None, typer.Option("--deal", help="Tell this deal only.", min=0)] = None,
    until: Annotated[
        int | None, typer.Option("--until", help="Tell the table as it stood at this version.", min=1)
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Every step from the log: version, time, seat, who acted, card, cards left, rule; then the standings.

    With --until the table is rebuilt as it stood after that event; --json gives its whole state, no view is compared.
    Ends with 0 if the projector's views are what the log gives or only behind it, 1 if they differ, 2 if there is no
    such table or no server.
    """
    try:
        told = asyncio.run(_told(table, url, data, archive, until))
    except RuntimeFault as fault:
        _refuse(str(fault))
    if deal is not None and not _steps(told, deal):
        _refuse(
            f"{table} has no deal {deal}; its last one is {told.replay.table.deal_number}, and 0 is before the first"
        )
    if as_json:
        print(_as_json(told, deal))  # noqa: T201 - what the command is for
    else:
        _print(told, deal)
    raise typer.Exit(EXIT_DIFFERENT if told.check is not None and told.check.verdict == "different" else 0)


async def _told(table: str, url: str | None, data: Path | None, archive: str | None, until: int | None) -> Told:
    if not is_table_id(table):
        _refuse(f"{table!r} is no table id: it looks like p07-9f2c; the lobby and the replies name the tables")
    async with reached(url, data, archive) as store:
        partition = partition_of(table)
        replayed = await audit.replay_stored(table, store)
        if replayed is None:
            _refuse(no_table(table))
        if until is not None:
            if until > replayed.table.v:
                _refuse(f"{table} has no version {until}; its last one is {replayed.table.v}")
            replayed = audit.replay(table, [entry async for entry in entries_of(table, store, until=until)])
            assert replayed is not None, "a log has a first version"
        folded = await fold_table(table, store, until=replayed.table.v)
        check = None if until is not None else await check_table(table, store)
        assert folded is not None, "a log that was replayed can be folded"
        refused = await audit.refusals(table, partition, store)
        return Told(replay=replayed, standings=standings_view(folded.board), refused=refused, check=check)


def _as_json(told: Told, deal: int | None) -> str:
    found = {
        "table": told.replay.table.id,
        "v": told.replay.table.v,
        "chain": told.replay.chain.hex(),
        "phase": told.replay.table.phase,
        "state": told.replay.table,
        "steps": _steps(told, deal),
        "standings": told.standings,
        "refused": told.refused,
        "views": told.check,
    }
    return msgspec.json.format(msgspec.json.encode(found), indent=2).decode()


def _steps(told: Told, deal: int | None) -> list[Step]:
    return [step for step in told.replay.steps if deal is None or step.deal == deal]


def _print(told: Told, deal: int | None) -> None:
    console = Console()
    wide = console.width >= WIDE_COLUMNS
    console.print(story_table(_steps(told, deal), wide=wide))
    if told.refused:
        console.print(refused_table(told.refused))
    console.print(standings_table(told.standings, wide=wide))
    console.print(f"log: {told.replay.table.v} events, chain {told.replay.chain.hex()}")
    if told.check is not None:
        console.print(verdict_line(told.check))
        for difference in told.check.differences:
            console.print(Text(f"  {difference.sentence}", "red"))


def verdict_line(check: TableCheck) -> Text:
    """What the comparison with the projector's views found, in one line."""
    match check.verdict:
        case "equal":
            return Text(f"views: equal at version {check.stored_v}", "green")
        case "behind":
            return Text(f"views: behind: equal up to version {check.stored_v} of {check.log_v}", "yellow")
        case "missing":
            return Text("views: behind: there are none yet; is a projector running?", "yellow")
        case "archived":
            return Text("views: none: the table is archived, and they left with its log", "green")
        case "unsettled":
            return Text("views: not compared: the table plays too fast; try again", "yellow")
        case "different":
            mend = f"stop the projectors, then: poolrummy rebuild --table {check.table} --write"
            return Text(f"views: DIFFERENT at version {check.stored_v}; {mend}", "bold red")


def _refuse(why: str) -> NoReturn:
    typer.echo(f"poolrummy replay: {why}", err=True)
    raise typer.Exit(EXIT_USAGE)
