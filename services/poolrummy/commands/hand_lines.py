"""The lines that the streams of hands and shows read and write."""

import msgspec

from poolrummy_contracts.cards import Card


class HandLine(msgspec.Struct, frozen=True):
    """A hand to arrange; other fields of the line are ignored."""

    id: str | int
    hand: tuple[str, ...]
    wild: str | None = None


class ShowLine(msgspec.Struct, frozen=True):
    """A show to judge."""

    id: str | int
    hand: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    wild: str | None = None


class LaidGroup(msgspec.Struct, frozen=True):
    """A group as the stream tells it."""

    kind: str
    cards: tuple[Card, ...]


class HandAnswer(msgspec.Struct, frozen=True):
    """The least count of a hand and the groups that show it."""

    id: str | int
    raw: int
    points: int
    declarable: bool
    groups: tuple[LaidGroup, ...]
    leftover: tuple[Card, ...]


class ShowAnswer(msgspec.Struct, frozen=True):
    """The verdict on a show."""

    id: str | int
    valid: bool
    reason: str
