"""A whole platform on a real server, for tests: processes as they ship, and a client that uses the public streams."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final, Self, TypeVar, cast

import redis

from poolrummy.rules.state import Table
from poolrummy.rules.table import evolve
from poolrummy.runtime.embedded import free_port
from poolrummy.runtime.redis_reads import feed_entry
from poolrummy.runtime.store import FeedEntry
from poolrummy_contracts import codec, streams
from poolrummy_contracts.commands import PlatformCommand
from poolrummy_contracts.events import OpenedCard, TableEvent
from poolrummy_contracts.replies import Parked, ReplyMessage
from poolrummy_contracts.seat_lines import CardReceived, CardsDealt, SeatMessage

POLL_S: Final = 0.004
PATIENCE_S: Final = 20.0

Fields = Mapping[bytes, bytes]
Found = TypeVar("Found")


class GaveUp(AssertionError):
    """Something that a test waits for has not come."""


class Process:
    """One process of the platform; ended by its own handle only."""

    def __init__(self, words: list[str], environment: Mapping[str, str], log: Path) -> None:
        self.port = free_port()
        self.log = log
        clean = {key: value for key, value in os.environ.items() if not key.startswith("POOLRUMMY_")}
        with log.open("ab") as out:
            self.handle = subprocess.Popen(  # noqa: S603 - our own interpreter and modules
                [sys.executable, *words],
                env={**clean, **environment, "POOLRUMMY_HTTP_PORT": str(self.port)},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )

    @property
    def ready(self) -> bool:
        """Whether it says that it works."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/ready", timeout=1) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def metrics(self) -> str:
        """What it tells of itself."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=5) as answer:
            return cast("bytes", answer.read()).decode()

    def end(self) -> int:
        """Ask it to end, and wait; its exit code."""
        if self.handle.poll() is None:
            self.handle.terminate()
        try:
            return self.handle.wait(10)
        except subprocess.TimeoutExpired:
            self.handle.kill()
            return self.handle.wait(10)


class LivePlatform:
    """Processes on one server, and everything a platform's side does with it."""

    def __init__(self, url: str, folder: Path, **settings: object) -> None:
        self.client = redis.Redis.from_url(url, socket_timeout=10)  # pyright: ignore[reportUnknownMemberType]  # redis-py leaves its keywords untyped
        self.folder = folder
        self.environment = {
            "POOLRUMMY_REDIS_URL": url,
            "POOLRUMMY_DATA_DIR": str(folder),
            "POOLRUMMY_PARTITIONS": "2",
            "POOLRUMMY_LEASE_MS": "900",
            "POOLRUMMY_LOG_LEVEL": "warning",
            **{f"POOLRUMMY_{key.upper()}": str(value) for key, value in settings.items()},
        }
        self.processes: list[Process] = []
        self._tables: dict[str, Table] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.end()
        self.client.close()

    # -- processes

    def start(self, *roles: str, program: Path | None = None, **more: str) -> list[Process]:
        """Start these roles (or this program as one of them) and wait until they are ready."""
        started = [
            Process(
                [str(program)] if program else ["-m", f"poolrummy.{role}"],
                {**self.environment, **more},
                self.folder / f"{role}-{len(self.processes) + place}.log",
            )
            for place, role in enumerate(roles)
        ]
        self.processes += started
        for process in started:
            self.until(partial(_is_ready, process), f"{process.log.name}: ready")
        return started

    # -- waiting

    def until(self, look: Callable[[], Found | None], what: str, patience_s: float = PATIENCE_S) -> Found:
        """What ``look`` finds, as soon as it finds something; ``GaveUp`` with the processes' last words if not."""
        end_s = time.monotonic() + patience_s
        while (found := look()) is None:
            if time.monotonic() > end_s:
                said = "\n".join(process.log.read_text(errors="replace")[-1500:] for process in self.processes)
                raise GaveUp(f"waited {patience_s} s for {what}\n{said}")
            time.sleep(POLL_S)
        return found

    # -- the platform's side

    def send(self, command: PlatformCommand) -> str:
        """Put a command into its inbox; the entry id."""
        return self.send_bytes(streams.partition_of(command.table), codec.encode(command))

    def send_bytes(self, partition: int, payload: bytes) -> str:
        """Put any bytes into an inbox."""
        entry = cast("bytes", self.client.xadd(streams.inbox(partition), {"e": payload}))
        return entry.decode()

    def ask(self, command: PlatformCommand) -> ReplyMessage:
        """Send a command and wait for its answer."""
        partition = streams.partition_of(command.table)
        after = self.last_reply(partition)
        self.send(command)

        def answered() -> bool | None:
            return self.reply(partition, command.id, after) is not None or None

        self.until(answered, f"the answer to {command.id}")
        reply = self.reply(partition, command.id, after)
        assert reply is not None, "it was there a moment ago"
        return reply

    def last_reply(self, partition: int) -> str:
        """Id of the newest reply."""
        newest = self._entries(self.client.xrevrange(streams.replies(partition), count=1))
        return next((entry for entry, _ in newest), "0-0")

    def reply(self, partition: int, command: str, after: str = "0-0") -> ReplyMessage | None:
        """The answer to a command among the replies behind this one."""
        found = self._entries(self.client.xrange(streams.replies(partition), min=f"({after}"))
        replies = (codec.decode_reply(fields[b"e"]) for _, fields in found)
        return next((reply for reply in replies if reply.command == command), None)

    def parked(self, partition: int) -> list[Parked]:
        """Everything that was set aside."""
        found = self._entries(self.client.xrange(streams.parked(partition)))
        return [codec.decode_parked(fields[b"e"]) for _, fields in found]

    def events(self, table: str, after: int = 0) -> list[TableEvent]:
        """The events of a table log behind this version."""
        found = self._entries(self.client.xrange(streams.table(table), min=f"{after + 1}-0"))
        return [codec.decode_event(fields[b"e"]) for _, fields in found]

    def table(self, table: str) -> Table:
        """The public state, folded from the log alone."""
        state = self._tables.get(table)
        for event in self.events(table, state.v if state else 0):
            state = evolve(state, event)
        assert state is not None, f"{table} has no log"
        self._tables[table] = state
        return state

    def feed(self, partition: int) -> list[FeedEntry]:
        """Everything that stands in the feed of a partition."""
        found = cast("list[tuple[bytes, Fields]]", self.client.xrange(streams.feed(partition)))
        return [feed_entry(entry, fields) for entry, fields in found]

    def known(self, table: str) -> int:
        """The version up to which :meth:`table` has folded the log."""
        state = self._tables.get(table)
        return state.v if state is not None else 0

    def lines(self, table: str, seat: int) -> list[SeatMessage]:
        """What a seat is told in private."""
        found = self._entries(self.client.xrange(streams.seat(table, seat)))
        return [codec.decode_seat_line(fields[b"e"]) for _, fields in found]

    def cards(self, table: str, seat: int) -> dict[str, OpenedCard]:
        """The cards that the seat was given in this deal, by position."""
        known: dict[str, OpenedCard] = {}
        for line in self.lines(table, seat):
            match line:
                case CardsDealt():
                    known = {card.position: card for card in line.cards}
                case CardReceived():
                    known[line.card.position] = line.card
                case _:
                    continue
        return known

    @staticmethod
    def _entries(found: object) -> Iterator[tuple[str, Fields]]:
        for entry, fields in cast("list[tuple[bytes, Fields]]", found):
            yield entry.decode(), fields


def _is_ready(process: Process) -> bool | None:
    return process.ready or None
