"""What the projector counts: never twice, never less, and with as many series for many tables as for few."""

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families as families

from poolrummy.projector.metrics import GameMetrics
from poolrummy.projector.throughput import KNOWN, LABELS, Throughput, counted
from poolrummy.rules import fold
from poolrummy.runtime.memory_store import MemoryStore
from poolrummy_contracts import events as e

from .played_logs import Recorder, dull, eventful, in_a_deal, named

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


async def held_by(metrics: GameMetrics, store: MemoryStore, partition: int = 0, *, follow: bool = True) -> object:
    """Another owner of the partition, up to the end of the feed; what it holds lives as long as the answer."""
    handler = metrics.handler(partition)
    lease = await store.acquire(partition, "projector", "p", lease_ms=1_000_000)
    assert lease is not None
    await handler.load(lease, store)
    batch = await store.read_feed(partition, lease.n, 10_000)
    if follow and batch:
        await store.commit(lease, from_n=lease.n, to_n=batch[-1].n, effects=handler.handle(batch))
    return handler


def scraped(*processes: GameMetrics) -> Samples:
    """The sum over what these processes tell."""
    total: Samples = {}
    for process in processes:
        registry = CollectorRegistry()
        registry.register(process)
        for family in families(generate_latest(registry).decode()):
            for sample in family.samples:
                key = (sample.name, tuple(sorted(sample.labels.items())))
                total[key] = total.get(key, 0) + sample.value
    return total


def summed(samples: Samples, name: str) -> float:
    return sum(value for (found, _), value in samples.items() if found == name)


async def twelve_tables() -> MemoryStore:
    store = MemoryStore(clock=lambda: 5_000_000)
    recorder = await Recorder.on(store)
    for number in range(12):
        await recorder.record(named(in_a_deal(), f"p00-t{number}"))
    await recorder.record(named(eventful(), "p00-over"))
    return store


async def test_tables_are_counted_once_when_a_partition_changes_hands_and_totals_do_not_fall() -> None:
    """Case F108: A holds 12 tables and is killed, B takes them over."""
    store, a, b = await twelve_tables(), GameMetrics(), GameMetrics()
    held = await held_by(a, store)
    before = scraped(a, b)

    del held  # what the runtime does with a handler whose tenure is over
    successor = await held_by(b, store)

    after = scraped(a, b)
    assert successor is not None
    assert summed(before, "rummy_tables") == summed(after, "rummy_tables") == 12
    assert summed(after, "rummy_deals_total") == summed(before, "rummy_deals_total") > 0
    assert after == before


async def test_a_second_owner_in_one_process_replaces_the_first() -> None:
    store, metrics = await twelve_tables(), GameMetrics()
    first = await held_by(metrics, store)
    second = await held_by(metrics, store)

    assert first is not second
    assert summed(scraped(metrics), "rummy_tables") == 12


async def test_a_thousand_tables_have_the_series_of_ten() -> None:
    """Case F110."""
    few, many = MemoryStore(clock=lambda: 5_000_000), MemoryStore(clock=lambda: 5_000_000)
    for store, tables in ((few, 10), (many, 60)):
        recorder = await Recorder.on(store)
        for number in range(tables):
            await recorder.record(named(dull(), f"p00-t{number}"))
    metrics = GameMetrics(), GameMetrics()
    held = [await held_by(one, store) for one, store in zip(metrics, (few, many), strict=True)]

    series = [set(scraped(one)) for one in metrics]

    assert len(held) == 2
    assert series[0] == series[1]
    assert not any("p00-t" in value for _, labels in series[1] for _, value in labels)


def test_every_counter_has_the_labels_that_its_events_give() -> None:
    found: Throughput = tallied(eventful())

    assert set(found.counts) <= set(LABELS)
    for name, by_label in found.counts.items():
        for label in by_label:
            assert len(label.split("/") if LABELS[name] else []) == len(LABELS[name]), (name, label)


def test_what_is_known_beforehand_is_told_from_zero_on() -> None:
    metrics = GameMetrics()
    held = metrics.handler(0)
    before = scraped(metrics)
    seen = tallied(eventful()).counts

    assert held is not None
    assert before["rummy_deals_total", (("end", "void"), ("partition", "0"))] == 0
    assert set(KNOWN) == set(LABELS)
    for name, by_label in seen.items():
        assert name == "fee_minor" or set(by_label) <= set(KNOWN[name]), name


def test_what_players_and_what_clocks_did_is_counted_apart() -> None:
    log = eventful()
    counts = tallied(log).counts

    draws = [event for event in log if isinstance(event, e.CardDrawn)]
    assert counts["moves"]["draw"] == sum(event.actor == "player" for event in draws)
    assert counts["turn_timeouts"] == {"": 1}
    assert counts["declarations"] == {"valid/ok": 1, "wrong/invalid_group": 1}
    assert counts["deals"]["void"] == 1
    assert counts["rejoins"]["granted"] == 1
    assert counts["fee_minor"] == {"practice": 4 * 250}


def tallied(log: tuple[e.TableEvent, ...]) -> Throughput:
    counts: dict[str, dict[str, int]] = {}
    table = None
    for event in log:
        table = fold.evolve(table, event)
        for name, label, number in counted(table, event):
            by_label = counts.setdefault(name, {})
            by_label[label] = by_label.get(label, 0) + number
    return Throughput(counts=counts)
