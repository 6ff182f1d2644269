"""Places in a stream: which entry comes first, and whether any is missing."""

import re
from collections.abc import Sequence
from typing import Final

from poolrummy.runtime.errors import FeedGap
from poolrummy.runtime.store import FeedEntry, TableEntry

ENTRY_ID: Final = re.compile(r"(\d+)-(\d+)")


def place(entry_id: str) -> tuple[int, int]:
    """An entry id as something that can be compared.

    >>> place("1764450000123-7") < place("1764450000123-10")
    True
    """
    found = ENTRY_ID.fullmatch(entry_id)
    assert found is not None, f"{entry_id!r} is no entry id"
    return int(found[1]), int(found[2])


def refuse_feed_gap(partition: int, batch: Sequence[FeedEntry], after_n: int) -> None:
    """Raise ``FeedGap`` unless the batch goes on where ``after_n`` stopped.

    "Skip what is not newer" alone would turn a reordering into a silent loss.
    """
    for expected, entry in enumerate(batch, after_n + 1):
        if entry.n != expected:
            raise FeedGap(f"feed of partition {partition}: {expected} was due and {entry.n} came; nothing was handled")


def refuse_log_gap(table: str, batch: Sequence[TableEntry], from_version: int) -> None:
    """Raise ``FeedGap`` unless the log goes on from this version without a gap."""
    for expected, entry in enumerate(batch, from_version):
        if entry.version != expected:
            raise FeedGap(f"log of {table}: version {expected} was due and {entry.version} came; audit this table")
