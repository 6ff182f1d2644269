"""Machines whose clocks are five minutes off, or jump back: the server's clock alone decides (R44)."""

import re
import time
from itertools import pairwise
from pathlib import Path

from poolrummy.testing.live_platform import LivePlatform, Process
from poolrummy.testing.scripted_games import Players
from poolrummy_contracts.commands import Sit
from poolrummy_contracts.events import TurnMissed, TurnStarted

from .conftest import opening

SHIFTING = """
import os, time
real, real_ns = time.time, time.time_ns
def shift():
    try:
        return int(open(os.environ["TEST_SHIFT_FILE"]).read() or 0)
    except OSError:
        return 0
time.time = lambda: real() + shift()
time.time_ns = lambda: real_ns() + shift() * 1_000_000_000
"""
"""Read before anything else: every process asks this clock."""
TURN_MS = 2000


def shifted(platform: LivePlatform, folder: Path, role: str, seconds: int) -> Process:
    """A process on a machine whose clock is this far off."""
    (folder / "clock").mkdir(exist_ok=True)
    (folder / "clock/sitecustomize.py").write_text(SHIFTING)
    told = folder / f"{role}.shift"
    told.write_text(str(seconds))
    (process,) = platform.start(role, PYTHONPATH=str(folder / "clock"), TEST_SHIFT_FILE=str(told))
    return process


def skew(process: Process) -> float:
    """What the process says of its machine's clock."""
    found = re.search(r"^poolrummy_clock_skew_seconds\{[^}]*\} (\S+)$", process.metrics(), re.MULTILINE)
    assert found is not None
    return float(found[1])


def test_clocks_that_are_off_and_jump_back_neither_hurry_nor_spare_anybody(redis_url: str, tmp_path: Path) -> None:
    table = "p00-shifted"
    with LivePlatform(redis_url, tmp_path, housekeeping_ms=200) as platform:
        dealer = shifted(platform, tmp_path, "dealer", 300)
        validator = shifted(platform, tmp_path, "validator", -300)
        overrides = {"turn_ms": TURN_MS, "time_bank_ms": 0, "late_grace_ms": 0}
        platform.ask(opening(table, "house", 2, "101", 0, overrides))
        for seat in (1, 2):
            platform.ask(Sit(id=f"sit-{seat}", table=table, player=f"player-{seat}", seat=seat))
        players = Players(platform, table)
        players.until_phase("turn")
        players.pass_turn(players.on_turn())
        platform.until(lambda: (abs(skew(dealer) - 300) < 2 and abs(skew(validator) + 300) < 2) or None, "both skews")

        (tmp_path / "dealer.shift").write_text("-300")
        began_s = time.time()
        misses = platform.until(
            lambda: [event for event in platform.events(table) if isinstance(event, TurnMissed)] or None,
            "a turn to end",
        )
        platform.until(lambda: abs(skew(dealer) + 300) < 2 or None, "the skew after the jump")

        log = platform.events(table)
        turns = {event.turn: event for event in log if isinstance(event, TurnStarted)}
        assert all(before.at <= after.at for before, after in pairwise(log))
        assert all(abs(event.at / 1000 - began_s) < 60 for event in log), "events bear the time of the server"
        assert 0 <= misses[0].at - turns[misses[0].turn].ends_at < 1000, "not early, and not five minutes late"
