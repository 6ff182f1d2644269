"""The lines of a bundle: one table in one file, complete enough to be audited without a server (R13, R15).

`contracts/BUNDLE.md` describes the file for who reads it in another language.
"""

from typing import Final, Literal

import msgspec

from poolrummy_contracts.terms import Terms

FORMAT: Final = 1


class Manifest(msgspec.Struct, frozen=True, kw_only=True, tag="manifest", forbid_unknown_fields=True):
    """What the file holds; always the first line."""

    format: int
    table: str
    events: int
    chain: str
    """Chain hash after the last event, as the store had it (hex)."""
    root: str
    """RFC 6962 root over the stored lines (hex)."""
    seeds: Literal["sealed", "opened"]
    software: str


class TermsLine(msgspec.Struct, frozen=True, kw_only=True, tag="terms", forbid_unknown_fields=True):
    """The rules that were in force, as the table was opened with them."""

    hash: str
    terms: Terms


class KeyLine(msgspec.Struct, frozen=True, kw_only=True, tag="key", forbid_unknown_fields=True):
    """A key whose signatures the file's maker trusted, as a line of ``notary.pub``."""

    line: str


class CheckpointLine(msgspec.Struct, frozen=True, kw_only=True, tag="checkpoint", forbid_unknown_fields=True):
    """A signed checkpoint of the log, byte for byte."""

    note: str


class RewindLine(msgspec.Struct, frozen=True, kw_only=True, tag="rewind", forbid_unknown_fields=True):
    """A signed record that an operator accepted a log that goes back."""

    note: str


class LeavesLine(msgspec.Struct, frozen=True, kw_only=True, tag="leaves", forbid_unknown_fields=True):
    """Leaf hashes of the lines from this version on, as they were kept when they were signed (hex)."""

    first: int
    hashes: tuple[str, ...]


class EventLine(msgspec.Struct, frozen=True, kw_only=True, tag="event", forbid_unknown_fields=True):
    """An event: its stored bytes as text, and the chain hash beside them (hex)."""

    v: int
    stored: str
    chain: str


class SeedLine(msgspec.Struct, frozen=True, kw_only=True, tag="seed", forbid_unknown_fields=True):
    """The seed of a deal, opened by the auditor (hex)."""

    deal: int
    seed: str


class OpeningLine(msgspec.Struct, frozen=True, kw_only=True, tag="opening", forbid_unknown_fields=True):
    """The proof of a card that everybody has seen: salt and Merkle path to the root of its pack (hex)."""

    deal: int
    position: str
    card: str
    salt: str
    path: tuple[str, ...]


class EndLine(msgspec.Struct, frozen=True, kw_only=True, tag="end", forbid_unknown_fields=True):
    """The last line: how many stand before it, and the SHA-256 of their bytes (hex)."""

    lines: int
    sha256: str


BundleLine = (
    Manifest
    | TermsLine
    | KeyLine
    | CheckpointLine
    | RewindLine
    | LeavesLine
    | EventLine
    | SeedLine
    | OpeningLine
    | EndLine
)

_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_DECODER: Final = msgspec.json.Decoder(BundleLine)


def encode(line: BundleLine) -> bytes:
    """The canonical bytes of a line, with its line feed."""
    return _ENCODER.encode(line) + b"\n"


def decode(line: bytes) -> BundleLine:
    """The line in these bytes, line feed included; ``ValueError`` where there is none in canonical form."""
    try:
        found = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as unreadable:
        raise ValueError(str(unreadable)) from unreadable
    if encode(found) != line:
        raise ValueError("it is not in canonical form")
    return found
