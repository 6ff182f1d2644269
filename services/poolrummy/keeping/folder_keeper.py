"""Checkpoints in a folder of the file system, on another disk or machine than the server's."""

import os
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from poolrummy.keeping.keeper import MARK, MARK_TEXT, KeeperAway, KeeperUnfit, KeptOtherwise


class FolderKeeper:
    """A keeper that is a folder (a ``Keeper``)."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, name: str, content: bytes) -> None:
        """Keep it; a reader sees the old file or the new one, never half of it; a machine that dies keeps it too."""
        with self._told("be written"), self._draft(name, content) as draft:
            draft.replace(self.root / name)

    def put_once(self, name: str, content: bytes) -> None:
        """Keep it, if its name is free: written aside first, and then given the name."""
        path = self.root / name
        with self._told("be written"), self._draft(name, content) as draft:
            try:
                os.link(draft, path)
                there = content
            except FileExistsError:
                there = path.read_bytes()
        if there != content:
            raise KeptOtherwise(name, there, content)

    def get(self, name: str) -> bytes | None:
        """What the file holds."""
        with self._told("be read"):
            try:
                return (self.root / name).read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                return None

    def names(self, folder: str) -> Sequence[str]:
        """The files of a folder."""
        with self._told("be read"):
            try:
                return sorted(one.name for one in (self.root / folder).iterdir() if not one.name.startswith("."))
            except (FileNotFoundError, NotADirectoryError):
                self._refuse_absent()
                return []

    def remove(self, name: str) -> None:
        """Delete the file."""
        with self._told("be written"):
            (self.root / name).unlink(missing_ok=True)

    def refuse_unusable(self, *, writing: bool) -> None:
        """Try it out: make and mark the folder where it is to be written, look into it where it is to be read."""
        if not writing:
            self._refuse_absent()
            with self._told("be read"), os.scandir(self.root) as found:
                next(found, None)
            return
        with self._told("be written"):
            self.root.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.root):
                pass
        with suppress(KeptOtherwise):  # marked by another release, in other words
            self.put_once(MARK, MARK_TEXT)

    def _refuse_absent(self) -> None:
        """A folder that is not mounted must not look like one in which nothing was ever kept."""
        if not self.root.is_dir():
            raise KeeperAway(
                f"there is no folder {self.root}: name the one in which the notary keeps checkpoints, or mount it again"
            )

    @contextmanager
    def _draft(self, name: str, content: bytes) -> Generator[Path]:
        """The content on the disk, beside its place; gone in the end unless it was moved there."""
        path = self.root / name
        made = [folder.parent for folder in (path.parent, *path.parent.parents) if not folder.exists()]
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".draft.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            yield Path(draft)
            for folder in (path.parent, *made):
                _sync(folder)
        finally:
            Path(draft).unlink(missing_ok=True)

    @contextmanager
    def _told(self, what: str) -> Generator[None]:
        try:
            yield
        except OSError as refused:
            raise KeeperUnfit(
                f"the checkpoint folder {self.root} cannot {what} ({refused.strerror or refused}); make room, mend its "
                "rights, or name another folder (it needs hard links)"
            ) from refused


def _sync(folder: Path) -> None:
    """Have the names in a folder written: a file whose name is lost with the machine is lost."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
