"""Which free seat a player gets who asks for any: drawn from the first promised seed, like the toss (R26)."""

import hashlib
from collections.abc import Sequence
from typing import Final

from poolrummy.fairness import shuffle, stream
from poolrummy_contracts.terms import Seat

LABEL: Final = "poolrummy-seating-v1"


def drawn_seat(seed: bytes, *, table: str, number: int, free: Sequence[Seat]) -> Seat:
    """The seat of the draw of this number among the free ones, in seat order; every one is equally likely."""
    context = hashlib.sha512(table.encode()).digest()
    draws = stream.draws(seed, stem=f"{LABEL}/{number}".encode(), context=context)
    return sorted(free)[shuffle.bounded(len(free), draws)]
