"""A whole game with one Redis user a role, and what each of them is not allowed to do."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import redis

from poolrummy.profile_files import load_all
from poolrummy.testing.live_platform import LivePlatform
from poolrummy.testing.scripted_games import Players, scripted_deal
from poolrummy.testing.scripted_packs import Script
from poolrummy_contracts import streams
from poolrummy_contracts.commands import FreezeTable, OpenTable, Sit, UnfreezeTable, VoidMatch
from poolrummy_contracts.events import MatchEnded, ShowJudged, TableClosed
from poolrummy_contracts.profiles import resolve_command
from poolrummy_contracts.terms import Terms

from .forbidden import FORBIDDEN, LOG, TABLE
from .locked_server import CONFIG, LockedServer
from .queries import DEPLOY

pytestmark = pytest.mark.xdist_group("acl")  # one server for all

SCRIPTED_DEALER = Path(__file__).parents[1] / "end_to_end" / "scripted_dealer.py"
OTHER = "p01-locked"
ROLES = {"dealer": "dealer", "validator": "validator", "projector": "projector", "audit": "notary"}
OPENING = OpenTable(
    id="open",
    table=TABLE,
    profile="house",
    variant="51",
    seats=2,
    entry_fee=2500,
    currency="practice",
    rake_bp=0,
    rejoin_payment="none",
)


class Played(msgspec.Struct, frozen=True):
    """The server, and the platform that played a match on it."""

    server: LockedServer
    platform: LivePlatform


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Iterator[Played]:
    """A match to its end, each process under its own user and the players under the gateway's."""
    folder = tmp_path_factory.mktemp("locked")
    terms = resolve_command(OPENING, load_all())
    assert isinstance(terms, Terms)
    script = Script(toss="AS KS", deals={"1": scripted_deal(terms, 1, {2: 60})})
    told = folder / "scripts.json"
    told.write_bytes(msgspec.json.encode({"scripts": {TABLE: script}, "terms": {TABLE: terms}}))
    with LockedServer(folder) as server, LivePlatform(server.url("gateway"), folder) as platform:
        for module, user in ROLES.items():
            program = SCRIPTED_DEALER if module == "dealer" else None
            more = {"TEST_SCRIPTS": str(told)} if program else {}
            platform.start(module, program=program, POOLRUMMY_REDIS_URL=server.url(user), **more)
        players = Players(platform, TABLE)
        players.do(OPENING)
        for seat in (1, 2):
            players.do(Sit(id=f"sit-{seat}", table=TABLE, player=f"player-{seat}", seat=seat))
        players.play_deal(1)
        platform.until(lambda: platform.table(TABLE).closed or None, "the match to end")
        yield Played(server, platform)


def test_a_match_is_played_to_its_end_by_roles_that_may_do_no_more_than_they_need(played: Played) -> None:
    kinds = {type(event) for event in played.platform.events(TABLE)}

    assert {ShowJudged, MatchEnded, TableClosed} <= kinds
    with played.server.client("admin") as admin:
        assert admin.execute_command("ACL", "LOG") == [], "nobody was refused anything on the way"
        assert admin.get(streams.view(0, "standings", TABLE)) or admin.keys("{p00}:view:*")


def test_each_process_is_ready_and_says_what_its_store_promises(played: Played) -> None:
    assert all(process.ready for process in played.platform.processes)


def command(played: Played, user: str, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("POOLRUMMY_")}
    return subprocess.run(
        [sys.executable, "-m", "poolrummy.cli", *words, "--url", played.server.url(user)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=environment,
    )


def wrong_in(told: str) -> set[str]:
    """The checks that an audit found wrong."""
    return {line["check"] for line in json.loads(told)["tables"][0]["lines"] if line["verdict"] == "wrong"}


def test_an_auditor_audits_replays_and_compares_and_writes_nothing(played: Played, tmp_path: Path) -> None:
    audit = command(played, "auditor", "audit", TABLE, "--json")
    replay = command(played, "auditor", "replay", TABLE)
    bundle = command(played, "auditor", "bundle", TABLE, "--out", str(tmp_path / "t.jsonl"))

    assert wrong_in(audit.stdout) == {"packs"}, "the packs of this test are written down, not drawn; all else holds"
    assert replay.returncode == 0, replay.stderr
    assert bundle.returncode == 0, bundle.stderr


def test_an_operator_acts_by_commands_and_may_rebuild_views(played: Played) -> None:
    said = OPENING.__class__(**{**msgspec.structs.asdict(OPENING), "id": "open-2", "table": OTHER})
    played.platform.ask(said)
    acts = {"table": OTHER, "operator": "asha", "reason": "a test"}
    with LivePlatform(played.server.url("operator"), played.platform.folder) as desk:
        frozen = desk.ask(FreezeTable(id="freeze", **acts))
        thawed = desk.ask(UnfreezeTable(id="thaw", **acts))
    listed = command(played, "operator", "table", "list")
    again = command(played, "operator", "table", "freeze", OTHER, "--operator", "asha", "--reason", "a test")
    rebuilt = command(played, "operator", "rebuild", "--check")
    closed = command(played, "operator", "play", "close", "--operator", "asha", "--reason", "a test")
    opened = command(played, "operator", "play", "open", "--operator", "asha", "--reason", "a test")

    assert [type(answer).__name__ for answer in (frozen, thawed)] == ["CommandAccepted"] * 2
    assert OTHER in listed.stdout, listed.stderr
    assert again.returncode == 0, again.stderr
    assert rebuilt.returncode == 0, rebuilt.stdout + rebuilt.stderr
    assert closed.returncode == 0, closed.stderr
    assert opened.returncode == 0, opened.stderr


@pytest.mark.parametrize(("user", "words"), [(user, words) for user, each in FORBIDDEN.items() for words in each])
def test_a_user_is_refused_what_is_not_its_own(user: str, words: tuple[str, ...], played: Played) -> None:
    with played.server.client(user) as client, pytest.raises(redis.exceptions.NoPermissionError):
        client.execute_command(*words)


@pytest.mark.parametrize("user", ["validator", "projector", "notary", "auditor", "operator"])
@pytest.mark.parametrize("script", ["XADD", "DEL", "UNLINK"])
def test_a_script_lends_nobody_a_right_over_a_log(user: str, script: str, played: Played) -> None:
    """They may run scripts: inside one they may do what they may do outside."""
    words = ("*", "e", "x") if script == "XADD" else ()
    with played.server.client(user) as client:
        sha = client.script_load(f"return redis.call('{script}', KEYS[1], unpack(ARGV))")
        with pytest.raises(redis.exceptions.ResponseError, match=r"(?i)permission|NOPERM|ACL"):
            client.execute_command("EVALSHA", sha, "1", LOG, *words)
    with played.server.client("admin") as admin:
        assert admin.xlen(LOG) == played.platform.known(TABLE)


def test_nobody_comes_in_without_a_name_and_with_the_file_as_it_is_checked_in(played: Played) -> None:
    with redis.Redis(port=played.server.port) as anonymous, pytest.raises(redis.exceptions.AuthenticationError):
        anonymous.ping()
    checked_in = (DEPLOY / "redis" / "users.acl").read_text()
    made = (played.server.secrets / "users.acl").read_text()

    assert checked_in.count("0" * 64) == checked_in.count("\nuser ")
    assert "0" * 64 not in made
    assert (played.server.secrets / "admin.password").stat().st_mode & 0o077 == 0


def test_the_server_runs_with_the_settings_of_the_file(played: Played) -> None:
    said = [line.split(None, 1) for line in CONFIG.read_text().splitlines() if line and not line.startswith("#")]
    elsewhere = {"port", "dir", "aclfile"}
    with played.server.client("admin") as admin:
        found = {name: admin.config_get(name).get(name) for name, _ in said}
        tail = admin.info("persistence")["aof_enabled"]

    assert tail == 1
    assert found["appendfsync"] == "always"
    assert found["maxmemory-policy"] == "noeviction"
    for name, wanted in said:
        if name not in elsewhere | {"maxmemory", "client-output-buffer-limit", "save"}:
            assert found[name] == wanted, name
    assert found["maxmemory"] == str(8 * 1024**3)
    assert found["save"] == ""


def test_a_gateway_that_wipes_its_inbox_loses_what_was_not_answered_and_nothing_else(played: Played) -> None:
    """No right tells XADD from XADD … MAXLEN 0. What is answered is in the log by then; the rest is asked again."""
    before = len(played.platform.events(TABLE))
    with played.server.client("gateway") as gateway:
        gateway.execute_command("XADD", streams.inbox(0), "MAXLEN", "0", "*", "e", "x")
    said = msgspec.structs.replace(OPENING, id="again", table="p00-after")

    assert type(played.platform.ask(said)).__name__ == "CommandAccepted"
    assert len(played.platform.events(TABLE)) == before


def test_a_log_that_a_dealer_wipes_by_an_append_is_missed_by_the_audit(played: Played) -> None:
    """The dealer's user may append to logs, so it can; who holds checkpoints sees it. Last, since it destroys one."""
    checkpoints = str(played.platform.folder / "checkpoints")
    before = command(played, "auditor", "audit", TABLE, "--checkpoints", checkpoints, "--json")
    with played.server.client("dealer") as dealer:
        (last,) = dealer.xrevrange(LOG, count=1)
        following = f"{int(last[0].split(b'-')[0]) + 1}-0"
        dealer.execute_command(
            "XADD", LOG, "MAXLEN", "1", following, *(word for pair in last[1].items() for word in pair)
        )
    after = command(played, "auditor", "audit", TABLE, "--checkpoints", checkpoints, "--json")

    assert "checkpoints" not in wrong_in(before.stdout)
    assert after.returncode == 1, after.stdout + after.stderr
    assert {"log", "checkpoints"} & wrong_in(after.stdout)


def test_an_archiver_moves_a_closed_table_out_and_leaves_its_tombstone_and_a_wiped_one(
    played: Played, tmp_path: Path
) -> None:
    table = "p01-leaves"
    played.platform.ask(msgspec.structs.replace(OPENING, id="open-3", table=table))
    with LivePlatform(played.server.url("operator"), played.platform.folder) as desk:
        desk.ask(VoidMatch(id="void", table=table, operator="asha", reason="a test"))
    played.platform.until(lambda: played.platform.table(table).closed or None, "the table to close")
    words = ("--archive", str(tmp_path / "archive"), "--older-than", "0s")
    signed = str(played.platform.folder / "checkpoints")
    moved = command(played, "archiver", "archive", *words, "--checkpoints", signed)

    assert moved.returncode == 1, moved.stdout + moved.stderr
    assert TABLE in moved.stdout + moved.stderr, "the log that was wiped stays, and is named"
    with played.server.client("admin") as admin:
        assert not admin.exists(streams.table(table))
        assert admin.exists(streams.head(table))
    assert list((tmp_path / "archive").rglob("*"))
