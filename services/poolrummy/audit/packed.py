"""A bundle compressed, as an archive keeps it: gzip, which every system can read, and nothing in it but the lines."""

import gzip
import zlib
from typing import Final

from poolrummy.audit.findings import Unauditable

ENDING: Final = ".gz"
MAGIC: Final = b"\x1f\x8b"
LEVEL: Final = 6
BYTES_MAX: Final = 1 << 30
"""More than any table writes: a small file that unpacks to more is none of ours."""


def packed(content: bytes) -> bytes:
    """The content compressed; the same bytes for the same content, whenever it is done."""
    return gzip.compress(content, LEVEL, mtime=0)


def unpacked(content: bytes, source: str) -> bytes:
    """The content as it was before; what is not compressed is left as it is. ``Unauditable`` where it is broken."""
    if not content.startswith(MAGIC):
        return content
    reader = zlib.decompressobj(wbits=31)
    try:
        plain = reader.decompress(content, BYTES_MAX)
    except zlib.error as broken:
        raise Unauditable(f"{source} is damaged: {broken}; take another copy of it") from broken
    if not reader.eof or reader.unused_data:
        what = (
            "it ends too early"
            if not reader.unconsumed_tail and not reader.eof
            else "there is more in it than a bundle"
        )
        raise Unauditable(f"{source} is damaged: {what}; take another copy of it")
    return plain
