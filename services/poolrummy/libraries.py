"""What others wrote and this system runs on: Python and libraries, by version and where it is asked by digest (R33)."""

import hashlib
import platform
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution, requires, version
from pathlib import Path
from typing import Final

from msgspec import Struct

from poolrummy.identity import digest_of

OURS: Final = "poolrummy"
NOTES: Final = frozenset({"INSTALLER", "REQUESTED", "RECORD", "direct_url.json"})
"""What an installer writes beside a library: it differs between machines, and does nothing."""


class Library(Struct, frozen=True, kw_only=True):
    """A library as it is installed here; the digest is over the manifest of its files, bytecode left out."""

    name: str
    version: str
    files: int
    digest: str
    changed: tuple[str, ...]
    """Files that are not what was recorded when the library was installed."""


def versions() -> dict[str, str]:
    """Python, and the libraries that the distribution names, by version."""
    named = sorted({name for name, _ in _asked_by(OURS) if _installed(name)})
    return {"python": platform.python_version()} | {name: version(name) for name in named}


def libraries() -> Iterator[Library]:
    """Every library that the distribution needs, and what these need, read from disk file by file."""
    for name in sorted(_needed()):
        yield _library(name)


def _library(name: str) -> Library:
    found = distribution(name)
    content: dict[str, bytes] = {}
    changed: list[str] = []
    for file in found.files or ():
        # Scripts lie outside and name the interpreter of this machine.
        if file.suffix == ".pyc" or file.name in NOTES or ".." in file.parts:
            continue
        path, name_of_file = Path(str(found.locate_file(file))), file.as_posix()
        content[name_of_file] = path.read_bytes() if path.is_file() else b""
        if file.hash is not None and file.hash.value != _recorded(file.hash.mode, content[name_of_file]):
            changed.append(name_of_file)
    return Library(
        name=name, version=found.version, files=len(content), digest=digest_of(content), changed=tuple(changed)
    )


def _needed() -> set[str]:
    """Names of the installed libraries that this system needs, directly or not, extras included."""
    done: set[tuple[str, str]] = set()
    waiting = _asked_by(OURS)
    while waiting:
        one = waiting.pop()
        if one not in done and _installed(one[0]):
            done.add(one)
            waiting |= _asked_by(*one)
    return {name for name, _ in done}


def _asked_by(name: str, extra: str = "") -> set[tuple[str, str]]:
    """What a distribution asks for without an extra, or for this one: each library, once for each extra of it."""
    try:
        named = requires(name) or []
    except PackageNotFoundError:
        return set()
    wanted = [one for one in named if "extra ==" not in one or (extra and re.search(rf"extra == .{extra}\b", one))]
    return {(_name(one), chosen) for one in wanted for chosen in ("", *_extras(one))}


def _extras(requirement: str) -> list[str]:
    """The extras that a requirement asks for.

    >>> _extras("redis[hiredis]<9,>=8.1")
    ['hiredis']
    """
    found = re.match(r"[\w.-]+\s*\[([^\]]*)\]", requirement)
    return [one.strip() for one in found[1].split(",")] if found else []


def _name(requirement: str) -> str:
    """The name that a requirement begins with, in the one spelling of names.

    >>> _name("faststream[redis]<0.8,>=0.7.8"), _name("Markdown_It.py (>=2.2.0)")
    ('faststream', 'markdown-it-py')
    """
    found = re.match(r"[\w.-]+", requirement)
    return re.sub(r"[-_.]+", "-", found[0]).lower() if found else requirement


def _installed(name: str) -> bool:
    try:
        return bool(version(name))
    except PackageNotFoundError:
        return False


def _recorded(mode: str, content: bytes) -> str:
    """The form in which an installer writes down a file's hash."""
    return urlsafe_b64encode(hashlib.new(mode, content).digest()).rstrip(b"=").decode()
