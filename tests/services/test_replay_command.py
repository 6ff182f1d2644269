"""`poolrummy replay`: what a person sees, and the exit code that a script reads."""

import json

import msgspec
import pytest
from redis import Redis
from typer.testing import CliRunner, Result

from poolrummy.commands.replay import app
from poolrummy.projector import views
from poolrummy.rules.state import Table
from poolrummy.rules.table import evolve
from poolrummy.runtime.redis_store import RedisStore

from .played_logs import Recorder, eventful, follow, named

TABLE = "p00-a"


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "200", "REDIS_URL": "", "POOLRUMMY_REDIS_URL": None})


@pytest.fixture
async def platform(redis_url: str) -> str:
    """A server with one table that was played to the end and projected."""
    store = RedisStore.at(redis_url)
    await (await Recorder.on(store)).record(named(eventful(), TABLE))
    await follow(store, [50, 1000])
    await store.aclose()
    return redis_url


def test_a_table_is_told_with_standings_and_the_views_are_equal(platform: str) -> None:
    found = run(TABLE, "--url", platform)

    assert found.exit_code == 0, found.output
    for words in (
        "misses the turn (1 in a row)",
        "wrong show (invalid_group",
        "comes back on 21",
        "by meera",
        "prize pool 90.00 ",
        "views: equal",
    ):
        assert words in found.output
    assert f"log: {len(eventful())} events, chain " in found.output


def test_one_deal_can_be_told_alone_and_as_json(platform: str) -> None:
    found = run(TABLE, "--url", platform, "--deal", "2", "--json")

    told = json.loads(found.output)
    assert found.exit_code == 0
    assert {step["deal"] for step in told["steps"]} == {2}
    assert {"v", "at", "seat", "player", "actor", "card", "cards_left", "rule", "text"} <= told["steps"][0].keys()
    assert told["views"]["verdict"] == "equal"
    assert told["standings"]["state"] == "ended"
    assert told["refused"] == []


def test_a_table_is_rebuilt_as_it_stood_at_any_version(platform: str) -> None:
    states = []
    state = None
    for event in named(eventful(), TABLE):
        state = evolve(state, event)
        states.append(state)

    for version in (1, 7, len(states) // 2, len(states) - 1, len(states)):
        found = run(TABLE, "--url", platform, "--until", str(version), "--json")

        told = json.loads(found.output)
        assert found.exit_code == 0, found.output
        assert (told["v"], len(told["steps"]), told["views"]) == (version, version, None)
        assert msgspec.json.decode(msgspec.json.encode(told["state"]), type=Table) == states[version - 1]
    assert "log: 7 events, chain " in run(TABLE, "--url", platform, "--until", "7").output


def test_a_version_that_is_not_there_is_named_with_the_last(platform: str) -> None:
    found = run(TABLE, "--url", platform, "--until", "99999")

    assert found.exit_code == 2
    assert f"has no version 99999; its last one is {len(eventful())}" in found.output


def test_views_that_are_only_behind_are_no_fault(platform: str) -> None:
    with Redis.from_url(platform) as client:
        for kind in ("table", "standings", "scores"):
            client.delete(views.table_key(TABLE, kind))

    found = run(TABLE, "--url", platform)

    assert found.exit_code == 0
    assert "views: behind" in found.output


def test_views_that_differ_end_with_one_and_name_the_first_difference(platform: str) -> None:
    key = views.table_key(TABLE, "standings")
    with Redis.from_url(platform) as client:
        stored = client.get(key)
        client.set(key, stored.replace(b'"prize_pool":9000', b'"prize_pool":9001'))

    found = run(TABLE, "--url", platform)

    assert found.exit_code == 1
    assert "views: DIFFERENT" in found.output
    assert f"{key}: $.prize_pool is 9001, and the log gives 9000" in found.output


def test_an_unknown_table_ends_with_two_and_says_what_to_do(platform: str) -> None:
    found = run("p01-nobody", "--url", platform)

    assert (found.exit_code, found.stdout) == (2, "")
    assert "there is no table p01-nobody" in found.stderr


def test_a_deal_that_was_never_played_ends_with_two_and_names_the_last(platform: str) -> None:
    found = run(TABLE, "--url", platform, "--deal", "99")

    assert (found.exit_code, found.stdout) == (2, "")
    assert "has no deal 99; its last one is" in found.stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("p00-a", "--url", "redis://127.0.0.1:1/0"), "is it running?"),
        (("p00-a", "--data", "/nowhere/at/all"), "name one with --data"),
        (("p00-a",), "add --url"),
        (("table-7", "--url", "redis://127.0.0.1:1/0"), "is no table id"),
    ],
)
def test_without_a_server_or_a_table_it_ends_with_two_and_names_the_mend(words: tuple[str, ...], why: str) -> None:
    found = run(*words)

    assert found.exit_code == 2
    assert why in found.stderr


@pytest.mark.parametrize("url", ["http://somewhere", "rubbish", "redis://127.0.0.1:99999/0"])
def test_an_address_that_is_none_is_told_in_a_sentence(url: str) -> None:
    found = run(TABLE, "--url", url)

    assert found.exit_code == 2
    assert "write it as redis://host:port/0" in found.output
