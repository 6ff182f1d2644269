"""Names of every key: which stream or hash holds what, and on which partition it lies.

A table belongs to one partition for ever; its id says which (``p07-9f2c``), so that any client in any
language can address it. All keys of a partition carry the hash tag ``{pNN}``: one slot of a cluster, and
nothing ever spans two slots in one step.
"""

import re
from typing import Final, NewType

TableId = NewType("TableId", str)
Partition = NewType("Partition", int)

LOG_FORMAT: Final = 1
"""The form of the log. Every process refuses a store that was written in another one."""

PARTITIONS_DEFAULT: Final = 16

_TABLE_ID: Final = re.compile(r"p([0-9]{2,3})-[a-z0-9-]{1,59}")


def is_table_id(text: str) -> bool:
    """Whether the text is a well-formed table id.

    >>> is_table_id("p07-9f2c"), is_table_id("p7-9f2c"), is_table_id("P07-9F2C")
    (True, False, False)
    """
    return _TABLE_ID.fullmatch(text) is not None


def partition_of(table: str) -> Partition:
    """The partition that a table id names; ``ValueError`` where it names none.

    >>> partition_of("p07-9f2c")
    7
    """
    found = _TABLE_ID.fullmatch(table)
    if found is None:
        raise ValueError(f"{table!r} is no table id: it looks like p07-9f2c, in [a-z0-9-], 64 characters at most")
    return Partition(int(found[1]))


def tag(partition: int) -> str:
    """The hash tag of a partition.

    >>> tag(7)
    '{p07}'
    """
    return f"{{p{partition:02d}}}"


def meta(partition: int) -> str:
    """Hash: store id, log format, number of partitions."""
    return f"{tag(partition)}:meta"


def inbox(partition: int) -> str:
    """Stream: commands from players and operators, verdicts from validators."""
    return f"{tag(partition)}:inbox"


def feed(partition: int) -> str:
    """Stream: every event of the partition in order, entry id ``<n>-0``."""
    return f"{tag(partition)}:feed"


def dealer(partition: int) -> str:
    """Hash: owner token, stored inbox offset, takeovers at an unchanged offset, last feed number."""
    return f"{tag(partition)}:dealer"


def role(partition: int, name: str) -> str:
    """Hash: the same for another role: token and stored feed offset."""
    return f"{tag(partition)}:role:{name}"


def roles(partition: int) -> str:
    """Set: names of the roles that follow the feed and hold back its trimming."""
    return f"{tag(partition)}:roles"


def open_tables(partition: int) -> str:
    """Set: ids of the tables that are not closed."""
    return f"{tag(partition)}:open"


def replies(partition: int) -> str:
    """Stream: the answer to each command, capped."""
    return f"{tag(partition)}:replies"


def parked(partition: int) -> str:
    """Stream: messages set aside, with the reason."""
    return f"{tag(partition)}:parked"


def closures(partition: int) -> str:
    """Stream: what was closed to new play, and opened again; entry id ``<n>-0``."""
    return f"{tag(partition)}:closures"


def table(table_id: str) -> str:
    """Stream: the table log, the truth; entry id ``<version>-0``."""
    return f"{tag(partition_of(table_id))}:table:{table_id}"


def head(table_id: str) -> str:
    """Hash: version and chain hash of a table; stays as a tombstone when the table closes, and when it is archived."""
    return f"{tag(partition_of(table_id))}:head:{table_id}"


def archive(partition: int) -> str:
    """Hash: how many tables of the partition are archived, what they count for, where they were put."""
    return f"{tag(partition)}:archive"


def answers(table_id: str, slot: str) -> str:
    """Hash: command id to stored answer; slots ``a`` and ``b`` take turns by deal."""
    return f"{tag(partition_of(table_id))}:answers:{table_id}:{slot}"


def snapshot(table_id: str) -> str:
    """String: the table's state at a deal border: a shortcut, never the truth."""
    return f"{tag(partition_of(table_id))}:snapshot:{table_id}"


def seat(table_id: str, seat_number: int) -> str:
    """Stream: what only this seat may see, entry id ``<version>-<k>``; removed when the deal ends."""
    return f"{tag(partition_of(table_id))}:seat:{table_id}:{seat_number}"


def view(partition: int, *parts: str) -> str:
    """Key of a read model of the projector.

    >>> view(7, "table", "p07-9f2c")
    '{p07}:view:table:p07-9f2c'
    """
    return ":".join((tag(partition), "view", *parts))
