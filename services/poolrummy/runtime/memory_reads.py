"""What a store in memory answers when it is only asked to read."""

from collections.abc import Callable, Mapping, Sequence

from poolrummy.runtime.errors import FeedLost
from poolrummy.runtime.memory_partition import Lines, MemoryPartition, TableData
from poolrummy.runtime.store import Archived, FeedEntry, Head, InboxEntry, Slot, StreamEntry, TableEntry
from poolrummy_contracts import streams


class MemoryReads:
    """The reading half of a memory store."""

    clock: Callable[[], int]
    replies_max: int
    parts: dict[int, MemoryPartition]

    async def read_inbox(self, partition: int, after: str, count: int) -> Sequence[InboxEntry]:
        """Messages after this id, in order."""
        return tuple(self.part(partition).read_inbox(after, count))

    async def inbox_reading(self, partition: int) -> tuple[int, str]:
        """The clock, sampled first, and then the id of the last message."""
        entries = self.part(partition).inbox.entries
        return self.clock(), entries[-1][0] if entries else "0-0"

    async def read_feed(self, partition: int, after_n: int, count: int) -> Sequence[FeedEntry]:
        """Events after this number, in order; ``FeedLost`` if they were trimmed away."""
        part = self.part(partition)
        if after_n < part.trimmed_n:
            raise FeedLost(f"feed of partition {partition}: {after_n + 1} to {part.trimmed_n} are trimmed; rebuild")
        start = max(0, after_n - part.trimmed_n)
        return tuple(part.feed[start : start + count])

    async def feed_n(self, partition: int) -> int:
        """Number of the last event of the partition."""
        return self.part(partition).feed_n

    async def read_table(self, table: str, from_version: int, count: int) -> Sequence[TableEntry]:
        """Events of a table from this version on, in order."""
        start = max(1, from_version) - 1
        return tuple(self.table(table).log[start : start + count])

    async def read_head(self, table: str) -> Head | None:
        """Where the table stands; ``None`` if the id was never used."""
        return self.table(table).head

    async def read_heads(self, tables: Sequence[str]) -> Sequence[Head | None]:
        """The heads of several tables."""
        return tuple(self.table(table).head for table in tables)

    async def open_tables(self, partition: int) -> Sequence[str]:
        """Ids of the tables that are not closed, sorted."""
        return tuple(sorted(self.part(partition).open))

    async def read_snapshot(self, table: str) -> bytes | None:
        """The state at the last deal border, if one was kept."""
        return self.table(table).snapshot

    async def read_answers(self, table: str, slot: Slot) -> Mapping[str, bytes]:
        """Command ids that were answered in this slot, with their answers."""
        return dict(self.table(table).answers[slot])

    async def read_seat(self, table: str, seat: int, after: str, count: int) -> Sequence[StreamEntry]:
        """Lines of a seat's channel after this id."""
        return tuple(self.table(table).seats.get(seat, Lines()).after(after, count))

    async def read_saved(self, table: str, seat: int) -> bytes | None:
        """The one saved value of a seat."""
        return self.table(table).saved.get(seat)

    async def read_replies(self, partition: int, after: str, count: int) -> Sequence[StreamEntry]:
        """Answers to commands after this id."""
        return tuple(self.part(partition).replies.after(after, count))

    async def read_parked(self, partition: int, after: str, count: int) -> Sequence[StreamEntry]:
        """Messages set aside after this id."""
        return tuple(self.part(partition).parked.after(after, count))

    async def read_closures(self, partition: int, after_n: int, count: int) -> Sequence[TableEntry]:
        """Acts on new play after this number, in order."""
        return tuple([one for one in self.part(partition).closures if one.version > after_n][:count])

    async def roles(self, partition: int) -> Mapping[str, int]:
        """The registered feed roles with the feed number each has committed."""
        return {name: holder.n for name, holder in sorted(self.part(partition).followers.items())}

    async def lost_roles(self, partition: int) -> Sequence[str]:
        """The registered feed roles that lagged beyond their bound and have to rebuild, sorted."""
        return tuple(sorted(name for name, holder in self.part(partition).followers.items() if holder.lost))

    async def read_archived(self, partition: int) -> Archived:
        """What the archived tables of the partition left behind."""
        return self.part(partition).archived

    async def view_value(self, key: str) -> bytes | None:
        """A read model that is one value."""
        return self.part(partition_in(key)).views.values.get(key)

    async def view_values(self, keys: Sequence[str]) -> Sequence[bytes | None]:
        """Read models that are one value each; all of one partition."""
        return tuple([await self.view_value(key) for key in keys])

    async def view_hash(self, key: str) -> Mapping[str, bytes]:
        """A read model that is a hash."""
        return dict(self.part(partition_in(key)).views.hashes.get(key, {}))

    async def view_members(self, key: str) -> Sequence[str]:
        """A read model that is a set, sorted."""
        return tuple(sorted(self.part(partition_in(key)).views.members.get(key, ())))

    async def view_ranking(self, key: str) -> Sequence[tuple[str, int]]:
        """A read model that is a ranking, lowest score first."""
        ranking = self.part(partition_in(key)).views.rankings.get(key, {})
        return tuple(sorted(ranking.items(), key=lambda ranked: (ranked[1], ranked[0])))

    async def view_keys(self, partition: int) -> Sequence[str]:
        """Keys of all read models of the partition, sorted."""
        return self.part(partition).views.keys()

    def part(self, partition: int) -> MemoryPartition:
        """The data of a partition."""
        if partition not in self.parts:
            self.parts[partition] = MemoryPartition(replies_max=self.replies_max)
        return self.parts[partition]

    def table(self, table: str) -> TableData:
        """The data of a table."""
        return self.part(streams.partition_of(table)).table(table)


def partition_in(key: str) -> int:
    """The partition whose tag a key carries."""
    return int(key[2 : key.index("}")])
