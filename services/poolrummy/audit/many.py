"""Many tables at once: the files of a directory on two processes, each audited alone."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import msgspec

from poolrummy.audit import bundle, packed
from poolrummy.audit.auditing import Means, audited
from poolrummy.audit.derivation import Progress
from poolrummy.audit.evidence import Evidence
from poolrummy.audit.findings import Result, Unauditable
from poolrummy.audit.signed import Trust
from poolrummy.fairness.errors import FairnessError, KeyMissingError
from poolrummy.fairness.keys import load_opening_keys
from poolrummy.fairness.notary_keys import NotaryKeyUnreadable, load_trusted_keys, parse_line
from poolrummy.fairness.sealing import AgeSealer, Sealer
from poolrummy.fairness.signed_note import NoteKey
from poolrummy.keeping.checkpoint_folder import kept
from poolrummy.keeping.keepers import keeper_of

PROCESSES: Final = 2
ENDING: Final = ".jsonl"


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """How the audit was asked for: folders and buckets by name, so that another process can be told."""

    keys: str | None = None
    checkpoints: str | None = None
    exhaustive: bool = False


class Failed(msgspec.Struct, frozen=True, kw_only=True):
    """A file that could not be audited, and why."""

    source: str
    why: str


def files_of(directory: Path) -> list[Path]:
    """The bundles of a directory and of those in it."""
    endings = (ENDING, ENDING + packed.ENDING)
    return sorted(path for path in directory.rglob("*") if path.name.endswith(endings) and path.is_file())


def all_audited(files: Sequence[Path], asked: Asked, done: Callable[[int], None]) -> Iterator[Result | Failed]:
    """The audits of these files in their order; ``done`` is told of the bytes that each had."""
    if len(files) == 1 or (os.cpu_count() or 1) == 1:
        for path in files:
            yield file_audited(str(path), asked)
            done(path.stat().st_size)
        return
    # Processes are spawned: a fork of a process with threads may hang.
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        for path, found in zip(files, pool.map(file_audited, map(str, files), [asked] * len(files)), strict=True):
            yield found
            done(path.stat().st_size)


def file_audited(path: str, asked: Asked, progress: Progress | None = None) -> Result | Failed:
    """The audit of one bundle."""
    try:
        evidence = bundle.read(Path(path).read_bytes(), path)
        return evidence_audited(evidence, asked, progress)
    except OSError as refused:
        return Failed(source=path, why=f"{path} cannot be read: {refused.strerror}")
    except (Unauditable, FairnessError) as why:
        return Failed(source=path, why=str(why))


def evidence_audited(evidence: Evidence, asked: Asked, progress: Progress | None = None) -> Result:
    """The audit of one table with the keys and checkpoints that were named; ``FairnessError`` names what is missing."""
    if asked.checkpoints is not None:
        found = kept(keeper_of(asked.checkpoints), evidence.table)
        evidence = msgspec.structs.replace(
            evidence, notes=found.notes, leaves=found.leaves or evidence.leaves, rewinds=found.rewinds
        )
    means = Means(sealer=sealer_of(asked.keys), trust=_trust(evidence, asked), exhaustive=asked.exhaustive)
    return audited(evidence, means, progress)


def sealer_of(keys: str | None) -> Sealer | None:
    """What opens sealed seeds: the keys of this folder; None where it holds nothing but ``notary.pub``, to trust."""
    if keys is None:
        return None
    try:
        return AgeSealer(load_opening_keys(Path(keys)))
    except KeyMissingError:
        if load_trusted_keys(Path(keys)):
            return None
        raise


def _trust(evidence: Evidence, asked: Asked) -> Trust:
    trusted = () if asked.keys is None else load_trusted_keys(Path(asked.keys))
    own = [key for line in evidence.own_keys if (key := _own_key(line, evidence.source)) is not None]
    required = asked.checkpoints is not None or (bool(trusted) and evidence.source != evidence.table)
    return Trust(keys=trusted, own_keys=tuple(own), required=required)


def _own_key(line: str, source: str) -> NoteKey | None:
    try:
        return parse_line(line, source)
    except NotaryKeyUnreadable:
        return None


def exit_code(found: Sequence[Result | Failed]) -> int:
    """The exit code of several audits: 1 if anything is wrong, else 2 if anything could not be checked, else 0."""
    codes = {2 if isinstance(one, Failed) else one.exit_code for one in found}
    return 1 if 1 in codes else 2 if 2 in codes else 0
