"""Where checkpoints are kept outside the server: a folder a table, or whatever keeps bytes under names.

``<table>/000000000412.checkpoint`` is a signed checkpoint, ``<table>/000000000412.leaves`` the leaf hashes of the lines
since the one before: with them the first changed line can be named, not only that one was.
``<table>/000000000300.rewind`` records that an operator accepted a log that goes back to this size.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Protocol

import msgspec

from poolrummy.fairness.checkpoint import Checkpoint, unverified, verified
from poolrummy.fairness.signed_note import NoteKey, NoteWrong

DIGITS: Final = 12
HASH_BYTES: Final = 32
NOTE: Final = ".checkpoint"
LEAVES: Final = ".leaves"
REWIND: Final = ".rewind"
SUPERSEDED: Final = ".superseded"


class Keeper(Protocol):
    """Keeps bytes under names, such as ``p07-9f2c/000000000412.checkpoint``: a folder, or an object store."""

    def put(self, name: str, content: bytes) -> None:
        """Keep it; what was there under this name is replaced, all at once."""
        ...

    def get(self, name: str) -> bytes | None:
        """What is kept under this name."""
        ...

    def names(self, folder: str) -> Sequence[str]:
        """The names in a folder, sorted, without the folder."""
        ...

    def remove(self, name: str) -> None:
        """Forget it."""
        ...


class FolderKeeper:
    """A keeper that is a folder of the file system, on another disk or machine than the server's."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, name: str, content: bytes) -> None:
        """Keep it; a reader sees the old file or the new one, never half of it, and a machine that dies keeps it."""
        path = self.root / name
        made = [folder.parent for folder in (path.parent, *path.parent.parents) if not folder.exists()]
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".draft.")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
        for folder in (path.parent, *made):
            _sync(folder)

    def get(self, name: str) -> bytes | None:
        """What the file holds."""
        try:
            return (self.root / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def names(self, folder: str) -> Sequence[str]:
        """The files of a folder."""
        path = self.root / folder
        return sorted(one.name for one in path.iterdir() if not one.name.startswith(".")) if path.is_dir() else []

    def remove(self, name: str) -> None:
        """Delete the file."""
        (self.root / name).unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Have the names in a folder written: a file whose name is lost with the machine is lost."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is kept about one table."""

    notes: tuple[bytes, ...] = ()
    leaves: tuple[bytes, ...] = ()
    rewinds: tuple[bytes, ...] = ()


def kept(keeper: Keeper, table: str) -> Kept:
    """Everything that is kept about a table, smallest size first."""
    names = keeper.names(table)
    packed = b"".join(_of_kind(keeper, table, names, LEAVES))
    return Kept(
        notes=tuple(_of_kind(keeper, table, names, NOTE)),
        leaves=tuple(packed[at : at + HASH_BYTES] for at in range(0, len(packed), HASH_BYTES)),
        rewinds=tuple(_of_kind(keeper, table, names, REWIND)),
    )


def keep(keeper: Keeper, checkpoint: Checkpoint, note: bytes, leaves: Sequence[bytes]) -> None:
    """Keep a checkpoint, and the leaves since the one before it. Doing it again changes nothing."""
    name = named(checkpoint.table, checkpoint.size)
    keeper.put(name + LEAVES, b"".join(leaves))
    keeper.put(name + NOTE, note)


class KeptCheckpoints:
    """What a dealer asks before it takes a table over: how far was its log vouched for?"""

    def __init__(self, keeper: Keeper, trusted: Sequence[NoteKey] = ()) -> None:
        self._keeper = keeper
        self._trusted = tuple(trusted)

    def latest(self, table: str) -> Checkpoint | None:
        """The largest checkpoint of a table that counts; any, where no key is known to check it with."""
        for name in reversed(self._keeper.names(table)):
            note = self._keeper.get(f"{table}/{name}") if name.endswith(NOTE) else None
            if note is None:
                continue
            try:
                return verified(note, self._trusted) if self._trusted else unverified(note)
            except NoteWrong:
                continue
        return None


def supersede(keeper: Keeper, table: str, sizes: Sequence[int], record: bytes, *, to: int) -> None:
    """Keep the record of a rewind; checkpoints of these sizes count no more, and are kept under other names."""
    name = named(table, to)
    number = sum(one.startswith(name.partition("/")[2]) and REWIND in one for one in keeper.names(table))
    keeper.put(f"{name}.{number}{REWIND}", record)
    for size in sizes:
        old = named(table, size)
        for ending in (NOTE, LEAVES):
            content = keeper.get(old + ending)
            if content is not None:
                keeper.put(f"{old}{ending}{SUPERSEDED}-{to}-{number}", content)
                keeper.remove(old + ending)


def named(table: str, size: int) -> str:
    """The name under which something about this size of a table is kept, without its ending."""
    return f"{table}/{size:0{DIGITS}d}"


def _of_kind(keeper: Keeper, table: str, names: Sequence[str], ending: str) -> Iterator[bytes]:
    for name in names:
        content = keeper.get(f"{table}/{name}") if name.endswith(ending) else None
        if content is not None:
            yield content
