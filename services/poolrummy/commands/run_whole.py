"""The composition of a run: server, processes, robots, board, and the replay of every log at the end."""

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Final

import msgspec
from rich.console import Console
from rich.live import Live

from poolrummy.audit.many import Asked
from poolrummy.commands import run_audit, run_check, run_report
from poolrummy.commands.board import Scene, drawn
from poolrummy.commands.run_children import Crew, ProcessLost
from poolrummy.commands.run_conduct import Conductor, Kill, Stop
from poolrummy.commands.run_report import Frame, Report
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.notary_keys import load_or_create_signing_key
from poolrummy.profile_files import ProfilesInvalid, load_all
from poolrummy.runtime.embedded import embedded_server, usable
from poolrummy.runtime.errors import RuntimeFault
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.settings import Settings
from poolrummy.simulator.room import TableRefused
from poolrummy.simulator.tournament import Plan, opening_of
from poolrummy_contracts import streams
from poolrummy_contracts.profiles import UnknownProfile, resolve_command
from poolrummy_contracts.terms import Terms

NOT_AS_CLAIMED: Final = 1
"""Something that was played is stuck, or is not what its log says."""
NOT_PLAYED: Final = 2
"""Bad input, or a broken world: nothing can be said of the play."""
INTERRUPTED: Final = 130
BOARD_S: Final = 0.25
LINES_S: Final = 5.0


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A run as it was asked for."""

    plan: Plan
    kills: tuple[Kill, ...]
    data: Path
    url: str | None
    as_json: bool


def played(run: Run) -> int:
    """Play the whole run; its exit code: 0 played and proved, else one of the codes above."""
    console = Console(stderr=run.as_json, highlight=False)
    try:
        settings = Settings.from_environment()
        refuse_unplayable(run.plan, settings)
        with contextlib.ExitStack() as stack:
            with usable(run.data):
                run.data.mkdir(parents=True, exist_ok=True)
            url = run.url or stack.enter_context(embedded_server(run.data)).url
            report = asyncio.run(_whole(run, url, settings, console))
    except (RuntimeFault, ProcessLost, TableRefused, ProfilesInvalid, FairnessError) as fault:
        Console(stderr=True, highlight=False).print(f"poolrummy run: {fault}", style="bold red", markup=False)
        return NOT_PLAYED
    except (KeyboardInterrupt, asyncio.CancelledError):
        console.print("stopped; the next run on this folder goes on with these tables", style="dim")
        return INTERRUPTED
    if run.as_json:
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(report)) + b"\n")
    return 0 if report.ok else NOT_AS_CLAIMED


def refuse_unplayable(plan: Plan, settings: Settings) -> None:
    """Say at once what a dealer would say of the first table."""
    profiles = load_all(Path(settings.profiles_dir) if settings.profiles_dir else None)
    outcome = resolve_command(opening_of(plan, "p00-tried"), profiles)
    if isinstance(outcome, UnknownProfile):
        raise TableRefused(f"there is no rule profile {outcome.name!r}; {outcome.mend}")
    if not isinstance(outcome, Terms):
        raise TableRefused(" ".join(finding.sentence for finding in outcome))


async def _whole(run: Run, url: str, settings: Settings, console: Console) -> Report:
    began_s = time.monotonic()
    stop = Stop(asyncio.current_task())
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.ask)
    async with contextlib.AsyncExitStack() as stack:
        store = RedisStore.at(url, settings)
        stack.push_async_callback(store.aclose)
        stored = await store.calls.ask("HGET", streams.meta(0), "partitions")
        identity = await store.open_store(settings.partitions if stored is None else int(stored))
        durability = (await store.durability()).promise
        console.print(durability, style="dim", soft_wrap=not console.is_terminal)
        keys, checkpoints = _keys_of(run.data, settings), settings.checkpoints_dir or str(run.data / "checkpoints")
        environment = {
            "POOLRUMMY_REDIS_URL": url,
            "POOLRUMMY_DATA_DIR": str(run.data),
            "POOLRUMMY_CHECKPOINTS_DIR": checkpoints,
            "POOLRUMMY_PARTITIONS": str(identity.partitions),
            "POOLRUMMY_LOG_LEVEL": "warning",
        }
        crew = await stack.enter_async_context(Crew(environment, run.data / "logs", console.print))
        await crew.all_ready()
        conductor = Conductor(
            run.plan, store.calls, crew, run=_name_of_run(), partitions=identity.partitions, kills=run.kills, stop=stop
        )
        if run.url is None:
            await conductor.tournament.resume(await _open_tables(store, identity.partitions))
        with _showing(console, conductor) as (show, every_s):
            await conductor.conduct(show, every_s=every_s)
        play_ms = round((time.monotonic() - began_s) * 1000)
        tournament = conductor.tournament
        differing = await _checked(store, conductor, crew)
        asked = Asked(keys=str(keys), checkpoints=checkpoints)
        audit_faults = await _audited(store, [one.table for one in tournament.finished], asked, console)
        frame = Frame(
            tables=run.plan.tables,
            seats=run.plan.seats,
            resumed=len(tournament.resumed),
            kills={role: child.kills for role, child in crew.children.items()},
            kills_not_due=[f"{kill.role}:{kill.moves}" for kill in conductor.kills_not_due],
            crashes={role: child.crashes for role, child in crew.children.items()},
            replay_equal=not differing,
            differences=differing,
            audit_faults=audit_faults,
            stuck=[*(one.sentence for one in conductor.stuck), *([crew.health] if conductor.stuck else [])],
            durability=durability,
            speed=run.plan.speed.name,
            seed=run.plan.seed,
            play_ms=play_ms,
            duration_ms=round((time.monotonic() - began_s) * 1000),
        )
    report = run_report.report(frame, conductor.tally, tournament.finished)
    run_report.show(console, report, tournament.finished)
    if tournament.finished:
        _tell_more(console, tournament.finished[-1].table, run, str(keys), checkpoints)
    return report


def _tell_more(console: Console, table: str, run: Run, keys: str, checkpoints: str) -> None:
    started = Path(sys.argv[0])
    lines = run_report.closer(
        table,
        program=_near(started) if started.name == "poolrummy" else "poolrummy",
        data=_near(run.data),
        url=run.url,
        keys=_near(keys),
        checkpoints=checkpoints if "://" in checkpoints else _near(checkpoints),
    )
    for line in ("to look closer at the last of them, or at another:", *(f"  {line}" for line in lines)):
        console.print(line, style="dim", markup=False, highlight=False, soft_wrap=True)


def _near(path: Path | str) -> str:
    """A path as short as it can be typed here."""
    return os.path.relpath(path) if Path(path).is_relative_to(Path.cwd()) else str(path)


def _keys_of(data: Path, settings: Settings) -> Path:
    """The folder of keys; for practice the notary's are made now: the dealer reads them when it starts."""
    if settings.keys_dir is not None:
        return Path(settings.keys_dir)
    load_or_create_signing_key(data / "keys")
    return data / "keys"


async def _checked(store: RedisStore, conductor: Conductor, crew: Crew) -> list[str]:
    """What is not as the logs say, in sentences."""
    tables = [one.table for one in conductor.tournament.finished]
    found: list[str] = []
    if not await run_check.settled(store, tables, crew.look_after):
        found.append("validator, projector or notary did not follow the feed to its end")
    return found + [one.sentence for one in await run_check.differences(store, tables)]


async def _audited(store: RedisStore, tables: list[str], asked: Asked, console: Console) -> list[str]:
    """What an audit of all that was played finds, in sentences; it tells how far it is."""
    with console.status("auditing …") as status:
        return await run_audit.faults(
            store, tables, asked, lambda done: status.update(f"auditing table {done} of {len(tables)} …")
        )


async def _open_tables(store: RedisStore, partitions: int) -> list[str]:
    return [table for partition in range(partitions) for table in await store.open_tables(partition)]


@contextlib.contextmanager
def _showing(console: Console, conductor: Conductor) -> Generator[tuple[Callable[[Scene], None], float]]:
    """A board where somebody looks at a terminal, else a line every few seconds."""
    if not console.is_terminal or console.is_dumb_terminal:
        yield (lambda scene: console.print(_line(scene), markup=False, soft_wrap=True)), LINES_S
        return
    with Live(console=console, screen=True, auto_refresh=False) as live:

        def show(scene: Scene) -> None:
            live.update(drawn(scene, width=console.width, height=console.height), refresh=True)

        yield show, BOARD_S
    for line in conductor.news.lines:
        console.print(line, style="dim", markup=False, soft_wrap=not console.is_terminal)


def _line(scene: Scene) -> str:
    lag = scene.lag
    return (
        f"{scene.elapsed_ms / 1000:6.1f} s  pools {scene.pools}  tables {len(scene.tables)}  deals {scene.deals} "
        f"({scene.deals_per_minute:.0f}/min)  moves {scene.moves:,} ({scene.moves_per_second:.0f}/s)  "
        f"answer {scene.answer_ms} ms (slow {scene.slow_answer_ms})  "
        f"lag {lag.dealer_ms} ms, {lag.validator}, {lag.projector}, {lag.notary}"
    )


def _name_of_run() -> str:
    """A name that no run before had on this store: its tables carry it."""
    return f"r{int(time.time()):x}"
