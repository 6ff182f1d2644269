"""What the dealer's ``/metrics`` says of the tables that this process deals now; never a table, seat or player."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, get_args
from weakref import WeakValueDictionary

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from poolrummy.dealer.partition import DealerPartition
from poolrummy.rules.state import Phase

PHASES: Final[tuple[Phase, ...]] = get_args(Phase)


class TableMetrics(Collector):
    """Reads the partitions that live; one that the runtime has thrown away is forgotten with it."""

    def __init__(self) -> None:
        self._held: WeakValueDictionary[int, DealerPartition] = WeakValueDictionary()

    def watch(self, partition: int, handler: DealerPartition) -> DealerPartition:
        """Watch this handler, in place of the one before."""
        self._held[partition] = handler
        return handler

    def describe(self) -> Iterator[Metric]:
        """The families without a sample."""
        yield from self._families()

    def collect(self) -> Iterator[Metric]:
        """Everything, as it stands now."""
        phases, frozen, broken = self._families()
        handlers = list(self._held.values())
        tables = [held.state for handler in handlers for held in handler.tables]
        alike = Counter(table.phase for table in tables)
        for phase in PHASES:
            phases.add_metric([phase], alike[phase])
        frozen.add_metric([], sum(table.frozen for table in tables))
        broken.add_metric([], sum(handler.broken for handler in handlers))
        yield from (phases, frozen, broken)

    @staticmethod
    def _families() -> tuple[GaugeMetricFamily, GaugeMetricFamily, GaugeMetricFamily]:
        return (
            GaugeMetricFamily("rummy_dealt_tables", "Tables that this dealer holds, by phase", labels=["phase"]),
            GaugeMetricFamily("rummy_frozen_tables", "Tables that stand still until an operator has looked"),
            GaugeMetricFamily("rummy_broken_tables", "Tables that could not be loaded from their logs"),
        )
