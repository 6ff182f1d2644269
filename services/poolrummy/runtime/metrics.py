"""All metrics of the runtime. Labels are roles and codes, never tables or players: the series stay few."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from poolrummy.runtime.errors import RuntimeFault
from poolrummy.runtime.store import DEALER, AppendCode

QUICK_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
AGE_S = (0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60)


class Metrics:
    """What one process counts; the registry is handed in, so that two in one process do not mix."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = kept = registry or CollectorRegistry()
        self.appends = Counter(
            "poolrummy_appends", "Calls of the append by what became of them", ["code"], registry=kept
        )
        self.append_seconds = Histogram(
            "poolrummy_append_seconds", "One pipeline of appends, there and back", buckets=QUICK_S, registry=kept
        )
        self.ack_seconds = Histogram(
            "poolrummy_ack_seconds",
            "From a command's arrival to its stored answer, where it was accepted",
            buckets=QUICK_S,
            registry=kept,
        )
        self.events = Counter("poolrummy_events", "Events recorded by this process", registry=kept)
        self.handle_seconds = Histogram(
            "poolrummy_handle_seconds", "Deciding one batch", ["role"], buckets=QUICK_S, registry=kept
        )
        self.inbox_age_seconds = Histogram(
            "poolrummy_inbox_age_seconds", "How long messages waited to be read", buckets=AGE_S, registry=kept
        )
        self.feed_age_seconds = Histogram(
            "poolrummy_feed_age_seconds", "How old events were when read", ["role"], buckets=AGE_S, registry=kept
        )
        self.effect_age_seconds = Histogram(
            "poolrummy_effect_age_seconds",
            "How old events were when what follows from them was stored",
            ["role"],
            buckets=AGE_S,
            registry=kept,
        )
        self.feed_lag_events = Gauge(
            "poolrummy_feed_lag_events", "Events not committed yet, over all owned partitions", ["role"], registry=kept
        )
        self.partitions_owned = Gauge("poolrummy_partitions_owned", "Partitions held now", ["role"], registry=kept)
        self.partitions = Gauge("poolrummy_partitions", "Partitions that the settings name", registry=kept)
        self.takeovers = Counter("poolrummy_takeovers", "Leases acquired", ["role"], registry=kept)
        self.unowned_seconds = Counter(
            "poolrummy_unowned_seconds", "Time that acquired partitions had no owner", ["role"], registry=kept
        )
        self.tenures_ended = Counter(
            "poolrummy_tenures_ended", "Ownerships that ended in a fault, by its kind", ["role", "fault"], registry=kept
        )
        self.poisoned = Counter("poolrummy_poisoned", "Entries on which our own code failed", ["role"], registry=kept)
        self.parked = Counter("poolrummy_parked", "Messages set aside, for whatever reason", ["role"], registry=kept)
        self.oldest_waiting_seconds = Gauge(
            "poolrummy_oldest_waiting_seconds", "Since when entries wait without progress", ["role"], registry=kept
        )
        self.server_memory_bytes = Gauge("poolrummy_server_memory_bytes", "Memory used by the server", registry=kept)
        self.server_memory_limit_bytes = Gauge(
            "poolrummy_server_memory_limit_bytes", "Memory that the server may use; 0: all there is", registry=kept
        )
        self.inbox_ahead_seconds = Gauge(
            "poolrummy_inbox_ahead_seconds",
            "How far the newest message of an inbox is stamped ahead of the server's clock",
            registry=kept,
        )
        self.clock_skew_seconds = Gauge(
            "poolrummy_clock_skew_seconds",
            "This machine's clock less the server's, which alone decides",
            ["role"],
            registry=kept,
        )
        self.software = Gauge(
            "poolrummy_software_info",
            "Which software and configuration this is, as digests",
            ["role", "release", "outcome", "whole", "configuration"],
            registry=kept,
        )
        self.software_changed_files = Gauge(
            "poolrummy_software_changed_files",
            "Files on disk that are not those that were loaded; above 0 raise alarm",
            registry=kept,
        )
        self.software_checked = Gauge(
            "poolrummy_software_checked_timestamp_seconds", "When the files were last looked at", registry=kept
        )
        self.ready = Gauge("poolrummy_ready", "1 if /ready is green", ["role"], registry=kept)

    def begin(self, role: str, partitions: int) -> None:
        """Tell every series of this role from the start on: a counter that appears with its first fault hides it."""
        self.partitions.set(partitions)
        for one in (self.takeovers, self.unowned_seconds, self.poisoned, self.parked, self.handle_seconds):
            one.labels(role)
        for gauge in (self.partitions_owned, self.oldest_waiting_seconds, self.clock_skew_seconds, self.ready):
            gauge.labels(role)
        for fault in _kinds(RuntimeFault):
            self.tenures_ended.labels(role, fault.__name__)
        if role == DEALER:
            for code in AppendCode:
                self.appends.labels(code.value)
        else:
            self.feed_age_seconds.labels(role)
            self.effect_age_seconds.labels(role)


def _kinds(fault: type[RuntimeFault]) -> Iterator[type[RuntimeFault]]:
    """Every kind of this fault that the process can raise; a process imports those of its own before it starts."""
    for kind in fault.__subclasses__():
        yield kind
        yield from _kinds(kind)
