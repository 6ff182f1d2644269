"""The hash chain of a table log: what makes a changed, dropped or swapped entry visible.

c_0 = SHA-256(domain || table id), c_v = SHA-256(c_{v-1} || length || stored bytes), the length as eight
bytes, big-endian. The dealer computes it and the store compares and swaps it together with the version.
Verifiers hash the stored bytes, never re-encoded ones.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

CHAIN_DOMAIN: Final = b"poolrummy/table-log/1\x00"


def chain_start(table_id: str) -> bytes:
    """The chain hash of a table that has no event yet (32 bytes).

    >>> chain_start("p07-9f2c").hex()[:16]
    'c0afa6f7853b38f2'
    """
    return sha256(CHAIN_DOMAIN + table_id.encode()).digest()


def chain_next(before: bytes, stored: bytes) -> bytes:
    """The chain hash after one more stored entry (32 bytes)."""
    return sha256(before + len(stored).to_bytes(8, "big") + stored).digest()


def chain_over(table_id: str, entries: Iterable[bytes]) -> bytes:
    """The chain hash after all these entries, from the first one on (32 bytes)."""
    chain = chain_start(table_id)
    for stored in entries:
        chain = chain_next(chain, stored)
    return chain
