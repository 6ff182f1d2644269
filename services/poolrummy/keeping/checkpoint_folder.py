"""What is kept about a table outside the server, under which names, and how it is read back.

``<table>/000000000412.checkpoint`` is a signed checkpoint, ``<table>/000000000412.leaves`` the leaf hashes of the lines
since the one before: with them the first changed line can be named, not only that one was.
``<table>/000000000300.0.rewind`` records that an operator accepted a log that goes back to this size.

Nothing is overwritten: a second checkpoint of the same size that says something else is kept beside the first.
"""

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import msgspec

from poolrummy.fairness.checkpoint import Checkpoint, unverified, verified
from poolrummy.fairness.signed_note import NoteKey, NoteWrong
from poolrummy.keeping.folder_keeper import FolderKeeper
from poolrummy.keeping.keeper import Keeper, KeeperFault, KeptOtherwise

__all__ = [
    "CheckpointForked",
    "FolderKeeper",
    "Keeper",
    "Kept",
    "KeptCheckpoints",
    "keep",
    "kept",
    "named",
    "supersede",
]

DIGITS: Final = 12
HASH_BYTES: Final = 32
NOTE: Final = ".checkpoint"
LEAVES: Final = ".leaves"
REWIND: Final = ".rewind"
SUPERSEDED: Final = ".superseded"
OTHER: Final = ".other"
AT_ONCE: Final = 8
"""How many objects are fetched side by side: a bucket is far away."""


class CheckpointForked(KeeperFault):
    """Two checkpoints of one size that do not say the same: both are kept, and somebody has to look at them."""

    def __init__(self, there: KeptOtherwise, beside: str) -> None:
        super().__init__(
            f"{there.name} and {beside} speak of the same events and do not say the same; look who signed them "
            "(poolrummy audit), and at the log"
        )


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is kept about one table."""

    notes: tuple[bytes, ...] = ()
    leaves: tuple[bytes, ...] = ()
    rewinds: tuple[bytes, ...] = ()


def kept(keeper: Keeper, table: str) -> Kept:
    """Everything that is kept about a table, smallest size first."""
    names = keeper.names(table)
    noted = [name for name in names if name.endswith(NOTE)]
    leaves = [name.removesuffix(NOTE) + LEAVES for name in noted]
    rewinds = [name for name in names if name.endswith(REWIND)]
    wanted = [f"{table}/{name}" for name in (*noted, *leaves, *rewinds)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(keeper.get, wanted))
    count = len(noted)
    sizes = [_size(name) for name in noted]
    return Kept(
        notes=tuple(one for one in found[:count] if one is not None),
        leaves=_in_order(dict(zip(sizes, found[count : 2 * count], strict=True))),
        rewinds=tuple(one for one in found[2 * count :] if one is not None),
    )


def keep(keeper: Keeper, checkpoint: Checkpoint, note: bytes, leaves: Sequence[bytes]) -> None:
    """Keep a checkpoint, and the leaves since the one before it. Doing it again changes nothing.

    ``CheckpointForked`` where one of this size is kept that says something else. The leaves go first: where a
    checkpoint stands, its leaves stand.
    """
    name, packed = named(checkpoint.table, checkpoint.size), b"".join(leaves)
    try:
        keeper.put_once(name + LEAVES, packed)
    except KeptOtherwise as there:
        # Who starts again may sign from another checkpoint on: then one of the two is the end of the other.
        if not (packed.endswith(there.kept) or there.kept.endswith(packed)):
            raise _forked(keeper, there) from there
    try:
        keeper.put_once(name + NOTE, note)
    except KeptOtherwise as there:
        if not _says(there.kept, checkpoint):  # else only the key is another one
            raise _forked(keeper, there) from there


class KeptCheckpoints:
    """What a dealer asks before it takes a table over, or opens one: how far was its log vouched for?"""

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
    keeper.put_once(f"{name}.{number}{REWIND}", record)
    for size in sizes:
        old = named(table, size)
        for ending in (NOTE, LEAVES):
            content = keeper.get(old + ending)
            if content is not None:
                keeper.put_once(f"{old}{ending}{SUPERSEDED}-{to}-{number}", content)
                keeper.remove(old + ending)


def named(table: str, size: int) -> str:
    """The name under which something about this size of a table is kept, without its ending."""
    return f"{table}/{size:0{DIGITS}d}"


def _forked(keeper: Keeper, there: KeptOtherwise) -> CheckpointForked:
    beside = f"{there.name}{OTHER}-{hashlib.sha256(there.new).hexdigest()[:16]}"
    keeper.put_once(beside, there.new)
    return CheckpointForked(there, beside)


def _says(note: bytes, checkpoint: Checkpoint) -> bool:
    try:
        return unverified(note) == checkpoint
    except NoteWrong:
        return False


def _size(name: str) -> int:
    digits = name.partition(".")[0]
    return int(digits) if digits.isdecimal() else 0


def _in_order(packed: dict[int, bytes | None]) -> tuple[bytes, ...]:
    """The leaves from the first line on, up to where some are missing: each bundle ends at its checkpoint's size."""
    leaves: list[bytes] = []
    for size, bundle in sorted(packed.items()):
        own = [] if bundle is None else [bundle[at : at + HASH_BYTES] for at in range(0, len(bundle), HASH_BYTES)]
        first = size - len(own)
        if not 0 <= first <= len(leaves) or not own:
            break
        leaves[first:] = own
    return tuple(leaves)
