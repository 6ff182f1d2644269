"""The smallest application of the runtime: tables that count. No rummy; run by path as real processes.

usage: counting_app.py dealer|tally      (settings from the environment, as for any process)

A message is ``{"id": ..., "table": ..., "kind": ...}``. Kinds: ``add`` counts; ``open`` only opens; ``alarm`` sets
a deadline ``in_ms``; ``raise``, ``exit`` and ``hang`` are poison for the dealer; ``feed-raise``, ``feed-exit`` and
``feed-new`` are poison for the tally.
"""

import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from poolrummy.runtime.effects import Effect, Park, PutField
from poolrummy.runtime.errors import NewerVersionNeeded
from poolrummy.runtime.process import run_dealer, run_follower
from poolrummy.runtime.settings import Settings
from poolrummy.runtime.store import Append, FeedEntry, InboxEntry, Lease, NewEvent, OpenChange, Store
from poolrummy_contracts import streams
from poolrummy_contracts.envelope import chain_next, chain_start


class Message(msgspec.Struct):
    id: str
    table: str
    kind: str = "add"
    in_ms: int = 0


class Counted(msgspec.Struct):
    """The event: how many messages this table has seen, and which one it was."""

    table: str
    count: int
    cause: str
    kind: str
    at: int
    alarm_at: int = 0


class Table:
    def __init__(self, table: str) -> None:
        self.table, self.version, self.chain = table, 0, chain_start(table)
        self.seen: set[str] = set()
        self.frozen = False
        self.alarm_at: int | None = None

    def fold(self, event: Counted, payload: bytes) -> None:
        self.version += 1
        self.chain = chain_next(self.chain, payload)
        self.seen.add(event.cause)
        self.frozen = self.frozen or event.kind == "frozen"
        if event.kind == "alarm":
            self.alarm_at = event.alarm_at
        if event.kind in ("rang", "frozen"):
            self.alarm_at = None


class Counting:
    """A dealer handler."""

    def __init__(self, partition: int) -> None:
        self.partition = partition
        self.tables: dict[str, Table] = {}
        self.table_in_hand: str | None = None

    async def load(self, lease: Lease, store: Store) -> None:
        self.lease, self.offset = lease, lease.offset
        for name in await store.open_tables(self.partition):
            if name in lease.left_alone:
                continue
            table = self.tables[name] = Table(name)
            while entries := await store.read_table(name, table.version + 1, 500):
                for entry in entries:
                    table.fold(msgspec.json.decode(entry.payload, type=Counted), entry.payload)

    async def gather(self, batch: Sequence[InboxEntry], store: Store) -> None:
        del batch, store

    def handle(self, batch: Sequence[InboxEntry], *, caution: bool) -> Sequence[Append]:
        del caution
        appends = [self.one(entry) for entry in batch]
        freeze_when(f"dealer-{self.partition}")
        return appends

    def one(self, entry: InboxEntry) -> Append:
        self.table_in_hand = None
        try:
            message = msgspec.json.decode(entry.payload, type=Message)
        except msgspec.DecodeError:
            return self.consume(entry, parked=b"unreadable " + entry.payload[:100])
        table = self.table_in_hand = message.table
        held = self.tables.setdefault(table, Table(table))
        if message.id in held.seen or held.frozen:
            return self.consume(entry, reply=b"again " + message.id.encode())
        misbehave(message.kind)
        kind = message.kind if message.kind in ("alarm", "feed-raise", "feed-exit", "feed-new", "bad-alarm") else "add"
        alarm_at = entry.at_ms + message.in_ms if "alarm" in kind else 0
        return self.record(held, kind, message.id, entry, alarm_at=alarm_at)

    def record(
        self,
        held: Table,
        kind: str,
        cause: str,
        entry: InboxEntry | None,
        *,
        alarm_at: int = 0,
        parked: bytes | None = None,
    ) -> Append:
        event = Counted(table=held.table, count=held.version + 1, cause=cause, kind=kind, at=0, alarm_at=alarm_at)
        payload = msgspec.json.encode(event)
        version, chain = held.version, held.chain
        held.fold(event, payload)
        if kind == "bad-alarm":
            held.alarm_at = alarm_at
        start = self.offset
        self.offset = entry.id if entry else start
        return Append(
            partition=self.partition,
            token=self.lease.token,
            from_offset=start,
            to_offset=self.offset,
            table=held.table,
            expected_version=version,
            expected_chain=chain,
            command_id=cause,
            events=(NewEvent(payload, held.chain),),
            open_change=OpenChange.OPENS if version == 0 else OpenChange.NONE,
            reply=b"done " + cause.encode(),
            parked=parked,
        )

    def aside(self, line: bytes) -> Append:
        return Append(
            partition=self.partition,
            token=self.lease.token,
            from_offset=self.offset,
            to_offset=self.offset,
            parked=line,
        )

    def consume(self, entry: InboxEntry, *, parked: bytes | None = None, reply: bytes | None = None) -> Append:
        start, self.offset = self.offset, entry.id
        return Append(
            partition=self.partition,
            token=self.lease.token,
            from_offset=start,
            to_offset=entry.id,
            parked=parked,
            reply=reply,
        )

    def next_deadline_ms(self) -> int | None:
        alarms = [table.alarm_at for table in self.tables.values() if table.alarm_at is not None]
        return min(alarms, default=None)

    def ended(self, read_past_ms: int, waiting: Sequence[InboxEntry] = ()) -> Sequence[str]:
        del waiting
        held = self.tables.values()
        return [table.table for table in held if table.alarm_at is not None and table.alarm_at <= read_past_ms]

    def due(self, read_past_ms: int, offset: str, tables: Sequence[str] | None = None) -> Sequence[Append]:
        assert offset == self.offset
        appends = []
        for name in self.ended(read_past_ms) if tables is None else tables:
            self.table_in_hand = name
            misbehave(poison_of("alarm", name))
            table = self.tables[name]
            appends.append(self.record(table, "rang", f"alarm:{table.version}", None))
        return appends

    def poisoned(self, entry: InboxEntry, offset: str, reason: str) -> Sequence[Append]:
        assert offset == self.offset
        try:
            message = msgspec.json.decode(entry.payload, type=Message)
        except msgspec.DecodeError:
            return [self.consume(entry, parked=reason.encode())]
        held = self.tables.setdefault(message.table, Table(message.table))
        return [self.record(held, "frozen", message.id, entry, parked=f"{message.id}: {reason}".encode())]

    def deadline_poisoned(self, table: str | None, offset: str, reason: str) -> Sequence[Append]:
        assert table is not None
        if table in self.lease.left_alone:
            return [self.aside(f"{table}: {reason}".encode())]
        misbehave(poison_of("freeze", table))
        held = self.tables[table]
        return [self.record(held, "frozen", f"froze:{held.version}", None, parked=reason.encode())]


class Tally:
    """A feed handler: counts events per table into a view."""

    def __init__(self, partition: int) -> None:
        self.partition = partition
        self.key = streams.view(partition, "tally")
        self.versions: dict[str, int] = {}

    async def load(self, lease: Lease, store: Store) -> None:
        del lease
        self.versions = {name: int(count) for name, count in (await store.view_hash(self.key)).items()}

    async def rebuild(self, lease: Lease, store: Store) -> Sequence[Effect]:
        for table in await store.open_tables(lease.partition):
            head = await store.read_head(table)
            assert head is not None
            self.versions[table] = head.version
        return [PutField(self.key, table, str(version).encode()) for table, version in self.versions.items()]

    def handle(self, batch: Sequence[FeedEntry]) -> Sequence[Effect]:
        changed = {}
        for entry in batch:
            event = msgspec.json.decode(entry.payload, type=Counted)
            known = self.versions.get(entry.table, 0)
            if entry.version <= known:
                continue
            if event.kind == "feed-new":
                raise NewerVersionNeeded("tag feed-new is not known here; start a newer release")
            misbehave(event.kind.removeprefix("feed-"))
            assert entry.version == known + 1, f"{entry.table}: {known} then {entry.version}"
            self.versions[entry.table] = entry.version
            changed[entry.table] = entry.version
        freeze_when(f"tally-{self.partition}")
        return [PutField(self.key, table, str(version).encode()) for table, version in changed.items()]

    def poisoned(self, entry: FeedEntry, reason: str) -> Sequence[Effect] | None:
        if os.environ.get("COUNTING_STRICT"):
            return None
        self.versions[entry.table] = entry.version
        return [
            PutField(self.key, entry.table, str(entry.version).encode()),
            Park(f"tally {entry.n}: {reason}".encode()),
        ]


def poison_of(act: str, table: str) -> str:
    """What the test wants this act on this table to do; it wrote it into a file of this name."""
    file = Path(os.environ.get("COUNTING_DIR", "/nowhere")) / f"bad-{act}-{table}"
    return file.read_text() if file.exists() else ""


def misbehave(kind: str) -> None:
    """Do what poison does."""
    if kind == "raise":
        raise RuntimeError("poison")
    if kind == "exit":
        os._exit(9)
    if kind == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if kind == "hang":
        time.sleep(3600)


def freeze_when(name: str) -> None:
    """Stop this whole process, between reading and writing, if the test left a file of this name."""
    file = Path(os.environ.get("COUNTING_DIR", "/nowhere")) / f"freeze-{name}"
    if file.exists():
        file.rename(file.with_name(f"frozen-{name}-{os.getpid()}"))
        os.kill(os.getpid(), signal.SIGSTOP)


if __name__ == "__main__":
    settings = Settings.from_environment()
    sys.exit(run_dealer(settings, Counting) if sys.argv[1] == "dealer" else run_follower("tally", settings, Tally))
