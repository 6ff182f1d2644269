"""`poolrummy archive`, and every command that reads a log of a table that has left the server."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from redis import Redis

from poolrummy_contracts import streams

from .archived_matches import FIRST, OTHER, SECOND, TABLE, run, stored_matches
from .signed_matches import KEYS, TRUSTED
from .signed_matches import written as key_line


@pytest.fixture
async def server(redis_url: str) -> str:
    """A server with two closed tables of robots, both projected."""
    await stored_matches(redis_url)
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
    made = run("bundle", TABLE, *where, "--out", str(tmp_path / "one.jsonl"), "--json")
    pairs = run("pairs", TABLE, OTHER, *where, "--min-deals", "1", "--json")
    of_all = run("pairs", *where, "--min-deals", "1", "--json")

    for result in (replayed, dossier, record, made, pairs, of_all):
        assert result.exit_code == 0, result.output
    assert json.loads(made.output)["events"] == len(FIRST.lines)
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
