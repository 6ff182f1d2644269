"""Which software this is: a digest of its files, the same on every machine (R33).

The manifest has one line a file, ``<sha256>  <name>``, sorted by name: what ``sha256sum`` writes. A digest is the
SHA-256 of such a manifest, so anybody with the files and two standard tools can make it again. ``outcome`` is the
digest of the files that decide how a game comes out; ``whole`` that of everything we ship. What others wrote (Python,
libraries) is named by version beside it, and is in no digest.
"""

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.util import cache_from_source
from pathlib import Path
from typing import Final

from msgspec import Struct

SHIPPED: Final = (".py", ".lua", ".toml", ".html", ".css", ".so", ".pyd", ".pyc")
"""Endings of the files that do something. A compiled module beside a source goes before it: it has to be seen."""

OUTCOME_PARTS: Final = {
    "contracts": ("poolrummy_contracts/",),
    "profiles": ("profiles/", "poolrummy/profile_files.py"),
    "rules": ("poolrummy/rules/",),
    "fairness": ("poolrummy/fairness/",),
    "dealer": ("poolrummy/dealer/",),
    "validator": ("poolrummy/validator/",),
    "identity": ("poolrummy/identity.py",),
}
"""What decides how a game comes out: the rules and their data, the packs, who deals by them, who judges, and this."""


class Part(Struct, frozen=True, kw_only=True):
    """A part of the software: how many files it has, and the digest of their manifest (hex)."""

    name: str
    files: int
    digest: str


class Identity(Struct, frozen=True, kw_only=True):
    """Which software this is."""

    release: str
    outcome: str
    """Digest of the files that decide how a game comes out: what table logs name as ``software``."""
    whole: str
    """Digest of all files that are shipped."""
    parts: tuple[Part, ...]
    """The parts of ``outcome``."""


class Unreadable(Exception):
    """A file of the software cannot be read; the message names it."""


def identity_of(shipped: Mapping[str, bytes], release: str) -> Identity:
    """The identity of these files, by their names below the packages."""
    parts = tuple(
        _part(name, {path: content for path, content in shipped.items() if path.startswith(begins)})
        for name, begins in OUTCOME_PARTS.items()
    )
    deciding = {path: content for path, content in shipped.items() if decides(path)}
    return Identity(release=release, outcome=digest_of(deciding), whole=digest_of(shipped), parts=parts)


def decides(path: str) -> bool:
    """Whether a file of this name decides how a game comes out."""
    return any(path.startswith(begins) for begins in OUTCOME_PARTS.values())


def manifest(shipped: Mapping[str, bytes]) -> str:
    """One line a file, as ``sha256sum`` writes it, sorted by name."""
    return "".join(f"{sha256(shipped[path]).hexdigest()}  {path}\n" for path in sorted(shipped))


def differing(before: Mapping[str, bytes], now: Mapping[str, bytes]) -> tuple[str, ...]:
    """The names of files that are new, gone or changed."""
    return tuple(sorted(path for path in {*before, *now} if before.get(path) != now.get(path)))


def shipped_files() -> dict[str, bytes]:
    """Every file of the software as it lies on disk now; ``Unreadable`` where one cannot be read."""
    found: dict[str, bytes] = {}
    for prefix, folder in (
        ("poolrummy/", _folder("poolrummy")),
        ("poolrummy_contracts/", _folder("poolrummy_contracts")),
        ("profiles/", profiles_folder()),
    ):
        found.update({prefix + name: content for name, content in _read(folder)})
    # In a wheel the profiles lie inside the contracts: they have one name wherever they lie.
    doubled = [path for path in found if path.startswith("poolrummy_contracts/profiles/")]
    for path in doubled:
        del found[path]
    return found


def profiles_folder() -> Path:
    """The rule profiles of the package: in a wheel inside the contracts, in a checkout beside them."""
    contracts = _folder("poolrummy_contracts")
    inside = contracts / "profiles"
    return inside if inside.is_dir() else contracts.parent / "profiles"


def own_profiles(folder: Path | None) -> dict[str, bytes]:
    """The files of the operator's own profiles as they lie on disk now (rule 1.1); none without a folder."""
    if folder is None:
        return {}
    return {f"own-profiles/{name}": content for name, content in _read(folder) if name.count("/") == 0}


@lru_cache(maxsize=1)
def loaded() -> Mapping[str, bytes]:
    """The files as they lay on disk when this process first asked: those that it loaded."""
    return shipped_files()


def release() -> str:
    """The release of the installed distribution."""
    try:
        return version("poolrummy")
    except PackageNotFoundError:
        return "unreleased"


def identity() -> Identity:
    """Which software this process runs."""
    return identity_of(loaded(), release())


def stale_bytecode(shipped: Mapping[str, bytes]) -> Iterator[str]:
    """Names of modules whose kept bytecode is not what their source gives.

    Python runs the file in ``__pycache__`` where its time and size fit, whatever the source says: a digest of sources
    says nothing as long as this was not looked at.
    """
    folders = {prefix: _folder(prefix) for prefix in ("poolrummy", "poolrummy_contracts")}
    for path in sorted(path for path in shipped if path.endswith(".py")):
        package, _, inside = path.partition("/")
        source = folders[package] / inside
        code = _kept_code(source)
        if code is not None and code != compile(shipped[path], str(source), "exec", dont_inherit=True):
            yield path


def _kept_code(source: Path) -> object:
    """What Python would run instead of compiling this file; None where it would compile."""
    if not os.path.lexists(cache_from_source(str(source))):
        return None
    return SourceFileLoader("", str(source)).get_code("")


def _part(name: str, content: Mapping[str, bytes]) -> Part:
    return Part(name=name, files=len(content), digest=digest_of(content))


def digest_of(content: Mapping[str, bytes]) -> str:
    """The SHA-256 of the manifest (hex)."""
    return sha256(manifest(content).encode()).hexdigest()


def _read(folder: Path) -> Iterator[tuple[str, bytes]]:
    try:
        for path in folder.rglob("*"):
            if path.suffix in SHIPPED and "__pycache__" not in path.parts and path.is_file():
                yield path.relative_to(folder).as_posix(), path.read_bytes()
    except OSError as refused:
        raise Unreadable(f"{refused.filename or folder} cannot be read ({refused.strerror})") from refused


def _folder(package: str) -> Path:
    return Path(str(files(package)))
