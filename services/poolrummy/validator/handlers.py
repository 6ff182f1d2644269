"""The validator's side of the feed: asks in, verdicts out, saved together with the offset."""

from base64 import b64encode
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Final, get_args

import msgspec
import structlog

from poolrummy.runtime.effects import Effect, Park, Send
from poolrummy.runtime.errors import NewerVersionNeeded
from poolrummy.runtime.store import FeedEntry, Lease, Store
from poolrummy.validator.judging import count_hand, judge_show
from poolrummy_contracts import codec
from poolrummy_contracts.events import HandLaidOpen, ShowDeclared, TableClosed, TableEvent, TableOpened
from poolrummy_contracts.replies import Parked
from poolrummy_contracts.terms import Terms
from poolrummy_contracts.verdicts import HandVerdict, ShowVerdict

log = structlog.get_logger()

Verdict = ShowVerdict | HandVerdict
Watch = Callable[[Verdict, float], None]
"""Told of each verdict and the seconds it took: the metrics."""

TAGS: Final = frozenset(str(event.__struct_config__.tag) for event in get_args(TableEvent))
REASON_MAX: Final = 4000
WANTED: Final = frozenset({"table-opened", "table-closed", "show-declared", "hand-laid-open"})


class _Tag(msgspec.Struct):
    type: str


_TAG: Final = msgspec.json.Decoder(_Tag)


class ValidatorPartition:
    """Judges the shows and counts the hands of one partition (a ``FeedHandler`` of the runtime)."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._terms: dict[str, Terms] = {}

    async def load(self, lease: Lease, store: Store) -> None:
        """Learn the terms of the tables that are open; those opened later say theirs in the feed."""
        for table in await store.open_tables(lease.partition):
            for entry in await store.read_table(table, 1, 1):
                self._learn(codec.decode_event(entry.payload))

    async def rebuild(self, lease: Lease, store: Store) -> Sequence[Effect]:
        """Answer what still waits in the open tables: the feed went on without us."""
        await self.load(lease, store)
        effects: list[Effect] = []
        for table in await store.open_tables(lease.partition):
            version, page = 1, await store.read_table(table, 1, 500)
            while page:
                effects.extend(self.handle([_as_feed(table, entry.version, entry.payload) for entry in page]))
                version = page[-1].version + 1
                page = await store.read_table(table, version, 500)
        return effects

    def handle(self, batch: Sequence[FeedEntry]) -> Sequence[Effect]:
        """Answer the asks of these events; a table whose terms nobody knows is closed, and waits for nothing."""
        return [Send(codec.encode(verdict)) for entry in batch if (verdict := self._answer(entry)) is not None]

    def poisoned(self, entry: FeedEntry, reason: str) -> Sequence[Effect]:
        """Set the ask aside: its table waits for an operator, every other table is judged."""
        log.error("ask set aside", table=entry.table, version=entry.version)
        line = Parked(
            offset=f"{entry.n}-0",
            why="validator",
            detail=reason[-REASON_MAX:],
            table=entry.table,
            size=len(entry.payload),
            payload=b64encode(entry.payload).decode(),
        )
        return [Park(codec.encode(line))]

    def _answer(self, entry: FeedEntry) -> Verdict | None:
        tag = _TAG.decode(entry.payload).type
        if tag not in WANTED:
            if tag not in TAGS:
                raise NewerVersionNeeded(f"{entry.table} version {entry.version} is a {tag!r}: update this validator")
            return None
        event = codec.decode_event(entry.payload)
        self._learn(event)
        terms = self._terms.get(entry.table)
        if terms is None:
            return None
        began = perf_counter()
        match event:
            case ShowDeclared():
                verdict: Verdict = judge_show(event, terms)
            case HandLaidOpen():
                verdict = count_hand(event, terms)
            case _:
                return None
        self._watch(verdict, perf_counter() - began)
        return verdict

    def _learn(self, event: TableEvent) -> None:
        match event:
            case TableOpened():
                self._terms[event.table] = event.terms
            case TableClosed():
                self._terms.pop(event.table, None)
            case _:
                return


def _as_feed(table: str, version: int, payload: bytes) -> FeedEntry:
    return FeedEntry(n=0, table=table, version=version, payload=payload, chain=b"", at_ms=0)
