"""The key that signs checkpoints, and the keys that are trusted to have signed them (R46).

``notary.key`` is an Ed25519 key in PEM; it signs. ``notary.pub`` holds the verifier keys that count, one a line, each
with the time from which and until which it does: a key is changed by adding the new one and closing the old line.
"""

from pathlib import Path
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from poolrummy.fairness.checkpoint import SIGNER
from poolrummy.fairness.errors import FairnessError, KeyFolderError
from poolrummy.fairness.keyfile import create_once
from poolrummy.fairness.signed_note import FOR_EVER, NoteKey, NoteWrong, parse_key, public_of

PRIVATE: Final = "notary.key"
PUBLIC: Final = "notary.pub"


class NotaryKeyMissing(FairnessError):
    """There is no key that could sign."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"no key of the notary at {path}: make one with `poolrummy keys notary --dir {path.parent}`")


class NotaryKeyUnreadable(FairnessError):
    """A key file that is none."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place} cannot be used: {reason}; restore it from the backup")


def load_signing_key(folder: Path) -> Ed25519PrivateKey:
    """The key that signs."""
    path = folder / PRIVATE
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        raise NotaryKeyMissing(path) from None
    except OSError as refused:
        raise KeyFolderError(folder, refused) from refused
    try:
        found = load_pem_private_key(text, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise NotaryKeyUnreadable(str(path), "it is no private key in PEM") from None
    if not isinstance(found, Ed25519PrivateKey):
        raise NotaryKeyUnreadable(str(path), "it is no Ed25519 key")
    return found


def load_or_create_signing_key(folder: Path) -> Ed25519PrivateKey:
    """The key that signs; for practice one is made, and its public half is written beside it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not (folder / PRIVATE).exists():
            private = Ed25519PrivateKey.generate()
            pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
            create_once(folder / PRIVATE, pem.decode())
        found = load_signing_key(folder)
        if not (folder / PUBLIC).exists():
            create_once(folder / PUBLIC, written(public_of(found, SIGNER)))
    except OSError as refused:
        raise KeyFolderError(folder, refused) from refused
    return found


def written(key: NoteKey) -> str:
    """The line of a verifier key, with the time in which it counts."""
    until = "" if key.until_ms == FOR_EVER else f" until {key.until_ms}"
    return f"{key.word} from {key.from_ms}{until}\n"


def load_trusted_keys(folder: Path) -> tuple[NoteKey, ...]:
    """The keys that are trusted to have signed checkpoints; none where the folder names none."""
    path = folder / PUBLIC
    try:
        lines = path.read_text("utf-8", "replace").splitlines() if path.exists() else []
    except OSError as refused:
        raise KeyFolderError(folder, refused) from refused
    return tuple(parse_line(line, str(path)) for line in lines if line.strip() and not line.startswith("#"))


def parse_line(line: str, place: str) -> NoteKey:
    """The verifier key of one line: the word, then ``from`` and ``until`` with their milliseconds."""
    word, *rest = line.split()
    try:
        times = dict(zip(rest[::2], map(int, rest[1::2]), strict=True))
        if times.keys() - {"from", "until"}:
            raise NoteWrong(f"it knows no {', '.join(times)}")  # noqa: TRY301 - one answer to all that can be wrong
        return parse_key(word, from_ms=times.get("from", 0), until_ms=times.get("until", FOR_EVER))
    except (ValueError, NoteWrong) as broken:
        raise NotaryKeyUnreadable(place, str(broken)) from None
