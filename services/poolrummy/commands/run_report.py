"""What a run was, in figures: one JSON document, or a page for a person."""

import shlex
from collections.abc import Sequence

from msgspec import Struct
from rich.console import Console
from rich.table import Table as Grid

from poolrummy.commands.run_news import number
from poolrummy.simulator.names import short
from poolrummy.simulator.tally import Tally
from poolrummy.simulator.tournament import Finished


class Report(Struct, frozen=True, kw_only=True, omit_defaults=False):
    """The figures of a run; ``ok`` says that all pools were played and every replay was equal."""

    ok: bool
    pools: int
    tables: int
    seats: int
    resumed: int
    deals: int
    void_deals: int
    moves: int
    events: int
    moves_per_second: float
    deals_per_minute: float
    timeouts: int
    drops: int
    valid_shows: int
    wrong_shows: int
    eliminations: int
    rejoins: int
    splits: int
    reshuffles: int
    clock_shifts: int
    left: int
    seat_seeds: int
    refusals: dict[str, int]
    answer_ms_p50: int
    answer_ms_p95: int
    kills: dict[str, int]
    kills_not_due: list[str]
    crashes: dict[str, int]
    replay_equal: bool
    differences: list[str]
    audit_faults: list[str]
    stuck: list[str]
    durability: str
    speed: str
    seed: str
    play_ms: int
    duration_ms: int


class Frame(Struct, frozen=True, kw_only=True):
    """What a report says besides the counts."""

    tables: int
    seats: int
    resumed: int
    kills: dict[str, int]
    kills_not_due: list[str]
    crashes: dict[str, int]
    replay_equal: bool
    differences: list[str]
    audit_faults: list[str]
    stuck: list[str]
    durability: str
    speed: str
    seed: str
    play_ms: int
    duration_ms: int


def report(frame: Frame, tally: Tally, finished: Sequence[Finished]) -> Report:
    """The figures of a run."""
    counts, seconds = tally.counts, max(frame.play_ms, 1) / 1000
    return Report(
        ok=frame.replay_equal and not frame.audit_faults and not frame.stuck,
        pools=len(finished),
        tables=frame.tables,
        seats=frame.seats,
        resumed=frame.resumed,
        deals=counts["deals"],
        void_deals=counts["void_deals"],
        moves=counts["moves"],
        events=counts["events"],
        moves_per_second=round(counts["moves"] / seconds, 1),
        deals_per_minute=round(counts["deals"] * 60 / seconds, 1),
        timeouts=counts["timeouts"],
        drops=counts["drops"],
        valid_shows=counts["valid_shows"],
        wrong_shows=counts["wrong_shows"],
        eliminations=counts["eliminations"],
        rejoins=counts["rejoins"],
        splits=counts["splits"],
        reshuffles=counts["reshuffles"],
        clock_shifts=counts["clock_shifts"],
        left=counts["left"],
        seat_seeds=counts["seat_seeds"],
        refusals=dict(sorted(tally.refusals.items())),
        answer_ms_p50=tally.answer_ms(50),
        answer_ms_p95=tally.answer_ms(95),
        kills=frame.kills,
        kills_not_due=frame.kills_not_due,
        crashes=frame.crashes,
        replay_equal=frame.replay_equal,
        differences=frame.differences,
        audit_faults=frame.audit_faults,
        stuck=frame.stuck,
        durability=frame.durability,
        speed=frame.speed,
        seed=frame.seed,
        play_ms=frame.play_ms,
        duration_ms=frame.duration_ms,
    )


def show(console: Console, what: Report, finished: Sequence[Finished]) -> None:
    """Final standings and the figures, for a person."""
    for one in finished[-6:]:
        console.print(_standings(one))
    if len(finished) > 6:
        console.print(f"and {len(finished) - 6} pools before these", style="dim")
    console.print(
        f"{what.pools} pools, {what.deals} deals, {what.moves:,} moves in {what.play_ms / 1000:.1f} s "
        f"({what.moves_per_second:,.0f} moves a second, {what.deals_per_minute:,.0f} deals a minute); "
        f"{what.drops} drops, {what.timeouts} turns missed, {what.wrong_shows} wrong shows, "
        f"{what.eliminations} eliminations, {what.rejoins} rejoins, {what.splits} splits",
        highlight=False,
        soft_wrap=not console.is_terminal,
    )
    killed = ", ".join(f"{role} {count}" for role, count in what.kills.items() if count)
    if killed:
        console.print(f"killed and replaced: {killed}; clocks moved {what.clock_shifts} times", highlight=False)
    for kill in what.kills_not_due:
        console.print(f"not killed, the run was over before: {kill}", style="yellow", highlight=False)
    console.print(what.durability, style="dim", highlight=False, soft_wrap=not console.is_terminal)
    for line in (*what.stuck, *what.differences, *what.audit_faults):
        console.print(line, style="bold red", markup=False, soft_wrap=not console.is_terminal)
    if what.ok:
        console.print(f"every log replayed, {what.pools} of {what.pools} give the same standings", highlight=False)
        console.print("every log audited: packs, cards, commands, clocks, verdicts, points, prizes", highlight=False)
        console.print("every log signed to its end, in a folder outside the server", highlight=False)
        console.print("OK", style="bold green")
    else:
        console.print("NOT OK", style="bold red")


def closer(table: str, *, program: str, data: str, url: str | None, keys: str, checkpoints: str) -> tuple[str, ...]:
    """What a person types to look at a table of the run: its story, its page, its audit.

    >>> closer("p00-a", program="poolrummy", data=".poolrummy", url=None, keys="k", checkpoints="c")[0]
    'poolrummy replay p00-a --data .poolrummy'
    """
    address = "URL" if "@" in (url or "") else shlex.quote(url or "")  # it may hold a password
    where = f"--data {shlex.quote(data)}" if url is None else f"--url {address}"
    means = f"--keys {shlex.quote(keys)} --checkpoints {shlex.quote(checkpoints)}"
    return (
        f"{program} replay {table} {where}",
        f"{program} dossier {table} {where}",
        f"{program} audit {table} {where} {means}",
        f"{program} table list {where}",
    )


def _standings(one: Finished) -> Grid:
    grid = Grid(title=f"pool {number(one.table)}, {one.deals} deals", title_justify="left", box=None, pad_edge=True)
    for heading in ("place", "player", "total", "prize"):
        grid.add_column(heading, justify="left" if heading == "player" else "right")
    for place in one.places:
        prize = f"{place.prize / 100:,.2f}" if place.prize else ""
        grid.add_row(str(place.place), short(place.player), str(place.total), prize)
    return grid
