"""Which software this is: the digests, what they cover, and what has changed since (R33, R35)."""

import ast
import os
import py_compile
import subprocess
import sys
from base64 import urlsafe_b64encode
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from poolrummy import identity, libraries
from poolrummy.commands.identity import Told, app
from poolrummy.testing.software_copy import write_copy

ROOT = Path(__file__).parents[2]
OLD, NEW = "a" * 64, "b" * 64


SHIPPED = identity.shipped_files()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return write_copy(SHIPPED, tmp_path / "copy")


def told_by(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What the software in this folder says of itself."""
    return subprocess.run(
        [sys.executable, "-m", "poolrummy.cli", "identity", *words],
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_digest_is_what_sha256sum_gives_over_the_manifest() -> None:
    shipped = identity.shipped_files()
    deciding = {path for path in shipped if identity.decides(path)}

    printed = CliRunner().invoke(app, ["--manifest", "outcome"]).stdout

    lines = [line.split("  ") for line in printed.splitlines()]
    assert sha256(printed.encode()).hexdigest() == identity.identity_of(shipped, "1").outcome
    assert [path for _, path in lines] == sorted(deciding)
    assert all(digest == sha256(shipped[path]).hexdigest() for digest, path in lines)


def test_a_wheel_and_a_checkout_of_the_same_files_are_the_same_software(copy: Path) -> None:
    found = told_by(copy, "--json")

    assert found.returncode == 0, found.stderr
    told = msgspec.json.decode(found.stdout, type=Told)
    assert told.identity == identity.identity_of(SHIPPED, identity.release())


@pytest.mark.parametrize(
    ("path", "outcome_too"),
    [
        ("poolrummy/rules/split.py", True),
        ("poolrummy/fairness/shuffle.py", True),
        ("poolrummy/dealer/seed_keeper.py", True),
        ("poolrummy/validator/judging.py", True),
        ("poolrummy_contracts/terms.py", True),
        ("profiles/house.toml", True),
        ("poolrummy/profile_files.py", True),
        ("poolrummy/identity.py", True),
        ("poolrummy/runtime/append.lua", False),
        ("poolrummy/audit/dossier/templates/page.html", False),
        ("poolrummy/commands/run.py", False),
    ],
)
def test_one_byte_more_is_other_software(path: str, outcome_too: bool) -> None:
    shipped = identity.shipped_files()
    before = identity.identity_of(shipped, "1")

    after = identity.identity_of({**shipped, path: shipped[path] + b"\n"}, "1")

    assert after.whole != before.whole
    assert (after.outcome != before.outcome) is outcome_too


def test_a_compiled_module_beside_a_source_is_other_software() -> None:
    shipped = identity.shipped_files()
    shadow = {**shipped, "poolrummy/rules/arranger.cpython-311-x86_64-linux-gnu.so": b"\x7fELF"}

    assert identity.identity_of(shadow, "1").outcome != identity.identity_of(shipped, "1").outcome


def test_what_decides_outcomes_asks_nothing_else_of_ours_but_what_moves_and_keeps_bytes() -> None:
    shipped = identity.shipped_files()
    asked = {
        name
        for path, content in shipped.items()
        if path.endswith(".py") and identity.decides(path)
        for node in ast.walk(ast.parse(content))
        if isinstance(node, ast.ImportFrom) and (name := node.module or "").startswith("poolrummy")
    }

    outside = {
        name for name in asked if not identity.decides(name.replace(".", "/") + ("/" if _folder(name) else ".py"))
    }
    moving = ("poolrummy.runtime.", "poolrummy.keeping.")
    assert {name for name in outside if not name.startswith(moving)} <= {"poolrummy"}


def _folder(name: str) -> bool:
    return any((ROOT / above / name.replace(".", "/")).is_dir() for above in ("services", "contracts"))


def test_bytecode_that_is_not_what_its_source_gives_is_found(copy: Path) -> None:
    source = copy / "poolrummy/rules/split.py"
    kept = source.read_bytes()
    source.write_bytes(kept + b"POOLED = True\n")
    py_compile.compile(str(source))
    changed = source.stat()
    source.write_bytes(kept)
    # What Python looks at, time and size, is made to fit: it would run the other code without a word.
    bytecode = Path(cache_from_source(str(source)))
    head = bytecode.read_bytes()
    os.utime(source, ns=(changed.st_atime_ns, changed.st_mtime_ns))
    bytecode.write_bytes(head[:12] + len(kept).to_bytes(4, "little") + head[16:])

    found = told_by(copy, "--json")

    assert found.returncode == 1
    assert msgspec.json.decode(found.stdout, type=Told).stale_bytecode == ("poolrummy/rules/split.py",)


def test_libraries_are_hashed_file_by_file_and_a_changed_one_is_named(tmp_path: Path, monkeypatch) -> None:
    code = b"X = 1\n"
    hashed = urlsafe_b64encode(sha256(code).digest()).rstrip(b"=").decode()
    info = tmp_path / "msgspec-9.9.dist-info"
    info.mkdir()
    (tmp_path / "msgspec.py").write_bytes(code)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: msgspec\nVersion: 9.9\n")
    record = [f"msgspec.py,sha256={hashed},6", "msgspec-9.9.dist-info/METADATA,,", "msgspec-9.9.dist-info/RECORD,,"]
    (info / "RECORD").write_text("\n".join(record))
    before = {one.name: one for one in libraries.libraries()}
    monkeypatch.syspath_prepend(str(tmp_path))

    found = {one.name: one for one in libraries.libraries()}["msgspec"]
    (tmp_path / "msgspec.py").write_bytes(b"X = 2\n")
    changed = {one.name: one for one in libraries.libraries()}["msgspec"]

    assert (found.version, found.files, found.changed) == ("9.9", 2, ())
    assert changed.changed == ("msgspec.py",)
    assert changed.digest != found.digest
    assert {"cryptography", "redis", "hiredis", "cffi", "msgspec"} <= set(before), "what they need, and extras"
    assert not [one for one in before.values() if one.changed], "nobody has touched what is installed here"


# -- what was approved: R35


def test_software_that_was_approved_is_told_from_software_that_was_not(copy: Path, tmp_path: Path) -> None:
    file = tmp_path / "approved.json"
    assert told_by(copy, "--approve", str(file), "--by", "lab", "--reason", "golden replays read").returncode == 0
    assert told_by(copy, "--against", str(file)).returncode == 0

    remark(copy / "poolrummy/audit/app.py")
    assert told_by(copy, "--against", str(file)).returncode == 0, "it decides no outcome"
    remark(copy / "poolrummy/rules/prizes.py")
    found = told_by(copy, "--against", str(file))

    assert found.returncode == 1
    assert "MAJOR: 1 deciding files are not those approved" in found.stdout
    assert "poolrummy/rules/prizes.py" in found.stdout


def remark(source: Path) -> None:
    source.write_bytes(source.read_bytes() + b"# a remark\n")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--approve", "{}/x.json"), "an approval needs a name and a reason"),
        (("--approve", "{}/x.json", "--by", "lab", "--reason", "  "), "an approval needs a name and a reason"),
        (("--approve", "{}/none/x.json", "--by", "lab", "--reason", "seen"), "cannot be written (No such file"),
        (("--against", "{}/none.json"), "cannot be read (No such file"),
        (("--against", sys.executable), "names no approved software"),
    ],
)
def test_bad_input_is_answered_in_one_sentence(words: tuple[str, ...], why: str, tmp_path: Path) -> None:
    found = CliRunner().invoke(app, [word.format(tmp_path) for word in words])

    assert found.exit_code == 2
    assert why in found.stderr
    assert "Traceback" not in found.stderr


def test_what_an_approval_says_is_told_as_it_is_written(copy: Path, tmp_path: Path) -> None:
    file = tmp_path / "approved.json"
    assert told_by(copy, "--approve", str(file), "--by", "[/x]\x1b[2J", "--reason", "[bold]").returncode == 0
    approved = msgspec.json.decode(file.read_bytes())
    kept = {**approved, "outcome": "0" * 64, "files": {**approved["files"], "poolrummy/rules/[/y].py": "0" * 64}}
    (tmp_path / "other.json").write_bytes(msgspec.json.encode(kept))

    for name, code, words in (("approved", 0, "[bold]"), ("other", 1, "poolrummy/rules/[/y].py")):
        found = told_by(copy, "--against", str(tmp_path / f"{name}.json"))
        assert found.returncode == code, found.stderr
        assert words in found.stdout
        assert "[/x]" in found.stdout
        assert "\x1b" not in found.stdout


def test_the_file_of_approved_software_can_be_read() -> None:
    found = CliRunner().invoke(app, ["--against", str(ROOT / "deploy/approved_outcome.json"), "--json"])

    assert found.exit_code in {0, 1}, found.stderr
    told = msgspec.json.decode(found.stdout, type=Told)
    assert told.approved is not None
    assert bool(told.changed) == (told.approved.outcome != told.identity.outcome)
