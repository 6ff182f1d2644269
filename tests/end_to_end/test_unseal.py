"""Two persons open the seeds of a running table; the act stands in its log before anything is opened (rule 3.11)."""

import json

import pytest
from typer.testing import CliRunner

from poolrummy.commands.keys import app as keys_app
from poolrummy.commands.unseal import app
from poolrummy.fairness.unsealings import RecordBroken, read_record
from poolrummy.testing.live_platform import LivePlatform
from poolrummy_contracts.commands import CommitSeed, OpenTable, RevealSeed, Sit, VoidMatch
from poolrummy_contracts.events import MatchStarted, SeedsUnsealed, TableClosed
from poolrummy_contracts.openings import seat_seed_commitment

TABLE = "p00-unseal"


def run(*words):
    return CliRunner().invoke(app, list(map(str, words)))


@pytest.mark.rule("3.11")
def test_two_persons_unseal_a_table_that_is_played_and_one_that_is_closed(
    platform: LivePlatform, redis_url, tmp_path
) -> None:
    platform.start("dealer")
    opening = {"profile": "house", "variant": "101", "seats": 2, "entry_fee": 0, "currency": "practice"}
    platform.ask(OpenTable(id="open", table=TABLE, **opening, rake_bp=0, rejoin_payment="none"))
    seed = bytes(range(32))
    promise = seat_seed_commitment(table=TABLE, seat=1, player="asha", seed=seed)
    platform.ask(Sit(id="sit-1", table=TABLE, player="asha", seat=1))
    platform.ask(CommitSeed(id="commit", table=TABLE, player="asha", seat=1, commitment=promise))
    platform.ask(Sit(id="sit-2", table=TABLE, player="bhaskar", seat=2))
    platform.ask(RevealSeed(id="reveal", table=TABLE, player="asha", seat=1, seed=seed.hex()))
    started = [event for event in platform.events(TABLE) if isinstance(event, MatchStarted)]
    assert [one.state for one in started[0].seat_seeds] == ["revealed", "none"]
    shares = [tmp_path / "one", tmp_path / "other"]
    CliRunner().invoke(
        keys_app, ["split", "--dir", str(tmp_path / "keys"), "--one", str(shares[0]), "--other", str(shares[1])]
    )
    record = tmp_path / "unsealings.jsonl"
    words = (TABLE, "--share", shares[0], "--share", shares[1], "--reason", "a dispute", "--record", record)
    both = ("--operator", "meera", "--operator", "jonas", "--url", redis_url)

    alone = run(*words, "--operator", "meera", "--operator", "meera", "--url", redis_url)
    assert (alone.exit_code, record.exists()) == (2, False)

    found = run(*words, *both, "--json")
    assert found.exit_code == 0, found.output
    told = json.loads(found.output)
    assert [one["deal"] for one in told["seeds"][:3]] == [0, 1, None]
    assert len(told["seeds"]) == 32
    unsealed = platform.events(TABLE)[-1]
    assert isinstance(unsealed, SeedsUnsealed)
    assert (unsealed.operators, unsealed.reason) == (("meera", "jonas"), "a dispute")

    platform.ask(VoidMatch(id="void", table=TABLE, operator="meera", reason="the end"))
    assert isinstance(platform.events(TABLE)[-1], TableClosed)
    again = run(*words, *both)
    assert "every pack is the promised one" in again.output
    assert [(one.operators, one.in_log) for one in read_record(record)] == [
        (("meera", "jonas"), unsealed.v),
        (("meera", "jonas"), None),
    ]

    record.write_bytes(record.read_bytes().replace(b"a dispute", b"no reason", 1))
    with pytest.raises(RecordBroken, match="line 2"):
        read_record(record)
    assert run(*words, *both).exit_code == 2
