"""Clocks in a storm: two hundred tables show at the same moment, while quiet tables let their turns run out.

How late a turn ends is read from the log: the time of ``turn-missed`` against the deadline of its ``turn-started``.
"""

import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final, TypedDict

from poolrummy.bench.rows import Row
from poolrummy.rules.state import Deal
from poolrummy.runtime.embedded import embedded_server
from poolrummy.testing.live_platform import LivePlatform
from poolrummy_contracts import codec
from poolrummy_contracts.commands import Declare, Draw, Finish, OpenTable, PlatformCommand, Sit
from poolrummy_contracts.events import TurnMissed, TurnStarted
from poolrummy_contracts.terms import Seat

STORMY: Final = 200
QUIET: Final = 20
ROUNDS: Final = 5
TURN_MS: Final = 250
PARTITIONS: Final = 4
CALM_S: Final = 3.0
BAR_MS: Final = 50.0

_numbers = count(1)


def measure(stormy: int = STORMY, quiet: int = QUIET, rounds: int = ROUNDS) -> list[Row]:
    """Lateness of timeouts at p99, in the storm and beside it in the calm before."""
    still = [f"p{n % PARTITIONS:02d}-quiet-{n}" for n in range(quiet)]
    wild = [f"p{n % PARTITIONS:02d}-storm-{n}" for n in range(stormy)]
    with (
        tempfile.TemporaryDirectory() as folder,
        embedded_server(Path(folder)) as server,
        LivePlatform(server.url, Path(folder), partitions=PARTITIONS, lease_ms=3000) as platform,
    ):
        platform.start("dealer", "validator")
        open_all(platform, still, turn_ms=TURN_MS)
        time.sleep(CALM_S)
        calm = lateness(platform, still)
        open_all(platform, wild, turn_ms=120_000)
        seen = {table: platform.table(table).v for table in still}
        for _ in range(rounds):
            show_all(platform, [table for table in wild if not platform.table(table).closed])
        stormy_ms = lateness(platform, still, after=seen)
    return [
        Row(
            what=f"timeouts late at p99 while {stormy} tables show at once ({len(stormy_ms)} timeouts)",
            value=percentile(stormy_ms, 99),
            unit="ms",
            baseline=percentile(calm, 99),
            beside="the same tables in the calm before",
            bar=BAR_MS,
            better="less",
        )
    ]


def open_all(platform: LivePlatform, tables: Sequence[str], *, turn_ms: int) -> None:
    """Open and fill tables of two seats; their matches start at once."""
    for table in tables:
        platform.send(
            OpenTable(
                id="open",
                table=table,
                profile="house",
                variant="201",
                seats=2,
                entry_fee=0,
                currency="practice",
                rake_bp=0,
                rejoin_payment="none",
                overrides={"turn_ms": turn_ms, "time_bank_ms": 0, "auto_drop_after_misses": "off"},
            )
        )
        for seat in (1, 2):
            platform.send(Sit(id=f"sit-{seat}", table=table, player=f"player-{seat}", seat=Seat(seat)))
    for table in tables:
        platform.until(partial(opened, platform, table), f"{table} to open")
        platform.until(partial(next_deal, platform, table, 0), f"{table} to start")


def show_all(platform: LivePlatform, tables: Sequence[str]) -> None:
    """Every seat on turn draws, finishes and shows nonsense, all tables in the same moments."""
    deals = {table: platform.table(table).deal_number for table in tables}
    for make in (draw, finish, declare):
        sent = {table: make(platform, table) for table in tables}
        for command in sent.values():
            platform.send(command)
        for table, command in sent.items():
            platform.until(partial(told, platform, table, command), f"{command.id} at {table}")
    for table in tables:
        platform.until(partial(next_deal, platform, table, deals[table]), f"the next deal of {table}")


def draw(platform: LivePlatform, table: str) -> PlatformCommand:
    """The seat on turn draws from the stock."""
    deal, who = on_turn(platform, table)
    return Draw(**who, deal=deal.number, turn=deal.turn, source="stock")


def finish(platform: LivePlatform, table: str) -> PlatformCommand:
    """It finishes with the card that it drew."""
    deal, who = on_turn(platform, table)
    assert deal.drawn is not None
    return Finish(**who, deal=deal.number, turn=deal.turn, position=deal.drawn.position)


def declare(platform: LivePlatform, table: str) -> PlatformCommand:
    """It declares its hand in one heap: a wrong show."""
    deal, who = on_turn(platform, table)
    holder = deal.of(who["seat"])
    assert holder is not None
    return Declare(**who, deal=deal.number, groups=(holder.hand,))


class Who(TypedDict):
    """The fields that every command of a seat has."""

    id: str
    table: str
    player: str
    seat: Seat


def on_turn(platform: LivePlatform, table: str) -> tuple[Deal, Who]:
    """The running deal, and who is on turn in it or has called finish."""
    deal = platform.table(table).deal
    assert deal is not None
    seat = deal.on_turn if deal.on_turn is not None else deal.finisher
    assert seat is not None
    return deal, Who(id=f"c{next(_numbers)}", table=table, player=f"player-{seat}", seat=seat)


def opened(platform: LivePlatform, table: str) -> bool | None:
    """Whether the table has a log."""
    return bool(platform.events(table)) or None


def told(platform: LivePlatform, table: str, command: PlatformCommand) -> bool | None:
    """Whether the log holds what this command led to."""
    return any(event.cause == command.id for event in platform.events(table, platform.known(table))) or None


def next_deal(platform: LivePlatform, table: str, deal: int) -> bool | None:
    """Whether a later deal is played; the match of a table that is over is no part of the storm any more."""
    state = platform.table(table)
    return state.deal_number > deal or state.closed or None


def lateness(platform: LivePlatform, tables: Sequence[str], after: Mapping[str, int] | None = None) -> list[int]:
    """By how many milliseconds each turn that ran out was recorded after its end, by the server's clock."""
    found: list[int] = []
    ends_at: dict[tuple[str, int | None], int] = {}
    for partition in range(PARTITIONS):
        for entry in platform.feed(partition):
            if entry.table not in tables or (after and entry.version <= after[entry.table]):
                continue
            match event := codec.decode_event(entry.payload):
                case TurnStarted():
                    ends_at[event.table, event.turn] = event.ends_at + event.bank_ms
                case TurnMissed() if (event.table, event.turn) in ends_at:
                    found.append(entry.at_ms - ends_at[event.table, event.turn])
                case _:
                    continue
    return found


def percentile(values: Sequence[int], of_hundred: int) -> float:
    """The value that so many of a hundred do not pass."""
    assert values, "no turn ran out"
    return float(sorted(values)[min(len(values) - 1, len(values) * of_hundred // 100)])
