"""A running process says which software it is, writes it into its logs, and notices when files change (R33)."""

import json
import urllib.request
from pathlib import Path

from poolrummy import identity
from poolrummy.testing.live_platform import LivePlatform, Process
from poolrummy.testing.software_copy import write_copy
from poolrummy_contracts.events import TableOpened
from poolrummy_contracts.replies import CommandAccepted

from .conftest import opening


def identity_of(process: Process) -> dict[str, object]:
    with urllib.request.urlopen(f"http://127.0.0.1:{process.port}/identity", timeout=10) as answer:
        return json.loads(answer.read())


def test_every_process_tells_its_software_and_raises_the_alarm_when_a_file_changes(
    redis_url: str, tmp_path: Path
) -> None:
    copy = write_copy(identity.shipped_files(), tmp_path / "copy")
    with LivePlatform(redis_url, tmp_path, software_check_s=1, log_level="info") as platform:
        processes = platform.start("dealer", "validator", "projector", PYTHONPATH=str(copy))
        told = [identity_of(process) for process in processes]
        assert isinstance(platform.ask(opening("p00-which", "house", 2, "101", 0, {})), CommandAccepted)

        opened = platform.events("p00-which")[0]
        assert isinstance(opened, TableOpened)
        assert {one["outcome"] for one in told} == {opened.software}
        assert all(one["unchanged"] and one["others"]["python"] for one in told)
        assert all(f'"software": "{opened.software}"' in process.log.read_text() for process in processes)

        (copy / "poolrummy/rules/prizes.py").unlink()

        def alarmed() -> bool | None:
            told = [process.metrics() for process in processes]
            return all("poolrummy_software_changed_files 1.0" in one for one in told) or None

        platform.until(alarmed, "the alarm of each process")
        assert identity_of(processes[0])["changed"] == ["poolrummy/rules/prizes.py"]
        assert all('"event": "software changed"' in process.log.read_text() for process in processes)
        assert all(process.ready for process in processes), "the tables that play go on: an operator decides"


def test_a_dealer_that_was_not_approved_ends_at_once_and_says_why(redis_url: str, tmp_path: Path) -> None:
    with LivePlatform(redis_url, tmp_path, software_approved="0" * 64) as platform:
        process = Process(["-m", "poolrummy.dealer"], platform.environment, tmp_path / "dealer.log")
        platform.processes.append(process)

        assert process.handle.wait(20) == 1
        assert "is not this software" in process.log.read_text()
