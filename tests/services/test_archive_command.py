"""`poolrummy archive`, and every command that reads a log of a table that has left the server."""

import asyncio
import errno
import json
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from redis import Redis
from typer.testing import CliRunner, Result

from poolrummy.audit.evidence import StoredLine
from poolrummy.cli import app_of
from poolrummy.fairness.checkpoint_folder import FolderKeeper
from poolrummy.runtime.redis_store import RedisStore
from poolrummy_contracts import codec, streams
from poolrummy_contracts.envelope import chain_next, chain_start
from poolrummy_contracts.events import DealScored

from .archived_tables import recorded
from .played_logs import follow
from .signed_matches import KEYS, TRUSTED, match
from .signed_matches import written as key_line

FIRST, SECOND = match(1, 4, "61"), match(2, 3, "101")
TABLE, OTHER = FIRST.table, SECOND.table


def run(word: str, *words: str, **environment: str) -> Result:
    clean = {"COLUMNS": "220", "REDIS_URL": "", "POOLRUMMY_REDIS_URL": None, "POOLRUMMY_ARCHIVE": None, **environment}
    return CliRunner().invoke(app_of(word), list(words), env=clean)


@pytest.fixture
async def server(redis_url: str) -> str:
    """A server with two closed tables of robots, both projected."""
    store = RedisStore.at(redis_url)
    for evidence in (FIRST, SECOND):
        await recorded(store, evidence.table, evidence.lines)
        await follow(store, [500] * 10, partition=streams.partition_of(evidence.table))
    await store.aclose()
    return redis_url


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "archive")


@pytest.fixture
def archived(server: str, place: str) -> str:
    """The same server after both tables have left it."""
    done = run("archive", "--url", server, "--archive", place, "--older-than", "0s")
    assert done.exit_code == 0, done.output
    return server


def test_a_dry_run_says_what_would_go_and_does_nothing(server: str, place: str) -> None:
    told = run("archive", "--url", server, "--archive", place, "--older-than", "1d", "--dry-run", "--audit")

    events = len(FIRST.lines) + len(SECOND.lines)
    assert told.exit_code == 0, told.output
    assert f"would archive 2 tables: {events:,} events" in told.output
    assert not Path(place).exists()
    assert (
        run("archive", "--url", server, "--archive", place, "--older-than", "999d").output.count("2 stay: closed") == 1
    )


def test_what_is_archived_is_told_with_its_figures(server: str, place: str) -> None:
    told = run("archive", "--url", server, "--archive", place, "--older-than", "0s", "--json")

    found = json.loads(told.output)
    assert told.exit_code == 0, told.output
    assert sorted(one["table"] for one in found["gone"]) == [TABLE, OTHER]
    assert (found["left"], found["wrong"], found["fault"], found["interrupted"]) == ([], [], None, False)
    files = sorted(path.relative_to(place).as_posix() for path in Path(place).rglob("*") if path.is_file())
    assert files == [f"p01/{TABLE}.jsonl.gz", f"p02/{OTHER}.jsonl.gz"]
    assert sum(one["file_bytes"] for one in found["gone"]) == sum((Path(place) / one).stat().st_size for one in files)
    with Redis.from_url(server) as client:
        left = {key.decode() for key in client.scan_iter("*") if TABLE.encode() in key}
        assert left == {streams.head(TABLE)}
        assert client.hgetall(streams.archive(1))[b"place"].decode() == place


def test_everything_that_reads_a_log_reads_it_from_the_archive(archived: str, place: str, tmp_path: Path) -> None:
    where = ("--url", archived, "--archive", place)

    replayed = run("replay", TABLE, *where, "--json")
    audit = run("audit", TABLE, *where, "--keys", str(KEYS))
    dossier = run("dossier", TABLE, *where, "--json")
    record = run("record", TABLE, *where)
    made = run("bundle", TABLE, *where, "--out", str(tmp_path / "one.jsonl"))
    pairs = run("pairs", TABLE, OTHER, *where, "--min-deals", "1", "--json")
    of_all = run("pairs", *where, "--min-deals", "1", "--json")

    for result in (replayed, dossier, record, made, pairs, of_all):
        assert result.exit_code == 0, result.output
    story = json.loads(replayed.output)
    assert (story["v"], story["chain"]) == (len(FIRST.lines), FIRST.lines[-1].chain.hex())
    assert story["views"]["verdict"] == "archived"
    assert audit.exit_code == 0, audit.output
    assert "OK: the log is what the rules give" in audit.output
    assert json.loads(dossier.output)["table"] == TABLE
    assert run("verify", str(tmp_path / "one.jsonl")).exit_code != 1
    assert json.loads(of_all.output)["ranking"]["tables"] == json.loads(pairs.output)["ranking"]["tables"] == 2


def test_the_archive_may_be_named_in_the_environment(archived: str, place: str) -> None:
    told = run("replay", TABLE, POOLRUMMY_REDIS_URL=archived, POOLRUMMY_ARCHIVE=place)

    assert told.exit_code == 0, told.output
    assert "views: none: the table is archived, and they left with its log" in told.output


COMMANDS: dict[str, Callable[[str], tuple[str, ...]]] = {
    "replay": lambda _: (TABLE,),
    "audit": lambda _: (TABLE,),
    "dossier": lambda _: (TABLE,),
    "record": lambda _: (TABLE,),
    "bundle": lambda out: (TABLE, "--out", f"{out}/x.jsonl"),
    "pairs": lambda _: (TABLE,),
}


@pytest.mark.parametrize("word", COMMANDS)
def test_without_the_archive_one_sentence_says_where_the_table_is(word: str, archived: str, place: str) -> None:
    told = run(word, *COMMANDS[word](place), "--url", archived)

    assert told.exit_code == 2, told.output
    assert told.stderr == (
        f"poolrummy {word}: {TABLE} is archived: name its archive with --archive or POOLRUMMY_ARCHIVE; "
        f"tables of its partition were last put into {place}\n"
    )


def test_pairs_of_all_tables_says_where_those_are_that_it_cannot_read(archived: str) -> None:
    told = run("pairs", "--url", archived, "--json")

    assert told.exit_code == 2
    assert f"{TABLE} is archived: name its archive" in told.stderr


def test_a_rebuild_after_archiving_finds_everything_equal_and_one_table_archived(archived: str, place: str) -> None:
    of_all = run("rebuild", "--url", archived)
    of_one = run("rebuild", "--url", archived, "--table", TABLE)
    written = run("rebuild", "--url", archived, "--table", TABLE, "--write")

    assert of_all.exit_code == 0, of_all.output
    assert "0 tables in 3 partitions: equal" in of_all.output
    assert of_one.exit_code == 0
    assert "the table is archived" in of_one.output
    assert written.exit_code == 2
    assert f"{TABLE} is archived, and its views left with its log" in written.stderr


def test_the_files_of_an_archive_are_audited_and_verified_without_a_server(archived: str, place: str) -> None:
    file = f"{place}/p01/{TABLE}.jsonl.gz"

    directory = run("audit", place, "--keys", str(KEYS), "--json")
    pairs = run("pairs", place, "--min-deals", "1", "--json")
    dossier = run("dossier", file, "--json")
    verified = run("verify", file)

    assert json.loads(directory.output)["summary"]["tables"] == 2
    assert json.loads(directory.output)["summary"]["wrong"] == 0
    assert json.loads(pairs.output)["ranking"]["tables"] == 2
    assert dossier.exit_code == 0, dossier.output
    assert verified.exit_code != 1, verified.output
    assert "WRONG" not in verified.output


def test_the_archive_is_checked_against_what_stayed(archived: str, place: str) -> None:
    right = run("archive", "--url", archived, "--archive", place, "--check")
    file = Path(place) / "p01" / f"{TABLE}.jsonl.gz"
    content = file.read_bytes()
    file.write_bytes(content[:-9])
    damaged = run("archive", "--url", archived, "--archive", place, "--check")
    replayed = run("replay", TABLE, "--url", archived, "--archive", place)
    file.unlink()
    missing = run("archive", "--url", archived, "--archive", place, "--check", "--json")

    assert right.exit_code == 0, right.output
    assert "2 archived tables" in right.output
    assert damaged.exit_code == 1
    assert (
        f"WRONG {TABLE}: p01/{TABLE}.jsonl.gz in the archive {place} is not the log that was archived" in damaged.output
    )
    assert replayed.exit_code == 2
    assert "take another copy" in replayed.stderr
    assert missing.exit_code == 1
    assert [one["table"] for one in json.loads(missing.output)["wrong"]] == [TABLE]


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


def test_signed_tables_take_their_checkpoints_along(server: str, place: str, tmp_path: Path) -> None:
    checkpoints, keys = tmp_path / "checkpoints", tmp_path / "keys"
    (checkpoints / TABLE).mkdir(parents=True)
    for number, note in enumerate(FIRST.notes):
        (checkpoints / TABLE / f"{number:012d}.checkpoint").write_bytes(note)
    keys.mkdir()
    (keys / "notary.pub").write_text(key_line(TRUSTED))
    named = ("--checkpoints", str(checkpoints), "--keys", str(keys))

    told = run("archive", "--url", server, "--archive", place, "--older-than", "0s", *named)
    verified = run("verify", f"{place}/p01/{TABLE}.jsonl.gz", "--key", str(keys / "notary.pub"))

    assert told.exit_code == 0, told.output
    assert "archived 1 tables" in told.output
    assert "1 stay: the notary has not signed it to its end" in told.output
    assert re.search(rf"^checkpoints +OK +{len(FIRST.notes)}$", verified.output, re.MULTILINE), verified.output


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
    sound = FolderKeeper.put

    def full(self: FolderKeeper, name: str, content: bytes) -> None:
        if OTHER in name:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sound(self, name, content)

    monkeypatch.setattr(FolderKeeper, "put", full)
    told = run("archive", "--url", server, "--archive", place, "--older-than", "0s")
    monkeypatch.undo()
    again = run("archive", "--url", server, "--archive", place, "--older-than", "0s")

    assert told.exit_code == 2
    assert "archived 1 tables" in told.output
    assert "cannot be used (No space left on device)" in told.stderr
    assert "archived 1 tables" in again.output
