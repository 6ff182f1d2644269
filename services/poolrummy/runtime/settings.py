"""Settings of one process: read once, checked in full, frozen.

Every field is an environment variable ``POOLRUMMY_<FIELD>``. A key that we do not know is an error: a mistyped
limit would otherwise be no limit.
"""

import os
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self

import msgspec
from msgspec import Meta, Struct

from poolrummy.runtime.errors import SettingsInvalid

PREFIX: Final = "POOLRUMMY_"

Port = Annotated[int, Meta(ge=0, le=65535)]
Count = Annotated[int, Meta(ge=1, le=1_000_000_000)]


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a process may be told from outside."""

    redis_url: str | None = None
    """None: ``REDIS_URL``; a process without either ends, and names the mend."""
    store_id: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")] | None = None
    """The store that is expected there (``/ready`` says its id): at any other, or at none, nobody starts."""
    partitions: Annotated[int, Meta(ge=1, le=1000)] = 16
    lease_ms: Annotated[int, Meta(ge=100, le=600_000)] = 3000
    """How long a silent owner keeps its partitions."""
    inbox_age_ms_max: Count = 2000
    """An inbox older than this answers BUSY."""
    payload_bytes_max: Annotated[int, Meta(ge=1024, le=1 << 24)] = 65_536
    replies_max: Count = 10_000
    lag_ms_max: Count = 600_000
    """A feed consumer that lags longer no longer holds back trimming and must rebuild."""
    lag_entries_max: Count = 1_000_000
    feed_kept_entries: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 10_000
    """The last events of each feed that trimming leaves for gateways and others who register nowhere."""
    http_host: str = "127.0.0.1"
    http_port: Port = 0
    """0: any free port."""
    keys_dir: str | None = None
    data_dir: str | None = None
    checkpoints_dir: str | None = None
    """Where the notary keeps signed checkpoints, outside the server; the dealer refuses logs that fall behind them.

    A folder, or a bucket such as ``s3://bucket/prefix``: credentials and endpoint come from ``AWS_…`` variables.
    """
    archive: str | None = None
    """Where closed tables are archived; commands look there for the log of a table that left the store."""
    profiles_dir: str | None = None
    """A folder of rule profiles beside those of the package."""
    log_format: Literal["json", "console"] = "json"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    read_count: Annotated[int, Meta(ge=1, le=10_000)] = 200
    poll_ms: Annotated[int, Meta(ge=1, le=10_000)] = 200
    takeovers_before_caution: Annotated[int, Meta(ge=1, le=100)] = 3
    socket_timeout_s: Annotated[float, Meta(gt=0, le=60)] = 2.0
    unreachable_s_max: Annotated[float, Meta(gt=0, le=3600)] = 60.0
    """How long a process looks for a vanished server before it gives up."""
    hang_s_max: Annotated[float, Meta(ge=1, le=3600)] = 15.0
    """A process whose loop hangs longer is ended by its own watchdog."""
    wait_replicas: Annotated[int, Meta(ge=0, le=10)] = 0
    memory_high_percent: Annotated[int, Meta(ge=1, le=100)] = 80
    """Above this no new table opens."""
    housekeeping_ms: Annotated[int, Meta(ge=100, le=3_600_000)] = 2000
    """How often streams are trimmed and the server's memory is read."""
    software_check_s: Annotated[int, Meta(ge=1, le=86_400)] = 3600
    """How often the files on disk are held against those that were loaded (R33): at least once a day."""
    software_approved: str | None = None
    """Outcome digest that was approved: a process of other software does not start."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """The settings that the environment names; every finding at once where it is wrong."""
        source = os.environ if environment is None else environment
        given = {key[len(PREFIX) :].lower(): text for key, text in source.items() if key.startswith(PREFIX)}
        return cls.of(given, fallback_url=source.get("REDIS_URL"))

    @classmethod
    def of(cls, given: Mapping[str, object], *, fallback_url: str | None = None) -> Self:
        """The settings that these names and values give."""
        fields = {field.name: field for field in msgspec.structs.fields(cls)}
        findings: list[str] = []
        values: dict[str, Any] = {"redis_url": fallback_url} if fallback_url else {}
        for name, value in given.items():
            if name not in fields:
                near = ", ".join(sorted(fields))
                findings.append(f"{PREFIX}{name.upper()} is not a setting; remove it, or use one of: {near}")
                continue
            try:
                values[name] = msgspec.convert(value, fields[name].type, strict=False)
            except msgspec.ValidationError as wrong:
                findings.append(f"{PREFIX}{name.upper()}={value!r}: {wrong}; mend it or leave it out")
        if findings:
            raise SettingsInvalid(tuple(findings))
        settings = cls(**values)
        findings.extend(settings.contradictions())
        if findings:
            raise SettingsInvalid(tuple(findings))
        return settings

    def contradictions(self) -> list[str]:
        """Values that are each allowed and together make no sense."""
        found: list[str] = []
        if self.poll_ms > self.socket_timeout_s * 500:
            found.append(
                f"{PREFIX}POLL_MS={self.poll_ms} blocks longer than half of {PREFIX}SOCKET_TIMEOUT_S="
                f"{self.socket_timeout_s}; lower the first or raise the second"
            )
        if self.redis_url is not None and not self.redis_url.startswith(("redis://", "rediss://", "unix://")):
            scheme = self.redis_url.partition("://")[0]  # the rest may hold a password
            found.append(f"{PREFIX}REDIS_URL={scheme}://... is no redis://, rediss:// or unix:// address")
        return found
