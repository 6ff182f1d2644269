"""Where things are: the layout of the architecture, and nothing beside it."""

from pathlib import Path, PurePosixPath

import pytest

from poolrummy_contracts.streams import LOG_FORMAT

from .checkout import ROOT, tracked

TOP = {"pyproject.toml", "README.md", "Makefile", "services", "contracts", "deploy", "tests"}
FOLDERS = [
    "contracts/poolrummy_contracts",
    "contracts/profiles",
    "contracts/schemas",
    "deploy",
    "services/poolrummy/archive",
    "services/poolrummy/audit",
    "services/poolrummy/commands",
    "services/poolrummy/contracts_pages",
    "services/poolrummy/dealer",
    "services/poolrummy/fairness",
    "services/poolrummy/keeping",
    "services/poolrummy/projector",
    "services/poolrummy/rules",
    "services/poolrummy/runtime",
    "services/poolrummy/simulator",
    "services/poolrummy/testing",
    "services/poolrummy/validator",
    "tests/contracts",
    "tests/deploy",
    "tests/end_to_end",
    "tests/fairness",
    "tests/golden",
    "tests/rules",
    "tests/runtime",
    "tests/services",
    "tests/tidy",
]
PAGES = ["contracts/README.md", "contracts/RULEBOOK.md", "contracts/CHANGELOG.md", "services/README.md"]
PAGES += ["services/DECISIONS.md", "README.md"]
PROCESSES = ["dealer", "validator", "projector"]


def test_the_top_level_is_exactly_what_was_agreed() -> None:
    found = {PurePosixPath(path).parts[0] for path in tracked()}

    assert {name for name in found if not name.startswith(".")} == TOP


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_of_the_architecture_holds_something(folder: str) -> None:
    assert tracked(f"{folder}/*"), f"git knows no file below {folder}"


@pytest.mark.parametrize("page", PAGES)
def test_every_page_of_the_architecture_is_written(page: str) -> None:
    assert tracked(page), f"{page} is missing"
    assert len((ROOT / page).read_text("utf-8")) > 100


@pytest.mark.parametrize("process", PROCESSES)
@pytest.mark.parametrize("module", ["__main__", "app", "handlers"])
def test_every_process_has_the_same_three_files(process: str, module: str) -> None:
    assert tracked(f"services/poolrummy/{process}/{module}.py")


def test_where_is_the_rejoin_rule() -> None:
    found = [path for path in tracked("*.py") if "rejoin" in path]

    assert {"services/poolrummy/rules/rejoin.py", "tests/rules/test_rejoin.py"} <= set(found)
    assert all(path.startswith(("services/poolrummy/rules/rejoin", "tests/rules/test_rejoin")) for path in found)


def test_the_rules_about_money_have_a_test_of_their_name() -> None:
    rules = {Path(path).stem for path in tracked("services/poolrummy/rules/*.py")}
    tests = {Path(path).stem.removeprefix("test_") for path in tracked("tests/rules/*.py")}

    assert {"rejoin", "split", "prizes"} <= rules & tests


def test_the_log_has_still_its_first_form() -> None:
    assert LOG_FORMAT == 1, "a new form of the log needs a reader for the old one"
