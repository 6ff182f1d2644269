"""`poolrummy rebuild`: compares what is stored with what the logs give, or writes it anew."""

import json

import pytest
from redis import Redis
from typer.testing import CliRunner, Result

from poolrummy.commands.rebuild import app
from poolrummy.projector import views
from poolrummy.runtime.redis_store import RedisStore

from .played_logs import Recorder, eventful, follow, in_a_deal, named, seating

TABLES = {"p00-a": eventful(), "p00-b": in_a_deal(), "p01-c": seating()}


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "200", "REDIS_URL": "", "POOLRUMMY_REDIS_URL": None})


@pytest.fixture
async def platform(redis_url: str) -> str:
    """A server with three tables in two of three partitions, all projected."""
    store = RedisStore.at(redis_url)
    for partition in (0, 1, 2):
        recorder = await Recorder.on(store, partition)
        for table, log in TABLES.items():
            if table.startswith(f"p0{partition}"):
                await recorder.record(named(log, table))
        await follow(store, [64] * 100, partition=partition)
    await store.aclose()
    return redis_url


def stored(url: str) -> dict[str, object]:
    """Every read model on the server."""
    with Redis.from_url(url) as client:
        found: dict[str, object] = {}
        for key in client.scan_iter("*:view:*"):
            match client.type(key):
                case b"string":
                    found[key.decode()] = client.get(key)
                case b"hash":
                    found[key.decode()] = client.hgetall(key)
                case _:
                    found[key.decode()] = client.smembers(key)
        return found


def lease_of_a_dead_projector_ends(url: str) -> None:
    """What `follow` took and never gave back."""
    with Redis.from_url(url) as client:
        for partition in (0, 1, 2):
            client.hdel(f"{{p0{partition}}}:role:projector", "token")


def test_what_was_projected_is_what_the_logs_give(platform: str) -> None:
    found = run("--url", platform)

    assert found.exit_code == 0, found.output
    assert "3 tables in 3 partitions: equal" in found.output


def test_views_that_were_thrown_away_come_back_byte_for_byte(platform: str) -> None:
    before = stored(platform)
    with Redis.from_url(platform) as client:
        client.delete(*before)
    lease_of_a_dead_projector_ends(platform)

    found = run("--url", platform, "--write", "--json")

    report = json.loads(found.output)
    assert found.exit_code == 0, found.output
    assert report["wrote"]
    assert report["changed"] > 0
    assert stored(platform) == before


def test_a_changed_view_is_found_named_and_mended(platform: str) -> None:
    before, key = stored(platform), views.table_key("p00-a", "scores")
    with Redis.from_url(platform) as client:
        client.set(key, client.get(key).replace(b'"points":80', b'"points":81', 1))

    found = run("--url", platform)
    lease_of_a_dead_projector_ends(platform)
    mended = run("--url", platform, "--table", "p00-a", "--write")

    assert found.exit_code == 1
    assert f"{key}: $.deals[0].scores[2].points is 81, and the log gives 80" in found.output
    assert mended.exit_code == 0, mended.output
    assert stored(platform) == before


def test_writing_waits_for_the_projectors_to_be_stopped(platform: str) -> None:
    found = run("--url", platform, "--write")

    assert found.exit_code == 2
    assert "stop the projectors, then rebuild" in found.stderr


def test_a_projector_goes_on_behind_a_rebuild(platform: str) -> None:
    lease_of_a_dead_projector_ends(platform)
    assert run("--url", platform, "--write").exit_code == 0

    found = run("--url", platform, "--check")

    assert found.exit_code == 0
    assert "equal" in found.output


def test_an_unknown_table_or_no_server_ends_with_two(platform: str) -> None:
    unknown, nowhere = run("--url", platform, "--table", "p00-nobody"), run("--url", "redis://127.0.0.1:1/0")

    assert (unknown.exit_code, nowhere.exit_code) == (2, 2)
    assert "there is no table p00-nobody" in unknown.stderr
    assert "is it running?" in nowhere.stderr
