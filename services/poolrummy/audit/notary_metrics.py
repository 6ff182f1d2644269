"""What the notary's ``/metrics`` says: how long events wait for a signature, and which logs get none; never a table."""

from collections.abc import Callable, Iterator
from typing import Final
from weakref import WeakValueDictionary

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from poolrummy.audit.notary import NotaryPartition

MILLISECONDS: Final = 1000


class SignedLogs(Collector):
    """Reads the partitions that live; one that the runtime has thrown away is forgotten with it."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._signed = 0
        self._held: WeakValueDictionary[int, NotaryPartition] = WeakValueDictionary()

    def watch(self, partition: int, handler: NotaryPartition) -> NotaryPartition:
        """Watch this handler, in place of the one before."""
        self._held[partition] = handler
        return handler

    def note_signed(self) -> None:
        """One more checkpoint is kept."""
        self._signed += 1

    def describe(self) -> Iterator[Metric]:
        """The families without a sample."""
        yield from self._families()

    def collect(self) -> Iterator[Metric]:
        """Everything, as it stands now."""
        signed, followed, refused, waiting, age = self._families()
        logs = [log for handler in list(self._held.values()) for log in handler.logs]
        sound = [log for log in logs if not log.refused]
        now_ms = self._now_ms()
        since_ms = [log.unsigned_since_ms for log in sound if log.unsigned_since_ms is not None]
        signed.add_metric([], self._signed)
        followed.add_metric([], len(logs))
        refused.add_metric([], len(logs) - len(sound))
        waiting.add_metric([], sum(len(log.unsigned) for log in sound))
        age.add_metric([], max(0, now_ms - min(since_ms, default=now_ms)) / MILLISECONDS)
        yield from (signed, followed, refused, waiting, age)

    @staticmethod
    def _families() -> tuple[
        CounterMetricFamily, GaugeMetricFamily, GaugeMetricFamily, GaugeMetricFamily, GaugeMetricFamily
    ]:
        return (
            CounterMetricFamily("rummy_checkpoints", "Checkpoints that were signed and kept outside the server"),
            GaugeMetricFamily("rummy_followed_logs", "Logs of open tables that are followed"),
            GaugeMetricFamily("rummy_refused_logs", "Logs that get no signature: they are not what was signed before"),
            GaugeMetricFamily("rummy_unsigned_events", "Events that no checkpoint covers yet"),
            GaugeMetricFamily(
                "rummy_checkpoint_age_seconds",
                "Since when the oldest event waits that no checkpoint covers; frozen tables apart",
            ),
        )
