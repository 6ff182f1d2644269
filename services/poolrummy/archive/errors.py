"""What can be wrong with an archive; each message names the thing and the mend.

::

    ArchiveFault
    ├── TableArchived      the log is in an archive, and none was named
    ├── NotInArchive       the archive that was named has no file of this table
    ├── ArchivedLogWrong   its file is not the log that was archived
    ├── ArchiveUnusable    the archive itself cannot be read or written
    └── CheckpointsUnread  what the notary keeps cannot be read now
"""

from poolrummy.runtime.errors import RuntimeFault


class ArchiveFault(RuntimeFault):
    """Base of all that goes wrong with an archive."""


class TableArchived(ArchiveFault):
    """A table that left the store is asked for, and nobody said where its archive is."""

    def __init__(self, table: str, place: str) -> None:
        super().__init__(
            f"{table} is archived: name its archive with --archive or POOLRUMMY_ARCHIVE; "
            f"tables of its partition were last put into {place}"
        )


class NotInArchive(ArchiveFault):
    """The archive has no file of the table."""

    def __init__(self, name: str, place: str, last: str) -> None:
        super().__init__(
            f"there is no {name} in the archive {place}; name another one with --archive: "
            f"tables of this partition were last put into {last}"
        )


class ArchivedLogWrong(ArchiveFault):
    """A file of the archive is not what was put there."""

    def __init__(self, name: str, place: str, what: str) -> None:
        super().__init__(f"{name} in the archive {place} is not the log that was archived: {what}; take another copy")


class ArchiveUnusable(ArchiveFault):
    """The archive cannot be read or written."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(
            f"the archive {place} cannot be used ({why}); make it usable, or name another: nothing is lost"
        )


class CheckpointsUnread(ArchiveFault):
    """Nobody can say now how far a table is signed."""

    def __init__(self, table: str, why: str) -> None:
        super().__init__(f"the checkpoints of {table} cannot be read ({why}); it stays where it is: nothing is lost")
