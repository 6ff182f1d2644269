"""The profile files against a second copy of the sheet: every setting, in every variant, at every table size."""

from pathlib import Path

import pytest

from poolrummy.profile_files import load_all
from poolrummy_contracts.profiles import practice_terms
from poolrummy_contracts.setting_sheet import SETTINGS, WORD_RANGES, word_of
from poolrummy_contracts.terms import Terms, WordWithNumber

NAMES = ("house", "rummypassion", "classic", "deccan", "scorekeeper")
OFFERED = {
    "house": ("101", "201", "61", "51", "best_of_3"),
    "rummypassion": ("101", "201"),
    "classic": ("101", "201", "best_of_3"),
    "deccan": ("101", "201"),
    "scorekeeper": ("101", "201"),
}
BY_VARIANT = {
    # limit, first drop, middle drop, full count, wrong show, rejoin threshold
    "101": (101, 20, 40, 80, 80, 79),
    "201": (201, 25, 50, 80, 80, 174),
    "61": (61, 15, 30, 60, 60, 44),
    "51": (51, 10, 20, 80, 80, 39),
    "best_of_3": ("none", "none", "none", 80, 80, "none"),
}
COLUMNS = (
    "limit",
    "first_drop_points",
    "middle_drop_points",
    "full_count_cap",
    "wrong_show_points",
    "rejoin_threshold",
)
BEST_OF_3 = {
    "seats_allowed": "2",
    "deals": "3",
    "early_end_lead": "80",
    "voluntary_drop": "none",
    "auto_drop_points": "full_count",
    "rejoin_enabled": "false",
    "split_formula": "off",
}


def _sheet() -> dict[str, dict[str, str]]:
    lines = (Path(__file__).parent / "profile_sheet.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines[1:]]
    return {name: {row[0]: row[place] for row in rows} for place, name in enumerate(NAMES, start=1)}


SHEET = _sheet()


def _expected(name, variant, seats):
    values = {key: _at(cell, seats) for key, cell in SHEET[name].items() if key != "variants"}
    values |= {"deals": "none", "early_end_lead": "none"}
    values |= dict(zip(COLUMNS, map(str, BY_VARIANT[variant]), strict=True))
    if variant == "best_of_3":
        values |= BEST_OF_3
    if name == "scorekeeper":
        values["rejoin_threshold"] = "none"
    return values


def _at(cell, seats):
    """``2 seats: 1; 6 seats: 2`` at a table of so many seats."""
    if " seats: " not in cell:
        return cell.strip("[]").removeprefix("+")
    by_size = dict(part.strip().split(" seats: ") for part in cell.split(";"))
    return by_size[str(seats)].strip("[]").replace(" ", "")


def _written(value):
    match value:
        case bool():
            return str(value).lower()
        case WordWithNumber():
            return f"{word_of(value)}({value.n})"
        case tuple():
            return ",".join(map(str, value))
        case _:
            return str(value)


def _tables():
    for name in NAMES:
        for variant in OFFERED[name]:
            allowed = "2" if variant == "best_of_3" else SHEET[name]["seats_allowed"]
            for seats in allowed.split(","):
                yield name, variant, int(seats)


@pytest.mark.parametrize("name", NAMES)
def test_every_profile_offers_its_variants(name):
    assert load_all()[name].variants == OFFERED[name]


@pytest.mark.parametrize(("name", "variant", "seats"), [*_tables()])
def test_every_setting_has_the_value_of_the_sheet(name, variant, seats):
    terms = practice_terms(load_all()[name], variant, seats)

    assert isinstance(terms, Terms)
    assert {key: _written(getattr(terms, key)) for key in SETTINGS} == _expected(name, variant, seats)
    assert (terms.profile, terms.variant, terms.seats) == (name, variant, seats)


def test_every_threshold_leaves_room_for_exactly_one_first_drop():
    for variant, (limit, first, _, _, _, threshold) in BY_VARIANT.items():
        if variant != "best_of_3":
            back = threshold + 1
            assert back + first < limit <= back + first + 1


def test_every_value_in_the_files_says_where_it_comes_from():
    silent = [
        f"{profile.name}: {place}"
        for profile in load_all().values()
        for place, source in profile.sources.items()
        if not source.text and place not in {"title", "inherits"}
    ]

    assert silent == []


def test_the_sheet_of_the_test_and_the_sheet_of_the_code_name_the_same_settings():
    assert {*SHEET["house"]} - {"variants"} | {*COLUMNS, "deals", "early_end_lead"} == {*SETTINGS}
    assert {*WORD_RANGES} == {word_of(kind(n=1)) for kind in WordWithNumber.__subclasses__()}
