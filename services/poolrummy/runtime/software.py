"""What a process says of the software it runs, and whether the files on disk are still those that it loaded (R33)."""

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
import structlog

from poolrummy import identity, libraries
from poolrummy.identity import Identity
from poolrummy.runtime.errors import SettingsInvalid
from poolrummy.runtime.metrics import Metrics
from poolrummy.runtime.settings import Settings

PLACES: Final = frozenset({"redis_url", "http_host", "http_port", "data_dir", "log_format", "log_level"})
"""Settings that say where things are or how they are told: machines differ in them without playing differently."""
FOLDERS: Final = frozenset({"keys_dir", "checkpoints_dir", "profiles_dir"})
"""Settings of which it matters whether they are given, not what the folder is called."""
NAMED_MAX: Final = 20

log = structlog.get_logger()


def configuration_of(settings: Settings, profiles: Mapping[str, bytes]) -> str:
    """The digest of what a process is told from outside and plays by: settings, and the operator's own profiles."""
    fields: dict[str, object] = msgspec.structs.asdict(settings)
    told = {name: value for name, value in fields.items() if name not in PLACES | FOLDERS | {"software_approved"}}
    told |= {name: fields[name] is not None for name in FOLDERS}
    return identity.digest_of({**profiles, "settings.json": msgspec.json.encode(told, order="sorted")})


class Software:
    """The software of one process: what it is, and what has become of its files since."""

    def __init__(self, role: str, settings: Settings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics
        self._loaded = {**identity.loaded(), **self._profiles()}
        self.identity: Identity = identity.identity()
        self.configuration = configuration_of(settings, self._profiles())
        self.changed: tuple[str, ...] = ()
        """Names of files that are new, gone or changed since they were loaded."""
        approved = settings.software_approved
        if approved is not None and approved != self.identity.outcome:
            finding = (
                f"POOLRUMMY_SOFTWARE_APPROVED={approved} is not this software: its outcome digest is "
                f"{self.identity.outcome}; install what was approved, or have this approved"
            )
            raise SettingsInvalid((finding,))
        labels = (role, self.identity.release, self.identity.outcome, self.identity.whole, self.configuration)
        metrics.software.labels(*labels).set(1)
        metrics.software_changed_files.set(0)
        metrics.software_checked.set(time.time())

    async def watch(self) -> None:
        """Look again and again, at least every day: the setting allows no longer pause."""
        while True:
            await asyncio.sleep(self._settings.software_check_s)
            await self.check()

    async def check(self) -> tuple[str, ...]:
        """Hold the files on disk against those that were loaded; the names of those that differ."""
        try:
            now = await asyncio.to_thread(self._on_disk)
            changed = identity.differing(self._loaded, now)
        except identity.Unreadable as unreadable:
            changed = (str(unreadable),)
        if changed and changed != self.changed:
            log.critical("software changed", files=len(changed), named=list(changed[:NAMED_MAX]))
        self.changed = changed
        self._metrics.software_changed_files.set(len(changed))
        self._metrics.software_checked.set(time.time())
        return changed

    async def told(self) -> Mapping[str, object]:
        """What ``/identity`` answers: looked at anew."""
        changed = await self.check()
        return {
            **msgspec.structs.asdict(self.identity),
            "parts": [msgspec.structs.asdict(part) for part in self.identity.parts],
            "configuration": self.configuration,
            "others": libraries.versions(),
            "unchanged": not changed,
            "changed": list(changed),
        }

    def _on_disk(self) -> dict[str, bytes]:
        return {**identity.shipped_files(), **self._profiles()}

    def _profiles(self) -> dict[str, bytes]:
        folder = self._settings.profiles_dir
        return identity.own_profiles(None if folder is None else Path(folder))
