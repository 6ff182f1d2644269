"""``poolrummy run``: a server, four processes, and robots that play pools to the end; then the log proves it."""

import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, cast

import typer

from poolrummy.commands import run_whole
from poolrummy.commands.run_children import ROLES
from poolrummy.commands.run_conduct import Kill
from poolrummy.commands.run_whole import Run
from poolrummy.simulator.speeds import SPEEDS
from poolrummy.simulator.tournament import Plan
from poolrummy_contracts.terms import Variant

FEW_TABLES: Final = 4

app = typer.Typer(add_completion=False)


class Pool(StrEnum):
    """The variants, as they are typed."""

    P101 = "101"
    P201 = "201"
    P61 = "61"
    P51 = "51"
    BEST_OF_3 = "best-of-3"


class Pace(StrEnum):
    """The speeds, as they are typed."""

    HUMAN = "human"
    FAST = "fast"
    MAX = "max"


@app.command()
def play_pools(  # noqa: PLR0913, PLR0917 - one argument an option of the command line
    tables: Annotated[int, typer.Option(help="Tables at once.", min=1, max=500)] = 4,
    seats: Annotated[int, typer.Option(help="Seats a table.", min=2, max=6)] = 6,
    pool: Annotated[Pool, typer.Option(help="Which pool.")] = Pool.P101,
    profile: Annotated[str, typer.Option(help="Rule profile; poolrummy rules list shows them.")] = "house",
    pools: Annotated[
        int | None, typer.Option(help="Pools to play. Default: one a table, two with up to 4 tables.", min=1)
    ] = None,
    speed: Annotated[Pace, typer.Option(help="Clocks of the tables and think times of the robots.")] = Pace.FAST,
    duration: Annotated[float | None, typer.Option(help="Open no new pool after so many seconds.", min=1)] = None,
    data: Annotated[Path, typer.Option(help="Folder of the embedded server, used again next time.")] = Path(
        ".poolrummy"
    ),
    url: Annotated[str | None, typer.Option(help="A server of your own: redis://host:port/0.")] = None,
    kill: Annotated[list[str] | None, typer.Option(help="PROCESS:MOVES, kill it then; repeatable.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document at the end.")] = False,  # noqa: FBT002 - a flag of the command line
    seed: Annotated[str | None, typer.Option(help="Seed of the robots' choices.")] = None,
) -> None:
    """Play real pools to the end, watch them, and prove the result from the log."""
    wanted = pools if pools is not None or duration is not None else tables * (2 if tables <= FEW_TABLES else 1)
    plan = Plan(
        tables=tables if wanted is None else min(tables, wanted),
        seats=2 if pool is Pool.BEST_OF_3 else seats,
        variant=cast("Variant", pool.value.replace("-", "_")),
        profile=profile,
        pools=wanted,
        duration_ms=None if duration is None else round(duration * 1000),
        speed=SPEEDS[speed.value],
        seed=seed or f"{time.time_ns() & 0xFFFFFFFF:08x}",
    )
    kills = tuple(_kill(one) for one in kill or ())
    run = Run(plan=plan, kills=kills, data=data.absolute(), url=url, as_json=as_json)
    sys.exit(run_whole.played(run))


def _kill(words: str) -> Kill:
    role, _, moves = words.partition(":")
    if role not in ROLES or not moves.isdecimal():
        raise typer.BadParameter(f"{words!r}: write one of {', '.join(ROLES)}, a colon and a number of moves")
    return Kill(role=role, moves=int(moves))
