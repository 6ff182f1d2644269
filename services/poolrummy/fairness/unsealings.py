"""The record of unsealings: one line an act, each bound to the one before it (rule 3.11)."""

import hashlib
import os
from pathlib import Path
from typing import Final

import msgspec

from poolrummy.fairness.errors import FairnessError

START: Final = hashlib.sha256(b"poolrummy/unsealings/1").hexdigest()


class RecordBroken(FairnessError):
    """A line of the record was changed, dropped or cannot be read."""


class Unsealing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who opened the seeds of which table, when, why, and with which keys."""

    n: int
    at: int
    table: str
    operators: tuple[str, ...]
    reason: str
    keys: tuple[str, ...]
    in_log: int | None
    """The version of the table log that records it; null where that log was closed, or nobody was there to write."""
    before: str
    """The hash of the line before it."""


def read_record(path: Path) -> list[Unsealing]:
    """The acts so far; ``RecordBroken`` names the first line that does not follow from the one before."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    found: list[Unsealing] = []
    before = START
    for number, line in enumerate(lines, start=1):
        try:
            one = msgspec.json.decode(line, type=Unsealing)
        except msgspec.MsgspecError as unreadable:
            raise RecordBroken(f"{path}, line {number}: {unreadable}") from unreadable
        if (one.n, one.before) != (number, before):
            raise RecordBroken(f"{path}, line {number} does not follow from the line before it: the record was changed")
        found.append(one)
        before = hashlib.sha256(line).hexdigest()
    return found


def append(
    path: Path,
    *,
    at: int,
    table: str,
    operators: tuple[str, ...],
    reason: str,
    keys: tuple[str, ...],
    in_log: int | None,
) -> Unsealing:
    """Add an act to the record, on the disk before this returns."""
    done = read_record(path)
    last = path.read_bytes().splitlines()[-1:] if done else []
    one = Unsealing(
        n=len(done) + 1,
        at=at,
        table=table,
        operators=operators,
        reason=reason,
        keys=keys,
        in_log=in_log,
        before=hashlib.sha256(last[0]).hexdigest() if last else START,
    )
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(handle, "ab") as file:
        file.write(msgspec.json.encode(one) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return one
