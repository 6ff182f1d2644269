"""Which messages there are, family by family, as the unions of the contracts list them."""

import inspect
import typing
from typing import Final

import msgspec

from poolrummy_contracts.commands import PlatformCommand
from poolrummy_contracts.events import TableEvent
from poolrummy_contracts.replies import Parked, ReplyMessage
from poolrummy_contracts.seat_lines import SeatMessage
from poolrummy_contracts.verdicts import VerdictMessage

Message = PlatformCommand | TableEvent | VerdictMessage | ReplyMessage | SeatMessage | Parked
MessageClass = type[msgspec.Struct]


class Family(msgspec.Struct, frozen=True, kw_only=True):
    """Messages of one kind: they lie in one stream and are decoded together."""

    name: str
    """In the singular, as in the ``$id`` of a schema."""
    title: str
    folder: str
    where: str
    classes: tuple[MessageClass, ...]


def _members(union: object) -> tuple[MessageClass, ...]:
    return typing.get_args(union)


FAMILIES: Final = (
    Family(
        name="command",
        title="Commands",
        folder="commands",
        where="What a platform, a player or an operator asks for, written into `{pNN}:inbox`.",
        classes=_members(PlatformCommand),
    ),
    Family(
        name="event",
        title="Events",
        folder="events",
        where="What happened, for ever, in `{pNN}:table:<id>`, and the same bytes in `{pNN}:feed`.",
        classes=_members(TableEvent),
    ),
    Family(
        name="verdict",
        title="Verdicts",
        folder="verdicts",
        where="What a validator or the cashier answers, written into `{pNN}:inbox`.",
        classes=_members(VerdictMessage),
    ),
    Family(
        name="reply",
        title="Replies",
        folder="replies",
        where="The answer to each command, in `{pNN}:replies`.",
        classes=_members(ReplyMessage),
    ),
    Family(
        name="seat-line",
        title="Seat lines",
        folder="seat-lines",
        where="What only one seat may see, in `{pNN}:seat:<id>:<seat>`; `grouping-saved` in the value beside it.",
        classes=_members(SeatMessage),
    ),
    Family(
        name="parked",
        title="Parked messages",
        folder="parked",
        where="What was set aside, in `{pNN}:parked`.",
        classes=(Parked,),
    ),
)


def tag_of(message: MessageClass) -> str:
    """The literal that stands under ``type`` on the wire."""
    tag = message.__struct_config__.tag
    assert isinstance(tag, str), f"{message.__name__} has no literal tag"
    return tag


def sentence_of(described: type) -> str:
    """The docstring in one line, as Markdown."""
    return " ".join(inspect.cleandoc(described.__doc__ or "").split()).replace("``", "`").replace(":data:", "")
