"""The examples of the README, run as they stand there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from poolrummy.testing.live_platform import LivePlatform
from poolrummy_contracts.replies import CommandAccepted, CommandRefused

README = Path(__file__).parents[2] / "README.md"

REDIS_CLI = """#!{python}
import os, sys
import redis

def told(value, depth=0):
    if isinstance(value, (list, tuple)):
        for item in value:
            told(item, depth + 1)
    else:
        print(" " * depth + (value.decode() if isinstance(value, bytes) else str(value)))

client = redis.Redis.from_url(os.environ["REDIS_URL"], protocol=2)
client.response_callbacks.clear()
told(client.execute_command(*sys.argv[1:]))
"""


def example(language: str) -> str:
    found = re.findall(rf"```{language}\n(.*?)```", README.read_text(), re.DOTALL)
    assert len(found) == 1, f"the README has {len(found)} {language} examples"
    return found[0]


@pytest.fixture
def running(platform: LivePlatform) -> LivePlatform:
    platform.environment["POOLRUMMY_PARTITIONS"] = "16"
    platform.start("dealer", "validator", "projector")
    return platform


def test_the_python_example_opens_seats_reads_and_draws(running: LivePlatform, redis_url: str, tmp_path: Path) -> None:
    program = tmp_path / "example.py"
    program.write_text(example("python"))

    done = subprocess.run(
        [sys.executable, str(program)],
        env={**os.environ, "REDIS_URL": redis_url},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert [line for line in said if line.startswith("CommandAccepted(")] == [said[0], said[1], said[2], said[-1]]
    assert any(line.split()[2:] == ["DealStarted", "rule", "3.1"] for line in said)
    assert re.fullmatch(r"seat [12] holds( [A2-9TJQK][SHDC]| JK){13}", said[-2])


def test_the_redis_cli_example_gets_three_answers_and_a_refusal(
    running: LivePlatform, redis_url: str, tmp_path: Path
) -> None:
    binaries = tmp_path / "bin"
    binaries.mkdir()
    environment = {**os.environ, "REDIS_URL": redis_url}
    if (real := shutil.which("redis-cli")) is not None:
        (binaries / "redis-cli").write_text(f'#!/bin/sh\nexec {real} -u "$REDIS_URL" "$@"\n')
    else:
        (binaries / "redis-cli").write_text(REDIS_CLI.format(python=sys.executable))
    (binaries / "redis-cli").chmod(0o755)
    environment["PATH"] = f"{binaries}:{environment['PATH']}"

    done = subprocess.run(
        ["bash", "-e", "-c", example("bash")], env=environment, capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 0, done.stderr
    assert '"type":"cards-dealt"' in done.stdout
    assert '"phase":"turn"' in done.stdout
    answers = {name: running.reply(7, name) for name in ("open-1", "sit-1", "sit-2", "away-1", "draw-1")}
    assert [type(answer) for answer in answers.values()] == [CommandAccepted] * 4 + [CommandRefused]
    assert "Another player sits in this seat." in done.stdout
