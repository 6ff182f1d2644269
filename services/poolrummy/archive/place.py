"""Where an archive is: a folder or a bucket, and what a table's file is called in it."""

import tempfile
from typing import Final

from poolrummy.archive.errors import ArchiveUnusable
from poolrummy.audit import many, packed
from poolrummy.keeping.folder_keeper import FolderKeeper
from poolrummy.keeping.keeper import Keeper, KeeperFault
from poolrummy.keeping.keepers import keeper_of
from poolrummy_contracts import streams

ENDING: Final = many.ENDING + packed.ENDING


def file_of(table: str) -> str:
    """The name under which the table is kept.

    >>> file_of("p07-9f2c")
    'p07/p07-9f2c.jsonl.gz'
    """
    return f"p{streams.partition_of(table):02d}/{table}{ENDING}"


def keeper_at(place: str) -> Keeper:
    """The archive at this place, a folder or a bucket, to be read; ``ArchiveUnusable`` if there is none."""
    keeper = _keeper(place)
    if isinstance(keeper, FolderKeeper) and not keeper.root.is_dir():
        raise ArchiveUnusable(place, "there is no such folder")
    return keeper


def writable(place: str) -> Keeper:
    """The archive at this place; a folder is made if it is not there, and tried before anything is read."""
    keeper = _keeper(place)
    if not isinstance(keeper, FolderKeeper):
        return keeper
    try:
        keeper.root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=keeper.root):
            return keeper
    except OSError as refused:
        raise ArchiveUnusable(place, refused.strerror or str(refused)) from refused


def _keeper(place: str) -> Keeper:
    try:
        keeper = keeper_of(place)
        if not isinstance(keeper, FolderKeeper):
            keeper.refuse_unusable(writing=False)
    except KeeperFault as fault:
        raise ArchiveUnusable(place, str(fault)) from fault
    return keeper
