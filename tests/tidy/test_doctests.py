"""What a docstring shows is what happens."""

import doctest
import importlib

from .checkout import text_of, tracked


def test_what_a_docstring_shows_is_what_happens() -> None:
    shown = [path for path in tracked("services/*.py", "contracts/*.py") if ">>> " in text_of(path)]
    outcomes = {path: doctest.testmod(importlib.import_module(module_name(path))) for path in shown}

    assert all(outcome.attempted for outcome in outcomes.values())
    assert not [path for path, outcome in outcomes.items() if outcome.failed]


def module_name(path: str) -> str:
    """The dotted name of a module of ours."""
    return path.removesuffix(".py").removesuffix("/__init__").partition("/")[2].replace("/", ".")
