"""New keys on top of old ones, the list of a folder's keys, and a key that is kept in two shares (R46)."""

from pathlib import Path

import msgspec

from poolrummy.fairness import age, shares
from poolrummy.fairness.errors import KeyFolderError, KeyMissingError, ShareFileError
from poolrummy.fairness.keyfile import create_once, replaced
from poolrummy.fairness.keys import ROLES, KeyId, identities_in, key_id, load_keys


class KeyLine(msgspec.Struct, frozen=True, kw_only=True):
    """One key of a folder."""

    role: str
    id: KeyId
    recipient: str
    current: bool
    """Whether new seeds are sealed to it; the others still open old ones."""
    opens: bool
    """Whether the secret half is here."""


def listed(folder: Path) -> list[KeyLine]:
    """The keys of a folder, the current one of each role first."""
    ring = load_keys(folder)
    current = {"auditor": ring.auditor, "dealer": ring.dealer}
    found: list[KeyLine] = []
    for role in ROLES:
        path = folder / f"{role}.key"
        held = [recipient for recipient, _ in identities_in(path)] if path.exists() else []
        for recipient in held or [current[role]]:
            is_current = recipient == current[role]
            found.append(
                KeyLine(role=role, id=key_id(recipient), recipient=recipient, current=is_current, opens=bool(held))
            )
    return found


def rotate(folder: Path, role: str) -> KeyLine:
    """Put a new key on top of the role's file: the first is sealed to, all of them open."""
    path = folder / f"{role}.key"
    if not path.exists():
        raise KeyMissingError(path, role)
    load_keys(folder)  # nothing is put on top of what cannot be read
    identity = age.new_identity()
    recipient = str(identity.to_public())
    name = key_id(recipient)
    try:
        text = path.read_text("utf-8")
        replaced(path, f"# poolrummy {role} key {name}\n# public key: {recipient}\n{identity}\n{text}")
    except OSError as refused:
        raise KeyFolderError(folder, refused) from refused
    return KeyLine(role=role, id=name, recipient=recipient, current=True, opens=True)


def split_auditor(folder: Path, one: Path, other: Path) -> list[KeyId]:
    """Write the two shares of the auditor's keys; what stays in the folder is the public half alone.

    The shares are on the disk before the key is taken away.
    """
    path = folder / "auditor.key"
    if not path.exists():
        raise KeyMissingError(path, "auditor")
    held = dict(identities_in(path))
    halves = shares.split([str(identity) for identity in held.values()])
    current = next(iter(held))
    _write_shares((one, other), halves)
    try:
        create_once(folder / "auditor.pub", f"# poolrummy auditor key {key_id(current)}\n{current}\n")
        path.unlink()
    except OSError as refused:
        raise KeyFolderError(folder, refused) from refused
    return [key_id(recipient) for recipient in held]


def _write_shares(files: tuple[Path, Path], halves: tuple[str, str]) -> None:
    """Both shares or none: half a split would stand in the way of the next."""
    if files[0].resolve() == files[1].resolve():
        raise ShareFileError(files[1], "both shares would go to it")
    for path in files:
        if path.exists():
            raise ShareFileError(path, "it is there already")
    for path, text in zip(files, halves, strict=True):
        try:
            create_once(path, text)
        except OSError as refused:
            files[0].unlink(missing_ok=True)
            raise ShareFileError(path, refused.strerror or str(refused)) from refused
