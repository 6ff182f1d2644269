"""What a store keeps and gives back: entries, leases, places; frozen, without behaviour."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal

from msgspec import Struct, field

NOTHING_READ: Final = "0-0"
"""The offset of a reader that has read nothing yet."""

PARKED_MAX: Final = 10_000
DEALER: Final = "dealer"
LATEST_MS: Final = 250_000_000_000_000
"""The latest time of a command (in the year 9892). Only an id that somebody chose names a later one, and a log with
such a time could not be told by a calendar, or hold its deadlines below 2^53."""


class StoreIdentity(Struct, frozen=True, kw_only=True):
    """Which store this is: it may not change under a running process."""

    store_id: str
    log_format: int
    partitions: int


class Lease(Struct, frozen=True, kw_only=True):
    """The right to act for a role on one partition, until somebody else takes it."""

    partition: int
    role: str
    member: str
    token: str
    offset: str
    """Where the role goes on: the stored inbox offset (dealer) or ``<n>-0`` in the feed (all others)."""
    takeovers: int
    """How many owners before this one began on the entry behind this offset and did not get past it."""
    unowned_ms: int
    """How long nobody gave a sign of life here; 0 for the first owner ever."""
    ended_acting: Mapping[str, int] = field(default_factory=dict[str, int])
    """A dealer only: how many owners in a row ended while they acted on a clock of these tables."""
    left_alone: Mapping[str, str] = field(default_factory=dict[str, str])
    """A dealer only: tables that are not even to be loaded, each with the reason."""
    lost: bool = False
    """A feed role only: the feed went on without it, it must rebuild before it commits anything."""

    @property
    def n(self) -> int:
        """The number of the last feed entry behind the offset."""
        return int(self.offset.partition("-")[0])


class Renewal(Struct, frozen=True, kw_only=True):
    """What a renewed lease sees: the server's clock and how far its stream goes."""

    now_ms: int
    offset: str
    last_id: str
    """Id of the last entry of the inbox (dealer) or the feed (all others)."""


class InboxEntry(Struct, frozen=True, kw_only=True):
    """One message to the dealer. ``payload`` is empty where an entry has no field ``e``."""

    id: str
    payload: bytes
    age_ms: int = 0
    """How long it waited before it was read, by the server's clock. The worker fills it in."""

    @property
    def at_ms(self) -> int:
        """When the server took it: the time of the command, at most ``LATEST_MS``."""
        return min(int(self.id.partition("-")[0]), LATEST_MS)


class FeedEntry(Struct, frozen=True, kw_only=True):
    """One event of the partition, as every consumer reads it."""

    n: int
    table: str
    version: int
    payload: bytes
    chain: bytes
    at_ms: int
    """When the server recorded it."""


class TableEntry(Struct, frozen=True, kw_only=True):
    """One event of a table log: the stored bytes and the chain hash beside them."""

    version: int
    payload: bytes
    chain: bytes


class StreamEntry(Struct, frozen=True, kw_only=True):
    """One line of a replies, parked or seat stream."""

    id: str
    payload: bytes


class Head(Struct, frozen=True, kw_only=True):
    """Where a table log stands. It outlives the table: an id is never used twice."""

    version: int
    chain: bytes
    archived: int = 0
    """The number of the table among the archived ones of its partition; 0: its log lies in the store."""


class Archived(Struct, frozen=True, kw_only=True):
    """What the archived tables of a partition left in the store, beside their heads."""

    number: int = 0
    """How many there are; the number of the last one."""
    tally: bytes | None = None
    """What they count for, as who archived them wrote it."""
    place: str = ""
    """Where the last one was put."""


class CommitCode(StrEnum):
    """What became of a consumer's commit. Everything but the first left the store untouched."""

    COMMITTED = "committed"
    FENCED = "fenced"
    OFFSET_MOVED = "offset-moved"
    LOST = "lost"


class Trimmed(Struct, frozen=True, kw_only=True):
    """What a trim removed, and which roles were found to lag beyond their bound and are lost now."""

    inbox_entries: int
    feed_entries: int
    newly_lost: tuple[str, ...]
    lags: Mapping[str, int]
    """Feed entries that each registered role has not committed yet."""


class Durability(Struct, frozen=True, kw_only=True):
    """What a reply of this store is worth, read from the server."""

    level: Literal["memory", "everysec", "always"]
    replicas_waited: int
    server: str

    @property
    def promise(self) -> str:
        """The sentence that every start prints."""
        kept = {
            "memory": "a server that dies loses everything",
            "everysec": "a killed process loses nothing; a lost machine loses at most the last second",
            "always": "a lost machine loses nothing that was answered",
        }[self.level]
        replicas = f"; each reply waited for {self.replicas_waited} replicas" if self.replicas_waited else ""
        return f"{self.server}: {self.level}: {kept}{replicas}"


class MemoryUse(Struct, frozen=True, kw_only=True):
    """Memory of the server; ``max_bytes`` is 0 where it has no limit of its own."""

    used_bytes: int
    max_bytes: int

    @property
    def percent(self) -> int:
        """Share of the limit in use; 0 without a limit."""
        return self.used_bytes * 100 // self.max_bytes if self.max_bytes else 0
