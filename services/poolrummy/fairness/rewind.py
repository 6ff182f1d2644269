"""The record that an operator accepted a log which goes back behind a signed checkpoint, with the reason.

::

    poolrummy/p07-9f2c
    rewind 300
    chain <hex>
    operator meera
    reason restored from the copy of Tuesday
    superseded 412 base64 of the root
"""

import base64
import binascii
from collections.abc import Sequence

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from poolrummy.fairness.checkpoint import ORIGIN, SIGNER, Checkpoint
from poolrummy.fairness.signed_note import NoteKey, NoteWrong, opened, sign


class Rewind(msgspec.Struct, frozen=True, kw_only=True):
    """Who accepted that a log has only this size again, and why; what had been signed beyond it."""

    table: str
    size: int
    chain: bytes
    operator: str
    reason: str
    superseded: tuple[tuple[int, bytes], ...] = ()


def recorded(rewind: Rewind, private: Ed25519PrivateKey) -> bytes:
    """The record as a signed note."""
    return sign(_text(rewind), private, SIGNER)


def superseding(checkpoints: Sequence[Checkpoint]) -> tuple[tuple[int, bytes], ...]:
    """What a record says of the checkpoints that count no more."""
    return tuple((one.size, one.root) for one in checkpoints)


def verified(note: bytes, keys: Sequence[NoteKey]) -> Rewind:
    """The record in a note; ``NoteWrong`` where none of these keys signed it."""
    text, _ = opened(note, keys)
    origin, size, chain, operator, reason, *old = [*text.splitlines(), "", "", "", ""]
    try:
        found = Rewind(
            table=origin.removeprefix(ORIGIN),
            size=int(size.removeprefix("rewind ")),
            chain=bytes.fromhex(chain.removeprefix("chain ")),
            operator=operator.removeprefix("operator "),
            reason=reason.removeprefix("reason "),
            superseded=tuple(_old(line) for line in old if line),
        )
    except (ValueError, binascii.Error) as broken:
        raise NoteWrong(f"the note is no record of a rewind: {broken}") from broken
    if _text(found) != text:
        raise NoteWrong("the note is no record of a rewind in its one form")
    return found


def _old(line: str) -> tuple[int, bytes]:
    _, size, root = line.split(" ")
    return int(size), base64.b64decode(root, validate=True)


def _text(rewind: Rewind) -> str:
    lines = [
        ORIGIN + rewind.table,
        f"rewind {rewind.size}",
        f"chain {rewind.chain.hex()}",
        f"operator {' '.join(rewind.operator.split())}",
        f"reason {' '.join(rewind.reason.split())}",
        *(f"superseded {size} {base64.b64encode(root).decode()}" for size, root in rewind.superseded),
    ]
    return "".join(f"{line}\n" for line in lines)
