"""What can be wrong with a key or a seal; each message names the key and the mend (R46).

::

    FairnessError
    ├── KeyFolderError       the folder of the keys cannot be read or written
    ├── KeyMissingError      no key where one must be
    ├── ShareFileError       a share cannot be written where it was asked for
    ├── KeyUnreadableError   a key file or a recipient that is not what age writes
    ├── KeyForeignError      a sealed blob for keys that are not in this ring
    └── SealBrokenError      a sealed blob that was changed, cut or never was one
"""

from collections.abc import Sequence
from pathlib import Path


class FairnessError(Exception):
    """Base of all that goes wrong with keys and seals."""


class KeyFolderError(FairnessError):
    """The folder of the keys refuses to be read or written."""

    def __init__(self, folder: Path, cause: OSError) -> None:
        super().__init__(
            f"the key folder {folder} cannot be used ({cause.strerror or cause}): "
            "make it readable and writable for the user that runs this process, on a file system with hard links"
        )
        self.folder = folder


class ShareFileError(FairnessError):
    """A share has no file of its own to go to; the key is as it was."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"the share {path} cannot be written ({why}); name two new files in folders that are there")
        self.path = path


class KeyMissingError(FairnessError):
    """A role has no key."""

    def __init__(self, path: Path, role: str, beside: str | None = None) -> None:
        hint = (
            f"key {beside} stands beside it, so this one was lost: restore it from the backup, "
            "a new key would not open what was sealed to the old one"
            if beside
            else f"name the folder that has it, or make keys with `poolrummy keys new --dir {path.parent}`; "
            f"to seal alone its public half is enough, in a file {role}.pub"
        )
        super().__init__(f"no key of the {role} at {path}: {hint}")
        self.path = path
        self.role = role


class KeyUnreadableError(FairnessError):
    """A key file, or a recipient, that age would not take."""

    def __init__(self, place: str, reason: str, key_id: str | None = None) -> None:
        super().__init__(
            f"key {key_id or '(id unknown)'} in {place} is unreadable: {reason}; "
            "restore it from the backup, and keep the damaged copy until that one opens the sealed seeds"
        )
        self.place = place
        self.key_id = key_id


class KeyForeignError(FairnessError):
    """A blob that is sealed to keys which this ring does not hold."""

    def __init__(self, key_ids: Sequence[str], held: Sequence[str]) -> None:
        super().__init__(
            f"sealed to the keys {', '.join(key_ids) or '(none named)'}, but this ring holds "
            f"{', '.join(held) or 'none'}: add the key file of one of the first to the key folder"
        )
        self.key_ids = tuple(key_ids)
        self.held = tuple(held)


class SealBrokenError(FairnessError):
    """A blob whose named key is here and does not open it: it was changed, cut, or never was one."""

    def __init__(self, key_ids: Sequence[str], reason: str) -> None:
        super().__init__(
            f"the blob sealed to {', '.join(key_ids) or '(none named)'} does not open: {reason}; the bytes "
            "are not those that were sealed: read them again from a replica or the archive"
        )
        self.key_ids = tuple(key_ids)
