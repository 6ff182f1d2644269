"""What a consumer of the feed may change together with its offset: a verdict, a parked line, its read models.

Keys of read models are built with ``streams.view`` and lie on the consumer's own partition; any other key is
refused before it is sent.
"""

from msgspec import Struct


class Send(Struct, frozen=True):
    """Put a message into the partition's inbox."""

    payload: bytes


class Park(Struct, frozen=True):
    """Set a line aside, with the reason in it."""

    payload: bytes


class Put(Struct, frozen=True):
    """Replace a value."""

    key: str
    value: bytes


class Drop(Struct, frozen=True):
    """Remove a whole read model, of whatever shape."""

    key: str


class PutField(Struct, frozen=True):
    """Replace one field of a hash."""

    key: str
    field: str
    value: bytes


class DropField(Struct, frozen=True):
    """Remove one field of a hash."""

    key: str
    field: str


class Include(Struct, frozen=True):
    """Put a member into a set."""

    key: str
    member: str


class Exclude(Struct, frozen=True):
    """Take a member out of a set."""

    key: str
    member: str


class Rank(Struct, frozen=True):
    """Put a member at this score of a ranking."""

    key: str
    member: str
    score: int


class Unrank(Struct, frozen=True):
    """Take a member out of a ranking."""

    key: str
    member: str


Effect = Send | Park | Put | Drop | PutField | DropField | Include | Exclude | Rank | Unrank
ViewEffect = Put | Drop | PutField | DropField | Include | Exclude | Rank | Unrank
