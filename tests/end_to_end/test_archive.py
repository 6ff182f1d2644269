"""Closed tables are archived while others play on; the platform notices nothing but the room."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from poolrummy.testing.live_platform import LivePlatform
from poolrummy.testing.scripted_games import Players
from poolrummy_contracts.commands import OpenTable, Sit, VoidMatch
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.replies import CommandRefused
from poolrummy_contracts.streams import head, partition_of
from poolrummy_contracts.streams import table as log_key

PLAYING = "p00-plays-on"
CLOSING = [f"p{number % 2:02d}-closes-{number}" for number in range(6)]

pytestmark = pytest.mark.takeover


def opening(table: str) -> OpenTable:
    return OpenTable(
        id=f"open-{table}",
        table=table,
        profile="house",
        variant="101",
        seats=2,
        entry_fee=0,
        currency="practice",
        rake_bp=0,
        rejoin_payment="none",
    )


def seated(platform: LivePlatform, table: str) -> Players:
    players = Players(platform, table)
    players.do(opening(table))
    for seat in (1, 2):
        players.do(Sit(id=f"sit-{table}-{seat}", table=table, player=f"player-{seat}", seat=seat))
    players.until_phase("turn")
    return players


def moved(players: Players, moves: int) -> None:
    for _ in range(moves):
        players.pass_turn(players.on_turn())


def command(word: str, platform: LivePlatform, *words: str) -> subprocess.CompletedProcess[str]:
    url = platform.environment["POOLRUMMY_REDIS_URL"]
    program = [sys.executable, "-m", "poolrummy.cli", word, *words, "--url", url]
    return subprocess.run(program, capture_output=True, text=True, timeout=120, check=False)


def archiving(platform: LivePlatform, tmp_path: Path) -> subprocess.Popen[bytes]:
    """The archiver, started and not waited for."""
    url = platform.environment["POOLRUMMY_REDIS_URL"]
    words = ["--url", url, "--archive", str(tmp_path / "archive"), "--older-than", "0s"]
    words += ["--checkpoints", str(tmp_path / "checkpoints"), "--keys", str(tmp_path / "keys")]
    with (tmp_path / "archiver.log").open("ab") as out:
        program = [sys.executable, "-m", "poolrummy.cli", "archive", *words]
        return subprocess.Popen(program, stdout=out, stderr=out)


def test_tables_play_on_while_others_are_archived_and_a_dealer_dies(platform: LivePlatform, tmp_path: Path) -> None:
    (first, *_) = platform.start("dealer", "validator", "projector", "audit")
    playing = seated(platform, PLAYING)
    passes: list[subprocess.Popen[bytes]] = []
    for table in CLOSING:
        players = seated(platform, table)
        moved(players, 2)
        moved(playing, 1)
        players.do(VoidMatch(id=f"void-{table}", table=table, operator="meera", reason="the test is over"))
        if passes and passes[-1].poll() is None:
            continue
        passes.append(archiving(platform, tmp_path))
    moved(playing, 3)
    first.handle.kill()
    first.handle.wait(10)
    platform.start("dealer")
    moved(playing, 2)

    def all_archived() -> bool | None:
        if passes[-1].poll() is not None and any(platform.client.exists(log_key(table)) for table in CLOSING):
            passes.append(archiving(platform, tmp_path))
        moved(playing, 1)
        return not any(platform.client.exists(log_key(table)) for table in CLOSING) or None

    platform.until(all_archived, "every closed table in the archive", patience_s=90)
    assert [one.wait(60) for one in passes] == [0] * len(passes), (tmp_path / "archiver.log").read_text()

    moved(playing, 2)
    assert all(process.ready for process in platform.processes[1:])
    assert platform.table(PLAYING).v == len(platform.events(PLAYING))
    for table in CLOSING:
        left = {key.decode() for key in platform.client.scan_iter("*") if table.encode() in key}
        assert left == {head(table)}
        again = platform.ask(opening(table))
        late = platform.ask(Sit(id=f"late-{table}", table=table, player="late", seat=1))
        assert isinstance(again, CommandRefused)
        assert isinstance(late, CommandRefused)
        assert (again.code, late.code) == (Refusal.TABLE_EXISTS, Refusal.TABLE_CLOSED)
        assert {key.decode() for key in platform.client.scan_iter("*") if table.encode() in key} == left

    archive = ("--archive", str(tmp_path / "archive"))
    told = command("rebuild", platform, "--json")
    checked = command("archive", platform, *archive, "--check", "--json")
    audited = command("audit", platform, CLOSING[0], *archive, "--keys", str(tmp_path / "keys"))
    assert told.returncode == 0, told.stdout
    assert json.loads(checked.stdout)["tables"] == len(CLOSING)
    assert json.loads(checked.stdout)["wrong"] == []
    assert audited.returncode == 0, audited.stdout
    assert "signed outside the server" in audited.stdout
    counts = platform.client.hgetall(f"{{p{partition_of(PLAYING):02d}}}:archive")
    assert json.loads(counts[b"tally"])["counts"]["matches"] == {"void": 3}
