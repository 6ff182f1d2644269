"""What a consumer of the feed may change together with its offset: a verdict, a parked line, its read models.

Keys of read models are built with ``streams.view`` and lie on the consumer's own partition; any other key is
refused before it is sent.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from poolrummy_contracts import streams

PART_EFFECTS_MAX: Final = 1000
PART_BYTES_MAX: Final = 1 << 20
"""What one commit of a rebuild may hold: the server does nothing else meanwhile."""


class Send(Struct, frozen=True, tag="send"):
    """Put a message into the partition's inbox."""

    payload: bytes


class Park(Struct, frozen=True, tag="park"):
    """Set a line aside, with the reason in it."""

    payload: bytes


class Put(Struct, frozen=True, tag="put"):
    """Replace a value."""

    key: str
    value: bytes


class Drop(Struct, frozen=True, tag="drop"):
    """Remove a whole read model, of whatever shape."""

    key: str


class PutField(Struct, frozen=True, tag="putfield"):
    """Replace one field of a hash."""

    key: str
    field: str
    value: bytes


class DropField(Struct, frozen=True, tag="dropfield"):
    """Remove one field of a hash."""

    key: str
    field: str


class Include(Struct, frozen=True, tag="include"):
    """Put a member into a set."""

    key: str
    member: str


class Exclude(Struct, frozen=True, tag="exclude"):
    """Take a member out of a set."""

    key: str
    member: str


class Rank(Struct, frozen=True, tag="rank"):
    """Put a member at this score of a ranking."""

    key: str
    member: str
    score: int


class Unrank(Struct, frozen=True, tag="unrank"):
    """Take a member out of a ranking."""

    key: str
    member: str


Effect = Send | Park | Put | Drop | PutField | DropField | Include | Exclude | Rank | Unrank
ViewEffect = Put | Drop | PutField | DropField | Include | Exclude | Rank | Unrank


def spelled(effect: Effect) -> tuple[str, str, tuple[str | bytes | int, ...]]:
    """Kind, key (none for inbox and parked) and values of an effect, as ``commit.lua`` takes them."""
    kind = str(effect.__struct_config__.tag)
    values = msgspec.structs.astuple(effect)
    return (kind, "", values) if isinstance(effect, Send | Park) else (kind, values[0], values[1:])


def parts(effects: Sequence[Effect]) -> Iterator[Sequence[Effect]]:
    """These effects in pieces that a server stores in some milliseconds each; one empty piece where there are none."""
    piece: list[Effect] = []
    size = 0
    for effect in effects:
        grown = sum(len(value) for value in spelled(effect)[2] if isinstance(value, bytes))
        if piece and (len(piece) == PART_EFFECTS_MAX or size + grown > PART_BYTES_MAX):
            yield piece
            piece, size = [], 0
        piece.append(effect)
        size += grown
    yield piece


def refuse_foreign_keys(partition: int, effects: Sequence[Effect]) -> None:
    """Raise for an effect on anything but a read model of this partition."""
    prefix = streams.view(partition, "")
    for effect in effects:
        assert isinstance(effect, Send | Park) or effect.key.startswith(prefix), (
            f"{effect} is no read model of partition {partition}: its key must start with {prefix}"
        )
