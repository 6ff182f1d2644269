"""Writing a bundle and reading it back: the evidence of one table in one file."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from importlib.metadata import version
from typing import Final, Literal

from poolrummy.audit.bundle_lines import (
    FORMAT,
    BundleLine,
    CheckpointLine,
    EndLine,
    EventLine,
    KeyLine,
    LeavesLine,
    Manifest,
    OpeningLine,
    RewindLine,
    SeedLine,
    TermsLine,
    decode,
    encode,
)
from poolrummy.audit.evidence import Evidence, StoredLine
from poolrummy.audit.findings import Check, Finding, Unauditable
from poolrummy.audit.packed import unpacked
from poolrummy.fairness.log_tree import LogTree, leaf_of
from poolrummy_contracts import codec
from poolrummy_contracts.events import TableOpened
from poolrummy_contracts.streams import is_table_id
from poolrummy_contracts.terms import terms_hash

LEAVES_PER_LINE: Final = 256


def written(
    evidence: Evidence,
    *,
    keys: Iterable[str] = (),
    seeds: Sequence[SeedLine] = (),
    openings: Iterable[OpeningLine] = (),
) -> bytes:
    """The bundle of this evidence. Signed leaves are left out where they are those of the lines."""
    lines: list[BundleLine] = [_manifest(evidence, "opened" if seeds else "sealed")]
    lines.extend(_terms(evidence))
    lines.extend(KeyLine(line=key) for key in keys)
    lines.extend(CheckpointLine(note=note.decode(errors="replace")) for note in evidence.notes)
    lines.extend(RewindLine(note=note.decode(errors="replace")) for note in evidence.rewinds)
    lines.extend(_leaves(evidence))
    lines.extend(
        EventLine(v=v, stored=one.payload.decode(errors="surrogateescape"), chain=one.chain.hex())
        for v, one in enumerate(evidence.lines, start=1)
    )
    lines.extend(seeds)
    lines.extend(openings)
    try:
        body = b"".join(map(encode, lines))
    except UnicodeEncodeError:
        raise Unauditable(f"the log of {evidence.table} holds bytes that are no text: audit it where it lies") from None
    return body + encode(EndLine(lines=len(lines), sha256=sha256(body).hexdigest()))


def read(content: bytes, source: str) -> Evidence:
    """The evidence in a bundle, maybe packed; ``Unauditable`` where it is none. What is wrong in it comes as fault."""
    raw = unpacked(content, source).splitlines(keepends=True)
    if not raw:
        raise Unauditable(f"{source} is no bundle: it is empty; make one with `poolrummy bundle TABLE --out FILE`")
    try:
        manifest = decode(raw[0])
    except ValueError as broken:
        raise Unauditable(
            f"{source} is no bundle: {broken}; make one with `poolrummy bundle TABLE --out FILE`"
        ) from broken
    if not isinstance(manifest, Manifest) or manifest.format != FORMAT:
        raise Unauditable(f"{source} is no bundle of format {FORMAT}; read it with the release that wrote it")
    return _Reader(source, manifest, raw).evidence()


class _Reader:
    def __init__(self, source: str, manifest: Manifest, raw: Sequence[bytes]) -> None:
        self._source, self._manifest, self._raw = source, manifest, raw
        self._faults: list[Finding] = []
        self._events: list[EventLine] = []
        self._others: list[BundleLine] = []
        self._ended = False

    def evidence(self) -> Evidence:
        """Everything that the file holds."""
        for number, line in enumerate(self._raw[1:], start=2):
            self._take(number, line)
        if not self._ended:
            self._fault("the file ends before its last line")
        others = self._others
        if not is_table_id(self._manifest.table):
            # Files are named after it: one that is a path would lead out of the folder that somebody named.
            self._fault(f"{self._manifest.table!r} is no id of a table")
        self._check_terms([one for one in others if isinstance(one, TermsLine)])
        lines, root = self._stored()
        if root != self._manifest.root:
            self._fault("the root over the events is not the one of the manifest")
        return Evidence(
            source=self._source,
            table=self._manifest.table,
            lines=lines,
            head_version=self._manifest.events,
            head_chain=_hex(self._manifest.chain),
            notes=tuple(one.note.encode() for one in others if isinstance(one, CheckpointLine)),
            rewinds=tuple(one.note.encode() for one in others if isinstance(one, RewindLine)),
            leaves=tuple(_hex(one) for line in others if isinstance(line, LeavesLine) for one in line.hashes),
            own_keys=tuple(one.line for one in others if isinstance(one, KeyLine)),
            seeds={one.deal: one.seed for one in others if isinstance(one, SeedLine)},
            openings=tuple(one for one in others if isinstance(one, OpeningLine)),
            faults=tuple(self._faults),
        )

    def _take(self, number: int, raw: bytes) -> None:
        if self._ended:
            self._fault(f"line {number} stands behind the last line")
            return
        try:
            line = decode(raw)
        except ValueError as broken:
            self._fault(f"line {number} is unreadable: {broken}")
            return
        match line:
            case EventLine():
                self._events.append(line)
            case EndLine():
                self._end(number, line)
            case Manifest():
                self._fault(f"line {number} is a second manifest")
            case _:
                self._others.append(line)

    def _end(self, number: int, line: EndLine) -> None:
        self._ended = True
        body = b"".join(self._raw[: number - 1])
        if (line.lines, line.sha256) != (number - 1, sha256(body).hexdigest()):
            self._fault("the file is not as it was written: its last line says another hash", last=True)

    def _stored(self) -> tuple[tuple[StoredLine, ...], str]:
        tree = LogTree()
        lines: list[StoredLine] = []
        for v, event in enumerate(self._events, start=1):
            stored = event.stored.encode(errors="replace")
            tree.grow(leaf_of(stored))
            lines.append(StoredLine(stored, _hex(event.chain)))
            if event.v != v:
                self._faults.append(
                    Finding(check=Check.LOG, v=v, what=f"line of version {event.v} stands in its place")
                )
        return tuple(lines), tree.root.hex()

    def _check_terms(self, found: Sequence[TermsLine]) -> None:
        for one in found:
            if terms_hash(one.terms) != one.hash:
                self._faults.append(
                    Finding(check=Check.TERMS, v=1, what="the terms of the file are not those of its hash")
                )

    def _fault(self, what: str, *, last: bool = False) -> None:
        """A fault of the file itself: it concerns the next event, or, what is said of all, none in particular."""
        v = len(self._events) + 1
        self._faults.append(Finding(check=Check.LOG, v=1 if last else v, until=v if last else 0, what=what))


def _manifest(evidence: Evidence, seeds: Literal["sealed", "opened"]) -> Manifest:
    tree = LogTree(leaf_of(line.payload) for line in evidence.lines)
    chain = evidence.lines[-1].chain if evidence.lines else b""
    return Manifest(
        format=FORMAT,
        table=evidence.table,
        events=len(evidence.lines) if evidence.head_version is None else evidence.head_version,
        chain=(evidence.head_chain or chain).hex(),
        root=tree.root.hex(),
        seeds=seeds,
        software=f"poolrummy {version('poolrummy')}",
    )


def _terms(evidence: Evidence) -> Iterator[TermsLine]:
    try:
        opened = codec.decode_event(evidence.lines[0].payload)
    except (codec.WireError, IndexError):
        return
    if isinstance(opened, TableOpened):
        yield TermsLine(hash=opened.terms_hash, terms=opened.terms)


def _leaves(evidence: Evidence) -> Iterator[LeavesLine]:
    for first in range(0, len(evidence.leaves), LEAVES_PER_LINE):
        hashes = evidence.leaves[first : first + LEAVES_PER_LINE]
        yield LeavesLine(first=first + 1, hashes=tuple(one.hex() for one in hashes))


def _hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""
