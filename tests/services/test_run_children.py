"""The processes of a run are looked after by their own handles: replaced when they are gone, but not for ever."""

import asyncio
import os
import time
from pathlib import Path

import aiohttp
import pytest

from poolrummy.commands.run_children import RESTARTS_MAX, Child, ProcessLost


def ended(child: Child) -> None:
    deadline_s = time.monotonic() + 20
    while child.pid is not None and time.monotonic() < deadline_s:
        time.sleep(0.02)


def test_a_process_that_ends_by_itself_is_replaced_until_it_is_too_often(tmp_path: Path) -> None:
    child = Child("nobody", os.environ, tmp_path / "nobody.log")
    child.start()
    said: list[str | None] = []
    for _ in range(RESTARTS_MAX):
        ended(child)
        said.append(child.replaced())
    ended(child)

    with pytest.raises(ProcessLost, match=r"nobody ended 4 times(.|\n)*No module named poolrummy\.nobody"):
        child.replaced()

    assert said == ["nobody ended with 1 and is back"] * RESTARTS_MAX


def test_a_process_that_was_killed_on_purpose_is_replaced_without_a_reproach(tmp_path: Path) -> None:
    child = Child("validator", os.environ | {"POOLRUMMY_REDIS_URL": "redis://127.0.0.1:1/0"}, tmp_path / "log")
    child.start()
    first = child.pid

    child.kill()
    ended(child)
    said = child.replaced()

    assert said == "validator was killed and is back"
    assert child.pid not in (None, first)
    assert (child.kills, child.crashes) == (1, 0)
    child.terminate()
    child.end(time.monotonic() + 1)
    assert child.pid is None
    assert asyncio.run(never_ready(child)) is False


async def never_ready(child: Child) -> bool:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=1)) as session:
        return await child.ready(session)
