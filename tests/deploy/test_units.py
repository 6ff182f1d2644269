"""The units start what there is, with settings that there are."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main
import yaml

from poolrummy.cli import COMMANDS, app_of
from poolrummy.runtime.settings import Settings

from .queries import DEPLOY

SYSTEMD = DEPLOY / "systemd"
UNITS = sorted([*SYSTEMD.glob("*.service"), *SYSTEMD.glob("*.timer"), *SYSTEMD.glob("*.target")])
STARTS = re.compile(r"^ExecStart=/opt/poolrummy/\.venv/bin/poolrummy (.*)$", re.MULTILINE)
PROCESSES = ("dealer", "validator", "projector", "notary")
ANALYZE = shutil.which("systemd-analyze")


@pytest.mark.skipif(
    ANALYZE is None, reason="no systemd-analyze on this machine; commands and settings are checked all the same"
)
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    assert ANALYZE is not None, "the test is skipped without it"
    for unit in UNITS:
        text = unit.read_text("utf-8").replace("/opt/poolrummy/.venv/bin/poolrummy", sys.executable)
        (tmp_path / unit.name).write_text(text)
    named = [str(tmp_path / unit.name.replace("@.", "@1.")) for unit in UNITS]
    done = subprocess.run([ANALYZE, "verify", "--man=no", *named], capture_output=True, text=True, check=False)

    ours = [line for line in done.stderr.splitlines() if "poolrummy" in line]
    assert done.returncode == 0, done.stderr
    assert not ours, ours


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.suffix == ".service"], ids=lambda unit: unit.name)
def test_a_unit_starts_a_command_with_options_that_it_has(unit: Path) -> None:
    for line in STARTS.findall(unit.read_text("utf-8")):
        word, *rest = line.split()
        assert word in COMMANDS
        if rest:
            command = typer.main.get_command(app_of(word))
            known = {name for parameter in command.params for name in parameter.opts}
            assert {option for option in rest if option.startswith("--")} <= known
    assert STARTS.search(unit.read_text("utf-8"))


@pytest.mark.parametrize("file", sorted(SYSTEMD.glob("*.env")), ids=lambda file: file.name)
def test_an_environment_file_holds_settings_that_a_process_takes(file: Path) -> None:
    lines = [line.split("=", 1) for line in file.read_text("utf-8").splitlines() if line and not line.startswith("#")]

    Settings.from_environment(dict(lines))


def test_every_process_has_a_unit_a_port_and_a_target_to_scrape() -> None:
    config = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text("utf-8"))
    (job,) = [job for job in config["scrape_configs"] if job["job_name"] == "poolrummy"]
    scraped = {target.rpartition(":")[2] for group in job["static_configs"] for target in group["targets"]}
    ports = set()
    for process in PROCESSES:
        text = (SYSTEMD / f"poolrummy-{process}@.service").read_text("utf-8")
        (port,) = re.findall(r"^Environment=POOLRUMMY_HTTP_PORT=(\d+)%i$", text, re.MULTILINE)
        ports.add(f"{port}1")

    assert ports == scraped
    assert ports == set(re.findall(r"127\.0\.0\.1:(94\d\d)", (DEPLOY / "RUNBOOK.md").read_text("utf-8")))


def test_every_file_that_the_page_names_is_there() -> None:
    page = (DEPLOY / "README.md").read_text("utf-8")
    named = re.findall(r"\]\(([^)#]+)", page)

    assert named
    assert not [name for name in named if not (DEPLOY / name).exists()]
