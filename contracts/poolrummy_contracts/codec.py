"""Bytes to messages and back: canonical JSON, and three clear ways of not being readable.

Canonical: keys sorted, compact, integers below 2^53, no floats, one form for every value. What is written is
canonical by construction; what is read from a log can be held to it with :func:`canonical`.
"""

from typing import Final, TypeVar, cast

import msgspec

from poolrummy_contracts.commands import PlatformCommand
from poolrummy_contracts.events import TableEvent
from poolrummy_contracts.replies import Parked, ReplyMessage
from poolrummy_contracts.seat_lines import SeatMessage
from poolrummy_contracts.upcasts import UPCASTS, upcast
from poolrummy_contracts.verdicts import VerdictMessage

InboxMessage = PlatformCommand | VerdictMessage

INTEGER_MAX: Final = 2**53 - 1


class WireError(ValueError):
    """Base of what can be wrong with bytes from the wire."""


class Unreadable(WireError):
    """The bytes are no JSON object."""


class UnknownType(WireError):
    """A message of a type that this version does not know: ``tag`` says which."""

    def __init__(self, tag: str) -> None:
        super().__init__(f"type {tag!r} is unknown to this version: it needs a newer one")
        self.tag = tag


class Malformed(WireError):
    """A known type with a field that is missing, unknown or of the wrong kind."""


class NotCanonical(WireError):
    """Readable, but not in the one form that a recorded message has."""


_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_EVENT: Final = msgspec.json.Decoder(TableEvent)
_INBOX: Final = msgspec.json.Decoder(InboxMessage)
_REPLY: Final = msgspec.json.Decoder(ReplyMessage)
_SEAT: Final = msgspec.json.Decoder(SeatMessage)
_PARKED: Final = msgspec.json.Decoder(Parked)
_ANY: Final = msgspec.json.Decoder(dict[str, object])

Message = TypeVar("Message")


class Tagged(msgspec.Struct):
    """The few fields by which a message that is otherwise wrong can still be answered."""

    type: str = ""
    id: str = ""
    table: str = ""


_TAGGED: Final = msgspec.json.Decoder(Tagged)


def encode(message: msgspec.Struct) -> bytes:
    """The canonical bytes of any message."""
    return _ENCODER.encode(message)


def decode_event(stored: bytes) -> TableEvent:
    """The event in today's shape; ``UnknownType`` where only a newer version knows it."""
    if UPCASTS:
        raw = _decode(_ANY, stored)
        tag = raw.get("type")
        if isinstance(tag, str) and tag in UPCASTS:
            stored = _ENCODER.encode(upcast(tag, raw))
    return _decode(_EVENT, stored)


def decode_inbox(payload: bytes) -> InboxMessage:
    """The command or verdict; commands may have their keys in any order, since they are asks and not records."""
    return _decode(_INBOX, payload)


def decode_reply(payload: bytes) -> ReplyMessage:
    """The answer to a command."""
    return _decode(_REPLY, payload)


def decode_seat_line(payload: bytes) -> SeatMessage:
    """A line of a seat's own channel."""
    return _decode(_SEAT, payload)


def decode_parked(payload: bytes) -> Parked:
    """A message that was set aside."""
    return _decode(_PARKED, payload)


def tagged(payload: bytes) -> Tagged | None:
    """Type, id and table of a message that could not be decoded; None where not even these can be read."""
    try:
        return _TAGGED.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def canonical(stored: bytes) -> bytes:
    """The bytes, if they are in canonical form; ``NotCanonical`` with the reason if not."""
    value = _json(stored)
    _refuse_floats(value)
    if _ENCODER.encode(value) != stored:
        raise NotCanonical("keys are not sorted, or there are blanks, repeated keys or escapes that need not be")
    return stored


def _refuse_floats(value: object) -> None:
    match value:
        case float():
            raise NotCanonical(f"{value} is no integer")
        case bool():
            return
        case int() if abs(value) > INTEGER_MAX:
            raise NotCanonical(f"{value} is beyond 2^53 - 1")
        case dict():
            for inner in cast("dict[str, object]", value).values():
                _refuse_floats(inner)
        case list():
            for inner in cast("list[object]", value):
                _refuse_floats(inner)
        case _:
            return


def _json(payload: bytes) -> object:
    try:
        return cast("object", msgspec.json.decode(payload))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(str(error)) from error


def _decode(decoder: msgspec.json.Decoder[Message], payload: bytes) -> Message:
    try:
        return decoder.decode(payload)
    except msgspec.ValidationError as error:
        found = tagged(payload)
        if found is None:
            # The wrong field may stand before the place where the bytes stop being JSON at all.
            _json(payload)
        elif "Invalid value" in str(error) and str(error).endswith("`$.type`"):
            raise UnknownType(found.type) from error
        raise Malformed(str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(str(error)) from error
