"""What a store answers: the one place where lines are kept, as memory or as Redis keep it.

Two implementations pass one conformance suite (``tests/runtime/test_store_conformance.py``). The store moves
bytes: it compares owner tokens, offsets, versions and chain hashes, and knows no game. Entry ids of an inbox
are the server's (``<ms>-<seq>``); those of a feed are ``<n>-0`` and those of a table log ``<version>-0``, both
without gaps from 1.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, Literal, Protocol

from msgspec import Struct

from poolrummy.runtime.effects import Effect, Park, Send
from poolrummy.runtime.errors import AppendTooLarge
from poolrummy_contracts import streams

NOTHING_READ: Final = "0-0"
"""The offset of a reader that has read nothing yet."""

EVENTS_MAX: Final = 64
APPEND_BYTES_MAX: Final = 256 * 1024
ANSWERS_MAX: Final = 10_000
"""Stored answers per slot. Above it, answers to calls without events are no longer kept."""

PARKED_MAX: Final = 10_000
DEALER: Final = "dealer"


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
        """When the server took it: the time of the command."""
        return int(self.id.partition("-")[0])


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


class NewEvent(Struct, frozen=True):
    """An event to record, with the chain hash after it."""

    payload: bytes
    chain: bytes


class PrivateLine(Struct, frozen=True, kw_only=True):
    """Bytes for one seat only: a line of its channel, or (``kept``) its one saved value, replaced each time."""

    seat: int
    payload: bytes
    kept: bool = False


class OpenChange(StrEnum):
    """How an append changes the set of open tables. Closing also forgets the snapshot."""

    NONE = ""
    OPENS = "opens"
    CLOSES = "closes"


Slot = Literal["a", "b"]


class Append(Struct, frozen=True, kw_only=True):
    """One step of the dealer: all of it happens, or nothing.

    A deadline passes ``from_offset == to_offset``. A call without a table only answers, parks and moves on.
    """

    partition: int
    token: str
    from_offset: str
    to_offset: str
    table: str | None = None
    expected_version: int = 0
    expected_chain: bytes = b""
    """Chain hash of the head as the writer believes it: ``chain_start(table)`` at version 0."""
    command_id: str | None = None
    events: tuple[NewEvent, ...] = ()
    private: tuple[PrivateLine, ...] = ()
    forget_seats: tuple[int, ...] = ()
    """Seats whose channel and saved value are removed, before ``private`` is written."""
    open_change: OpenChange = OpenChange.NONE
    reply: bytes | None = None
    answers_slot: Slot = "a"
    clear_slot: bool = False
    """Empty ``answers_slot`` first: a new deal takes over the slot of the deal before the last."""
    snapshot: bytes | None = None
    parked: bytes | None = None


def refuse_oversize(call: Append) -> None:
    """Raise ``AppendTooLarge`` for a call that no store takes; nothing of it was sent then."""
    size = sum(len(event.payload) for event in call.events) + sum(len(line.payload) for line in call.private)
    if len(call.events) > EVENTS_MAX or size > APPEND_BYTES_MAX:
        raise AppendTooLarge(
            f"{call.table}: {len(call.events)} events and {size} bytes in one append; at most {EVENTS_MAX} and "
            f"{APPEND_BYTES_MAX} are taken: record less at once"
        )
    assert call.table is not None or not (call.events or call.private), "events belong to a table"
    assert call.reply != b"", "an empty reply is no reply"


def refuse_foreign_keys(partition: int, effects: Sequence[Effect]) -> None:
    """Raise for an effect on anything but a read model of this partition."""
    prefix = streams.view(partition, "")
    for effect in effects:
        assert isinstance(effect, Send | Park) or effect.key.startswith(prefix), (
            f"{effect} is no read model of partition {partition}: its key must start with {prefix}"
        )


class AppendCode(StrEnum):
    """What became of an append. Everything but the first two left the store untouched."""

    APPENDED = "appended"
    DUPLICATE = "duplicate"
    """The command id was answered before: that answer went out again, the offset moved, nothing else."""
    CONFLICT = "conflict"
    """Version or chain hash of the head are not the expected ones."""
    TABLE_EXISTS = "table-exists"
    """Version 0 was expected and there is a head: the id was used before, maybe by a closed table."""
    FENCED = "fenced"
    OFFSET_MOVED = "offset-moved"


class AppendAnswer(Struct, frozen=True, kw_only=True):
    """The code, and what stands in the store after the call."""

    code: AppendCode
    version: int
    feed_n: int
    offset: str

    @property
    def done(self) -> bool:
        """Whether the command is consumed."""
        return self.code in {AppendCode.APPENDED, AppendCode.DUPLICATE}


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
        self, lease: Lease, *, from_n: int, to_n: int, effects: Sequence[Effect] = (), rebuilt: bool = False
    ) -> CommitCode:
        """Store a consumer's effects and its offset in one step; ``rebuilt`` ends the state of being lost."""
        ...

    async def trim(self, partition: int, *, lag_ms_max: int, lag_entries_max: int, kept_entries: int = 0) -> Trimmed:
        """Drop what everybody has read, but not the last ``kept_entries`` of the feed: gateways register nowhere.

        Consumers that lag beyond the bounds are marked lost.
        """
        ...

    async def retire(self, partition: int, role: str) -> None:
        """Forget a feed role for good: it no longer holds back trimming."""
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

    async def view_value(self, key: str) -> bytes | None:
        """A read model that is one value."""
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


class Store(Lives, Owns, Writes, Reads, Protocol):
    """The whole of it."""
