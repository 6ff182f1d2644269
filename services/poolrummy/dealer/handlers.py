"""One message of the inbox: gather, decide, apply. No rule of the game stands here."""

import base64
from collections.abc import Sequence
from typing import Final

from poolrummy.rules.table import Decided
from poolrummy.runtime.store import InboxEntry
from poolrummy_contracts import codec
from poolrummy_contracts.codec import InboxMessage
from poolrummy_contracts.commands import OpenTable
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.replies import CommandAccepted, CommandRefused, Parked
from poolrummy_contracts.streams import is_table_id
from poolrummy_contracts.verdicts import Verdict

COMMAND_ID_MAX: Final = 64
OPEN_TABLE: Final = str(OpenTable.__struct_config__.tag)
PARKED_BYTES_MAX: Final = 64 * 1024


class Unanswerable(Exception):
    """A message that names no command and no table: it can only be parked."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.sentence)
        self.refused = refused


class Wrong(Exception):
    """A message that cannot be decided, from a sender who can be told so."""

    def __init__(self, command: str, table: str, refused: Refused) -> None:
        super().__init__(refused.sentence)
        self.command = command
        self.table = table
        self.refused = refused


def read(payload: bytes, *, bytes_max: int) -> InboxMessage:
    """The message, or the reason why there is none: ``Unanswerable`` or ``Wrong``."""
    if len(payload) > bytes_max:
        raise Unanswerable(Refused(Refusal.TOO_LARGE, f"It has {len(payload)} bytes, the limit is {bytes_max}."))
    try:
        return codec.decode_inbox(payload)
    except codec.WireError as error:
        refused = Refused(_code(error), f"{error}.")
        found = codec.tagged(payload)
        if found is None or not 0 < len(found.id) <= COMMAND_ID_MAX or not is_table_id(found.table):
            raise Unanswerable(refused) from error
        raise Wrong(found.id, found.table, refused) from error


def address(payload: bytes, *, bytes_max: int) -> str | None:
    """The table that a message is for, as far as it can be read."""
    found = codec.tagged(payload) if len(payload) <= bytes_max else None
    return found.table if found is not None and is_table_id(found.table) else None


def to_be_opened(batch: Sequence[InboxEntry], unused: Sequence[str], *, bytes_max: int) -> list[str]:
    """Those of these tables that a message wants to open."""
    if not unused:
        return []
    tagged = (codec.tagged(entry.payload) for entry in batch if len(entry.payload) <= bytes_max)
    opened = {found.table for found in tagged if found is not None and found.type == OPEN_TABLE}
    return [table for table in unused if table in opened]


def reply_to(message: InboxMessage, outcome: Decided | Refused, version: int) -> bytes | None:
    """The answer to a command; a verdict gets none, since nobody waits for it."""
    if isinstance(message, Verdict):
        return None
    if isinstance(outcome, Refused):
        return refusal(message.id, message.table, version, outcome)
    return codec.encode(CommandAccepted(command=message.id, table=message.table, v=version))


def refusal(command: str, table: str, version: int, refused: Refused) -> bytes:
    """The answer that says no, with its code and sentence."""
    return codec.encode(
        CommandRefused(command=command, table=table, v=version, code=refused.refusal, sentence=refused.sentence)
    )


def refusal_of_poisoned(payload: bytes, *, bytes_max: int) -> bytes | None:
    """The answer to a command on which our own code raised, if it can be answered."""
    found = codec.tagged(payload) if len(payload) <= bytes_max else None
    if found is None or not 0 < len(found.id) <= COMMAND_ID_MAX or not is_table_id(found.table):
        return None
    return refusal(found.id, found.table, 0, Refused(Refusal.TABLE_FROZEN, "The command was set aside."))


def parked(entry: InboxEntry, why: str, detail: str, *, table: str | None = None) -> bytes:
    """The line that sets a message aside."""
    return codec.encode(
        Parked(
            offset=entry.id,
            why=why,
            detail=detail,
            table=table,
            size=len(entry.payload),
            payload=base64.b64encode(entry.payload[:PARKED_BYTES_MAX]).decode(),
        )
    )


def parked_clock(table: str | None, offset: str, reason: str) -> bytes:
    """The line that sets a clock aside: there was no message, and the table stands still."""
    return codec.encode(Parked(offset=offset, why="clock", detail=reason, table=table, size=0, payload=""))


def _code(error: codec.WireError) -> Refusal:
    match error:
        case codec.UnknownType():
            return Refusal.UNKNOWN_TYPE
        case codec.Malformed():
            return Refusal.MALFORMED
        case _:
            return Refusal.UNREADABLE
