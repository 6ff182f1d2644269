"""Whose keys the seeds are sealed to, and where those keys lie (R46).

A key folder holds for each role, dealer and auditor, either ``<role>.key``, an age identity file, or
``<role>.pub``, its public half alone: the dealer's machine can seal to the auditor without being able to open
in the auditor's name. A key file may hold several identities, one a line: the first is sealed to, all of them open.
"""

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NewType

from poolrummy.fairness import age
from poolrummy.fairness.errors import KeyFolderError, KeyMissingError, KeyUnreadableError
from poolrummy.fairness.keyfile import create_once

KeyId = NewType("KeyId", str)
"""The name of a key: the first 16 hex digits of the SHA-256 of its public half as text."""

ROLES: Final = ("auditor", "dealer")
_PUBLIC: Final = "# public key: "


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The keys of one process: the two public halves it seals to, and the identities it may open with."""

    dealer: str
    auditor: str
    identities: dict[KeyId, age.Identity] = field(repr=False)

    @property
    def recipients(self) -> tuple[str, str]:
        """The public halves that every server seed is sealed to."""
        return (self.dealer, self.auditor)

    def fitting(self, key_ids: Collection[str]) -> list[age.Identity]:
        """The identities of this ring among those that a blob names."""
        return [identity for key_id, identity in self.identities.items() if key_id in key_ids]


def key_id(recipient: str) -> KeyId:
    """The name of the key with this public half.

    >>> key_id("age1lvyvwawkr0mcnnnncaghunadrqkmuf9e6507x9y920xxpp866cnql7dp2z")
    'ce9450dfdff59e9d'
    """
    return KeyId(hashlib.sha256(recipient.encode()).hexdigest()[:16])


def load_or_create_keys(folder: Path) -> KeyRing:
    """The keys in this folder; for practice, an empty folder gets new ones.

    Two processes that begin at the same moment end with the same keys. A folder with the dealer's key and
    without the auditor's has lost one: the auditor's is made first, so no interrupted start leaves that behind.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for role in ROLES:
            if role == "dealer" or not _beside(folder, "dealer"):
                _create(folder, role)
    except OSError as refused:
        raise KeyFolderError(folder, refused) from refused
    return load_keys(folder)


def load_keys(folder: Path) -> KeyRing:
    """The keys in this folder, which must be there: what play for money begins with."""
    held: dict[KeyId, age.Identity] = {}
    first: dict[str, str] = {}
    for role in ROLES:
        path = folder / f"{role}.key"
        try:
            identities = dict(identities_in(path)) if path.exists() else {}
            first[role] = next(iter(identities), None) or _public_half(folder, role)
        except OSError as refused:
            raise KeyFolderError(folder, refused) from refused
        held |= {key_id(recipient): identity for recipient, identity in identities.items()}
    return KeyRing(dealer=first["dealer"], auditor=first["auditor"], identities=held)


def load_opening_keys(folder: Path) -> KeyRing:
    """What can be opened with the key files of this folder, of whichever role: all that an auditor needs."""
    held: dict[KeyId, age.Identity] = {}
    for role in ROLES:
        path = folder / f"{role}.key"
        try:
            found = dict(identities_in(path)) if path.exists() else {}
        except OSError as refused:
            raise KeyFolderError(folder, refused) from refused
        held |= {key_id(recipient): identity for recipient, identity in found.items()}
    if not held:
        raise KeyMissingError(folder / "auditor.key", "auditor")
    return KeyRing(dealer="", auditor="", identities=held)


def _beside(folder: Path, role: str) -> bool:
    return any((folder / f"{role}.{half}").exists() for half in ("key", "pub"))


def _create(folder: Path, role: str) -> None:
    if _beside(folder, role):
        return
    identity = age.new_identity()
    recipient = str(identity.to_public())
    create_once(
        folder / f"{role}.key",
        f"# poolrummy {role} key {key_id(recipient)}\n{_PUBLIC}{recipient}\n{identity}\n",
    )


def identities_in(path: Path) -> Iterator[tuple[str, age.Identity]]:
    """Public half and identity of each key in a file, as age's own tools read it."""
    noted: str | None = None
    found = False
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), start=1):
        if line.startswith(_PUBLIC):
            noted = line.removeprefix(_PUBLIC).strip()
        if not line.strip() or line.startswith("#"):
            continue
        place, noted_id = f"{path}, line {number}", key_id(noted) if noted else None
        try:
            identity = age.identity(line.strip())
        except age.NotAnIdentity:
            # The library's own message may quote the line, and the line may be most of a secret.
            raise KeyUnreadableError(place, "this is no age identity", noted_id) from None
        recipient = str(identity.to_public())
        if noted not in (None, recipient):
            raise KeyUnreadableError(place, "identity and public key do not belong together", noted_id)
        yield recipient, identity
        noted, found = None, True
    if not found:
        raise KeyUnreadableError(str(path), "it holds no age identity", key_id(noted) if noted else None)


def _public_half(folder: Path, role: str) -> str:
    path = folder / f"{role}.pub"
    if not path.exists():
        other = next((role_ for role_ in ROLES if role_ != role and (folder / f"{role_}.key").exists()), None)
        raise KeyMissingError(folder / f"{role}.key", role, beside=other and f"{other}.key")
    lines = [line.strip() for line in path.read_text("utf-8", "replace").splitlines()]
    text = next((line for line in lines if line and not line.startswith("#")), "")
    try:
        return str(age.recipient(text))
    except age.NotARecipient:
        raise KeyUnreadableError(str(path), "it holds no age recipient", key_id(text) if text else None) from None
