"""A running platform for each test: real processes on a real server, and tables whose packs are scripted."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
import pytest

from poolrummy.profile_files import load_all
from poolrummy.testing.live_platform import LivePlatform
from poolrummy.testing.scripted_games import WINNING, Players, scripted_deal
from poolrummy.testing.scripted_packs import Script
from poolrummy_contracts.commands import OpenTable, Sit
from poolrummy_contracts.profiles import resolve_command
from poolrummy_contracts.terms import Terms

SCRIPTED_DEALER = Path(__file__).with_name("scripted_dealer.py")
TOSS = ("AS", "KS", "QS", "JS", "TS", "9S")
"""Seats play in the order of their numbers."""

Open = Callable[..., Players]


@pytest.fixture
def platform(redis_url: str, tmp_path: Path) -> Iterator[LivePlatform]:
    with LivePlatform(redis_url, tmp_path) as live:
        yield live


def opening(
    table: str, profile: str, seats: int, variant: str, rake_bp: int, overrides: Mapping[str, object]
) -> OpenTable:
    return OpenTable(
        id=f"open-{table}",
        table=table,
        profile=profile,
        variant=variant,
        seats=seats,
        entry_fee=2500 if not rake_bp else 10_000,
        currency="practice",
        rake_bp=rake_bp,
        rejoin_payment="none",
        overrides={"rejoin_window_ms": 4000, "split_ask_ms": 4000, "split_vote_ms": 4000, **overrides},
    )


@pytest.fixture
def play(platform: LivePlatform, tmp_path: Path) -> Open:
    """Open a table whose deals are scripted: per deal the winner and what the hands of the others count."""

    def start(
        table: str,
        seats: int,
        deals: Sequence[tuple[int, Mapping[int, int | str]]],
        *,
        profile: str = "house",
        variant: str = "101",
        winning: Sequence[str] = WINNING,
        toss: Sequence[str] = TOSS,
        rake_bp: int = 0,
        **overrides: object,
    ) -> Players:
        command = opening(table, profile, seats, variant, rake_bp, overrides)
        terms = resolve_command(command, load_all())
        assert isinstance(terms, Terms), terms
        script = Script(
            toss=" ".join(toss[:seats]),
            deals={
                str(number): scripted_deal(terms, winner, losers, winning=winning, seed=number)
                for number, (winner, losers) in enumerate(deals, start=1)
            },
        )
        told = tmp_path / "scripts.json"
        told.write_bytes(msgspec.json.encode({"scripts": {table: script}, "terms": {table: terms}}))
        platform.start("dealer", program=SCRIPTED_DEALER, TEST_SCRIPTS=str(told))
        platform.start("validator", "projector")
        players = Players(platform, table)
        players.do(command)
        for seat in range(1, seats + 1):
            players.do(Sit(id=f"sit-{seat}", table=table, player=f"player-{seat}", seat=seat))
        return players

    return start
