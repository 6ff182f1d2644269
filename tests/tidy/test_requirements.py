"""The page for regulators names tests, commands and files: each of them is there, and no requirement is left out."""

import ast
import re
from functools import cache

import pytest
import typer

from poolrummy import cli

from .checkout import ROOT, text_of, tracked

PAGE = "services/REQUIREMENTS.md"
TEXT = (ROOT / PAGE).read_text("utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")] for line in TEXT.splitlines() if re.match(r"\| R\d", line)
]
STATUS = re.compile(r"(met|partly: \w|platform|out of scope)")
NAMED = sorted(set(re.findall(r"`((?:tests|deploy|contracts|services)/[^`]+)`", TEXT)))
COMMANDS = sorted(set(re.findall(r"`poolrummy ([^`]+)`", TEXT)))
TARGETS = sorted(set(re.findall(r"`make (\w+)`", TEXT)))


@cache
def functions_in(path: str) -> frozenset[str]:
    """Names of the functions of a module."""
    found = ast.walk(ast.parse(text_of(path)))
    return frozenset(node.name for node in found if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_every_requirement_stands_once_in_order() -> None:
    assert [row[0] for row in ROWS] == [f"R{number}" for number in range(1, 48)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_row_says_what_is_asked_how_it_is_met_what_shows_it_and_what_is_missing(row: list[str]) -> None:
    assert len(row) == 5, row
    _, asked, met, shown, status = row
    assert re.search(r"\((.+)\)$", asked), "the clause stands at the end"
    assert met
    assert STATUS.match(status), status
    assert shown.count("`") >= 2 or status == "out of scope"


@pytest.mark.parametrize("named", NAMED)
def test_every_test_and_file_that_is_named_is_there(named: str) -> None:
    path, _, test = named.partition("::")

    assert tracked(path), f"git knows no {path}"
    assert not test or test in functions_in(path), f"{path} has no {test}"
    assert not path.startswith("tests/") or any(name.startswith("test_") for name in functions_in(path))


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_that_is_named_is_there(words: str) -> None:
    word, *rest = words.split()
    assert word in cli.COMMANDS
    command = typer.main.get_command(cli.app_of(word))
    for name in rest:
        if name.startswith("--"):
            assert name in {option for parameter in command.params for option in parameter.opts}, words
        else:
            beneath = getattr(command, "commands", {})
            assert name in beneath, words
            command = beneath[name]


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_that_is_named_is_there(target: str) -> None:
    assert re.search(rf"^{target}:", text_of("Makefile"), re.MULTILINE)


@pytest.mark.parametrize("alert", sorted(set(re.findall(r"alerts\.yml` \((\w+)\)", TEXT))))
def test_every_alert_that_is_named_is_there(alert: str) -> None:
    assert re.search(rf"^\s*- alert: {alert}$", text_of("deploy/prometheus/rules/alerts.yml"), re.MULTILINE)


@pytest.mark.parametrize("page", ["README.md", "services/README.md"])
def test_the_page_is_linked(page: str) -> None:
    assert "REQUIREMENTS.md" in text_of(page)
