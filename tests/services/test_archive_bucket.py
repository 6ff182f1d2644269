"""An archive in a bucket of a real object store: written, read, checked, tampered with, out of reach."""

from pathlib import Path

import pytest

from poolrummy.audit import many, packed
from poolrummy.keeping.checkpoint_folder import FolderKeeper
from poolrummy.keeping.keepers import keeper_of

from .archived_matches import FIRST, TABLE, run, stored_matches
from .signed_matches import KEYS, TRUSTED, notarised
from .signed_matches import written as key_line

pytestmark = pytest.mark.xdist_group("object_store")

FILE = f"p01/{TABLE}.jsonl.gz"


@pytest.fixture
async def server(redis_url: str) -> str:
    """A server with two closed tables of robots, both projected."""
    await stored_matches(redis_url)
    return redis_url


def copied(keeper: FolderKeeper, bucket: str, table: str) -> None:
    there = keeper_of(bucket)
    for name in keeper.names(table):
        there.put_once(f"{table}/{name}", keeper.get(f"{table}/{name}") or b"")


def test_closed_tables_go_into_a_bucket_and_are_read_there(server: str, bucket: str, tmp_path: Path) -> None:
    done = run("archive", "--url", server, "--archive", bucket, "--older-than", "0s")
    again = run("archive", "--url", server, "--archive", bucket, "--older-than", "0s")
    checked = run("archive", "--url", server, "--archive", bucket, "--check")
    replayed = run("replay", TABLE, "--url", server, "--archive", bucket)
    audit = run("audit", TABLE, "--url", server, "--archive", bucket, "--keys", str(KEYS))
    nowhere = run("replay", TABLE, "--url", server)

    assert done.exit_code == 0, done.output
    assert f"archived 2 tables in {bucket}" in done.output
    assert "archived 0 tables" in again.output
    assert checked.exit_code == 0, checked.output
    assert "2 archived tables" in checked.output
    assert f"chain {FIRST.lines[-1].chain.hex()}" in replayed.output
    assert audit.exit_code == 0, audit.output
    assert f"last put into {bucket}" in nowhere.stderr
    file = tmp_path / "downloaded.jsonl.gz"
    file.write_bytes(keeper_of(bucket).get(FILE) or b"")
    assert many.files_of(tmp_path) == [file]
    assert run("verify", str(file)).exit_code != 1


def test_checkpoints_and_archive_may_both_be_in_buckets(server: str, bucket: str, tmp_path: Path) -> None:
    copied(notarised(TABLE, FIRST.lines), f"{bucket}/checkpoints", TABLE)
    (tmp_path / "notary.pub").write_text(key_line(TRUSTED))
    named = ("--checkpoints", f"{bucket}/checkpoints", "--keys", str(tmp_path))

    done = run("archive", "--url", server, "--archive", f"{bucket}/archive", "--older-than", "0s", *named)

    assert done.exit_code == 0, done.output
    assert "archived 1 tables" in done.output
    assert "1 stay: the notary has not signed it to its end" in done.output


def test_an_object_that_was_changed_is_found(server: str, bucket: str) -> None:
    run("archive", "--url", server, "--archive", bucket, "--older-than", "0s")
    keeper = keeper_of(bucket)
    content = packed.unpacked(keeper.get(FILE) or b"", FILE)
    keeper.put(FILE, packed.packed(content.replace(b"robot-1-1", b"robot-9-1", 1)))

    checked = run("archive", "--url", server, "--archive", bucket, "--check")

    assert checked.exit_code == 1
    assert f"WRONG {TABLE}" in checked.output


def test_a_bucket_that_is_not_there_or_lets_nobody_in_is_told_and_nothing_leaves_the_server(
    server: str, bucket: str
) -> None:
    missing = run("archive", "--url", server, "--archive", "s3://nobody-made-this/x", "--older-than", "0s")
    closed = run("archive", "--url", server, "--archive", bucket, "--older-than", "0s", AWS_SECRET_ACCESS_KEY="wrong")
    away = run(
        "archive", "--url", server, "--archive", bucket, "--older-than", "0s", AWS_ENDPOINT_URL="http://127.0.0.1:1"
    )

    for told in (missing, closed, away):
        assert told.exit_code == 2, told.output
        assert told.stderr.startswith("poolrummy archive: the archive s3://")
        assert len(told.stderr.splitlines()) == 1, told.stderr
    assert "there is no bucket nobody-made-this" in missing.stderr
    assert "refuses us" in closed.stderr
    assert "does not answer" in away.stderr
    young = run("archive", "--url", server, "--archive", bucket, "--older-than", "9999d")
    assert "2 stay: closed not long enough ago" in young.output
