"""What the dealer's ``/metrics`` says of the tables that this process deals now; never a table, seat or player."""

from collections import Counter
from collections.abc import Callable, Iterator
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

    def __init__(self, packs: WatchedPacks | None = None, *, now_ms: Callable[[], int]) -> None:
        self._packs = packs
        self._now_ms = now_ms
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
        phases, frozen, broken, oldest, overdue, counted, uneven = self._families()
        now_ms = self._now_ms()
        handlers = list(self._held.values())
        tables = [held.state for handler in handlers for held in handler.tables]
        alike = Counter(table.phase for table in tables)
        for phase in PHASES:
            phases.add_metric([phase], alike[phase])
            moved_ms = [table.at for table in tables if table.phase == phase and not table.frozen]
            oldest.add_metric([phase], max(0, now_ms - min(moved_ms, default=now_ms)) / 1000)
        frozen.add_metric([], sum(table.frozen for table in tables))
        broken.add_metric([], sum(handler.broken for handler in handlers))
        passed_ms = [ms for handler in handlers if (ms := handler.first_clock_ms()) is not None]
        overdue.add_metric([], max(0, now_ms - min(passed_ms, default=now_ms)) / 1000)
        for (decks, jokers), window in () if self._packs is None else self._packs.windows:
            if window.told is not None:
                counted.add_metric([str(decks), str(jokers)], window.told[0])
                uneven.add_metric([str(decks), str(jokers)], window.told[1])
        yield from (phases, frozen, broken, oldest, overdue, counted, uneven)

    @staticmethod
    def _families() -> tuple[GaugeMetricFamily, ...]:
        deck = ["decks", "printed_jokers"]
        return (
            GaugeMetricFamily("rummy_dealt_tables", "Tables that this dealer holds, by phase", labels=["phase"]),
            GaugeMetricFamily("rummy_frozen_tables", "Tables that stand still until an operator has looked"),
            GaugeMetricFamily("rummy_broken_tables", "Tables that could not be loaded from their logs"),
            GaugeMetricFamily(
                "rummy_table_oldest_progress_seconds",
                "Since when the quietest table of a phase has had no event; frozen ones apart",
                labels=["phase"],
            ),
            GaugeMetricFamily("rummy_deadline_overdue_seconds", "Since when the earliest clock should have fired"),
            GaugeMetricFamily("rummy_watched_packs", "Packs in the rolling statistic, by deck", labels=deck),
            GaugeMetricFamily(
                "rummy_pack_unevenness_sigmas",
                "Position by face over the watched packs, in standard deviations of chi-square; above 6 raise alarm",
                labels=deck,
            ),
        )
