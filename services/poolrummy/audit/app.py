"""The notary as a process: the runtime, with a handler a partition that signs logs."""

import sys
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry

from poolrummy.audit.notary import NotaryPartition
from poolrummy.audit.notary_metrics import SignedLogs
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.notary_keys import load_or_create_signing_key, load_signing_key
from poolrummy.keeping.keeper import Keeper, KeeperFault
from poolrummy.keeping.keepers import keeper_of
from poolrummy.runtime.errors import SettingsInvalid
from poolrummy.runtime.process import run_follower
from poolrummy.runtime.server_clock import ServerClock
from poolrummy.runtime.settings import Settings

ROLE: Final = "notary"
EXIT_USAGE: Final = 2
PRACTICE_FOLDER: Final = ".poolrummy"


def main() -> int:
    """Be a notary with the settings of the environment; its exit code."""
    try:
        settings = Settings.from_environment()
        return run(settings)
    except (SettingsInvalid, FairnessError) as wrong:
        print(f"{ROLE}: {wrong}", file=sys.stderr)  # noqa: T201 - there is no log yet, and a person has to mend it
        return EXIT_USAGE


def run(settings: Settings) -> int:
    """Be a notary until SIGTERM or SIGINT; its exit code."""
    data = Path(settings.data_dir or PRACTICE_FOLDER)
    if settings.keys_dir is not None:
        private = load_signing_key(Path(settings.keys_dir))
    else:
        private = load_or_create_signing_key(data / "keys")
    keeper = _writable(settings.checkpoints_dir or str(data / "checkpoints"))
    clock, registry = ServerClock(), CollectorRegistry()
    metrics = SignedLogs(clock.now_ms)
    registry.register(metrics)

    def handler(partition: int) -> NotaryPartition:
        return metrics.watch(partition, NotaryPartition(partition, keeper, private, metrics.note_signed))

    return run_follower(ROLE, settings, handler, registry=registry, clock=clock)


def _writable(place: str) -> Keeper:
    """The keeper of this place, tried before anything is read: events that nobody could keep signed are not read."""
    try:
        keeper = keeper_of(place)
        keeper.refuse_unusable(writing=True)
    except KeeperFault as fault:
        raise SettingsInvalid((f"POOLRUMMY_CHECKPOINTS_DIR: {fault}",)) from fault
    return keeper
