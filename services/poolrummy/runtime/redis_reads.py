"""What Redis answers when it is only asked to read."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

from poolrummy.runtime.errors import FeedGap, FeedLost
from poolrummy.runtime.redis_calls import Calls, Reply, text
from poolrummy.runtime.store import Archived, FeedEntry, Head, InboxEntry, Slot, StreamEntry, TableEntry
from poolrummy_contracts import streams

EMPTY: Final = b""


class RedisReads:
    """The reading half of a Redis store."""

    calls: Calls

    async def read_inbox(self, partition: int, after: str, count: int) -> Sequence[InboxEntry]:
        """Messages after this id, in order."""
        found = await self._after(streams.inbox(partition), after, count)
        return tuple(inbox_entry(entry_id, fields) for entry_id, fields in found)

    async def inbox_reading(self, partition: int) -> tuple[int, str]:
        """The server's clock, sampled first, and then the id of the last message."""
        clock, last = await self.calls.ask_all(
            [("TIME",), ("XREVRANGE", streams.inbox(partition), "+", "-", "COUNT", 1)]
        )
        return milliseconds(clock), text(last[0][0]) if last else "0-0"

    async def read_feed(self, partition: int, after_n: int, count: int) -> Sequence[FeedEntry]:
        """Events after this number, in order; ``FeedLost`` if they were trimmed away."""
        trimmed, found = await self.calls.ask_all(
            [
                ("HGET", streams.dealer(partition), "trimmed"),
                ("XRANGE", streams.feed(partition), f"({after_n}-0", "+", "COUNT", count),
            ]
        )
        if after_n < int(trimmed or 0):
            raise FeedLost(f"feed of partition {partition}: {after_n + 1} to {int(trimmed)} are trimmed; rebuild")
        return tuple(feed_entry(entry_id, fields) for entry_id, fields in found)

    async def feed_n(self, partition: int) -> int:
        """Number of the last event of the partition."""
        return int(await self.calls.ask("HGET", streams.dealer(partition), "feed") or 0)

    async def read_table(self, table: str, from_version: int, count: int) -> Sequence[TableEntry]:
        """Events of a table from this version on, in order."""
        found = await self.calls.ask("XRANGE", streams.table(table), f"{from_version}-0", "+", "COUNT", count)
        return chained(found)

    async def read_head(self, table: str) -> Head | None:
        """Where the table stands; ``None`` if the id was never used."""
        return (await self.read_heads([table]))[0]

    async def read_heads(self, tables: Sequence[str]) -> Sequence[Head | None]:
        """The heads of several tables, in one round trip."""
        found = await self.calls.ask_all([("HMGET", streams.head(table), "v", "c", "a") for table in tables])
        return tuple(
            Head(version=int(version), chain=bytes.fromhex(text(chain)), archived=int(number or 0))
            if version is not None
            else None
            for version, chain, number in found
        )

    async def open_tables(self, partition: int) -> Sequence[str]:
        """Ids of the tables that are not closed, sorted."""
        return texts(await self.calls.ask("SMEMBERS", streams.open_tables(partition)))

    async def read_snapshot(self, table: str) -> bytes | None:
        """The state at the last deal border, if one was kept."""
        return cast("bytes | None", await self.calls.ask("GET", streams.snapshot(table)))

    async def read_answers(self, table: str, slot: Slot) -> Mapping[str, bytes]:
        """Command ids that were answered in this slot, with their answers."""
        return hash_of(await self.calls.ask("HGETALL", streams.answers(table, slot)))

    async def read_seat(self, table: str, seat: int, after: str, count: int) -> Sequence[StreamEntry]:
        """Lines of a seat's channel after this id."""
        return lines(await self._after(streams.seat(table, seat), after, count))

    async def read_saved(self, table: str, seat: int) -> bytes | None:
        """The one saved value of a seat."""
        return cast("bytes | None", await self.calls.ask("GET", saved(table, seat)))

    async def read_replies(self, partition: int, after: str, count: int) -> Sequence[StreamEntry]:
        """Answers to commands after this id."""
        return lines(await self._after(streams.replies(partition), after, count))

    async def read_parked(self, partition: int, after: str, count: int) -> Sequence[StreamEntry]:
        """Messages set aside after this id."""
        return lines(await self._after(streams.parked(partition), after, count))

    async def read_closures(self, partition: int, after_n: int, count: int) -> Sequence[TableEntry]:
        """Acts on new play after this number, in order."""
        found = await self.calls.ask("XRANGE", streams.closures(partition), f"({after_n}-0", "+", "COUNT", count)
        return chained(found)

    async def roles(self, partition: int) -> Mapping[str, int]:
        """The registered feed roles with the feed number each has committed."""
        names = texts(await self.calls.ask("SMEMBERS", streams.roles(partition)))
        offsets = await self.calls.ask_all([("HGET", streams.role(partition, name), "offset") for name in names])
        return {
            name: int(text(offset or b"0-0").partition("-")[0]) for name, offset in zip(names, offsets, strict=True)
        }

    async def lost_roles(self, partition: int) -> Sequence[str]:
        """The registered feed roles that lagged beyond their bound and have to rebuild, sorted."""
        names = texts(await self.calls.ask("SMEMBERS", streams.roles(partition)))
        lost = await self.calls.ask_all([("HGET", streams.role(partition, name), "lost") for name in names])
        return tuple(name for name, is_lost in zip(names, lost, strict=True) if is_lost == b"1")

    async def read_archived(self, partition: int) -> Archived:
        """What the archived tables of the partition left behind."""
        return archived(await self.calls.ask("HMGET", streams.archive(partition), "n", "tally", "place"))

    async def view_value(self, key: str) -> bytes | None:
        """A read model that is one value."""
        return cast("bytes | None", await self.calls.ask("GET", key))

    async def view_values(self, keys: Sequence[str]) -> Sequence[bytes | None]:
        """Read models that are one value each, in one round trip; all of one partition."""
        return tuple(await self.calls.ask("MGET", *keys)) if keys else ()

    async def view_hash(self, key: str) -> Mapping[str, bytes]:
        """A read model that is a hash."""
        return hash_of(await self.calls.ask("HGETALL", key))

    async def view_members(self, key: str) -> Sequence[str]:
        """A read model that is a set, sorted."""
        return texts(await self.calls.ask("SMEMBERS", key))

    async def view_ranking(self, key: str) -> Sequence[tuple[str, int]]:
        """A read model that is a ranking, lowest score first."""
        found: list[Reply] = await self.calls.ask("ZRANGE", key, 0, -1, "WITHSCORES")
        pairs: Iterable[tuple[bytes, bytes]] = (
            found if found and isinstance(found[0], (list, tuple)) else zip(found[::2], found[1::2], strict=True)
        )
        return tuple((text(member), int(float(score))) for member, score in pairs)

    async def view_keys(self, partition: int) -> Sequence[str]:
        """Keys of all read models of the partition, sorted. For rebuilds and comparisons, not for players."""
        return tuple(sorted(await self.calls.scan(streams.view(partition, "*"))))

    async def _after(self, key: str, after: str, count: int) -> Sequence[tuple[bytes, dict[bytes, bytes]]]:
        found = await self.calls.ask("XRANGE", key, f"({after}", "+", "COUNT", count)
        return cast("Sequence[tuple[bytes, dict[bytes, bytes]]]", found)


def saved(table: str, seat: int) -> str:
    """String: the one saved value of a seat, beside its channel."""
    return f"{streams.seat(table, seat)}:saved"


def archived(fields: Sequence[bytes | None]) -> Archived:
    """What the hash of the archive holds."""
    number, tally, place = fields
    return Archived(number=int(number or 0), tally=tally, place=text(place))


def chained(found: Iterable[tuple[bytes, Mapping[bytes, bytes]]]) -> tuple[TableEntry, ...]:
    """Entries of a chained stream, with the number that their id begins with."""
    return tuple(
        TableEntry(
            version=int(text(entry_id).partition("-")[0]),
            payload=fields.get(b"e", EMPTY),
            chain=bytes.fromhex(text(fields.get(b"h"))),
        )
        for entry_id, fields in found
    )


def inbox_entry(entry_id: bytes, fields: Mapping[bytes, bytes]) -> InboxEntry:
    """A message as it lies in the inbox."""
    return InboxEntry(id=text(entry_id), payload=fields.get(b"e", EMPTY))


def feed_entry(entry_id: bytes, fields: Mapping[bytes, bytes]) -> FeedEntry:
    """An event as it lies in the feed."""
    try:
        return FeedEntry(
            n=int(text(entry_id).partition("-")[0]),
            table=text(fields[b"t"]),
            version=int(fields[b"v"]),
            payload=fields[b"e"],
            chain=bytes.fromhex(text(fields[b"h"])),
            at_ms=int(fields[b"m"]),
        )
    except (KeyError, ValueError) as foreign:
        raise FeedGap(f"feed entry {text(entry_id)} was not written by a dealer: {foreign}") from foreign


def lines(found: Iterable[tuple[bytes, Mapping[bytes, bytes]]]) -> tuple[StreamEntry, ...]:
    """Entries with one payload each."""
    return tuple(StreamEntry(id=text(entry_id), payload=fields.get(b"e", EMPTY)) for entry_id, fields in found)


def hash_of(reply: Mapping[bytes, bytes]) -> dict[str, bytes]:
    """A hash with its field names as text."""
    return {text(name): value for name, value in reply.items()}


def texts(reply: Iterable[bytes]) -> tuple[str, ...]:
    """Names, sorted."""
    return tuple(sorted(text(name) for name in reply))


def milliseconds(clock: Sequence[bytes | int]) -> int:
    """The answer to TIME in milliseconds."""
    return int(clock[0]) * 1000 + int(clock[1]) // 1000
