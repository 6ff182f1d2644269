"""What the notary's metrics say: since when events wait for a signature, and which logs get none."""

from pathlib import Path

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families as families

from poolrummy.audit.notary import NotaryPartition
from poolrummy.audit.notary_metrics import SignedLogs
from poolrummy.keeping.checkpoint_folder import FolderKeeper
from poolrummy.runtime.store import FeedEntry
from poolrummy_contracts import codec
from poolrummy_contracts.envelope import chain_next, chain_start
from poolrummy_contracts.events import TableFrozen

from .played_logs import eventful
from .signed_matches import NOTARY, match

WAITED_MS = 90_000


def told(metrics: SignedLogs) -> dict[str, float]:
    registry = CollectorRegistry()
    registry.register(metrics)
    return {
        sample.name: sample.value
        for family in families(generate_latest(registry).decode())
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


def feed_of(number: int) -> list[FeedEntry]:
    evidence = match(number)
    return [
        FeedEntry(n=n, table=evidence.table, version=n, payload=line.payload, chain=line.chain, at_ms=0)
        for n, line in enumerate(evidence.lines, 1)
    ]


async def test_events_wait_until_they_are_signed_and_a_refused_log_waits_for_nothing(tmp_path: Path) -> None:
    feed = feed_of(3)
    first_at = codec.decode_event(feed[0].payload).at
    metrics = SignedLogs(lambda: first_at + WAITED_MS)
    notary = metrics.watch(0, NotaryPartition(0, FolderKeeper(tmp_path), NOTARY, metrics.note_signed))
    notary.handle(feed[:3])
    await notary.settle()
    waiting = told(metrics)
    notary.handle(feed[3:-1])
    await notary.settle()
    signed = told(metrics)
    notary.poisoned(feed[-1], "unreadable")
    refused = told(metrics)

    assert (waiting["rummy_followed_logs"], waiting["rummy_unsigned_events"]) == (1, 3)
    assert waiting["rummy_checkpoint_age_seconds"] == WAITED_MS / 1000
    assert (waiting["rummy_checkpoints_total"], signed["rummy_checkpoints_total"] > 0) == (0, True)
    assert signed["rummy_unsigned_events"] < len(feed)
    assert (signed["rummy_refused_logs"], refused["rummy_refused_logs"]) == (0, 1)
    assert (refused["rummy_unsigned_events"], refused["rummy_checkpoint_age_seconds"]) == (0, 0)


async def test_a_frozen_table_may_wait_as_long_as_it_must(tmp_path: Path) -> None:
    log = eventful()
    frozen_at = next(place for place, event in enumerate(log, 1) if isinstance(event, TableFrozen))
    chain, entries = chain_start(log[0].table), []
    for n, event in enumerate(log[:frozen_at], 1):
        payload = codec.encode(event)
        chain = chain_next(chain, payload)
        entries.append(FeedEntry(n=n, table=event.table, version=n, payload=payload, chain=chain, at_ms=0))
    metrics = SignedLogs(lambda: log[frozen_at].at + 7_200_000)
    notary = metrics.watch(0, NotaryPartition(0, FolderKeeper(tmp_path), NOTARY))
    notary.handle(entries[:-1])
    before = told(metrics)
    notary.handle(entries[-1:])
    frozen = told(metrics)

    assert before["rummy_checkpoint_age_seconds"] >= 7_200
    assert frozen["rummy_checkpoint_age_seconds"] == 0
    assert (frozen["rummy_refused_logs"], frozen["rummy_unsigned_events"] > 0) == (0, True)
