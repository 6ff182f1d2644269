"""`poolrummy table list` names what a store has, and an audit calls a log wrong that was signed and is gone."""

import json

import pytest
from typer import Typer
from typer.testing import CliRunner, Result

from poolrummy.commands import audit, table
from poolrummy.runtime.redis_store import RedisStore

from .played_logs import Recorder, eventful, in_a_deal, named
from .signed_matches import match, notarised

ENDED, PLAYING = "p00-ended", "p00-playing"


def run(app: Typer, *words: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "200", "REDIS_URL": "", "POOLRUMMY_REDIS_URL": None})


@pytest.fixture
async def platform(redis_url: str) -> str:
    """A server with a table that was played to its end and one that plays."""
    store = RedisStore.at(redis_url)
    recorder = await Recorder.on(store)
    await recorder.record(named(eventful(), ENDED))
    await recorder.record(named(in_a_deal(), PLAYING))
    await store.aclose()
    return redis_url


def test_every_table_is_named_with_its_state_and_its_events(platform: str) -> None:
    told = run(table.app, "list", "--url", platform)
    as_json = run(table.app, "list", "--url", platform, "--json")

    assert (told.exit_code, as_json.exit_code) == (0, 0), told.output
    assert [(one["table"], one["state"], one["events"]) for one in json.loads(as_json.output)] == [
        (ENDED, "closed", len(eventful())),
        (PLAYING, "open", len(in_a_deal())),
    ]
    assert [line.split()[:2] for line in told.output.splitlines()] == [[ENDED, "closed"], [PLAYING, "open"]]


def test_an_id_that_is_not_there_leads_to_the_list(platform: str) -> None:
    told = run(audit.app, "p00-nobody", "--url", platform)

    assert told.exit_code == 2
    assert "there is no table p00-nobody in this store; `poolrummy table list` names those" in told.stderr


def test_a_log_that_was_signed_and_is_gone_is_wrong_and_not_unknown(platform: str) -> None:
    signed = match(1)
    place = str(notarised(signed.table, signed.lines).root)

    gone = run(audit.app, signed.table, "--url", platform, "--checkpoints", place)
    unsigned = run(audit.app, "p00-nobody", "--url", platform, "--checkpoints", place)

    assert gone.exit_code == 1, gone.output
    assert "WRONG, first at version 1: there is no event" in gone.output
    assert (unsigned.exit_code, run(audit.app, signed.table, "--url", platform).exit_code) == (2, 2)
