"""Bytes from a seed: the counter-mode KDF of NIST SP 800-108 with HMAC-SHA-512 (R4).

Key = the server seed, context = the hash of the transcript. Each use has its own label, so that no salt
says anything about a draw. The seed is shorter than the hash's block and goes in whole.
"""

from collections.abc import Iterator
from itertools import count
from typing import Final, Literal

from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.kbkdf import KBKDFHMAC, CounterLocation, Mode

CHUNK_BYTES: Final = 1024
DRAW_BYTES: Final = 2
SALT_BYTES: Final = 32
_WIDTH: Final = 4

Use = Literal["shuffle", "salts"]


def derived(seed: bytes, *, label: bytes, context: bytes, size: int) -> bytes:
    """Derive ``size`` bytes: blocks HMAC(seed, [i] ‖ label ‖ 00 ‖ context ‖ [bits]), i and bits in 32 bits."""
    assert b"\0" not in label, "a zero byte ends the label"
    kdf = KBKDFHMAC(
        algorithm=SHA512(),
        mode=Mode.CounterMode,
        length=size,
        rlen=_WIDTH,
        llen=_WIDTH,
        location=CounterLocation.BeforeFixed,
        label=label,
        context=context,
        fixed=None,
    )
    return kdf.derive(seed)


def chunk_label(stem: bytes, use: Use, chunk: int) -> bytes:
    """The label of one chunk of one use of a seed.

    >>> chunk_label(b"v1/deal/3/0", "shuffle", 0)
    b'v1/deal/3/0/shuffle/0'
    """
    return b"%b/%b/%d" % (stem, use.encode(), chunk)


def draws(seed: bytes, *, stem: bytes, context: bytes) -> Iterator[int]:
    """Endless 16-bit numbers, big-endian, in the order made; 512 to a chunk."""
    for chunk in count():
        block = derived(seed, label=chunk_label(stem, "shuffle", chunk), context=context, size=CHUNK_BYTES)
        for start in range(0, CHUNK_BYTES, DRAW_BYTES):
            yield int.from_bytes(block[start : start + DRAW_BYTES], "big")


def salts(seed: bytes, *, stem: bytes, context: bytes, positions: int) -> tuple[bytes, ...]:
    """One salt of 32 bytes for each position of a pack."""
    block = derived(seed, label=chunk_label(stem, "salts", 0), context=context, size=SALT_BYTES * positions)
    return tuple(block[start : start + SALT_BYTES] for start in range(0, len(block), SALT_BYTES))
