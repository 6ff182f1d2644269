"""How a key file comes into being exactly once, whole, and for its owner's eyes only."""

import os
import tempfile
from pathlib import Path


def create_once(path: Path, text: str) -> None:
    """Write the file unless it is there already: the first of several at the same moment wins.

    The text is complete on the disk before the name appears: a process killed half-way leaves no torn key.
    """
    # mkstemp opens with O_EXCL and mode 0600, so that the secret is never readable by others.
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        _name(Path(draft), path)
    finally:
        Path(draft).unlink(missing_ok=True)
    _settle(path.parent)


def replaced(path: Path, text: str) -> None:
    """Write the file anew: whoever reads it meanwhile sees the old text or the new one, never half of it."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    finally:
        Path(draft).unlink(missing_ok=True)
    _settle(path.parent)


def _name(draft: Path, path: Path) -> None:
    # A rename would replace the winner's key; a hard link refuses to.
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        return


def _settle(folder: Path) -> None:
    """Put the folder's own entry on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
