"""`poolrummy archive` and what it does not take: logs that are not right, bad input, an archive without room."""

import asyncio
import errno
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from redis import Redis

from poolrummy.audit.evidence import StoredLine
from poolrummy.keeping.checkpoint_folder import FolderKeeper
from poolrummy.runtime.redis_store import RedisStore
from poolrummy_contracts import codec, streams
from poolrummy_contracts.envelope import chain_next, chain_start
from poolrummy_contracts.events import DealScored

from .archived_matches import FIRST, OTHER, TABLE, run, stored_matches
from .archived_tables import recorded
from .played_logs import follow
from .signed_matches import KEYS


@pytest.fixture
async def server(redis_url: str) -> str:
    """A server with two closed tables of robots, both projected."""
    await stored_matches(redis_url)
    return redis_url


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "archive")


def test_a_log_that_was_changed_stays_and_is_named(server: str, place: str) -> None:
    with Redis.from_url(server) as client:
        (entry,) = client.xrange(streams.table(TABLE), "7-0", "7-0")
        client.xdel(streams.table(TABLE), entry[0])

    told = run("archive", "--url", server, "--archive", place, "--older-than", "0s")

    assert told.exit_code == 1
    assert f"WRONG {TABLE}: version 7" in told.output
    assert "archived 1 tables" in told.output
    with Redis.from_url(server) as client:
        assert client.xlen(streams.table(TABLE)) == len(FIRST.lines) - 1
    assert not (Path(place) / "p01").exists()


def cheated(lines: Sequence[StoredLine]) -> list[StoredLine]:
    """A log whose chain is right and whose first deal gives somebody a point too many."""
    changed: list[StoredLine] = []
    chain, done = chain_start(TABLE), False
    for line in lines:
        event = codec.decode_event(line.payload)
        if isinstance(event, DealScored) and not done:
            first, *others = event.scores
            event, done = replace(event, scores=(replace(first, points=first.points + 1), *others)), True
        payload = codec.encode(event)
        chain = chain_next(chain, payload)
        changed.append(StoredLine(payload, chain))
    return changed


async def test_an_audit_beforehand_keeps_a_log_that_is_whole_and_not_what_the_rules_give(
    redis_url: str, place: str
) -> None:
    store = RedisStore.at(redis_url)
    await recorded(store, TABLE, cheated(FIRST.lines))
    await follow(store, [500] * 10, partition=1)
    await store.aclose()
    words = ("--url", redis_url, "--archive", place, "--older-than", "0s")

    audited = await asyncio.to_thread(run, "archive", *words, "--audit", "--keys", str(KEYS))
    plain = await asyncio.to_thread(run, "archive", *words)

    assert audited.exit_code == 1, audited.output
    assert f"WRONG {TABLE}: the audit finds it wrong: points" in audited.output
    assert plain.exit_code == 0
    assert "archived 1 tables" in plain.output


def test_bad_input_is_told_in_one_sentence(server: str, place: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    wrong = {
        "no archive is named; add --archive FOLDER": (),
        "'soon' is no length of time; write it as 90s, 15m, 12h or 7d": ("--archive", place, "--older-than", "soon"),
        f"the archive {tmp_path}/file cannot be used": ("--archive", f"{tmp_path}/file"),
        f"the archive {place}/none cannot be used (there is no such folder)": ("--archive", f"{place}/none", "--check"),
        "holds no notary.pub with a key in it": ("--archive", place, "--keys", f"{tmp_path}/empty"),
        f"there are no checkpoints at {tmp_path}/none": ("--archive", place, "--checkpoints", f"{tmp_path}/none"),
    }

    for sentence, words in wrong.items():
        told = run("archive", "--url", server, *words)
        assert told.exit_code == 2, told.output
        assert sentence in told.stderr
        assert "Traceback" not in told.output
    nowhere = run("archive", "--url", "redis://127.0.0.1:1/0", "--archive", place)
    assert nowhere.exit_code == 2
    assert "is it running?" in nowhere.stderr


def test_an_archive_that_fills_up_is_told_beside_what_was_done(
    server: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = FolderKeeper.put_once

    def full(self: FolderKeeper, name: str, content: bytes) -> None:
        if OTHER in name:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sound(self, name, content)

    monkeypatch.setattr(FolderKeeper, "put_once", full)
    told = run("archive", "--url", server, "--archive", place, "--older-than", "0s")
    monkeypatch.undo()
    again = run("archive", "--url", server, "--archive", place, "--older-than", "0s")

    assert told.exit_code == 2
    assert "archived 1 tables" in told.output
    assert "cannot be used (No space left on device)" in told.stderr
    assert "archived 1 tables" in again.output
