"""Checkpoints in a bucket of a real object store: kept by a notary, asked for by a dealer, taken by every command."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from poolrummy.commands import accept_rewind, audit, bundle
from poolrummy.fairness.checkpoint import unverified
from poolrummy.keeping.checkpoint_folder import kept
from poolrummy.keeping.keeper import KeeperFault
from poolrummy.keeping.keepers import keeper_of
from poolrummy.testing.live_platform import LivePlatform
from poolrummy.testing.object_server import ObjectServer
from poolrummy.testing.scripted_games import Players
from poolrummy_contracts import streams
from poolrummy_contracts.commands import Drop, Sit, VoidMatch
from poolrummy_contracts.replies import CommandAccepted, CommandRefused

from .conftest import opening

pytestmark = pytest.mark.xdist_group("object_store")

TABLE, OTHER = "p00-bucket", "p01-other"


class Office:
    """A platform whose notary keeps its checkpoints in a bucket, and an operator's commands."""

    def __init__(self, platform: LivePlatform, bucket: str) -> None:
        self.platform, self.bucket = platform, bucket
        self.keys = platform.folder / "keys"

    def open(self, table: str) -> Players:
        players = Players(self.platform, table)
        players.do(opening(table, "house", 2, "61", 0, {}))
        for seat in (1, 2):
            players.do(Sit(id=f"sit-{seat}", table=table, player=f"player-{seat}", seat=seat))
        return players

    def play_a_deal(self, players: Players) -> None:
        """Whoever is on turn drops."""
        state = players.until_phase("turn")
        seat = players.on_turn()
        players.do(Drop(**players.who(seat), deal=state.deal_number))
        self.platform.until(
            lambda: self.platform.table(players.table).deal_number > state.deal_number or None, "the next deal"
        )

    def close(self, players: Players) -> None:
        players.do(VoidMatch(id="void", table=players.table, operator="ops", reason="the test is over"))

    def signed(self, table: str) -> int:
        """How many events of the table are signed."""
        try:
            notes = kept(keeper_of(self.bucket), table).notes
        except KeeperFault:
            return 0
        return max((unverified(note).size for note in notes), default=0)

    def until_signed(self, table: str, events: int) -> None:
        self.platform.until(lambda: self.signed(table) >= events or None, f"{events} events to be signed", 40)

    def command(self, app: object, *words: str) -> tuple[int, str]:
        url = self.platform.environment["POOLRUMMY_REDIS_URL"]
        found = CliRunner().invoke(app, [*words, "--url", url, "--checkpoints", self.bucket, "--keys", str(self.keys)])
        return found.exit_code, found.output

    def accept(self, table: str) -> tuple[int, str]:
        return self.command(accept_rewind.app, table, "--operator", "meera", "--reason", "the disk was lost")

    def end(self, *roles: str) -> None:
        for process in list(self.platform.processes):
            if process.log.name.startswith(roles):
                process.end()
                self.platform.processes.remove(process)


@pytest.fixture
def office(bucket: str, platform: LivePlatform) -> Office:
    platform.environment["POOLRUMMY_CHECKPOINTS_DIR"] = bucket
    platform.start("dealer", "audit")  # together: the dealer waits for the notary to mark the place
    return Office(platform, bucket)


def version(platform: LivePlatform, table: str) -> int:
    return len(platform.events(table))


def last_scored(platform: LivePlatform, table: str) -> int:
    return max(event.v for event in platform.events(table) if type(event).__name__ == "DealScored")


def test_a_log_that_was_cut_behind_the_last_checkpoint_is_refused_until_somebody_accepts_it(office: Office) -> None:
    players = office.open(TABLE)
    office.play_a_deal(players)
    office.until_signed(TABLE, last_scored(office.platform, TABLE))
    code, said = office.command(audit.app, TABLE)
    assert code == 0, said

    office.end("dealer", "audit")
    cut(office.platform, TABLE, last_scored(office.platform, TABLE) - 2)
    office.platform.start("dealer", "audit")

    refused = office.platform.ask(Drop(id="again", table=TABLE, player="player-1", seat=1, deal=2))
    assert isinstance(refused, CommandRefused)
    assert refused.code == "table-frozen"
    assert "poolrummy accept-rewind" in refused.sentence
    code, said = office.command(audit.app, TABLE)
    assert code == 1, said

    code, said = office.accept(TABLE)
    assert code == 0, said
    assert "superseded" in said
    office.end("dealer")
    office.platform.start("dealer")
    left = office.platform.ask(VoidMatch(id="void", table=TABLE, operator="ops", reason="nobody knows the cards"))
    assert isinstance(left, CommandAccepted), left
    office.until_signed(TABLE, version(office.platform, TABLE))
    found = kept(keeper_of(office.bucket), TABLE)
    assert b"operator meera\nreason the disk was lost\n" in found.rewinds[0]


def cut(platform: LivePlatform, table: str, size: int) -> None:
    """Somebody who may do everything to the server takes the end of a log away, and covers it up."""
    stream, client = streams.table(table), platform.client
    entries = client.xrange(stream)[:size]
    client.delete(stream, streams.snapshot(table))
    for entry, fields in entries:
        client.xadd(stream, fields, id=entry)
    client.hset(streams.head(table), mapping={"v": size, "c": entries[-1][1][b"h"]})


def test_an_id_whose_whole_log_vanished_is_not_opened_again_until_somebody_accepts_it(office: Office) -> None:
    players = office.open(TABLE)
    office.close(players)
    size = version(office.platform, TABLE)
    office.until_signed(TABLE, size)
    again = replace(opening(TABLE, "house", 2, "61", 0, {}), id="open-again")
    there = office.platform.ask(replace(again, id="while-it-is-there"))
    assert isinstance(there, CommandRefused)
    assert there.code == "table-exists"

    for key in office.platform.client.scan_iter(f"{{p00}}:*{TABLE}*"):
        office.platform.client.delete(key)
    refused = office.platform.ask(again)
    assert isinstance(refused, CommandRefused)
    assert refused.code == "log-missing"
    assert f"{size} events were signed" in refused.sentence
    office.open(OTHER)  # everybody else plays

    sizes = [unverified(note).size for note in kept(keeper_of(office.bucket), TABLE).notes]
    code, said = office.accept(TABLE)
    assert (code, said) == (0, f"{TABLE}: 0 events accepted; superseded: {', '.join(map(str, sizes))}\n")
    assert isinstance(office.platform.ask(again), CommandAccepted)
    for seat in (1, 2):
        players.do(Sit(id=f"sit-{seat}", table=TABLE, player=f"player-{seat}", seat=seat))
    office.close(players)
    office.until_signed(TABLE, version(office.platform, TABLE))

    code, said = office.command(audit.app, TABLE)
    assert code == 0, said
    assert "meera accepted that it went back to 0 events: the disk was lost" in " ".join(said.split())
    code, said = office.accept(TABLE)
    assert code == 2
    assert "there is nothing to accept" in said


def test_the_notary_goes_on_when_the_object_store_comes_back(
    office: Office, object_server: ObjectServer, tmp_path: Path
) -> None:
    players = office.open(TABLE)
    office.play_a_deal(players)
    office.until_signed(TABLE, last_scored(office.platform, TABLE))
    notary = next(process for process in office.platform.processes if process.log.name.startswith("audit"))

    object_server.kill()
    try:
        office.play_a_deal(players)
        office.play_a_deal(players)
        office.platform.until(lambda: not notary.ready or None, "the notary to say that it cannot work")
        assert notary.handle.poll() is None
        turned_away = office.platform.ask(opening(OTHER, "house", 2, "61", 0, {}))
        assert isinstance(turned_away, CommandRefused)
        assert turned_away.code == "busy"
        office.platform.until(partial(said_why, notary.log), "the reason in the log")
    finally:
        object_server.start()
    office.until_signed(TABLE, last_scored(office.platform, TABLE))
    office.platform.until(lambda: notary.ready or None, "the notary to be ready again")

    office.platform.until(lambda: opens(office.platform, OTHER), "a table to open again")
    out = tmp_path / "table.jsonl"
    code, said = office.command(bundle.app, TABLE, "--out", str(out))
    assert code == 0, said
    for what in (TABLE, str(out)):
        code, said = office.command(audit.app, what)
        assert code == 0, said
    lines = len(kept(keeper_of(office.bucket), TABLE).leaves)
    assert lines == office.signed(TABLE), "nothing is missing in between"


def said_why(log: Path) -> bool | None:
    return "does not answer" in log.read_text() or None


def opens(platform: LivePlatform, table: str) -> bool | None:
    answer = platform.ask(opening(table, "house", 2, "61", 0, {}))
    return isinstance(answer, CommandAccepted) or None


# -- places that are none: one sentence, exit 2


def started(role: str, url: str, folder: Path, place: str, **more: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("POOLRUMMY_")}
    told = {"POOLRUMMY_REDIS_URL": url, "POOLRUMMY_DATA_DIR": str(folder), "POOLRUMMY_CHECKPOINTS_DIR": place}
    return subprocess.run(
        [sys.executable, "-m", f"poolrummy.{role}"],
        check=False,
        env={**clean, **told, **more},
        capture_output=True,
        text=True,
        timeout=60,
    )


Break = Callable[[str], tuple[str, dict[str, str]]]
BROKEN: list[tuple[str, Break, str]] = [
    ("address", lambda bucket: ("s3:/bucket/x", {}), "is no place for checkpoints"),
    ("bucket", lambda bucket: ("s3://nobodys-bucket/x", {}), "there is no bucket nobodys-bucket"),
    ("secret", lambda bucket: (bucket, {"AWS_SECRET_ACCESS_KEY": "wrong"}), "refuses us (SignatureDoesNotMatch)"),
    ("away", lambda bucket: (bucket, {"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}), "does not answer"),
    ("endpoint", lambda bucket: (bucket, {"AWS_ENDPOINT_URL": "localhost:9000"}), "is no address"),
]


@pytest.mark.parametrize(("broken", "says"), [one[1:] for one in BROKEN], ids=[one[0] for one in BROKEN])
def test_a_notary_with_a_place_that_is_none_ends_with_one_sentence(
    broken: Break, says: str, bucket: str, redis_url: str, tmp_path: Path
) -> None:
    place, more = broken(bucket)
    ended = started("audit", redis_url, tmp_path, place, **more)

    assert ended.returncode == 2, ended
    assert says in ended.stderr
    assert "POOLRUMMY_CHECKPOINTS_DIR" in ended.stderr
    assert "Traceback" not in ended.stderr + ended.stdout


def test_a_dealer_that_is_told_the_wrong_bucket_does_not_start(bucket: str, redis_url: str, tmp_path: Path) -> None:
    ended = started("dealer", redis_url, tmp_path, "s3://nobodys-bucket/x")

    assert ended.returncode == 2
    assert "there is no bucket nobodys-bucket" in ended.stderr


def test_a_command_with_a_place_that_is_none_ends_with_one_sentence(office: Office) -> None:
    office.open(TABLE)
    office.bucket = "s3://nobodys-bucket/x"
    accepting = ("--operator", "a", "--reason", "b")

    for app, words in ((audit.app, ()), (bundle.app, ("--out", "never")), (accept_rewind.app, accepting)):
        code, said = office.command(app, TABLE, *words)
        assert code == 2
        assert "there is no bucket nobodys-bucket" in " ".join(said.split())


def test_sigterm_ends_a_notary_whose_object_store_is_away(office: Office, object_server: ObjectServer) -> None:
    players = office.open(TABLE)
    notary = next(process for process in office.platform.processes if process.log.name.startswith("audit"))
    object_server.kill()
    try:
        office.play_a_deal(players)
        office.platform.until(partial(said_why, notary.log), "the reason in the log")
        notary.handle.send_signal(signal.SIGTERM)
        assert notary.handle.wait(20) == 0
    finally:
        object_server.start()
