"""Reading a profile file: every finding at once, each with the key, the value, why, and the mend."""

import pytest

from poolrummy.profile_files import load_all
from poolrummy_contracts.profiles import Profile, parse, practice_terms
from poolrummy_contracts.setting_sheet import SETTINGS
from poolrummy_contracts.terms import Terms

PARENTS = load_all()
INHERITS = 'inherits = "house"\n'


def findings(text, name="mine"):
    outcome = parse(text, name, PARENTS)
    assert not isinstance(outcome, Profile)
    return outcome


def test_a_profile_that_inherits_says_only_what_it_has_of_its_own():
    mine = parse(INHERITS + "[turns_clocks_piles]\nturn_ms = 20000  # faster\n", "mine", PARENTS)

    assert isinstance(mine, Profile)
    terms = practice_terms(mine, "101", 3)
    house = practice_terms(PARENTS["house"], "101", 3)
    assert isinstance(terms, Terms)
    assert isinstance(house, Terms)
    assert (terms.turn_ms, terms.profile) == (20_000, "mine")
    assert {key for key in Terms.__struct_fields__ if getattr(terms, key) != getattr(house, key)} == {
        "turn_ms",
        "profile",
    }
    assert mine.source("turn_ms", "101").text == "faster"
    assert mine.source("declare_ms", "101").profile == "house"


def test_a_value_for_a_variant_goes_before_the_value_for_all():
    mine = parse(INHERITS + "[turns_clocks_piles]\nturn_ms = 20000\n[variants.51]\nturn_ms = 15000\n", "mine", PARENTS)

    assert isinstance(mine, Profile)
    terms = [practice_terms(mine, variant, 2) for variant in ("101", "51")]
    assert [each.turn_ms for each in terms if isinstance(each, Terms)] == [20_000, 15_000]


def test_a_value_may_depend_on_the_size_of_the_table():
    text = INHERITS + "[pack_and_start]\nseats_allowed = [2, 4]\ndecks = { by_seats = { 2 = 1, 4 = 3 } }\n"
    text += '[prize_and_split]\nsplit_formula = "off"\n'

    mine = parse(text, "mine", PARENTS)

    assert isinstance(mine, Profile)
    decks = [practice_terms(mine, "101", seats) for seats in (2, 4)]
    assert [each.decks for each in decks if isinstance(each, Terms)] == [1, 3]


@pytest.mark.rule("1.1")
@pytest.mark.parametrize(
    ("text", "key", "says"),
    [
        ("[turns_clocks_piles]\nturn_m = 1\n", "turn_m", "did you mean turn_ms?"),
        ("[turns_clocks_pile]\nturn_ms = 1\n", "turns_clocks_pile", "did you mean turns_clocks_piles?"),
        ("[drops]\nturn_ms = 1\n", "turn_ms", "write it in [turns_clocks_piles]"),
        ("turn_ms = 1\n", "turn_ms", "write it in [turns_clocks_piles]"),
        ("[turns_clocks_piles]\nturn_ms = 0\n", "turn_ms", "a whole number from 1"),
        ("[turns_clocks_piles]\nturn_ms = 1.5\n", "turn_ms", "a whole number from 1"),
        ("[turns_clocks_piles]\nturn_ms = 30000.0\n", "turn_ms", "a whole number from 1"),
        ("[turns_clocks_piles]\nturn_ms = true\n", "turn_ms", "a whole number from 1"),
        ('[turns_clocks_piles]\nturn_ms = "30 s"\n', "turn_ms", "a whole number from 1"),
        ("[drops]\ndrop_in_advance = 1\n", "drop_in_advance", "true, false"),
        ('[drops]\nvoluntary_drop = "bot"\n', "voluntary_drop", "did you mean both?"),
        ("[points]\nno_turn_points = { point = 20 }\n", "no_turn_points", "{ points = n }"),
        ("[points]\nno_turn_points = { points = -1 }\n", "no_turn_points", "0 to"),
        ("[points]\nno_turn_points = 20\n", "no_turn_points", "{ points = n }"),
        ("[rejoin]\nrejoin_offset = 0\n", "rejoin_offset", "+1, -1"),
        ("[rejoin]\nseats = 6\n", "seats", "given when a table is opened"),
        ('[pack_and_start]\nvariants = ["101", "301"]\n', "variants", "did you mean"),
        ("[pack_and_start]\nseats_allowed = [6, 2]\n", "seats_allowed", "ascending"),
        ("[pack_and_start]\nseats_allowed = [2, 7]\n", "seats_allowed", "2 to 6"),
        ("[pack_and_start]\ndecks = { by_seats = { 2 = 1 } }\n", "decks", "no value for tables of 3, 4, 5, 6 seats"),
        ("[pack_and_start]\ndecks = { by_seats = { two = 1 } }\n", "decks", "names no table sizes"),
        ("[variants.301]\nlimit = 301\n", "variants.301", "no such variant"),
        ('[pack_and_start]\nvariants = ["101"]\n[variants.61]\nlimit = 62\n', "variants.61", "does not offer"),
        ("[points]\nfull_count_cap = 60\n", "full_count_cap", "never used"),
        ("[options.fast]\nturn_ms = 0\n", "turn_ms", "option fast"),
        ("[options.turn_ms]\nturn_ms = 1\n", "options.turn_ms", "no setting has"),
        ("drops = 3\n", "drops", "write [drops]"),
        ("title = 3\n", "title", "in quotes"),
    ],
)
def test_a_finding_names_the_key_and_the_mend(text, key, says):
    found = [finding for finding in findings(INHERITS + text) if finding.key == key]

    assert len(found) == 1
    assert says in found[0].sentence


def test_all_findings_come_at_once():
    text = """
    inherits = "house"
    [pack_and_start]
    deks = 2
    decks = "two"
    [drops]
    voluntary_drop = "never"
    [variants.101]
    limit = 90
    rejoin_threshold = 90
    [prize_and_split]
    prize_shares_bp = [7000, 2000]
    """

    assert {finding.key for finding in findings(text)} == {
        "deks",
        "decks",
        "voluntary_drop",
        "rejoin_threshold",
        "prize_shares_bp",
    }


def test_what_hangs_on_a_wrong_value_is_not_reported_as_a_second_fault():
    found = findings(INHERITS + '[drops]\nvoluntary_drop = "noen"\n[variants.101]\nfirst_drop_points = "none"\n')

    assert [(each.key, each.where) for each in found if each.key != "auto_drop_points"] == [
        ("voluntary_drop", "variant 101, variant 201, variant 61, variant 51"),
        ("split_formula", "variant 101"),
    ]


def test_a_profile_without_a_parent_says_everything():
    found = findings('[pack_and_start]\nvariants = ["101"]\ndecks = 2\n')

    missing = [each.key for each in found if each.value == "missing"]
    assert len(missing) == len(found) == len(SETTINGS) - 1
    assert "decks" not in missing


@pytest.mark.parametrize("text", ["turn_ms =", "[drops]\n[drops]\n", "\x00"])
def test_what_is_no_toml_is_one_finding(text):
    (found,) = findings(text)

    assert found.key == "file"


def test_an_unknown_parent_is_named_and_its_settings_are_not_all_reported_missing():
    (found,) = findings('inherits = "hose"\n[pack_and_start]\nvariants = ["101"]\n')

    assert (found.key, found.mend) == ("inherits", "did you mean house?")


def test_two_profiles_with_the_same_rules_have_the_same_hash():
    same = parse(INHERITS, "mine", PARENTS)
    other = parse(INHERITS + "[turns_clocks_piles]\nturn_ms = 29999\n", "mine", PARENTS)

    assert isinstance(same, Profile)
    assert isinstance(other, Profile)
    assert same.hash == PARENTS["house"].hash
    assert other.hash != same.hash
