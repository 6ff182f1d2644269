"""The processes of a run: started as anybody starts them, looked after by their own handles, ended by nobody else."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Self

import aiohttp

from poolrummy.runtime.embedded import free_port

ROLES: Final = ("dealer", "validator", "projector", "notary")
MODULES: Final = {"notary": "poolrummy.audit"}
"""Where a process lives that is not named like its role."""

RESTARTS_MAX: Final = 3
"""So often a process may end by itself in one run before the run gives up."""

READY_S_MAX: Final = 60.0
STOP_S_MAX: Final = 0.6
"""What a process gets for its goodbye; then it is killed, which the log does not mind."""

LAST_WORDS: Final = 2000

Note = Callable[[str], None]


class ProcessLost(Exception):
    """A process of the run ended by itself too often, or never became ready."""


class Child:
    """One process of one role, and its successors."""

    def __init__(self, role: str, environment: Mapping[str, str], log: Path) -> None:
        self.role = role
        self.kills = 0
        self.crashes = 0
        self._environment = dict(environment)
        self._log = log
        self._port = 0
        self._expected = False
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process id, while it runs."""
        return None if self._process is None or self._process.poll() is not None else self._process.pid

    @property
    def health(self) -> str:
        """One word and numbers for a diagnosis."""
        state = "runs" if self.pid is not None else f"ended with {self._code}"
        return f"{self.role} {state}, {self.kills} kills, {self.crashes} crashes"

    def start(self) -> None:
        """Start the process; where the system can, it ends with us even if we are killed."""
        self._port, self._expected = free_port(), False
        guard = shutil.which("setpriv")
        words = [guard, "--pdeathsig", "TERM", "--"] if guard else []
        words += [sys.executable, "-m", MODULES.get(self.role, f"poolrummy.{self.role}")]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own package, run by our own interpreter
                words,
                env=self._environment | {"POOLRUMMY_HTTP_PORT": str(self._port)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for us: we end it in order
            )

    async def ready(self, session: aiohttp.ClientSession) -> bool:
        """Whether it says that it works."""
        try:
            async with session.get(f"http://127.0.0.1:{self._port}/ready") as answer:
                return answer.status == 200
        except (aiohttp.ClientError, TimeoutError):
            return False

    def kill(self) -> None:
        """SIGKILL: no goodbye, no release of its partitions."""
        if self._process is not None and self.pid is not None:
            self.kills += 1
            self._expected = True
            self._process.kill()

    def replaced(self) -> str | None:
        """Start a successor if the process is gone; what happened, in words."""
        if self._process is None or self._process.poll() is None:
            return None
        code, expected = self._code, self._expected
        if not expected:
            self.crashes += 1
            if self.crashes > RESTARTS_MAX:
                raise ProcessLost(
                    f"{self.role} ended {self.crashes} times; the last words in {self._log}:\n{self.said}"
                )
        self.start()
        return f"{self.role} was killed and is back" if expected else f"{self.role} ended with {code} and is back"

    def terminate(self) -> None:
        """Ask the process to end."""
        if self._process is not None and self.pid is not None:
            self._process.send_signal(signal.SIGTERM)

    def end(self, deadline_s: float) -> None:
        """Wait for its end until then; kill it after that."""
        if self._process is None:
            return
        try:
            self._process.wait(max(deadline_s - time.monotonic(), 0.01))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def said(self) -> str:
        """Its last words."""
        return self._log.read_text(errors="replace").strip()[-LAST_WORDS:] if self._log.exists() else ""

    @property
    def _code(self) -> int | None:
        return None if self._process is None else self._process.returncode


class Crew:
    """All processes of a run; leaving the block ends them."""

    def __init__(self, environment: Mapping[str, str], logs: Path, note: Note) -> None:
        logs.mkdir(parents=True, exist_ok=True)
        full = {**os.environ, **environment}
        self.children = {role: Child(role, full, logs / f"{role}.log") for role in ROLES}
        self._note = note

    async def __aenter__(self) -> Self:
        for child in self.children.values():
            child.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        for child in self.children.values():
            child.terminate()
        deadline_s = time.monotonic() + STOP_S_MAX
        for child in self.children.values():
            child.end(deadline_s)

    async def all_ready(self) -> None:
        """Wait until every process says that it works."""
        deadline_s = time.monotonic() + READY_S_MAX
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=1)) as session:
            while waiting := [child for child in self.children.values() if not await child.ready(session)]:
                self.look_after()
                if time.monotonic() > deadline_s:
                    raise ProcessLost(f"{waiting[0].role} is not ready after {READY_S_MAX:.0f} s:\n{waiting[0].said}")
                await asyncio.sleep(0.1)

    def look_after(self) -> None:
        """Replace whoever is gone, and say so."""
        for child in self.children.values():
            said = child.replaced()
            if said is not None:
                self._note(said)

    @property
    def health(self) -> str:
        """How all of them are."""
        return "; ".join(child.health for child in self.children.values())
