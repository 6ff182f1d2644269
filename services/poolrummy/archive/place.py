"""Where an archive is: a folder, and what a table's file is called in it."""

import tempfile
from pathlib import Path
from typing import Final

from poolrummy.archive.errors import ArchiveUnusable
from poolrummy.audit import many, packed
from poolrummy.fairness.checkpoint_folder import FolderKeeper, Keeper
from poolrummy_contracts import streams

ENDING: Final = many.ENDING + packed.ENDING


def file_of(table: str) -> str:
    """The name under which the table is kept.

    >>> file_of("p07-9f2c")
    'p07/p07-9f2c.jsonl.gz'
    """
    return f"p{streams.partition_of(table):02d}/{table}{ENDING}"


def keeper_at(place: str) -> Keeper:
    """The archive at this place, to be read; ``ArchiveUnusable`` if there is none."""
    if not Path(place).is_dir():
        raise ArchiveUnusable(place, "there is no such folder")
    return FolderKeeper(Path(place))


def writable(place: str) -> Keeper:
    """The archive at this place, made if it is not there and tried before anything is read."""
    try:
        Path(place).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            return FolderKeeper(Path(place))
    except OSError as refused:
        raise ArchiveUnusable(place, refused.strerror or str(refused)) from refused
