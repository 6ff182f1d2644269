"""Signed notes in the C2SP form: a text, an empty line, and a signature line for each who signed it.

Keys are Ed25519. A public key is written as a verifier key: name, key id and key in one word.
"""

import base64
import binascii
import hashlib
from collections.abc import Sequence
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ALGORITHM: Final = b"\x01"
DASH: Final = "— "
ID_BYTES: Final = 4
SIGNATURE_BYTES: Final = 64
FOR_EVER: Final = 2**53 - 1


class NoteWrong(Exception):
    """A note that is none, or that no known key has signed."""


class NoteKey(msgspec.Struct, frozen=True, kw_only=True):
    """The public key of who signs, and the time (milliseconds) in which what it signed counts."""

    name: str
    key: bytes
    from_ms: int = 0
    until_ms: int = FOR_EVER

    @property
    def id(self) -> bytes:
        """Four bytes by which a signature line names the key."""
        return hashlib.sha256(self.name.encode() + b"\n" + ALGORITHM + self.key).digest()[:ID_BYTES]

    @property
    def word(self) -> str:
        """The verifier key as it is written."""
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(ALGORITHM + self.key).decode()}"


def parse_key(word: str, *, from_ms: int = 0, until_ms: int = FOR_EVER) -> NoteKey:
    """The key that this word writes; ``NoteWrong`` where it writes none."""
    name, _, rest = word.partition("+")
    key_id, _, text = rest.partition("+")
    try:
        raw = base64.b64decode(text, validate=True)
    except binascii.Error:
        raw = b""
    key = NoteKey(name=name, key=raw[1:], from_ms=from_ms, until_ms=until_ms)
    if not name or len(raw) != 33 or raw[:1] != ALGORITHM or key.id.hex() != key_id:
        raise NoteWrong(f"{word[:60]!r} is no verifier key")
    return key


def public_of(private: Ed25519PrivateKey, name: str) -> NoteKey:
    """The public key of a private one."""
    return NoteKey(name=name, key=private.public_key().public_bytes_raw())


def sign(text: str, private: Ed25519PrivateKey, name: str) -> bytes:
    """The text with a signature below it; the text ends with a line feed and holds no empty line at its end."""
    assert text.endswith("\n"), "a note ends with a line feed"
    signature = public_of(private, name).id + private.sign(text.encode())
    return f"{text}\n{DASH}{name} {base64.b64encode(signature).decode()}\n".encode()


def opened(note: bytes, keys: Sequence[NoteKey]) -> tuple[str, NoteKey]:
    """The text of a note and the key that signed it; ``NoteWrong`` where none of these keys did."""
    try:
        whole = note.decode()
    except UnicodeDecodeError as broken:
        raise NoteWrong("the note is not written in UTF-8") from broken
    text, found, signatures = whole.rpartition("\n\n")
    if not found or not signatures.startswith(DASH) or not signatures.endswith("\n"):
        raise NoteWrong("the note carries no signature")
    text += "\n"
    for line in signatures.splitlines():
        name, _, code = line.removeprefix(DASH).rpartition(" ")
        for key in keys:
            if key.name == name and _fits(key, code, text):
                return text, key
    raise NoteWrong("no key that is trusted here has signed it")


def unopened(note: bytes) -> str:
    """The text of a note without a look at its signatures: says what, not whether."""
    return note.decode(errors="replace").rpartition("\n\n")[0] + "\n"


def _fits(key: NoteKey, code: str, text: str) -> bool:
    try:
        raw = base64.b64decode(code, validate=True)
    except binascii.Error:
        return False
    if len(raw) != ID_BYTES + SIGNATURE_BYTES or raw[:ID_BYTES] != key.id:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key.key).verify(raw[ID_BYTES:], text.encode())
    except InvalidSignature:
        return False
    return True
