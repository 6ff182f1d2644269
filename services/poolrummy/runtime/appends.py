"""One step of the dealer, as it is handed to a store, and what becomes of it."""

from enum import StrEnum
from typing import Final, Literal

from msgspec import Struct

from poolrummy.runtime.errors import AppendConflict, AppendTooLarge, NotOwner

EVENTS_MAX: Final = 64
APPEND_BYTES_MAX: Final = 256 * 1024
ANSWERS_MAX: Final = 10_000
"""Stored answers per slot. Above it, answers to calls without events are no longer kept."""


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


def refuse_undone(append: Append, answer: AppendAnswer) -> None:
    """Raise unless the append did what the held state believes that it did."""
    match answer.code:
        case AppendCode.APPENDED:
            return
        case AppendCode.DUPLICATE if not append.events:
            return
        case AppendCode.FENCED:
            raise NotOwner(f"partition {append.partition} has another owner; this one drops its state")
        case _:
            raise AppendConflict(
                f"partition {append.partition}, table {append.table}: {answer.code}; the store is at version "
                f"{answer.version} and offset {answer.offset}, the writer expected {append.expected_version} and "
                f"{append.from_offset}"
            )
