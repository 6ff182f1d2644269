"""A checkpoint: this table log had this size, this root and this chain hash, signed (C2SP tlog-checkpoint).

::

    poolrummy/p07-9f2c
    412
    base64 of the root
    chain <hex>
    time <milliseconds>

    — notary base64 of key id and signature
"""

import base64
import binascii
from collections.abc import Sequence
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from poolrummy.fairness.signed_note import NoteKey, NoteWrong, opened, sign, unopened

ORIGIN: Final = "poolrummy/"
SIGNER: Final = "notary"


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """What was signed about a log."""

    table: str
    size: int
    root: bytes
    chain: bytes
    """The chain hash after the last of these lines: who holds the log compares it without reading all of it."""
    at_ms: int
    """The time of the last of these lines, by the server's clock."""


def text_of(checkpoint: Checkpoint) -> str:
    """The text that is signed."""
    root = base64.b64encode(checkpoint.root).decode()
    lines = (
        ORIGIN + checkpoint.table,
        str(checkpoint.size),
        root,
        f"chain {checkpoint.chain.hex()}",
        f"time {checkpoint.at_ms}",
    )
    return "".join(f"{line}\n" for line in lines)


def signed(checkpoint: Checkpoint, private: Ed25519PrivateKey, name: str = SIGNER) -> bytes:
    """The checkpoint as a signed note; the same bytes for the same checkpoint and key."""
    return sign(text_of(checkpoint), private, name)


def verified(note: bytes, keys: Sequence[NoteKey]) -> Checkpoint:
    """The checkpoint in this note; ``NoteWrong`` where no key that counted at its time has signed it."""
    text, key = opened(note, keys)
    found = parse(text)
    if not key.from_ms <= found.at_ms <= key.until_ms:
        raise NoteWrong(f"key {key.id.hex()} did not count any more, or not yet, at {found.at_ms}")
    return found


def unverified(note: bytes) -> Checkpoint:
    """The checkpoint in this note, whoever signed it."""
    return parse(unopened(note))


def parse(text: str) -> Checkpoint:
    """The checkpoint that a text writes; ``NoteWrong`` where it writes none."""
    lines = text.splitlines()
    try:
        origin, size, root, chain, time = lines
        checkpoint = Checkpoint(
            table=origin.removeprefix(ORIGIN),
            size=int(size),
            root=base64.b64decode(root, validate=True),
            chain=bytes.fromhex(chain.removeprefix("chain ")),
            at_ms=int(time.removeprefix("time ")),
        )
    except (ValueError, binascii.Error) as broken:
        raise NoteWrong(f"the note is no checkpoint: {broken}") from broken
    if text_of(checkpoint) != text:
        raise NoteWrong("the note is no checkpoint in its one form")
    return checkpoint
