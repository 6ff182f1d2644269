"""The projector as a process: the runtime, with a handler a partition that keeps the read models."""

import sys
from typing import Final

from prometheus_client import CollectorRegistry

from poolrummy.projector.metrics import GameMetrics
from poolrummy.runtime.errors import SettingsInvalid
from poolrummy.runtime.process import run_follower
from poolrummy.runtime.settings import Settings

ROLE: Final = "projector"
EXIT_USAGE: Final = 2


def main() -> int:
    """Be a projector with the settings of the environment; its exit code."""
    try:
        settings = Settings.from_environment()
    except SettingsInvalid as wrong:
        print(f"{ROLE}: {wrong}", file=sys.stderr)  # noqa: T201 - there is no log yet, and a person has to mend it
        return EXIT_USAGE
    return run(settings)


def run(settings: Settings) -> int:
    """Be a projector until SIGTERM or SIGINT; its exit code."""
    registry, metrics = CollectorRegistry(), GameMetrics()
    registry.register(metrics)
    return run_follower(ROLE, settings, metrics.handler, registry=registry)
