"""What the projector's ``/metrics`` says of the game, for the partitions that this process holds now.

The counters are the stored counts of each partition, so they go on where a dead process left them; the gauges are
counted afresh at every scrape from the tables that are held. Partition, state and variant are the only labels: the
series stay as many for a hundred thousand tables as for ten (F108, F110).
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final
from weakref import WeakValueDictionary

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from poolrummy.projector.handlers import ProjectorPartition
from poolrummy.projector.lobby import lobby_state
from poolrummy.projector.throughput import KNOWN, LABELS

HELP: Final = {
    "tables_opened": "Tables opened",
    "matches": "Matches that ended, by how",
    "deals": "Deals that were scored or are void, by how they ended",
    "moves": "Moves that players made",
    "automatic_moves": "Moves that a clock or a rule made for a seat",
    "turn_timeouts": "Turns that ran out",
    "drops": "Seats that dropped out of a deal, by kind",
    "declarations": "Shows that were judged, by verdict and reason",
    "reshuffles": "Open piles that became the stock",
    "eliminations": "Seats that reached the limit",
    "forfeits": "Seats that left a running match",
    "rejoins": "Offers of a rejoin that were answered",
    "splits": "Windows in which a split could be asked, by outcome",
    "freezes": "Tables that were frozen, by whom",
    "clock_shifts": "Tables whose clocks moved because nobody dealt",
    "fee_minor": "What the house keeps of entries and rejoins, in minor units",
}


class GameMetrics(Collector):
    """Reads the handlers that live; one that the runtime has thrown away is forgotten with it."""

    def __init__(self) -> None:
        self._held: WeakValueDictionary[int, ProjectorPartition] = WeakValueDictionary()

    def handler(self, partition: int) -> ProjectorPartition:
        """A new handler for this partition, watched from now on in place of the one before."""
        made = self._held[partition] = ProjectorPartition(partition)
        return made

    def describe(self) -> Iterator[Metric]:
        """The families without a sample."""
        yield from self._families().values()
        yield from self._gauges()

    def collect(self) -> Iterator[Metric]:
        """Everything, as it stands now."""
        counters, (tables, stuck) = self._families(), self._gauges()
        for partition, handler in sorted(self._held.items()):
            stored = handler.throughput.counts
            for name, known in KNOWN.items():
                for label, number in {**dict.fromkeys(known, 0), **stored.get(name, {})}.items():
                    values = label.split("/") if LABELS[name] else []
                    counters[name].add_metric([str(partition), *values], number)
            alike = Counter((lobby_state(board), board.table.terms.variant) for board in handler.boards.values())
            for (state, variant), number in sorted(alike.items()):
                tables.add_metric([str(partition), state, variant], number)
            stuck.add_metric([str(partition)], len(handler.stuck))
        yield from counters.values()
        yield tables
        yield stuck

    @staticmethod
    def _families() -> dict[str, CounterMetricFamily]:
        return {
            name: CounterMetricFamily(f"rummy_{name}", HELP[name], labels=["partition", *labels])
            for name, labels in LABELS.items()
        }

    @staticmethod
    def _gauges() -> tuple[GaugeMetricFamily, GaugeMetricFamily]:
        tables = GaugeMetricFamily(
            "rummy_tables", "Tables that are not closed", labels=["partition", "state", "variant"]
        )
        stuck = GaugeMetricFamily("rummy_tables_stuck", "Tables whose views stand still", labels=["partition"])
        return tables, stuck
