"""The dealer as a process: the runtime, with a handler a partition that runs the tables."""

import sys
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry

from poolrummy.dealer.limits import Limits
from poolrummy.dealer.metrics import TableMetrics
from poolrummy.dealer.opening import Opening
from poolrummy.dealer.packs import FairPacks, PackSource
from poolrummy.dealer.partition import DealerPartition
from poolrummy.dealer.vault import Vault
from poolrummy.dealer.watched_packs import WatchedPacks
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.keys import KeyRing, load_keys, load_or_create_keys
from poolrummy.fairness.notary_keys import load_trusted_keys
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.identity import identity
from poolrummy.keeping.checkpoint_folder import KeptCheckpoints
from poolrummy.keeping.keeper import KeeperFault
from poolrummy.keeping.keepers import marked
from poolrummy.profile_files import ProfilesInvalid, load_all
from poolrummy.runtime.errors import SettingsInvalid
from poolrummy.runtime.process import run_dealer
from poolrummy.runtime.server_clock import ServerClock
from poolrummy.runtime.settings import Settings
from poolrummy.runtime.store import MemoryUse
from poolrummy_contracts.terms import Terms

ROLE: Final = "dealer"
EXIT_USAGE: Final = 2
NOTARY_S_MAX: Final = 15.0
"""So long a dealer waits for the notary to mark the place of the checkpoints: they may start together."""
PRACTICE_FOLDER: Final = ".poolrummy"


def main() -> int:
    """Be a dealer with the settings of the environment; its exit code."""
    try:
        settings = Settings.from_environment()
        return run(settings)
    except (SettingsInvalid, ProfilesInvalid, FairnessError) as wrong:
        print(f"{ROLE}: {wrong}", file=sys.stderr)  # noqa: T201 - there is no log yet, and a person has to mend it
        return EXIT_USAGE


def run(settings: Settings, packs: PackSource | None = None) -> int:
    """Be a dealer until SIGTERM or SIGINT; its exit code. Only the composition of tests brings packs."""
    source = WatchedPacks(FairPacks() if packs is None else packs)
    sealer = AgeSealer(keys_of(settings))
    profiles = load_all(Path(settings.profiles_dir) if settings.profiles_dir else None)
    opening = Opening(profiles, money=settings.keys_dir is not None)
    limits = Limits(payload_bytes_max=settings.payload_bytes_max, inbox_age_ms_max=settings.inbox_age_ms_max)
    clock, registry = ServerClock(), CollectorRegistry()
    metrics = TableMetrics(source, now_ms=clock.now_ms)
    registry.register(metrics)

    software = identity().outcome

    def new_vault(table: str, terms: Terms) -> Vault:
        return Vault(table, terms, source=source, sealer=sealer, software=software)

    checkpoints = checkpoints_of(settings)

    def handler(partition: int) -> DealerPartition:
        made = DealerPartition(new_vault=new_vault, opening=opening, limits=limits, checkpoints=checkpoints)
        return metrics.watch(partition, made)

    def on_memory(memory: MemoryUse) -> None:
        limits.memory_is_short = memory.percent >= settings.memory_high_percent

    return run_dealer(settings, handler, on_memory=on_memory, registry=registry, clock=clock)


def checkpoints_of(settings: Settings) -> KeptCheckpoints | None:
    """What the notary has signed: no log that falls behind it is taken over, no id opened of which a log was signed."""
    if settings.checkpoints_dir is None:
        return None
    try:
        keeper = marked(settings.checkpoints_dir, patience_s=NOTARY_S_MAX)
    except KeeperFault as fault:
        raise SettingsInvalid((f"POOLRUMMY_CHECKPOINTS_DIR: {fault}",)) from fault
    keys = Path(settings.keys_dir) if settings.keys_dir is not None else _practice_keys(settings)
    return KeptCheckpoints(keeper, load_trusted_keys(keys))


def keys_of(settings: Settings) -> KeyRing:
    """The keys that seeds are sealed to: given ones, or ones made in the data folder for practice."""
    if settings.keys_dir is not None:
        return load_keys(Path(settings.keys_dir))
    return load_or_create_keys(_practice_keys(settings))


def _practice_keys(settings: Settings) -> Path:
    return Path(settings.data_dir or PRACTICE_FOLDER) / "keys"
