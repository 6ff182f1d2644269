"""Real processes of the counting application, what they are sent, and whether nothing was lost or done twice."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from poolrummy.runtime.errors import RuntimeFault
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.settings import Settings
from poolrummy_contracts import streams
from poolrummy_contracts.envelope import chain_next, chain_start

APP = Path(__file__).with_name("counting_app.py")
PARTITIONS = 2
LEASE_MS = 600


class Member:
    """One process."""

    def __init__(self, role: str, folder: Path, number: int, env: dict[str, str]) -> None:
        self.role = role
        self.log_file = folder / f"{role}-{number}.log"
        with self.log_file.open("wb") as log:
            self.process = subprocess.Popen([sys.executable, APP, role], env=env, stdout=log, stderr=log)

    @property
    def log(self) -> str:
        return self.log_file.read_text()

    def lines(self, event: str) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in self.log.splitlines() if line.startswith("{") and line.endswith("}")]
        return [line for line in lines if line.get("event") == event]

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    async def exit_code(self, within_s: float = 30) -> int:
        return await asyncio.to_thread(self.process.wait, within_s)

    async def ready(self) -> tuple[int, dict[str, Any]]:
        """The answer of ``/ready``; 0 while nobody answers."""
        starts = self.lines("process starts")
        if not starts:
            return 0, {}
        url = f"http://127.0.0.1:{starts[0]['http_port']}/ready"
        return await asyncio.to_thread(get, url)

    async def page(self, name: str) -> str:
        url = f"http://127.0.0.1:{self.lines('process starts')[0]['http_port']}/{name}"
        return await asyncio.to_thread(lambda: urllib.request.urlopen(url, timeout=2).read().decode())


def get(url: str) -> tuple[int, dict[str, Any]]:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.loads(refused.read())
    except OSError:
        return 0, {}


class Crew:
    """Processes on one server, and everything that was sent to them."""

    def __init__(self, url: str, folder: Path, *, direct_url: str | None = None) -> None:
        self.url, self.folder = url, folder
        self.store = RedisStore.at(direct_url or url, Settings())
        self.members: list[Member] = []
        self.sent: dict[str, list[str]] = defaultdict(list)
        self.poison: set[str] = set()

    async def open(self) -> None:
        await self.store.open_store(PARTITIONS)

    def start(self, role: str, **settings: object) -> Member:
        given = {
            "redis_url": self.url,
            "partitions": PARTITIONS,
            "lease_ms": LEASE_MS,
            "poll_ms": 50,
            "socket_timeout_s": 1,
            "housekeeping_ms": 200,
            **settings,
        }
        env = {**os.environ, "COUNTING_DIR": str(self.folder)}
        env |= {f"POOLRUMMY_{name.upper()}": str(value) for name, value in given.items() if name.islower()}
        env |= {name: str(value) for name, value in given.items() if name.isupper()}
        member = Member(role, self.folder, len(self.members), env)
        self.members.append(member)
        return member

    async def working(self, *members: Member, within_s: float = 15) -> None:
        """Wait until all are ready and every partition has an owner."""

        async def owned() -> bool:
            answers = [await member.ready() for member in members or self.members]
            roles = {member.role for member in members or self.members}
            held = sum(len(body.get("partitions", [])) for _, body in answers)
            return all(code == 200 for code, _ in answers) and held == PARTITIONS * len(roles)

        await until(owned, within_s, lambda: f"{[m.log[-1500:] for m in self.members]}")

    async def reconnect(self) -> None:
        """Forget our own connections to a server that is gone."""
        await self.store.calls.client.connection_pool.disconnect()

    async def send(self, count: int, *, kind: str = "add", tables: int = 4, **more: object) -> list[str]:
        """Send messages round the tables; their ids."""
        ids = []
        for _ in range(count):
            number = sum(len(sent) for sent in self.sent.values())
            partition, table = number % PARTITIONS, f"p{number % PARTITIONS:02d}-t{number % tables}"
            ids.append(await self.send_to(table, f"c{number}", kind, **more))
            del partition
        return ids

    async def send_to(self, table: str, command: str, kind: str = "add", **more: object) -> str:
        message = json.dumps({"id": command, "table": table, "kind": kind, **more}).encode()
        self.sent[table].append(command)
        await self.store.send(streams.partition_of(table), message)
        return command

    async def log(self, table: str) -> list[dict[str, Any]]:
        """The events of a table; versions and chain are checked on the way."""
        events, chain = [], chain_start(table)
        while entries := await self.store.read_table(table, len(events) + 1, 500):
            for entry in entries:
                chain = chain_next(chain, entry.payload)
                assert entry.version == len(events) + 1, f"{table} has a gap at {entry.version}"
                assert entry.chain == chain, f"{table} breaks its chain at {entry.version}"
                events.append(msgspec.json.decode(entry.payload))
        return events

    async def settled(self, within_s: float = 20) -> None:
        """Wait until every message is in its log and the tally knows every event; then nothing may be wrong."""

        async def done() -> bool:
            try:
                for partition in range(PARTITIONS):
                    now_ms, last_id = await self.store.inbox_reading(partition)
                    del now_ms
                    offset = await self.store.calls.ask("HGET", streams.dealer(partition), "offset")
                    if last_id != "0-0" and (offset or b"").decode() != last_id:
                        return False
                    tally = (await self.store.roles(partition)).get("tally")
                    if tally is not None and tally != await self.store.feed_n(partition):
                        return False
            except RuntimeFault:
                return False
            return True

        await until(done, within_s, lambda: "\n".join(member.log[-3000:] for member in self.members))
        await self.check()

    async def check(self) -> None:
        """Nothing lost, nothing twice, no gaps, order kept, and the tally agrees."""
        feed: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for partition in range(PARTITIONS):
            for expected, entry in enumerate(await self.store.read_feed(partition, 0, 100_000), 1):
                assert entry.n == expected, f"the feed of {partition} has a gap at {entry.n}"
                feed[entry.table].append(msgspec.json.decode(entry.payload))
        for table, sent in self.sent.items():
            events = await self.log(table)
            causes = [event["cause"] for event in events if event["cause"] in set(sent)]
            frozen = any(event["kind"] == "frozen" for event in events)
            expected = sent[: len(causes)] if frozen else sent
            assert causes == expected, f"{table}: {difference(sent, causes)}"
            assert feed[table] == events, f"{table}: the feed tells another story than the log"
        for partition in range(PARTITIONS):
            if "tally" in await self.store.roles(partition):
                tally = await self.store.view_hash(streams.view(partition, "tally"))
                heads = {
                    table: len(events) for table, events in feed.items() if streams.partition_of(table) == partition
                }
                assert {table: int(count) for table, count in tally.items()} == heads

    async def end(self) -> None:
        for member in self.members:
            if member.process.poll() is None:
                member.signal(signal.SIGCONT)
                member.signal(signal.SIGKILL)
            await member.exit_code()
        await self.store.aclose()


def difference(sent: list[str], causes: list[str]) -> str:
    lost = [command for command in sent if command not in causes]
    twice = [command for command in set(causes) if causes.count(command) > 1]
    return f"lost {lost[:10]}, twice {twice[:10]}, order kept: {causes == [c for c in sent if c in causes]}"


async def until(holds: Callable[[], Any], within_s: float, story: Callable[[], str] = lambda: "") -> float:
    """Wait until it holds; how long it took."""
    started_s = time.monotonic()
    while not await holds():
        if time.monotonic() - started_s > within_s:
            raise AssertionError(f"did not happen within {within_s} s\n{story()}")
        await asyncio.sleep(0.03)
    return time.monotonic() - started_s
