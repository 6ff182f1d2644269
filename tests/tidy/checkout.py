"""What the tidy tests look at: the files that git knows, and the exceptions that were written down."""

import subprocess
import tomllib
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
ALLOWED = tomllib.loads(Path(__file__).with_name("allowed.toml").read_text("utf-8"))


def tracked(*patterns: str) -> list[str]:
    """Files of the repository whose path fits one of the patterns (all without any), as paths below the root."""
    found = known_to_git() or below(ROOT)
    return [path for path in found if not patterns or any(fnmatchcase(path, pattern) for pattern in patterns)]


@lru_cache
def known_to_git() -> tuple[str, ...]:
    """What git knows and is there; nothing where there is no git or no checkout."""
    try:
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ()
    return tuple(path for path in listed.splitlines() if (ROOT / path).is_file())


@lru_cache
def below(root: Path) -> tuple[str, ...]:
    """All files outside hidden folders and caches: an unpacked archive has no git."""
    paths = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    made = ("__pycache__", "build", "dist")
    return tuple(
        path.as_posix() for path in paths if not any(part.startswith(".") or part in made for part in path.parts)
    )


def text_of(path: str) -> str:
    """The text of a tracked file; nothing of one that is no text."""
    return (ROOT / path).read_text("utf-8", errors="ignore")
