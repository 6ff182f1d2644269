"""What the dealer's ``/metrics`` says of the tables that this process deals now; never a table, seat or player."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, get_args
from weakref import WeakValueDictionary

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from poolrummy.dealer.partition import DealerPartition
from poolrummy.dealer.watched_packs import WatchedPacks
from poolrummy.rules.state import Phase

PHASES: Final[tuple[Phase, ...]] = get_args(Phase)


class TableMetrics(Collector):
    """Reads the partitions that live; one that the runtime has thrown away is forgotten with it."""

    def __init__(self, packs: WatchedPacks | None = None) -> None:
        self._packs = packs
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
        phases, frozen, broken, counted, uneven = self._families()
        handlers = list(self._held.values())
        tables = [held.state for handler in handlers for held in handler.tables]
        alike = Counter(table.phase for table in tables)
        for phase in PHASES:
            phases.add_metric([phase], alike[phase])
        frozen.add_metric([], sum(table.frozen for table in tables))
        broken.add_metric([], sum(handler.broken for handler in handlers))
        for (decks, jokers), window in () if self._packs is None else self._packs.windows:
            if window.told is not None:
                counted.add_metric([str(decks), str(jokers)], window.told[0])
                uneven.add_metric([str(decks), str(jokers)], window.told[1])
        yield from (phases, frozen, broken, counted, uneven)

    @staticmethod
    def _families() -> tuple[GaugeMetricFamily, ...]:
        deck = ["decks", "printed_jokers"]
        return (
            GaugeMetricFamily("rummy_dealt_tables", "Tables that this dealer holds, by phase", labels=["phase"]),
            GaugeMetricFamily("rummy_frozen_tables", "Tables that stand still until an operator has looked"),
            GaugeMetricFamily("rummy_broken_tables", "Tables that could not be loaded from their logs"),
            GaugeMetricFamily("rummy_watched_packs", "Packs in the rolling statistic, by deck", labels=deck),
            GaugeMetricFamily(
                "rummy_pack_unevenness_sigmas",
                "Position by face over the watched packs, in standard deviations of chi-square; above 6 raise alarm",
                labels=deck,
            ),
        )
