"""From a command to the terms of a table: variant, size, options, overrides; always an answer, never an error."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolrummy.profile_files import load_all
from poolrummy_contracts.commands import OpenTable, SettingValue
from poolrummy_contracts.profiles import Finding, UnknownProfile, check, practice_terms, resolve_command
from poolrummy_contracts.setting_sheet import SETTINGS
from poolrummy_contracts.terms import Points, Terms, terms_hash

PROFILES = load_all()
ASKED = OpenTable(
    id="1",
    table="p07-a",
    profile="house",
    variant="101",
    seats=3,
    entry_fee=2500,
    currency="INR",
    rake_bp=1000,
    rejoin_payment="cashier",
)


def answer(**changes):
    return resolve_command(msgspec.structs.replace(ASKED, **changes), PROFILES)


def keys(outcome):
    assert isinstance(outcome, tuple)
    return [finding.key for finding in outcome]


@pytest.mark.rule("1.1")
def test_a_table_gets_complete_terms_and_the_name_of_its_profile():
    terms = answer()

    assert isinstance(terms, Terms)
    assert (terms.profile, terms.variant, terms.seats, terms.entry_fee) == ("house", "101", 3, 2500)
    assert (terms.currency, terms.rake_bp, terms.rejoin_payment) == ("INR", 1000, "cashier")
    assert check(terms) == ()


@pytest.mark.rule("1.1")
def test_a_table_without_what_is_given_when_it_is_opened_is_refused():
    nothing = dict.fromkeys(("variant", "seats", "entry_fee", "currency", "rake_bp", "rejoin_payment"))

    assert keys(answer(**nothing)) == [*nothing]


def test_an_unknown_profile_is_an_answer_of_its_own():
    assert answer(profile="hause") == UnknownProfile("hause", "did you mean house?")


def test_neither_a_profile_nor_terms_is_refused():
    assert keys(answer(profile=None)) == ["profile"]


@pytest.mark.parametrize("form", [{"n": 40, "word": "points"}, {"points": 40}])
def test_an_override_has_the_form_of_the_wire_or_of_a_profile_file(form):
    terms = answer(overrides={"auto_drop_points": form})

    assert isinstance(terms, Terms)
    assert terms.auto_drop_points == Points(40)


def test_the_hash_of_terms_does_not_depend_on_how_they_were_asked_for():
    one = answer(overrides={"auto_drop_points": {"points": 40}, "turn_ms": 20_000})
    other = answer(overrides={"turn_ms": 20_000, "auto_drop_points": {"n": 40, "word": "points"}})

    assert isinstance(one, Terms)
    assert isinstance(other, Terms)
    assert terms_hash(one) == terms_hash(other)


@pytest.mark.parametrize(
    ("option", "key", "value"),
    [
        ("middle_drop_banned", "voluntary_drop", "first_only"),
        ("cap_60", "full_count_cap", 60),
        ("no_rejoin", "rejoin_enabled", False),
    ],
)
def test_the_options_of_the_score_keeping_guide_change_one_setting_each(option, key, value):
    plain = answer(profile="scorekeeper")
    chosen = answer(profile="scorekeeper", overrides={option: True})
    off = answer(profile="scorekeeper", overrides={option: False})

    assert isinstance(plain, Terms)
    assert isinstance(chosen, Terms)
    assert off == plain
    assert msgspec.structs.replace(plain, **{key: value}) == chosen
    assert chosen.wrong_show_points == 80


def test_an_option_is_on_or_off_and_only_where_the_profile_has_it():
    assert keys(answer(profile="scorekeeper", overrides={"cap_60": 60})) == ["cap_60"]
    assert keys(answer(profile="house", overrides={"cap_60": True})) == ["cap_60"]


def test_an_override_beside_an_option_has_the_last_word():
    terms = answer(profile="scorekeeper", overrides={"full_count_cap": 70, "cap_60": True})

    assert isinstance(terms, Terms)
    assert terms.full_count_cap == 70


def test_every_finding_comes_at_once_and_once():
    outcome = answer(
        variant="61",
        profile="deccan",
        seats=5,
        rejoin_payment="none",
        rake_bp=10_001,
        overrides={"turn_ms": 0, "decks": "two", "variant": "101", "tempo": 1},
    )

    assert sorted(keys(outcome)) == sorted(
        ["variant", "turn_ms", "decks", "variant", "tempo", "rake_bp", "seats", "rejoin_payment"]
    )


def test_a_size_that_the_profile_has_no_decks_for_is_a_finding_about_the_size():
    assert keys(answer(profile="rummypassion", seats=4)) == ["seats"]


def test_terms_of_ones_own_are_checked_like_any_others():
    house = practice_terms(PROFILES["house"], "101", 4)
    assert isinstance(house, Terms)
    alone = OpenTable(id="1", table="p07-a", terms=house)

    assert resolve_command(alone, PROFILES) == house
    wrong = msgspec.structs.replace(alone, terms=msgspec.structs.replace(house, decks=1))
    assert keys(resolve_command(wrong, PROFILES)) == ["decks"]
    assert keys(resolve_command(msgspec.structs.replace(alone, rake_bp=0), PROFILES)) == ["rake_bp"]


VALUES: st.SearchStrategy[SettingValue] = st.one_of(
    st.booleans(),
    st.integers(),
    st.text(max_size=8),
    st.sampled_from(["none", "off", "unlimited", "gte", "gt", "lt", "first_drop", "as_drop", "full_count", "drops"]),
    st.integers(-1, 200),
    st.lists(st.integers(), max_size=4),
    st.dictionaries(
        st.sampled_from(["points", "at_most", "n", "word"]), st.integers() | st.text(max_size=6), max_size=3
    ),
)


@settings(deadline=None)
@given(
    profile=st.sampled_from([*PROFILES]),
    variant=st.sampled_from(["101", "201", "61", "best_of_3"]),
    seats=st.integers(-1, 8),
    overrides=st.dictionaries(st.sampled_from(SETTINGS) | st.text(max_size=8), VALUES, max_size=4),
)
def test_whatever_is_asked_the_answer_is_sound_terms_or_findings(profile, variant, seats, overrides):
    outcome = answer(profile=profile, variant=variant, seats=seats, overrides=overrides)

    if isinstance(outcome, Terms):
        assert check(outcome) == ()
        assert msgspec.json.decode(msgspec.json.encode(outcome), type=Terms) == outcome
    else:
        assert isinstance(outcome, tuple)
        assert all(isinstance(each, Finding) and each.sentence for each in outcome)
        assert outcome
