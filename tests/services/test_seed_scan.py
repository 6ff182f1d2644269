"""No two games share a seed: looked for over any number of tables (R5)."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from poolrummy.audit.bundle import written
from poolrummy.commands.fairness import app
from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.identity import identity
from poolrummy.testing.robot_matches import robot_match
from poolrummy.testing.seed_givers import NumberedPacks

from .signed_matches import of_lines


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    folder = tmp_path / "keys"
    load_or_create_keys(folder)
    return folder


def put(folder: Path, keys: Path, number: int, seeds: int, policy: str = "auditor") -> None:
    """A bundle of match ``number`` with the seeds of this source."""
    folder.mkdir(exist_ok=True)
    source = NumberedPacks(seeds)
    sealer = AgeSealer(load_or_create_keys(keys))
    match = robot_match(number, sealer, seats=2, variant="61", source=source, overrides={"reveal_policy": policy})
    (folder / f"{number}.jsonl").write_bytes(written(of_lines(match.table, match.play())))


def look(*words: object) -> Result:
    return CliRunner().invoke(app, ["repeated", *map(str, words)])


def test_tables_with_seeds_of_their_own_share_none(tmp_path: Path, keys: Path) -> None:
    for number in (1, 2, 3):
        put(tmp_path / "all", keys, number, seeds=number, policy="public" if number == 2 else "auditor")

    for words in ((tmp_path / "all",), (tmp_path / "all", "--keys", keys)):
        found = look(*words)
        assert found.exit_code == 0, found.output
        assert "3 tables" in found.stdout
        assert "0 in more than one place" in found.stdout
    few, many = (json.loads(look(*words, "--json").stdout)["seeds"] for words in ((tmp_path / "all",), words))
    assert few < many, "the auditor's key opens the seeds that the log keeps closed"


def test_a_seed_that_shuffled_two_tables_is_found_with_both_places(tmp_path: Path, keys: Path) -> None:
    put(tmp_path / "all", keys, 1, seeds=7)
    put(tmp_path / "all", keys, 2, seeds=8)
    put(tmp_path / "all", keys, 3, seeds=7)

    everybody = look(tmp_path / "all")
    assert everybody.exit_code == 1
    assert "one seed in 2 places: p01-robots-1 seed 0 of batch 1, p03-robots-3 seed 0 of batch 1" in everybody.stdout

    auditor = json.loads(look(tmp_path / "all", "--keys", keys, "--json").stdout)
    assert len(auditor["repeated"]) > 1
    assert {place["table"] for one in auditor["repeated"] for place in one["places"]} == {
        "p01-robots-1",
        "p03-robots-3",
    }


def test_the_figures_of_the_seven_tests_are_kept_with_the_software_that_was_measured(tmp_path: Path) -> None:
    """R6."""
    report = tmp_path / "report.json"
    found = CliRunner().invoke(app, ["test", "--deals", "300", "--report", str(report), "--json"])

    kept, printed = json.loads(report.read_text()), json.loads(found.stdout)
    assert kept["software"] == identity().outcome
    assert kept["others"]["cryptography"]
    assert {name: kept[name] for name in printed} == printed
    assert len(kept["tests"]) == 7
    nowhere = CliRunner().invoke(app, ["test", "--deals", "10", "--report", str(tmp_path / "none/x")])
    assert nowhere.exit_code == 2
    assert "cannot be written" in nowhere.stderr


def test_bad_input_is_answered_in_one_sentence(tmp_path: Path, keys: Path) -> None:
    (tmp_path / "empty").mkdir()
    for words, why in (
        ((tmp_path / "none.jsonl",), "cannot be read"),
        ((tmp_path / "empty",), "there is no bundle"),
        ((keys / "auditor.key",), "is no bundle"),
        ((tmp_path / "empty", "--keys", tmp_path / "empty"), ""),
    ):
        found = look(*words)
        assert found.exit_code == 2
        assert why in found.stderr
        assert "Traceback" not in found.stderr
