"""What a module may be called, how long it may be, and what it may not do."""

import ast
import re
from pathlib import PurePosixPath

import pytest

from .checkout import ALLOWED, ROOT, text_of, tracked

MODULES = tracked("*.py")
SERVICES = tracked("services/*.py", "contracts/*.py")
LINES_MAX = 300
NAMELESS = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"}
SILENCED = re.compile(r"#\s*(type: ignore|noqa|pyright: ignore)(?P<codes>\[[\w, -]+\]|:\s*[A-Z]+\d+(,\s*[A-Z]+\d+)*)?")
CHANCE = {"random", "secrets", "uuid"}
REGISTRIES = [
    ".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"))
]
REGISTRIES += [".".join(parts) for parts in (("crates", "io"), ("proxy", "golang", "org"), ("rubygems", "org"))]
OUTSIDE = "/work/" + "shared"


def test_a_long_module_has_a_written_reason() -> None:
    long = {path: count for path in MODULES if (count := text_of(path).count("\n")) > LINES_MAX}
    allowed = ALLOWED["longer_than_300_lines"]

    assert set(long) <= set(allowed), {path: long[path] for path in set(long) - set(allowed)}
    assert set(allowed) <= set(long), "these are short again: take them out of allowed.toml"


def test_a_file_has_a_name_that_says_what_is_in_it() -> None:
    parts = {path: {part.partition(".")[0].lower() for part in PurePosixPath(path).parts} for path in tracked()}

    assert not [path for path, names in parts.items() if names & NAMELESS]


def test_a_silenced_check_names_its_code_and_says_why_on_the_same_line() -> None:
    wrong = [f"{path}:{number}: {line.strip()}" for path in MODULES for number, line in silenced(path)]

    assert not wrong, "\n".join(wrong)


def silenced(path: str) -> list[tuple[int, str]]:
    """Lines that silence a checker without its code, or without a reason."""
    if path == "tests/tidy/test_modules.py":
        return []
    found: list[tuple[int, str]] = []
    for number, line in enumerate(text_of(path).splitlines(), start=1):
        marks = list(SILENCED.finditer(line))
        reason = line[marks[-1].end() :].strip(" -#") if marks else ""
        if marks and (not all(mark["codes"] for mark in marks) or len(reason) < 10):
            found.append((number, line))
    return found


def test_no_file_names_a_package_registry_or_what_lies_outside_the_repository() -> None:
    found = [(path, word) for path in tracked() for word in (*REGISTRIES, OUTSIDE) if word in text_of(path)]

    assert not found


def test_chance_comes_from_one_place() -> None:
    asking = {path for path in SERVICES if asks_for_chance(path) and "/simulator/" not in path}
    allowed = set(ALLOWED["asks_for_chance"])

    assert asking <= allowed, "seeds come from fairness/entropy.py; anything else needs its reason in allowed.toml"
    assert allowed <= asking, "these no longer ask for chance: take them out of allowed.toml"


def asks_for_chance(path: str) -> bool:
    """Whether a module imports a source of chance, or asks the operating system for some."""
    for node in ast.walk(ast.parse(text_of(path))):
        match node:
            case ast.Import(names=names) if any(name.name.partition(".")[0] in CHANCE for name in names):
                return True
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in CHANCE:
                return True
            case ast.Attribute(value=ast.Name(id="os"), attr="urandom" | "getrandom"):
                return True
            case _:
                continue
    return False


def test_only_what_a_person_started_prints() -> None:
    for_people = ("services/poolrummy/cli.py", "services/poolrummy/commands/")
    printing = {path for path in tracked("services/*.py") if prints(path) and not path.startswith(for_people)}
    allowed = set(ALLOWED["prints"])

    assert printing <= allowed, "a process logs; only cli.py and commands/ print"
    assert allowed <= printing, "these no longer print: take them out of allowed.toml"


def prints(path: str) -> bool:
    """Whether a module calls ``print``."""
    tree = ast.parse(text_of(path))
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
        for node in ast.walk(tree)
    )


def test_a_module_says_what_it_is() -> None:
    assert not [path for path in SERVICES if len(ast.get_docstring(ast.parse(text_of(path))) or "") < 10]


@pytest.mark.parametrize("section", ALLOWED)
def test_every_exception_has_a_reason_and_a_file(section: str) -> None:
    for path, reason in ALLOWED[section].items():
        assert (ROOT / path).exists(), f"{path} is gone: take it out of allowed.toml"
        assert len(reason) > 20, f"{path}: {reason}"
