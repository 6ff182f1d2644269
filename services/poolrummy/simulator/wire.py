"""The few Redis commands that somebody outside needs: send a command, follow feed and replies, read one's own lines.

Nothing here is special to robots: it is what a gateway does, through the same public streams.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, cast

from msgspec import Struct

from poolrummy.runtime.redis_calls import Calls, text
from poolrummy_contracts import codec, streams
from poolrummy_contracts.commands import PlatformCommand
from poolrummy_contracts.events import TableEvent
from poolrummy_contracts.replies import ReplyMessage
from poolrummy_contracts.seat_lines import SeatMessage

READ_COUNT: Final = 500
LOG_COUNT: Final = 1000

Words = tuple[str | bytes | int, ...]
Entries = Sequence[tuple[bytes, Mapping[bytes, bytes]]]


class Heard(Struct, frozen=True, kw_only=True):
    """An entry of a feed, not decoded yet: most tables of a feed are of no interest."""

    n: int
    table: str
    version: int
    payload: bytes

    @property
    def event(self) -> TableEvent:
        """The event."""
        return codec.decode_event(self.payload)


class Cursor:
    """How far somebody has read the feed and the replies of one partition."""

    def __init__(self, partition: int, *, feed_id: str = "0-0", reply_id: str = "0-0") -> None:
        self.partition = partition
        self.feed_id = feed_id
        self.reply_id = reply_id

    @property
    def n(self) -> int:
        """Number of the last feed entry that was read."""
        return int(self.feed_id.partition("-")[0])

    def question(self) -> Words:
        """Ask for what came since, in feed and replies at once."""
        keys = (streams.feed(self.partition), streams.replies(self.partition))
        return ("XREAD", "COUNT", READ_COUNT, "STREAMS", *keys, self.feed_id, self.reply_id)

    def answer(self, reply: object) -> tuple[list[Heard], list[ReplyMessage]]:
        """What came, and move on."""
        heard: list[Heard] = []
        replies: list[ReplyMessage] = []
        for key, entries in _streams(reply):
            if not entries:
                continue
            if key == streams.feed(self.partition):
                heard.extend(_heard(entry_id, fields) for entry_id, fields in entries)
                self.feed_id = text(entries[-1][0])
            else:
                replies.extend(codec.decode_reply(fields[b"e"]) for _, fields in entries)
                self.reply_id = text(entries[-1][0])
        return heard, replies


async def cursors_at_the_end(calls: Calls, partitions: Iterable[int]) -> dict[int, Cursor]:
    """Cursors behind everything that stands in these partitions now."""
    wanted = list(partitions)
    keys = [key for partition in wanted for key in (streams.feed(partition), streams.replies(partition))]
    last = await calls.ask_all([("XREVRANGE", key, "+", "-", "COUNT", 1) for key in keys])
    ids = [text(entries[0][0]) if entries else "0-0" for entries in cast("list[Entries]", last)]
    return {
        partition: Cursor(partition, feed_id=ids[2 * place], reply_id=ids[2 * place + 1])
        for place, partition in enumerate(wanted)
    }


def sending(command: PlatformCommand) -> Words:
    """Put a command into the inbox of its table's partition."""
    return ("XADD", streams.inbox(streams.partition_of(command.table)), "*", "e", codec.encode(command))


def asking_lines(table: str, seat: int, after: str) -> Words:
    """Ask for the lines of a seat's own channel after this one."""
    return ("XRANGE", streams.seat(table, seat), f"({after}", "+", "COUNT", READ_COUNT)


def seat_lines(reply: object) -> tuple[list[SeatMessage], str | None]:
    """The lines, and the id of the last one."""
    entries = cast("Entries", reply)
    lines = [codec.decode_seat_line(fields[b"e"]) for _, fields in entries]
    return lines, text(entries[-1][0]) if entries else None


async def log_of(calls: Calls, table: str, from_version: int) -> list[TableEvent]:
    """The events of a table log from this version on."""
    found: list[TableEvent] = []
    while True:
        words = ("XRANGE", streams.table(table), f"{from_version + len(found)}-0", "+", "COUNT", LOG_COUNT)
        entries = cast("Entries", await calls.ask(*words))
        found.extend(codec.decode_event(fields[b"e"]) for _, fields in entries)
        if len(entries) < LOG_COUNT:
            return found


def _heard(entry_id: bytes, fields: Mapping[bytes, bytes]) -> Heard:
    n = int(text(entry_id).partition("-")[0])
    return Heard(n=n, table=text(fields[b"t"]), version=int(fields[b"v"]), payload=fields[b"e"])


def _streams(reply: object) -> Iterator[tuple[str, Entries]]:
    """The two shapes that protocol versions give the answer to XREAD."""
    if isinstance(reply, dict):
        for key, batches in cast("dict[bytes, Sequence[Entries]]", reply).items():
            yield text(key), [entry for batch in batches for entry in batch]
        return
    for key, entries in cast("Sequence[tuple[bytes, Entries]]", reply or ()):
        yield text(key), entries
