"""One table in one file: round trip, two verifiers that agree, and the commands around it."""

import json
import re
from itertools import accumulate, islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

from poolrummy.audit import bundle, second_verifier
from poolrummy.audit.auditing import Means, audited
from poolrummy.audit.bundling import opened
from poolrummy.audit.findings import Check, Unauditable
from poolrummy.audit.signed import Trust
from poolrummy.cli import app_of
from poolrummy.fairness.notary_keys import written
from poolrummy.runtime.appends import NewEvent
from poolrummy_contracts.envelope import chain_next, chain_start

from .disturbed_matches import disturbed_match
from .signed_matches import (
    KEYS,
    MEANS,
    SEALER,
    TRUSTED,
    bundled,
    match,
    notarised,
    of_lines,
    small_matches,
)

KEY = written(TRUSTED).strip()


@pytest.mark.parametrize("evidence", small_matches(), ids=lambda one: one.table)
def test_a_bundle_read_and_written_again_is_the_same_file(evidence) -> None:
    content = bundled(evidence)
    again = bundle.read(content, evidence.source)

    assert again.lines == evidence.lines
    assert bundle.written(again, keys=again.own_keys) == content


@pytest.mark.parametrize("evidence", small_matches(), ids=lambda one: one.table)
def test_both_verifiers_accept_an_honest_match_and_follow_the_same_number_of_lines(evidence) -> None:
    content = bundled(evidence, open_seeds=True)
    report = second_verifier.verify(content, [KEY])

    assert audited(bundle.read(content, "b"), MEANS).exit_code == report.exit_code == 0, report.text()
    assert report.counted["checkpoints"] == len(evidence.notes)


def test_proofs_of_every_open_card_stand_in_for_the_seeds() -> None:
    read = bundle.read(bundled(match(3), proofs=True), "b")
    result = audited(read, Means(trust=MEANS.trust))
    verdicts = {line.check: line.verdict for line in result.lines}

    assert verdicts[Check.CARDS] == "ok"
    assert verdicts[Check.PACKS] == "unchecked"


@pytest.mark.parametrize("field", ["at", "turn", "total"])
@pytest.mark.parametrize("number", [rb"\2.0", rb"\2e0", b"NaN", b"Infinity", rb"9007199254740992"])
def test_no_verifier_takes_a_number_that_is_no_integer_of_the_wire(field: str, number: bytes) -> None:
    """Proofs and seeds go along: those of packs that can be read no more say nothing about the log."""
    honest = match(3)
    pattern = rb'("%b":)([0-9]+)' % field.encode()
    written_so = [re.sub(pattern, rb"\g<1>" + number, line.payload) for line in honest.lines]
    first = next(v for v, line in enumerate(honest.lines, start=1) if written_so[v - 1] != line.payload)
    seeds, openings = opened(honest, SEALER)
    chains = islice(accumulate(written_so, chain_next, initial=chain_start(honest.table)), 1, None)
    rewritten = [NewEvent(payload, chain) for payload, chain in zip(written_so, chains, strict=True)]
    content = bundle.written(of_lines(honest.table, rewritten), seeds=seeds, openings=openings)

    result = audited(bundle.read(content, "b"), MEANS)

    assert result.first is not None
    assert (result.first.check, result.first.v) == (Check.LOG, first)
    found = second_verifier.verify(content)
    assert found.exit_code == 1
    assert found.faults["file"][0] == first


def test_a_key_that_only_the_file_names_is_not_trusted() -> None:
    read = bundle.read(bundled(match(3)), "b")
    result = audited(read, Means(sealer=SEALER, trust=Trust(own_keys=(TRUSTED,))))

    assert result.exit_code == 2
    assert second_verifier.verify(bundled(match(3), open_seeds=True)).exit_code == 2


@pytest.mark.parametrize(("content", "why"), [(b"not json\n", "JSON is malformed"), (b"", "it is empty")])
def test_what_is_no_bundle_is_refused_with_the_mend(content: bytes, why: str) -> None:
    with pytest.raises(Unauditable, match=rf"{why}.*poolrummy bundle TABLE"):
        bundle.read(content, "some.jsonl")


def test_the_second_verifier_is_one_file_that_needs_nothing_of_the_system() -> None:
    source = Path(second_verifier.__file__).read_text("utf-8")

    assert "poolrummy." not in source.replace("poolrummy.audit`", "").replace("`poolrummy audit`", "")
    assert len(source.splitlines()) <= 500


@pytest.mark.nightly
@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", range(40))
def test_two_verifiers_agree_on_thousands_of_games(part: int) -> None:
    """Measured: 6 minutes of one core for all 2,000."""
    for number in range(50 * part, 50 * part + 50):
        _agree(number)


@pytest.mark.parametrize("number", range(3000, 3030))
def test_two_verifiers_agree_on_tens_of_games(number: int) -> None:
    _agree(number)


def _agree(number: int) -> None:
    played = disturbed_match(number)
    content = bundled(of_lines(played.table, played.play()), open_seeds=True)
    report = second_verifier.verify(content)
    result = audited(bundle.read(content, "b"), Means(sealer=SEALER))

    assert result.first is None, (number, result.first)
    assert not report.faults, (number, report.text())
    # What the second verifier leaves out, it names: rules of other profiles, seats of a toss that never came.
    house = played.opening.profile == "house"
    assert all("of a toss" in why or ("house profile" in why and not house) for why in report.unchecked.values()), (
        number,
        report.text(),
    )


# -- on the command line


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two bundles, and the keys of an auditor."""
    for evidence in small_matches()[:2]:
        (tmp_path / evidence.source).write_bytes(bundled(evidence))
    for name in ("auditor.key", "dealer.key"):
        (tmp_path / name).write_bytes((KEYS / name).read_bytes())
    (tmp_path / "notary.pub").write_text(f"{KEY}\n")
    return tmp_path


def test_the_audit_of_a_file_ends_with_0_and_one_line_a_check(folder: Path) -> None:
    one = next(folder.glob("*.jsonl"))
    told = CliRunner().invoke(app_of("audit"), [str(one), "--keys", str(folder)])

    assert told.exit_code == 0, told.output
    words = [line.split()[0] for line in told.output.splitlines() if line[:1].isalpha()]
    assert [word for word in words if word in list(Check)] == list(Check)


def test_the_audit_of_a_directory_takes_every_bundle_in_it(folder: Path) -> None:
    told = CliRunner().invoke(app_of("audit"), [str(folder), "--keys", str(folder), "--json"])

    assert told.exit_code == 0, told.output
    assert json.loads(told.output)["summary"]["tables"] == 2


def test_a_changed_file_ends_with_1_and_names_the_event(folder: Path) -> None:
    one = next(folder.glob("*.jsonl"))
    one.write_bytes(one.read_bytes().replace(b'\\"points\\":', b'\\"points\\":1', 1))
    told = CliRunner().invoke(app_of("audit"), [str(one), "--keys", str(folder)])

    assert told.exit_code == 1
    assert "WRONG, first at version" in told.output


def test_a_missing_key_ends_with_2_and_names_key_and_mend(folder: Path) -> None:
    one = next(folder.glob("*.jsonl"))
    told = CliRunner().invoke(app_of("audit"), [str(one)])

    assert told.exit_code == 2
    assert "--keys" in told.output


@pytest.mark.parametrize("what", ["no-such-thing", "p07-9f2c"])
def test_what_cannot_be_found_ends_with_2(what: str) -> None:
    told = CliRunner().invoke(app_of("audit"), [what], env={"POOLRUMMY_REDIS_URL": "redis://127.0.0.1:1/0"})

    assert told.exit_code == 2


def test_verify_is_the_second_verifier(folder: Path) -> None:
    one = next(folder.glob("*.jsonl"))
    told = CliRunner().invoke(app_of("verify"), [str(one), "--key", str(folder / "notary.pub")])

    assert told.exit_code == 2  # seeds are sealed in it
    assert "Not checked here" in told.output


@pytest.mark.parametrize("content", [None, b"", b"\x8f\xff", b"rubbish\n"])
def test_a_key_that_is_none_is_named(folder: Path, tmp_path: Path, content: bytes | None) -> None:
    key = tmp_path / "other.pub"
    if content is not None:
        key.write_bytes(content)
    told = CliRunner().invoke(app_of("verify"), [str(next(folder.glob("*.jsonl"))), "--key", str(key)])

    assert told.exit_code == 2
    assert f"poolrummy verify: {key}" in told.output


def test_the_checkpoints_of_the_auditor_go_before_those_of_the_file(folder: Path) -> None:
    evidence = small_matches()[0]
    keeper = notarised(evidence.table, evidence.lines)
    told = CliRunner().invoke(
        app_of("audit"), [str(folder / evidence.source), "--keys", str(folder), "--checkpoints", str(keeper.root)]
    )

    assert told.exit_code == 0, told.output


def test_a_folder_that_holds_only_the_key_to_trust_is_enough_for_checkpoints(folder: Path, tmp_path: Path) -> None:
    trusted = tmp_path / "public"
    trusted.mkdir()
    (trusted / "notary.pub").write_bytes((folder / "notary.pub").read_bytes())
    evidence = small_matches()[0]
    told = CliRunner().invoke(app_of("audit"), [str(folder / evidence.source), "--keys", str(trusted), "--json"])
    checks = {one["check"]: one["verdict"] for one in json.loads(told.output)["tables"][0]["lines"]}

    assert told.exit_code in {0, 2}, told.output
    assert checks["checkpoints"] == "ok"


def test_the_second_verifier_answers_a_program_as_well(folder: Path) -> None:
    one = next(folder.glob("*.jsonl"))
    told = CliRunner().invoke(app_of("verify"), [str(one), "--key", str(folder / "notary.pub"), "--json"])
    damaged = folder / "damaged.jsonl"
    damaged.write_bytes(one.read_bytes().replace(b'\\"rule\\":\\"1.1\\"', b'\\"rule\\":\\"1.2\\"', 1))
    found = json.loads(CliRunner().invoke(app_of("verify"), [str(damaged), "--json"]).output)

    answer = json.loads(told.output)
    assert answer["exit"] == told.exit_code
    assert list(answer["checks"]) == list(second_verifier.CHECKS)
    assert not [name for name, check in answer["checks"].items() if check["fault"]]
    assert found["exit"] == 1
    assert found["checks"]["chain"]["fault"]["version"] == 1
