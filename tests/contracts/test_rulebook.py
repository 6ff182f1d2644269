"""The rulebook and the code speak of the same paragraphs, settings, modules and tests."""

import re
from pathlib import Path

import pytest

from poolrummy.commands.rulebook import book_path, paragraphs, read_book
from poolrummy_contracts.setting_sheet import GIVEN, SETTINGS

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (ROOT / "services", ROOT / "contracts")
IN_TEXT = re.compile(r"\brules?((?:[ ,]|and|to)+\d+\.\d+[a-z]?)+")
IN_LITERAL = re.compile(r"""\brule=["'](\d+\.\d+[a-z]?)["']""")
NUMBER = re.compile(r"\d+\.\d+[a-z]?")


def written():
    assert book_path().is_file(), f"{book_path()} does not exist"
    return read_book()


def module_exists(name):
    """``rules/rejoin.py`` lies in services/poolrummy, ``poolrummy_contracts/terms.py`` in contracts."""
    return any((root / name).is_file() for root in (ROOT / "services/poolrummy", ROOT / "services", ROOT / "contracts"))


def cited(files):
    """Every § that these files cite, with the file that does."""
    for file in files:
        text = file.read_text("utf-8")
        for found in IN_TEXT.finditer(text):
            yield from ((number, file) for number in NUMBER.findall(found[0]))
        yield from ((found[1], file) for found in IN_LITERAL.finditer(text))


def python_files(*roots):
    return sorted(file for root in roots for file in root.rglob("*.py"))


def test_every_paragraph_stands_once():
    numbers = [each.number for each in written()]

    assert len(numbers) == len({*numbers})


def test_every_paragraph_names_the_module_that_decides_it():
    assert [f"§ {each.number}" for each in written() if not each.decides] == []
    assert [f"§ {e.number}: {name}" for e in written() for name in e.decides if not module_exists(name)] == []


def test_every_paragraph_names_the_test_that_shows_it():
    assert [f"§ {each.number}" for each in written() if not each.tests] == []
    missing = [f"§ {each.number}: {name}" for each in written() for name in each.tests if not (ROOT / name).is_file()]
    assert missing == []


def test_every_paragraph_says_who_says_it():
    assert [f"§ {each.number}" for each in written() if not each.sources] == []


def test_every_setting_stands_in_a_paragraph_and_no_paragraph_invents_one():
    named = {name for each in written() for name in each.settings}

    assert sorted({*SETTINGS, *GIVEN} - named) == []
    assert sorted(named - {*SETTINGS, *GIVEN, "variants", "profile"}) == []


def test_every_paragraph_that_the_code_cites_exists():
    known = {each.number for each in written()}

    lost = {f"{number} in {file.relative_to(ROOT)}" for number, file in cited(python_files(*SOURCES))}
    assert sorted(place for place in lost if place.split()[0] not in known) == []


def test_every_paragraph_that_a_test_marks_exists():
    known = {each.number for each in written()}
    marked = re.compile(r"""mark\.rule\(["'](\d+\.\d+[a-z]?)["']\)""")

    lost = [
        f"{number} in {file.relative_to(ROOT)}"
        for file in python_files(ROOT / "tests")
        for number in marked.findall(file.read_text("utf-8"))
        if number not in known
    ]
    assert lost == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("it is refused (rule 7.1)", ["7.1"]),
        ("noted in advance (rules 7.1 and 7.6)", ["7.1", "7.6"]),
        ("rules 6.2, 6.3 and 6.10 say so", ["6.2", "6.3", "6.10"]),
        ('CardDrawn(rule="4.2")', ["4.2"]),
        ("version 1.2 of the ruler 3.4", []),
    ],
)
def test_a_citation_is_recognised(text, numbers, tmp_path):
    file = tmp_path / "cites.py"
    file.write_text(text, "utf-8")

    assert [number for number, _ in cited([file])] == numbers


def test_a_paragraph_is_read_with_all_that_it_names():
    book = """
# Rulebook
## 10 Rejoin
Some words before.

### 10.3 The score
A seat comes back one point above the highest.

It keeps its seat.

Settings: `rejoin_offset` (+1, `-1`), `rejoin_sequencing = snapshot` · Decides: `rules/rejoin.py` ·
Test: tests/rules/test_rejoin.py · Sources: RummyPassion page; K-03, D-09

### 10.4 Nothing to set
It is so.
Settings: none · Decides: rules/rejoin.py, rules/table.py · Tests: tests/rules/test_rejoin.py · Sources: inferred
"""
    first, second = paragraphs(book)

    assert (first.number, first.title) == ("10.3", "The score")
    assert first.text == "A seat comes back one point above the highest.\n\nIt keeps its seat."
    assert first.settings == ("rejoin_offset", "rejoin_sequencing")
    assert (first.decides, first.tests) == (("rules/rejoin.py",), ("tests/rules/test_rejoin.py",))
    assert first.sources == "RummyPassion page; K-03, D-09"
    assert (second.settings, second.decides) == ((), ("rules/rejoin.py", "rules/table.py"))
