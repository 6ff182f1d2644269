"""Signed checkpoints against the log: which lines somebody outside the server has vouched for (R13, R46)."""

from collections.abc import Sequence
from typing import Final

import msgspec

from poolrummy.audit.evidence import Evidence
from poolrummy.audit.findings import Check, Finding, Line, Verdict
from poolrummy.fairness import rewind
from poolrummy.fairness.checkpoint import Checkpoint, verified
from poolrummy.fairness.log_tree import LogTree, leaf_of
from poolrummy.fairness.signed_note import NoteKey, NoteWrong

UNIT: Final = "checkpoints"
NO_KEY: Final = "no key to check them with; name the folder of notary.pub with --keys"
UNTRUSTED: Final = "signed by keys that only the file itself names; add the notary.pub that you trust with --keys"


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """Whose signatures count, and whether a log has to be signed at all."""

    keys: tuple[NoteKey, ...] = ()
    own_keys: tuple[NoteKey, ...] = ()
    """Keys that the evidence itself brings: they prove that it is whole, not where it comes from."""
    required: bool = False


def check_signed(evidence: Evidence, trust: Trust, *, closed: bool) -> Line:
    """Whether every checkpoint leads to this log, and how far the last one reaches."""
    if not evidence.notes:
        return _unsigned(trust)
    keys = trust.keys or trust.own_keys
    if not keys:
        return Line(check=Check.CHECKPOINTS, verdict="unchecked", counted=0, unit=UNIT, note=NO_KEY)
    found: list[Checkpoint] = []
    for note in evidence.notes:
        try:
            found.append(verified(note, keys))
        except NoteWrong as wrong:
            return _wrong(
                Finding(check=Check.CHECKPOINTS, v=_after(found), what=f"a checkpoint does not count: {wrong}")
            )
        if found[-1].table != evidence.table:
            what = f"a checkpoint is signed for {found[-1].table}"
            return _wrong(Finding(check=Check.CHECKPOINTS, v=_after(found[:-1]), what=what))
    finding = _first_difference(evidence, sorted(found, key=lambda one: one.size))
    if finding is not None:
        return _wrong(finding)
    return _right(found, len(evidence.lines), trust, closed=closed, rewinds=_rewinds(evidence, keys))


def _rewinds(evidence: Evidence, keys: Sequence[NoteKey]) -> list[str]:
    """Who accepted that the log went back, to where, and why: told for ever."""
    told: list[str] = []
    for note in evidence.rewinds:
        try:
            one = rewind.verified(note, keys)
        except NoteWrong as wrong:
            told.append(f"a record of a rewind does not count: {wrong}")
        else:
            told.append(f"{one.operator} accepted that it went back to {one.size} events: {one.reason}")
    return told


def _right(found: Sequence[Checkpoint], length: int, trust: Trust, *, closed: bool, rewinds: Sequence[str]) -> Line:
    tail = length - max(one.size for one in found)
    unsigned = "; ".join([*([f"the last {tail} lines are not signed"] if tail else []), *rewinds])
    if not trust.keys:
        return Line(check=Check.CHECKPOINTS, verdict="unchecked", counted=len(found), unit=UNIT, note=UNTRUSTED)
    if tail and closed:
        return Line(check=Check.CHECKPOINTS, verdict="unchecked", counted=len(found), unit=UNIT, note=unsigned)
    return Line(check=Check.CHECKPOINTS, verdict="ok", counted=len(found), unit=UNIT, note=unsigned)


def _unsigned(trust: Trust) -> Line:
    note = "nothing is signed: nobody outside the server has vouched for this log"
    verdict: Verdict = "unchecked" if trust.required else "none"
    return Line(check=Check.CHECKPOINTS, verdict=verdict, counted=0, unit=UNIT, note=note)


def _first_difference(evidence: Evidence, found: Sequence[Checkpoint]) -> Finding | None:
    tree = LogTree()
    before = 0
    for checkpoint in found:
        if checkpoint.size > len(evidence.lines):
            what = f"the log ends here, and {checkpoint.size} lines were signed"
            return Finding(check=Check.CHECKPOINTS, v=len(evidence.lines) + 1, what=what)
        for line in evidence.lines[tree.size : checkpoint.size]:
            tree.grow(leaf_of(line.payload))
        if tree.root != checkpoint.root:
            return _named(evidence, checkpoint, before)
        before = checkpoint.size
    return None


def _named(evidence: Evidence, checkpoint: Checkpoint, before: int) -> Finding:
    """The first line that is not the signed one: exactly, where the signed leaves are at hand."""
    leaves = evidence.leaves[: checkpoint.size]
    what = "it is not the line that was signed"
    if len(leaves) == checkpoint.size and LogTree(leaves).root == checkpoint.root:
        v = next(v for v, leaf in enumerate(leaves, 1) if leaf_of(evidence.lines[v - 1].payload) != leaf)
        return Finding(check=Check.CHECKPOINTS, v=v, what=what)
    what = f"the root over {checkpoint.size} lines is not the signed one"
    return Finding(check=Check.CHECKPOINTS, v=before + 1, until=checkpoint.size, what=what)


def _after(found: Sequence[Checkpoint]) -> int:
    return max((one.size for one in found), default=0) + 1


def _wrong(finding: Finding) -> Line:
    return Line(check=Check.CHECKPOINTS, verdict="wrong", counted=0, unit=UNIT, finding=finding)
