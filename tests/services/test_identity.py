"""Which software this is: the digests, what they cover, and what has changed since (R33, R35)."""

import ast
import os
import py_compile
import subprocess
import sys
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path

import msgspec
import pytest
from prometheus_client import CollectorRegistry
from typer.testing import CliRunner

from poolrummy import identity
from poolrummy.audit.derivation import Derivation
from poolrummy.audit.packs import Seeds
from poolrummy.commands.identity import Told, app
from poolrummy.runtime.errors import SettingsInvalid
from poolrummy.runtime.metrics import Metrics
from poolrummy.runtime.settings import Settings
from poolrummy.runtime.software import PLACES, Software, configuration_of
from poolrummy.testing.packs import Script
from poolrummy.testing.random_play import RandomMatch
from poolrummy.testing.random_terms import random_terms
from poolrummy.testing.software_copy import write_copy
from poolrummy_contracts.events import DealStarted, TableEvent, TableOpened

from .test_audit_steps import ScriptedToss

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


def test_what_decides_outcomes_asks_nothing_else_of_ours_but_the_runtime_that_moves_lines() -> None:
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
    assert {name for name in outside if not name.startswith("poolrummy.runtime.")} <= {"poolrummy"}


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


def test_the_file_of_approved_software_can_be_read() -> None:
    found = CliRunner().invoke(app, ["--against", str(ROOT / "deploy/approved_outcome.json"), "--json"])

    assert found.exit_code in {0, 1}, found.stderr
    told = msgspec.json.decode(found.stdout, type=Told)
    assert told.approved is not None
    assert bool(told.changed) == (told.approved.outcome != told.identity.outcome)


# -- a process


def settings(**given: object) -> Settings:
    return Settings.of({"redis_url": "redis://127.0.0.1:1/0", **given})


def test_where_things_are_is_no_configuration_and_what_is_played_by_is() -> None:
    plain = configuration_of(settings(), {})
    same = [settings(**{name: value}) for name, value in (("http_port", 5), ("log_level", "debug"), ("data_dir", "/x"))]
    other = [settings(lease_ms=5000), settings(keys_dir="/keys"), settings(partitions=3)]

    assert {configuration_of(one, {}) for one in same} == {plain}
    assert plain not in {configuration_of(one, {}) for one in other}
    assert len({configuration_of(one, {}) for one in other}) == 3
    assert configuration_of(settings(), {"own-profiles/club.toml": b"x"}) != plain
    assert set(Settings.__struct_fields__) >= PLACES


def test_a_process_of_software_that_was_not_approved_does_not_start() -> None:
    approved = identity.identity().outcome

    Software("dealer", settings(software_approved=approved), Metrics(CollectorRegistry()))
    with pytest.raises(SettingsInvalid, match="is not this software"):
        Software("dealer", settings(software_approved=OLD), Metrics(CollectorRegistry()))


async def test_a_changed_profile_of_the_operators_own_raises_the_alarm(tmp_path: Path) -> None:
    own = tmp_path / "club.toml"
    own.write_text("first")
    identity.loaded.cache_clear()
    metrics = Metrics(CollectorRegistry())
    software = Software("dealer", settings(profiles_dir=str(tmp_path)), metrics)
    assert await software.check() == ()

    own.write_text("second")

    assert await software.check() == ("own-profiles/club.toml",)
    assert metrics.registry.get_sample_value("poolrummy_software_changed_files") == 1
    assert (await software.told())["unchanged"] is False
    own.write_text("first")
    assert await software.check() == ()
    assert metrics.registry.get_sample_value("poolrummy_software_changed_files") == 0


def test_the_files_are_looked_at_every_day_at_least() -> None:
    assert settings(software_check_s=86_400).software_check_s == 86_400
    with pytest.raises(SettingsInvalid, match="SOFTWARE_CHECK_S"):
        settings(software_check_s=86_401)


# -- in the log


class Upgraded(Script):
    """Another software deals on after the first deal has begun."""

    software = OLD

    def follow(self, events, lines):
        super().follow(events, lines)
        if self._deal:
            self.software = NEW


def played(number: int, script: type[Script]) -> list[TableEvent]:
    terms = random_terms(number)
    match = RandomMatch(terms, number)
    match.table.script = script(terms)
    match.play(1500)
    return match.table.log


def test_a_log_names_the_software_that_opened_its_table_and_the_one_that_deals_on() -> None:
    changed = 0
    for number in range(12):
        log = played(number, Upgraded)
        deals = [event.software for event in log if isinstance(event, DealStarted)]

        assert isinstance(log[0], TableOpened)
        assert log[0].software == OLD
        assert deals == [None, NEW, *[None] * len(deals)][: len(deals)], "told once, where it changed"
        assert Derivation(log, ScriptedToss(log, Seeds((), None))).run().difference is None
        changed += NEW in deals
    assert changed >= 3


def test_naming_the_same_software_again_is_not_what_the_rules_give() -> None:
    logs = (played(number, Upgraded) for number in range(12))
    log = next(log for log in logs if any(isinstance(one, DealStarted) for one in log))
    place, first = next((place, one) for place, one in enumerate(log) if isinstance(one, DealStarted))
    log[place] = msgspec.structs.replace(first, software=OLD)

    found = Derivation(log, ScriptedToss(log, Seeds((), None))).run().difference

    assert found is not None
    assert (found.v, found.kind) == (first.v, "deal-started")
