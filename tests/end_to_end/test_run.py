"""`poolrummy run`: real processes on a server of its own, from the first table to the last replay."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import redis

from poolrummy.commands.reaching import running_server
from poolrummy.fairness.notary_keys import load_trusted_keys
from poolrummy.keeping.checkpoint_folder import FolderKeeper, KeptCheckpoints
from poolrummy_contracts import codec, streams
from poolrummy_contracts.commands import FreezeTable

RUN = [sys.executable, "-m", "poolrummy.cli", "run"]
SMALL = ["--tables", "2", "--pools", "2", "--seats", "3", "--pool", "51", "--speed", "max", "--seed", "7"]
WAIT_S = 120


def run(data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*RUN, "--data", str(data), *words], capture_output=True, text=True, timeout=WAIT_S, check=False, env=plain()
    )


def begun(data: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*RUN, "--data", str(data), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=plain()
    )


def plain() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith("POOLRUMMY_")}


def test_a_run_plays_its_pools_replays_every_log_and_says_ok(tmp_path: Path) -> None:
    done = run(tmp_path, *SMALL, "--json")

    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["ok"]
    assert report["pools"] == 2
    assert report["replay_equal"]
    assert report["deals"] > 0
    assert report["moves"] > 0
    assert report["crashes"] == {"dealer": 0, "notary": 0, "projector": 0, "validator": 0}
    assert "every log signed to its end" in done.stderr
    assert "OK" in done.stderr


def test_every_table_of_a_run_is_signed_to_its_end_outside_the_servers_files_and_a_later_audit_asks_for_it(
    tmp_path: Path,
) -> None:
    done = run(tmp_path, *SMALL, "--json")
    assert done.returncode == 0, done.stderr
    keeper, trusted = FolderKeeper(tmp_path / "checkpoints"), load_trusted_keys(tmp_path / "keys")
    tables = sorted(folder.name for folder in (tmp_path / "checkpoints").iterdir() if folder.is_dir())
    assert len(tables) == 2
    assert trusted

    for table in tables:
        last = KeptCheckpoints(keeper, trusted).latest(table)
        assert last is not None
        audit = ["audit", table, "--data", str(tmp_path), "--keys", str(tmp_path / "keys")]
        words = [
            sys.executable,
            "-m",
            "poolrummy.cli",
            *audit,
            "--checkpoints",
            str(tmp_path / "checkpoints"),
            "--json",
        ]
        audited = subprocess.run(words, capture_output=True, text=True, timeout=WAIT_S, check=False, env=plain())
        assert audited.returncode == 0, audited.stdout + audited.stderr
        assert '"check": "checkpoints"' in audited.stdout


def test_processes_that_are_killed_in_the_middle_change_nothing_about_the_result(tmp_path: Path) -> None:
    kills = ["--kill", "dealer:20", "--kill", "validator:40", "--kill", "projector:60", "--kill", "notary:80"]
    done = run(tmp_path, *SMALL, "--pool", "101", *kills, "--json")

    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["kills"] == {"dealer": 1, "notary": 1, "projector": 1, "validator": 1}
    assert report["kills_not_due"] == []
    assert report["pools"] == 2
    assert report["replay_equal"]
    assert report["audit_faults"] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_a_run_within_a_second(tmp_path: Path, number: signal.Signals) -> None:
    playing = begun(tmp_path, "--tables", "2", "--speed", "human", "--seats", "3")
    until_tables_play(playing)

    asked_s = time.monotonic()
    playing.send_signal(number)
    playing.communicate(timeout=WAIT_S)
    took_s = time.monotonic() - asked_s

    assert playing.returncode == 130
    assert took_s < 3, "a second, and two for a machine that does other things as well"


def test_the_next_run_goes_on_with_the_tables_of_one_that_was_stopped(tmp_path: Path) -> None:
    playing = begun(tmp_path, "--tables", "2", "--speed", "fast", "--seats", "3", "--pool", "61")
    until_tables_play(playing)
    playing.send_signal(signal.SIGINT)
    playing.communicate(timeout=WAIT_S)

    after = run(tmp_path, "--tables", "3", "--pools", "1", "--seats", "2", "--pool", "51", "--speed", "max", "--json")

    assert after.returncode == 0, after.stderr
    report = json.loads(after.stdout)
    assert report["resumed"] >= 1
    assert report["pools"] == report["resumed"] + 1


@pytest.mark.rule("13.5")
def test_a_frozen_table_ends_a_run_with_its_name_and_the_health_of_the_processes(tmp_path: Path) -> None:
    playing = begun(tmp_path, "--tables", "2", "--speed", "human", "--seats", "3")
    until_tables_play(playing)
    address = running_server(tmp_path)
    assert address is not None
    with redis.Redis.from_url(address) as client:
        table = next(name.decode() for p in range(16) for name in client.smembers(streams.open_tables(p)))
        freeze = FreezeTable(id="stop", table=table, operator="ana", reason="a look")
        client.xadd(streams.inbox(streams.partition_of(table)), {"e": codec.encode(freeze)})

    said, _ = playing.communicate(timeout=WAIT_S)

    assert playing.returncode == 1
    assert f"{table} is stuck: phase frozen in" in said
    assert "last event table-frozen" in said
    assert "dealer runs, 0 kills, 0 crashes" in said
    assert "NOT OK" in said


def until_tables_play(playing: subprocess.Popen[str]) -> None:
    assert playing.stdout is not None
    for line in playing.stdout:
        if "tables 2" in line:
            return
    pytest.fail("the run ended before a table played")


def test_a_run_says_what_is_wrong_with_what_was_asked(tmp_path: Path) -> None:
    unknown = run(tmp_path, "--profile", "houze", "--tables", "1")
    kill = run(tmp_path, "--kill", "croupier:7")
    server = run(tmp_path, "--url", "redis://127.0.0.1:1/0")

    assert unknown.returncode == 2
    assert "did you mean house" in unknown.stderr
    assert kill.returncode == 2
    assert "croupier" in kill.stderr
    assert server.returncode == 2
    assert "no answer" in server.stderr


def test_a_run_can_use_a_server_of_somebody_else(redis_url: str, tmp_path: Path) -> None:
    done = run(tmp_path, *SMALL[2:], "--tables", "1", "--pools", "1", "--url", redis_url, "--json")

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["pools"] == 1
    assert not (tmp_path / "appendonlydir").exists()
