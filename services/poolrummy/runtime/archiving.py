"""One step of the archiver, as it is handed to a store, and what becomes of it."""

from enum import StrEnum

from msgspec import Struct

from poolrummy_contracts import streams


class Archiving(Struct, frozen=True, kw_only=True):
    """A closed table leaves the store; its head stays, so that its id is never used again.

    Whoever hands this over has the log elsewhere, read back and verified. All of it happens, or nothing.
    """

    table: str
    version: int
    """Version and chain hash of the head as they were when the log was read."""
    chain: bytes
    number: int
    """How many tables of the partition are archived already: another archiver that was faster is noticed by it."""
    tally: bytes
    """What all archived tables of the partition count for, this one among them. It takes the place of what is kept."""
    place: str
    """Where the log is now, in words that a person can follow."""
    seats: tuple[int, ...] = ()
    """Seats whose channel and saved value go."""
    views: tuple[str, ...] = ()
    """Keys of the table's own read models, which go."""

    @property
    def partition(self) -> int:
        """The partition of the table."""
        return streams.partition_of(self.table)


class ArchiveCode(StrEnum):
    """What became of it. Everything but the first left the store untouched."""

    ARCHIVED = "archived"
    ALREADY = "already"
    """The table is archived."""
    OPEN = "open"
    """The table is not closed."""
    CONFLICT = "conflict"
    """The head, or how many tables are archived, is not what was expected: look again."""


def refuse_foreign_views(step: Archiving) -> None:
    """Raise for a view that is not one of the table's partition."""
    prefix = streams.view(step.partition, "")
    for key in step.views:
        assert key.startswith(prefix), f"{key} is no read model of partition {step.partition}"
