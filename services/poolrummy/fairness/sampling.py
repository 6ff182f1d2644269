"""Orders and raw numbers of the real shuffle, from seeds that follow from a name: for tests and laboratories (R6)."""

import hashlib
from collections.abc import Iterator
from itertools import islice

from poolrummy.fairness import shuffle, stream

_SEED_BYTES = 80


def sample_seed(name: str, deal: int) -> bytes:
    """A seed that anybody can make again; no deal is ever played with one."""
    return hashlib.shake_256(f"poolrummy-sample/{name}/{deal}".encode()).digest(_SEED_BYTES)


def orders(name: str, deals: int, n: int, *, first: int = 0) -> Iterator[tuple[int, ...]]:
    """So many orders of ``n`` cards by the product's own shuffle."""
    for deal in range(first, first + deals):
        yield shuffle.order(n, _draws(name, deal))


def raw_draws(name: str, deals: int, *, draws_each: int) -> Iterator[bytes]:
    """The 16-bit numbers that the shuffle draws from, big-endian, deal after deal, before any is skipped."""
    for deal in range(deals):
        yield b"".join(draw.to_bytes(2, "big") for draw in islice(_draws(name, deal), draws_each))


def _draws(name: str, deal: int) -> Iterator[int]:
    context = hashlib.sha512(f"{name}/{deal}".encode()).digest()
    return stream.draws(sample_seed(name, deal), stem=b"poolrummy-sample", context=context)
