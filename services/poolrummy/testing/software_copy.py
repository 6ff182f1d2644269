"""A copy of the software in another folder, as a wheel lays it out: to change a byte of it and see who notices."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

PROFILES: Final = "profiles/"


def write_copy(shipped: Mapping[str, bytes], folder: Path) -> Path:
    """Write these files; the folder, which goes in front of ``PYTHONPATH``."""
    for name, content in shipped.items():
        path = folder / (f"poolrummy_contracts/{name}" if name.startswith(PROFILES) else name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder
