"""`poolrummy dossier` and `poolrummy record`: from a store and from a bundle, with keys and without."""

import time
from pathlib import Path

import msgspec
import pytest
from redis import Redis
from typer.testing import CliRunner, Result

from poolrummy.audit import bundle, deal_record
from poolrummy.audit.bundling import opened
from poolrummy.audit.dossier.making import Asked, dossier_of
from poolrummy.audit.dossier.page import page_of
from poolrummy.audit.evidence import Evidence, StoredLine
from poolrummy.audit.history import moments_of
from poolrummy.audit.known_packs import known_packs
from poolrummy.audit.many import sealer_of
from poolrummy.audit.views import View
from poolrummy.commands import dossier as dossier_command
from poolrummy.commands import record as record_command
from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.runtime.records import TableEntry
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.testing.robot_matches import RobotMatch, robot_match
from poolrummy.testing.tables import TABLE
from poolrummy_contracts import codec, streams
from poolrummy_contracts.commands import Discard
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.replies import CommandAccepted, CommandRefused
from poolrummy_contracts.terms import Seat

from .dispute_tables import PLAYERS, PlainSealer
from .disputes import late_move
from .played_logs import Recorder

ENVIRONMENT = {"COLUMNS": "200", "REDIS_URL": "", "POOLRUMMY_REDIS_URL": None}


def dossier(*words: str) -> Result:
    return CliRunner().invoke(dossier_command.app, list(words), env=ENVIRONMENT)


def record(*words: str) -> Result:
    return CliRunner().invoke(record_command.app, list(words), env=ENVIRONMENT)


@pytest.fixture
async def platform(redis_url: str) -> str:
    """A server with the table of the late move; the command that came too late still lies in the inbox."""
    store = RedisStore.at(redis_url)
    table = late_move()
    await (await Recorder.on(store)).record(tuple(table.log))
    await store.aclose()
    (refused,) = table.refused
    late = Discard(
        id=refused.command,
        table=TABLE,
        player=PLAYERS[2],
        seat=Seat(2),
        deal=1,
        turn=2,
        position="0-42",  # type: ignore[arg-type]  # a position as text
    )
    answer = CommandRefused(
        command=refused.command, table=TABLE, v=refused.v, code=Refusal.TOO_LATE, sentence=Refusal.TOO_LATE.sentence
    )
    other = CommandAccepted(command="somebody", table="p00-other", v=3)
    partition = streams.partition_of(TABLE)
    with Redis.from_url(redis_url) as client:
        client.xadd(streams.inbox(partition), {"e": codec.encode(late)}, id=f"{refused.at}-0")
        client.xadd(streams.replies(partition), {"e": codec.encode(other)}, id=f"{refused.at}-0")
        client.xadd(streams.replies(partition), {"e": codec.encode(answer)}, id=f"{refused.at + 2}-0")
    return redis_url


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    load_or_create_keys(folder)
    return folder


@pytest.fixture(scope="module")
def played(keys: Path) -> RobotMatch:
    match = robot_match(1, AgeSealer(load_or_create_keys(keys)), seats=3)
    match.play()
    return match


@pytest.fixture(scope="module")
def bundled(played: RobotMatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundle") / "match.jsonl"
    path.write_bytes(bundle.written(evidence(played)))
    return path


def evidence(match: RobotMatch) -> Evidence:
    lines = tuple(StoredLine(one.payload, one.chain) for one in match.stored)
    return Evidence(source=match.table, table=match.table, lines=lines)


# -- from a store


def test_a_late_move_is_explained_from_the_store_with_the_time_of_the_command(platform: str, tmp_path: Path) -> None:
    out = tmp_path / "late.html"
    asked = ("--deal", "1", "--seat", "2", "--view", "seat", "--about", "move")
    found = dossier(TABLE, *asked, "--url", platform, "--out", str(out))

    assert found.exit_code == 0, found.output
    assert "it came 0.412 s too late" in found.stdout
    assert "too-late" in out.read_text("utf-8")


def test_the_public_page_names_no_refused_command(platform: str, tmp_path: Path) -> None:
    out = tmp_path / "late.html"
    found = dossier(TABLE, "--deal", "1", "--url", platform, "--out", str(out))

    assert found.exit_code == 0, found.output
    assert "too-late" not in out.read_text("utf-8")


def test_the_page_gets_a_name_that_says_what_it_is(
    platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = dossier(TABLE, "--deal", "1", "--seat", "2", "--url", platform)

    assert found.exit_code == 0, found.output
    assert (tmp_path / f"dossier-{TABLE}-deal-1-seat-2-public.html").exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("p00-nobody",), "there is no table p00-nobody"),
        (("nonsense",), "neither a table id"),
        ((TABLE, "--deal", "9"), "there is no deal 9"),
        ((TABLE, "--view", "seat"), "--view seat needs the seat"),
        ((TABLE, "--seat", "6"), "there is no seat 6"),
        ((TABLE, "--view", "seat", "--seat", "6"), "there is no seat 6"),
        ((TABLE, "--view", "auditor"), "needs the auditor's key"),
    ],
)
def test_what_cannot_be_told_ends_with_two_and_says_what_to_do(platform: str, words: tuple[str, ...], why: str) -> None:
    found = dossier(*words, "--url", platform)

    assert (found.exit_code, found.stdout) == (2, "")
    assert why in found.stderr


# -- from a bundle


def test_a_bundle_needs_no_server(bundled: Path, played: RobotMatch, tmp_path: Path) -> None:
    found = dossier(str(bundled), "--json")

    told = msgspec.json.decode(found.stdout)
    assert told["table"] == played.table
    assert told["proofs"]["events"] == len(played.events)
    assert not any("held" in step for deal in told["deals"] for step in deal["steps"])


def test_the_auditors_key_opens_every_card(bundled: Path, keys: Path) -> None:
    told = msgspec.json.decode(dossier(str(bundled), "--view", "auditor", "--keys", str(keys), "--json").stdout)

    assert all(len(hand["cards"]) == 13 for deal in told["deals"] for hand in deal["hands"])
    assert all("card" in card for deal in told["deals"] for hand in deal["hands"] for card in hand["cards"])
    assert all(pack["openings"] == pack["openings_good"] == pack["cards"] for pack in told["proofs"]["packs"])


def test_a_seats_own_cards_are_known_with_the_key_and_without_it_the_page_says_so(bundled: Path, keys: Path) -> None:
    asked = (str(bundled), "--deal", "1", "--seat", "1", "--view", "seat", "--json")
    with_key = msgspec.json.decode(dossier(*asked, "--keys", str(keys)).stdout)
    without = msgspec.json.decode(dossier(*asked).stdout)

    assert [hand["seat"] for hand in with_key["deals"][0]["hands"]] == [1]
    assert all("card" in card for card in with_key["deals"][0]["hands"][0]["cards"])
    assert not any("card" in card for card in without["deals"][0]["hands"][0]["cards"])
    assert any("are not known here" in note for note in without["notes"])


def test_a_bundle_with_opened_seeds_needs_no_key(played: RobotMatch, keys: Path, tmp_path: Path) -> None:
    path = tmp_path / "open.jsonl"
    sealer = sealer_of(str(keys))
    assert sealer is not None
    path.write_bytes(bundle.written(evidence(played), seeds=opened(evidence(played), sealer)[0]))

    assert dossier(str(path), "--view", "auditor", "--json").exit_code == 0


def test_a_bundle_that_was_changed_is_told_of_nothing(bundled: Path, tmp_path: Path) -> None:
    path = tmp_path / "changed.jsonl"
    path.write_bytes(bundled.read_bytes().replace(b"robot-1-1", b"robot-1-9", 1))
    found = dossier(str(path))

    assert found.exit_code == 2
    assert found.stderr


# -- records


def test_a_record_is_written_checked_and_narrowed(bundled: Path, keys: Path, tmp_path: Path) -> None:
    whole, seat, direct = (tmp_path / f"{name}.rdr.json" for name in ("whole", "seat", "direct"))
    view = ("--view", "seat", "--seat", "2")

    assert record(str(bundled), "--view", "auditor", "--keys", str(keys), "--out", str(whole)).exit_code == 0
    assert record(str(whole), "--check").exit_code == 0
    assert record(str(whole), *view, "--out", str(seat)).exit_code == 0
    assert record(str(bundled), *view, "--keys", str(keys), "--out", str(direct)).exit_code == 0
    assert seat.read_bytes() == direct.read_bytes()


def test_a_record_that_was_changed_is_called_wrong(bundled: Path, tmp_path: Path) -> None:
    path = tmp_path / "one.rdr.json"
    record(str(bundled), "--out", str(path))
    path.write_bytes(path.read_bytes().replace(b'"stock_left":', b'"stock_left":1', 1))
    found = record(str(path), "--check")

    assert found.exit_code == 1
    assert "WRONG" in found.stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [(("--deal", "99"), "there is no deal 99"), (("--view", "auditor"), "needs the auditor's key")],
)
def test_what_cannot_be_recorded_ends_with_two(bundled: Path, words: tuple[str, ...], why: str) -> None:
    found = record(str(bundled), *words)

    assert (found.exit_code, found.stdout) == (2, "")
    assert why in found.stderr


def test_a_file_that_is_no_record_ends_with_two(tmp_path: Path) -> None:
    path = tmp_path / "none.rdr.json"
    path.write_text("{}")

    assert record(str(path), "--check").exit_code == 2
    assert record(str(tmp_path / "missing.rdr.json")).exit_code == 2


def test_every_field_of_a_record_stands_in_its_schema(bundled: Path, keys: Path) -> None:
    schema = msgspec.json.decode((Path(__file__).parents[2] / "contracts/schemas/deal-record.1.json").read_bytes())
    told = msgspec.json.decode(record(str(bundled), "--view", "auditor", "--keys", str(keys)).stdout)

    assert set(told) <= set(schema["properties"])
    assert set(schema["required"]) <= set(told)
    for field, name in (("before", "Border"), ("after", "Border"), ("outcome", "Outcome")):
        assert set(told[field]) <= set(schema["$defs"][name]["properties"])
    assert all(set(move) <= set(schema["$defs"]["Move"]["properties"]) for move in told["moves"])
    assert told["format"] == deal_record.FORMAT


# -- fast


def test_a_match_of_sixty_deals_is_told_to_an_auditor_in_five_seconds() -> None:
    long = {"limit": 2400, "rejoin_threshold": 2300, "split_formula": "off"}
    match = robot_match(5, PlainSealer(), seats=6, variant="201", overrides=long)  # type: ignore[arg-type]  # settings by name
    match.play()
    entries = [TableEntry(version=v, payload=one.payload, chain=one.chain) for v, one in enumerate(match.stored, 1)]
    began = time.process_time()
    moments = moments_of(match.table, entries)
    known = known_packs(moments, PlainSealer())
    told = dossier_of(moments, Asked(view=View("auditor")), known, book={})
    page = page_of(told)
    took = time.process_time() - began

    assert len(told.deals) >= 60
    assert page.count('class="deal"') == len(told.deals)
    assert took <= 5, f"{len(entries)} events took {took:.1f} s"


def test_only_a_record_can_be_checked(platform: str) -> None:
    found = record(TABLE, "--check", "--url", platform)

    assert (found.exit_code, found.stdout) == (2, "")
    assert "--check reads a deal record" in found.stderr
