"""What a store answers: the one place where lines are kept, as memory or as Redis keep it.

Two implementations pass one conformance suite (``tests/runtime/test_store_conformance.py``). The store moves
bytes: it compares owner tokens, offsets, versions and chain hashes, and knows no game. Entry ids of an inbox
are the server's (``<ms>-<seq>``); those of a feed are ``<n>-0`` and those of a table log ``<version>-0``, both
without gaps from 1.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from poolrummy.runtime.appends import (
    ANSWERS_MAX,
    APPEND_BYTES_MAX,
    EVENTS_MAX,
    Append,
    AppendAnswer,
    AppendCode,
    NewEvent,
    OpenChange,
    PrivateLine,
    Slot,
    refuse_oversize,
    refuse_undone,
)
from poolrummy.runtime.archiving import ArchiveCode, Archiving
from poolrummy.runtime.closing import KeepsClosures
from poolrummy.runtime.effects import Effect
from poolrummy.runtime.records import (
    DEALER,
    NOTHING_READ,
    PARKED_MAX,
    Archived,
    CommitCode,
    Durability,
    FeedEntry,
    Head,
    InboxEntry,
    Lease,
    MemoryUse,
    Renewal,
    StoreIdentity,
    StreamEntry,
    TableEntry,
    Trimmed,
)

__all__ = [
    "ANSWERS_MAX",
    "APPEND_BYTES_MAX",
    "DEALER",
    "EVENTS_MAX",
    "NOTHING_READ",
    "PARKED_MAX",
    "Append",
    "AppendAnswer",
    "AppendCode",
    "ArchiveCode",
    "Archived",
    "Archiving",
    "CommitCode",
    "Durability",
    "FeedEntry",
    "Head",
    "InboxEntry",
    "Lease",
    "Lives",
    "MemoryUse",
    "NewEvent",
    "OpenChange",
    "Owns",
    "PrivateLine",
    "Reads",
    "Renewal",
    "Slot",
    "Store",
    "StoreIdentity",
    "StreamEntry",
    "TableEntry",
    "Trimmed",
    "Writes",
    "refuse_oversize",
    "refuse_undone",
]


class Lives(Protocol):
    """Identity, clock and health of a store."""

    async def open_store(self, partitions: int) -> StoreIdentity:
        """Create the store's identity, or check the one it has; refuse an unfit server."""
        ...

    async def check_identity(self) -> None:
        """Raise ``StoreChanged`` if this is no longer the store that ``open_store`` saw."""
        ...

    async def now_ms(self) -> int:
        """The server's clock."""
        ...

    async def durability(self) -> Durability:
        """What a reply is worth."""
        ...

    async def memory(self) -> MemoryUse:
        """How full the server is."""
        ...

    async def aclose(self) -> None:
        """Let go of all connections."""
        ...


class Owns(Protocol):
    """Membership and leases."""

    async def join(self, role: str, member: str, *, stale_ms: int) -> Sequence[str]:
        """Say that this member serves the role; answer all members that said so within ``stale_ms``, sorted."""
        ...

    async def leave(self, role: str, member: str) -> None:
        """Say that this member no longer serves the role."""
        ...

    async def acquire(self, partition: int, role: str, member: str, *, lease_ms: int) -> Lease | None:
        """Take a free, expired or own lease with a new token; ``None`` while somebody else holds it."""
        ...

    async def begin(self, lease: Lease) -> None:
        """Note that this owner starts to handle entries: only such an owner counts as a takeover."""
        ...

    async def begin_clocks(
        self, lease: Lease, tables: Sequence[str], *, unless_waiting: bool = False
    ) -> tuple[int, str]:
        """Note on whose clocks this dealer is about to act: if that takes it along, the next owner knows.

        Answers what ``inbox_reading`` does; with ``unless_waiting`` nothing is noted while a message waits.
        """
        ...

    async def end_clocks(self, lease: Lease, tables: Sequence[str]) -> None:
        """The act is done: these tables are suspected no more. An append at an unmoved offset ends the act as well."""
        ...

    async def blame_clocks(self, lease: Lease, tables: Sequence[str]) -> None:
        """The act went wrong without a death: it counts as one."""
        ...

    async def renew(self, lease: Lease, *, lease_ms: int) -> Renewal:
        """Keep the lease; ``NotOwner`` if the token is another one, ``FeedLost`` if the role was marked lost."""
        ...

    async def release(self, lease: Lease) -> bool:
        """Give the lease back, cleanly; whether it was still ours."""
        ...


class Writes(Protocol):
    """Everything that changes a store. Nothing else does."""

    async def send(self, partition: int, payload: bytes) -> str:
        """Put a message into an inbox; its entry id."""
        ...

    async def append(self, calls: Sequence[Append]) -> Sequence[AppendAnswer]:
        """Record the calls in order, in one round trip per store; each is all or nothing."""
        ...

    async def commit(
        self,
        lease: Lease,
        *,
        from_n: int,
        to_n: int,
        effects: Sequence[Effect] = (),
        rebuilt: bool = False,
        part: bool = False,
    ) -> CommitCode:
        """Store a consumer's effects and its offset in one step; ``rebuilt`` ends the state of being lost.

        ``part`` begins it, or goes on with it: some effects of a rebuild, at an offset that stays where it is.
        """
        ...

    async def trim(self, partition: int, *, lag_ms_max: int, lag_entries_max: int, kept_entries: int = 0) -> Trimmed:
        """Drop what everybody has read, but not the last ``kept_entries`` of the feed: gateways register nowhere.

        Consumers that lag beyond the bounds are marked lost.
        """
        ...

    async def retire(self, partition: int, role: str) -> None:
        """Forget a feed role for good: it no longer holds back trimming."""
        ...

    async def archive(self, step: Archiving) -> ArchiveCode:
        """Remove everything of a closed table but its head, and keep what it counted, in one step."""
        ...


class Reads(Protocol):
    """Everything that can be read."""

    async def read_inbox(self, partition: int, after: str, count: int) -> Sequence[InboxEntry]:
        """Messages after this id, in order."""
        ...

    async def inbox_reading(self, partition: int) -> tuple[int, str]:
        """The server's clock, sampled first, and then the id of the last message."""
        ...

    async def read_feed(self, partition: int, after_n: int, count: int) -> Sequence[FeedEntry]:
        """Events after this number, in order; ``FeedLost`` if they were trimmed away."""
        ...

    async def feed_n(self, partition: int) -> int:
        """Number of the last event of the partition."""
        ...

    async def read_table(self, table: str, from_version: int, count: int) -> Sequence[TableEntry]:
        """Events of a table from this version on, in order."""
        ...

    async def read_head(self, table: str) -> Head | None:
        """Where the table stands; ``None`` if the id was never used."""
        ...

    async def read_heads(self, tables: Sequence[str]) -> Sequence[Head | None]:
        """The heads of several tables, in one round trip."""
        ...

    async def open_tables(self, partition: int) -> Sequence[str]:
        """Ids of the tables that are not closed, sorted."""
        ...

    async def read_snapshot(self, table: str) -> bytes | None:
        """The state at the last deal border, if one was kept."""
        ...

    async def read_answers(self, table: str, slot: Slot) -> Mapping[str, bytes]:
        """Command ids that were answered in this slot, with their answers."""
        ...

    async def read_seat(self, table: str, seat: int, after: str, count: int) -> Sequence[StreamEntry]:
        """Lines of a seat's channel after this id."""
        ...

    async def read_saved(self, table: str, seat: int) -> bytes | None:
        """The one saved value of a seat."""
        ...

    async def read_replies(self, partition: int, after: str, count: int) -> Sequence[StreamEntry]:
        """Answers to commands after this id."""
        ...

    async def read_parked(self, partition: int, after: str, count: int) -> Sequence[StreamEntry]:
        """Messages set aside after this id."""
        ...

    async def roles(self, partition: int) -> Mapping[str, int]:
        """The registered feed roles with the feed number each has committed."""
        ...

    async def lost_roles(self, partition: int) -> Sequence[str]:
        """The registered feed roles that lagged beyond their bound and have to rebuild, sorted."""
        ...

    async def read_archived(self, partition: int) -> Archived:
        """What the archived tables of the partition left behind."""
        ...

    async def view_value(self, key: str) -> bytes | None:
        """A read model that is one value."""
        ...

    async def view_values(self, keys: Sequence[str]) -> Sequence[bytes | None]:
        """Read models that are one value each, in one round trip; all of one partition."""
        ...

    async def view_hash(self, key: str) -> Mapping[str, bytes]:
        """A read model that is a hash."""
        ...

    async def view_members(self, key: str) -> Sequence[str]:
        """A read model that is a set, sorted."""
        ...

    async def view_ranking(self, key: str) -> Sequence[tuple[str, int]]:
        """A read model that is a ranking, lowest score first."""
        ...

    async def view_keys(self, partition: int) -> Sequence[str]:
        """Keys of all read models of the partition, sorted. For rebuilds and comparisons, not for players."""
        ...


class Store(Lives, Owns, Writes, Reads, KeepsClosures, Protocol):
    """The whole of it."""
