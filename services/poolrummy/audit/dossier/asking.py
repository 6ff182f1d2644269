"""What a dossier is made of, found in a store: the log, the answers that were refusals, and who had asked.

The reply stream keeps only the latest answers, the inbox only what the dealer has not trimmed: what is gone is said to
be unknown, never guessed.
"""

from collections.abc import AsyncIterator, Mapping

import msgspec

from poolrummy.audit.dossier.content import RefusedCommand
from poolrummy.audit.history import Moment, Moments, moments_of
from poolrummy.runtime.store import Reads
from poolrummy.runtime.table_log import entries_of
from poolrummy_contracts import codec
from poolrummy_contracts.commands import SeatCommand
from poolrummy_contracts.replies import CommandRefused
from poolrummy_contracts.seat_lines import PlainLine, SealedLine
from poolrummy_contracts.streams import partition_of
from poolrummy_contracts.terms import Seat

PAGE = 1000


class Asker(msgspec.Struct, frozen=True, kw_only=True):
    """What a command that still lies in the inbox says of itself."""

    what: str
    at: int
    seat: Seat
    deal: int | None


async def stored_moments(table: str, store: Reads) -> tuple[Moment, ...]:
    """The log of a table, held against its chain; nothing where there is none."""
    return moments_of(table, [entry async for entry in entries_of(table, store)])


async def stored_refusals(table: str, store: Reads) -> tuple[RefusedCommand, ...]:
    """The refused commands of a table, as far as the platform still has them, oldest first."""
    askers = {key: asker async for key, asker in _askers(table, store)}
    found: list[RefusedCommand] = []
    after, partition = "0-0", partition_of(table)
    while page := await store.read_replies(partition, after, PAGE):
        after = page[-1].id
        for line in page:
            reply = codec.decode_reply(line.payload)
            if isinstance(reply, CommandRefused) and reply.table == table:
                found.append(refused_command(reply, askers, at=int(line.id.partition("-")[0])))
    return tuple(found)


def refused_command(reply: CommandRefused, askers: Mapping[str, Asker], *, at: int) -> RefusedCommand:
    """A refusal with what is known of its asker; its time is that of the command, or of the answer if that is all."""
    asker = askers.get(reply.command)
    return RefusedCommand(
        at=at if asker is None else asker.at,
        v=reply.v,
        command=reply.command,
        code=reply.code.value,
        sentence=reply.sentence,
        what=None if asker is None else asker.what,
        seat=None if asker is None else asker.seat,
        deal=None if asker is None else asker.deal,
    )


async def stored_lines(table: str, moments: Moments, store: Reads) -> tuple[PlainLine, ...]:
    """What the seats of the running deal were told in private, where it lies in the clear."""
    found: list[PlainLine] = []
    for chair in moments[-1].after.chairs:
        after = "0-0"
        while page := await store.read_seat(table, chair.seat, after, PAGE):
            after = page[-1].id
            lines = (codec.decode_seat_line(line.payload) for line in page)
            found.extend(line for line in lines if not isinstance(line, SealedLine))
    return tuple(found)


async def _askers(table: str, store: Reads) -> AsyncIterator[tuple[str, Asker]]:
    after, partition = "0-0", partition_of(table)
    while page := await store.read_inbox(partition, after, PAGE):
        after = page[-1].id
        for entry in page:
            try:
                command = codec.decode_inbox(entry.payload)
            except codec.WireError:
                continue
            if isinstance(command, SeatCommand) and command.table == table:
                what = str(command.__struct_config__.tag)
                deal: int | None = getattr(command, "deal", None)
                yield command.id, Asker(what=what, at=entry.at_ms, seat=command.seat, deal=deal)
