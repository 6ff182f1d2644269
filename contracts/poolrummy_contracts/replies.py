"""The answer to a command, in the partition's reply stream; and what is set aside because nobody could read it."""

from typing import dataclass_transform

import msgspec

from poolrummy_contracts.refusals import Refusal


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class Reply(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of the answers: which command, at which table, and the table's version after it (0: no such table)."""

    command: str
    table: str
    v: int


class CommandAccepted(Reply, tag="accepted"):
    """Carried out: its last event is version ``v`` of the table log."""


class CommandRefused(Reply, tag="refused"):
    """Not carried out, and nothing has changed: a stable code and a sentence for a person."""

    code: Refusal
    sentence: str


ReplyMessage = CommandAccepted | CommandRefused


class Parked(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="parked"):
    """A message that was set aside: where it lay, why, and its bytes (base64, cut at 64 kB).

    ``clock``: no message, but a clock of this table on which our own code failed; there are no bytes then.
    """

    offset: str
    why: str
    detail: str
    table: str | None
    size: int
    payload: str
