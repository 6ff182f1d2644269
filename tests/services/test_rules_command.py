"""`poolrummy rules`: what it prints, and how it says no."""

import json

import pytest
from typer.testing import CliRunner

from poolrummy.commands.rule_diff import differences
from poolrummy.commands.rule_sentences import SENTENCES
from poolrummy.commands.rule_values import cell, duration, sentence
from poolrummy.commands.rules import app, readme_table
from poolrummy.profile_files import load_all
from poolrummy_contracts.profiles import practice_terms
from poolrummy_contracts.setting_sheet import SETTINGS, legal
from poolrummy_contracts.terms import Terms

BOOK = """# Rulebook
### 10.3 The score of a seat that comes back
It is one above the highest.
Settings: rejoin_offset · Decides: rules/rejoin.py · Test: tests/rules/test_rejoin.py · Sources: K-03
"""


def run(*arguments, code=0):
    outcome = CliRunner(env={"COLUMNS": "160", "NO_COLOR": "1"}).invoke(app, list(map(str, arguments)))
    assert outcome.exit_code == code, outcome.output
    return outcome


def as_json(*arguments, code=0):
    return json.loads(run(*arguments, "--json", code=code).stdout)


def test_list_names_every_profile_with_its_variants_and_hash():
    plain = run("list").stdout
    listed = as_json("list")

    assert all(name in plain for name in load_all())
    assert next(each["name"] for each in listed) == "house"
    assert all(len(each["hash"]) == 64 for each in listed)
    assert next(each for each in listed if each["name"] == "scorekeeper")["options"] == [
        "cap_60",
        "middle_drop_banned",
        "no_rejoin",
    ]


def test_show_has_every_setting_with_its_source():
    shown = as_json("show", "deccan")["settings"]

    assert [row["setting"] for row in shown] == [*SETTINGS]
    assert all(row["source"] for row in shown)
    by_name = {row["setting"]: row for row in shown}
    assert by_name["no_turn_points"]["value"] == "points(20)"
    assert by_name["prize_shares_bp"]["value"] == "[10000] at 2 seats, [7000, 3000] at 6 seats"
    assert by_name["first_drop_points"] | {"source": ""} == {
        "section": "drops",
        "setting": "first_drop_points",
        "value": "101: 20; 201: 25",
        "sentence": "",
        "idle": False,
        "source": "",
        "stated_by": "house",
        "inherited": True,
    }


def test_show_of_one_table_says_what_its_values_mean():
    shown = as_json("show", "deccan", "--variant", "201", "--seats", 6)["settings"]
    by_name = {row["setting"]: row for row in shown}

    assert by_name["prize_shares_bp"]["value"] == "[7000, 3000]"
    assert by_name["prize_shares_bp"]["sentence"] == "The places share the prize: 70 %, 30 %."
    assert by_name["rejoin_threshold"]["idle"] is True
    assert "A first drop costs 25 points." in run("show", "deccan", "--variant", "201", "--meaning").stdout


def test_diff_says_what_is_different_in_sentences():
    found = {each["setting"]: each for each in as_json("diff", "house", "scorekeeper")["differences"]}

    assert (
        found["rejoin_offset"]["left_sentence"]
        == "A seat comes back on one point more than the highest seat that is in."
    )
    assert (
        found["rejoin_offset"]["right_sentence"]
        == "A seat comes back on one point less than the highest seat that is in."
    )
    assert {each.where for each in differences(load_all()["house"], load_all()["scorekeeper"])} == {"", "101", "201"}
    assert "rejoin_cmp" not in found
    assert "as often as" not in run("diff", "house", "scorekeeper").stdout
    assert "same rules" in run("diff", "house", "house").stdout


def test_diff_names_the_tables_where_the_profiles_differ():
    found = {each["setting"]: each["where"] for each in as_json("diff", "rummypassion", "deccan")["differences"]}

    assert found["decks"] == "2 seats"
    assert found["prize_shares_bp"] == "6 seats"
    assert "rejoin_when_one_survivor" not in found


def test_check_prints_every_finding_and_exits_1(tmp_path):
    wrong = tmp_path / "mine.toml"
    wrong.write_text('inherits = "house"\n[drops]\nturn_ms = 1\nfirst_drop_bases = "x"\n', "utf-8")

    printed = run("check", wrong, code=1).stdout
    assert "write it in [turns_clocks_piles]" in printed
    assert "did you mean first_drop_basis?" in printed
    assert [each["key"] for each in as_json("check", wrong, code=1)["findings"]] == ["turn_ms", "first_drop_bases"]


def test_check_is_content_with_a_profile_that_can_be_played(tmp_path):
    right = tmp_path / "mine.toml"
    right.write_text('inherits = "classic"\n[turns_clocks_piles]\nturn_ms = 20000\n', "utf-8")

    assert "nothing wrong" in run("check", right).stdout
    assert as_json("check", right)["findings"] == []
    assert "mine" in run("list", "--profiles", tmp_path).stdout


def test_explain_prints_the_paragraph_and_the_values_of_its_settings(tmp_path):
    book = tmp_path / "RULEBOOK.md"
    book.write_text(BOOK, "utf-8")

    for asked in ("10.3", "§10.3", "§ 10.3", "rejoin_offset"):
        printed = run("explain", asked, "--book", book).stdout
        assert "It is one above the highest." in printed
        assert "rules/rejoin.py" in printed
    (found,) = as_json("explain", "10.3", "--book", book)
    assert found["values"]["rejoin_offset"] == {name: "-1" if name == "scorekeeper" else "+1" for name in load_all()}
    assert "did you mean 10.3?" in run("explain", "10.4", "--book", book, code=2).stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("show", "hause"), "did you mean house?"),
        (("diff", "house", "clasic"), "did you mean classic?"),
        (("show", "deccan", "--variant", "61"), "use one of: 101, 201"),
        (("show", "deccan", "--variant", "101", "--seats", "4"), "use one of: 2, 6"),
        (("show", "deccan", "--seats", "6"), "--variant"),
        (("show", "deccan", "--meaning"), "--variant"),
        (("check", "no/such.toml"), "cannot be read"),
        (("list", "--profiles", "no/such"), "no such folder"),
        (("explain", "1.1", "--book", "no/such.md"), "--book"),
    ],
)
def test_what_does_not_exist_is_named_with_a_mend(arguments, says):
    assert says in " ".join(run(*arguments, code=2).stderr.split())


def test_every_value_of_every_setting_has_a_sentence():
    for profile in load_all().values():
        for variant in profile.variants:
            terms = practice_terms(profile, variant, 2)
            assert isinstance(terms, Terms)
            for key in SETTINGS:
                said = sentence(key, terms)
                assert said.endswith("."), key
                assert "{" not in said, key

    assert [*SENTENCES] == [*SETTINGS]
    for key in SETTINGS:
        words = [word.strip("{} ").removesuffix(" = n") for word in legal(key).split(", ") if " number" not in word]
        assert [word for word in words if word.removeprefix("+") not in SENTENCES[key]] == [], key


def test_durations_are_written_in_words():
    assert [duration(ms) for ms in (0, 250, 1000, 1500, 90_000, 120_000)] == [
        "0 s",
        "250 ms",
        "1 s",
        "1500 ms",
        "90 s",
        "2 min",
    ]


def test_the_readme_table_has_a_row_for_every_setting_and_a_column_for_every_profile():
    lines = readme_table().splitlines()

    assert lines[0] == "| setting | `house` | `classic` | `deccan` | `rummypassion` | `scorekeeper` |"
    assert {f"| `{key}` |" for key in SETTINGS} <= {" ".join(line.split()[:3]) for line in lines}
    assert "| `rejoin_offset` | +1 | = | = | = | -1 |" in lines
    assert "| `limit` | 101: 101; 201: 201; 61: 61; 51: 51; best_of_3: none | = | = | = | = |" in lines
    assert len({line.count("|") for line in lines if line.startswith("|")}) == 1


def test_a_cell_says_where_a_value_differs():
    house = load_all()["house"]

    assert cell(house, "voluntary_drop") == "both; best_of_3: none"
    assert cell(house, "voluntary_drop", ("101", "201")) == "both"


def test_the_pages_behind_a_paragraph_are_named_and_not_numbered():
    told = CliRunner().invoke(app, ["explain", "10.3"], env={"COLUMNS": "200"})

    assert "Sources: RummyPassion page (+1), score-keeping guide (-1)" in told.output
