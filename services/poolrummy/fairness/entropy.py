"""The only place that asks the operating system for chance (R1, R5)."""

import math
import os
from typing import Final

SEED_BYTES: Final = {1: 80, 2: 80, 3: 120}
"""Bytes of a server seed, by number of decks; all stay under the 128-byte block of HMAC-SHA-512."""

_PRINTED_JOKERS_PER_DECK_MOST: Final = 4


def fresh_seed(decks: int) -> bytes:
    """A new server seed for one deal, long enough for every order of the pack (R3).

    >>> len(fresh_seed(2)), len(fresh_seed(3)), fresh_seed(2) == fresh_seed(2)
    (80, 120, False)
    """
    assert decks in SEED_BYTES, f"there is no seed length for {decks} decks"
    size = SEED_BYTES[decks]
    orders = pack_orders(decks, _PRINTED_JOKERS_PER_DECK_MOST)
    assert size * 8 >= math.log2(orders), f"{size} bytes cannot reach every order of {decks} decks"
    return os.urandom(size)


def pack_orders(decks: int, printed_jokers_per_deck: int) -> int:
    """How many orders of the pack can be told apart; equal faces of several decks cannot.

    >>> math.ceil(math.log2(pack_orders(2, 1))), math.ceil(math.log2(pack_orders(3, 1)))
    (512, 802)
    """
    cards = decks * (52 + printed_jokers_per_deck)
    alike = math.factorial(decks) ** 52 * math.factorial(decks * printed_jokers_per_deck)
    return math.factorial(cards) // alike


def fresh_bytes(size: int) -> bytes:
    """Bytes nobody has seen before, for the share of a key."""
    return os.urandom(size)
