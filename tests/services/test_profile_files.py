"""Profiles of the package and of an operator's own folder."""

import pytest

from poolrummy.profile_files import ProfilesInvalid, load_all, read_profiles


def test_the_profiles_of_the_package_are_read_once():
    assert load_all() is load_all()
    assert {*load_all()} == {"house", "rummypassion", "classic", "deccan", "scorekeeper"}


def test_an_operators_own_file_joins_them(tmp_path):
    (tmp_path / "quick.toml").write_text('inherits = "house"\n[turns_clocks_piles]\nturn_ms = 10000\n', "utf-8")
    (tmp_path / "notes.md").write_text("no profile", "utf-8")

    assert {*load_all(tmp_path)} == {*load_all(), "quick"}
    assert load_all(tmp_path)["quick"].values["turn_ms"] == 10_000


def test_a_file_may_inherit_from_one_that_comes_later_in_the_alphabet():
    texts = {"a": 'inherits = "b"\n', "b": 'inherits = "house"\n[turns_clocks_piles]\nturn_ms = 9000\n'}

    read = read_profiles(texts, load_all())

    assert read["a"].values["turn_ms"] == 9000
    assert read["a"].sources["turn_ms"].profile == "b"


def test_files_that_inherit_from_each_other_are_refused():
    with pytest.raises(ProfilesInvalid) as caught:
        read_profiles({"a": 'inherits = "b"\n', "b": 'inherits = "a"\n'}, load_all())

    assert {*caught.value.findings} == {"a", "b"}


def test_a_file_may_not_take_the_name_of_a_profile_of_the_package(tmp_path):
    (tmp_path / "house.toml").write_text('inherits = "classic"\n', "utf-8")

    with pytest.raises(ProfilesInvalid, match="another name"):
        load_all(tmp_path)


def test_every_faulty_file_is_reported_with_every_finding(tmp_path):
    (tmp_path / "one.toml").write_text('inherits = "house"\n[drops]\nx = 1\ny = 2\n', "utf-8")
    (tmp_path / "two.toml").write_text("= broken", "utf-8")

    with pytest.raises(ProfilesInvalid) as caught:
        load_all(tmp_path)

    assert {name: len(found) for name, found in caught.value.findings.items()} == {"one": 2, "two": 1}
    assert str(caught.value).count("\n") == 3
