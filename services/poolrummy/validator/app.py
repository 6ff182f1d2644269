"""The validator as a process: the runtime, with a handler a partition that judges shows and counts hands."""

import sys
from typing import Final, get_args

from prometheus_client import CollectorRegistry, Counter, Histogram

from poolrummy.runtime.errors import SettingsInvalid
from poolrummy.runtime.process import run_follower
from poolrummy.runtime.settings import Settings
from poolrummy.validator.handlers import ValidatorPartition, Verdict
from poolrummy_contracts.verdicts import ShowReason, ShowVerdict

ROLE: Final = "validator"
EXIT_USAGE: Final = 2
SECONDS: Final = (0.00001, 0.00002, 0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.003, 0.01, 0.1)


def main() -> int:
    """Be a validator with the settings of the environment; its exit code."""
    try:
        settings = Settings.from_environment()
    except SettingsInvalid as wrong:
        print(f"{ROLE}: {wrong}", file=sys.stderr)  # noqa: T201 - there is no log yet, and a person has to mend it
        return EXIT_USAGE
    return run(settings)


def run(settings: Settings) -> int:
    """Be a validator until SIGTERM or SIGINT; its exit code."""
    registry = CollectorRegistry()
    verdicts = Counter("rummy_verdicts", "Verdicts given, by kind and reason", ["kind", "reason"], registry=registry)
    seconds = Histogram("rummy_verdict_seconds", "Time of one verdict", buckets=SECONDS, registry=registry)

    for reason in get_args(ShowReason):
        verdicts.labels("show", reason)
    verdicts.labels("hand", "counted")

    def watch(verdict: Verdict, took_s: float) -> None:
        kind, reason = ("show", verdict.reason) if isinstance(verdict, ShowVerdict) else ("hand", "counted")
        verdicts.labels(kind, reason).inc()
        seconds.observe(took_s)

    def handler(partition: int) -> ValidatorPartition:
        del partition
        return ValidatorPartition(watch)

    return run_follower(ROLE, settings, handler, registry=registry)
