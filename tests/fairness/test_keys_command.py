"""`poolrummy keys`: made, listed, rotated, split; old seeds still open (R46)."""

import json

import pytest
from typer.testing import CliRunner

from poolrummy.commands.keys import app
from poolrummy.fairness.keys import load_keys
from poolrummy.fairness.notary_keys import load_trusted_keys, written
from poolrummy.fairness.sealing import AgeSealer


def run(*words):
    return CliRunner().invoke(app, list(map(str, words)))


@pytest.fixture
def folder(tmp_path):
    assert run("new", "--dir", tmp_path / "keys").exit_code == 0
    return tmp_path / "keys"


def keys_of(folder):
    return json.loads(run("list", "--dir", folder, "--json").output)


def test_new_keys_are_made_once(folder):
    before = keys_of(folder)
    run("new", "--dir", folder)

    assert keys_of(folder) == before
    assert [(key["role"], key["current"], key["opens"]) for key in before] == [
        ("auditor", True, True),
        ("dealer", True, True),
    ]


@pytest.mark.parametrize("role", ["dealer", "auditor"])
def test_after_a_rotation_new_seeds_go_to_the_new_key_and_old_ones_still_open(folder, role):
    old = AgeSealer(load_keys(folder)).seal(b"old")
    assert run("rotate", "--dir", folder, "--role", role).exit_code == 0
    sealer = AgeSealer(load_keys(folder))
    new = sealer.seal(b"new")

    assert sealer.open(old) == b"old"
    assert len(set(new.key_ids) - set(old.key_ids)) == 1
    assert [key["current"] for key in keys_of(folder) if key["role"] == role] == [True, False]
    assert (folder / f"{role}.key").stat().st_mode & 0o777 == 0o600


def test_a_split_leaves_a_folder_that_seals_to_the_auditor_and_cannot_open_in_his_name(folder, tmp_path):
    found = run("split", "--dir", folder, "--one", tmp_path / "one", "--other", tmp_path / "other")

    assert found.exit_code == 0, found.output
    assert not (folder / "auditor.key").exists()
    assert [key["opens"] for key in keys_of(folder)] == [False, True]
    assert all((tmp_path / name).stat().st_mode & 0o777 == 0o600 for name in ("one", "other"))
    assert run("split", "--dir", folder, "--one", tmp_path / "a", "--other", tmp_path / "b").exit_code == 2


def test_a_share_is_never_written_over_a_file_that_is_there(folder, tmp_path):
    (tmp_path / "one").write_text("something else")

    assert run("split", "--dir", folder, "--one", tmp_path / "one", "--other", tmp_path / "other").exit_code == 2
    assert (folder / "auditor.key").exists()
    assert (tmp_path / "one").read_text() == "something else"


def test_a_folder_without_keys_is_named(tmp_path):
    found = run("list", "--dir", tmp_path)

    assert found.exit_code == 2
    assert str(tmp_path) in found.output


def test_a_split_that_cannot_write_both_shares_writes_none_and_keeps_the_key(folder, tmp_path):
    (tmp_path / "taken").write_text("")
    for one, other in (("a", "a"), ("a", "none/b"), ("a", "taken"), ("taken", "a")):
        found = run("split", "--dir", folder, "--one", tmp_path / one, "--other", tmp_path / other)

        assert (found.exit_code, "cannot be written" in found.output) == (2, True)
        assert not (tmp_path / "a").exists()
    assert (tmp_path / "taken").read_text() == ""
    assert all(key["opens"] for key in keys_of(folder))


def test_nothing_is_put_on_top_of_a_key_file_that_is_damaged(folder):
    (folder / "auditor.key").write_text("rubbish\n")

    assert run("rotate", "--dir", folder, "--role", "auditor").exit_code == 2
    assert (folder / "auditor.key").read_text() == "rubbish\n"


def test_the_notarys_key_is_made_once_and_its_line_is_what_others_trust(tmp_path):
    first = run("notary", "--dir", tmp_path / "notary")
    again = run("notary", "--dir", tmp_path / "notary")

    assert (first.exit_code, again.output) == (0, first.output)
    assert [written(key) for key in load_trusted_keys(tmp_path / "notary")] == [first.output]
    assert (tmp_path / "notary" / "notary.key").stat().st_mode & 0o077 == 0
