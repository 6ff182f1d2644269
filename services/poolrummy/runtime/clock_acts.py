"""Which clocks a dealer acts on in one step, so that one that takes the process along can be found.

The tables of a step are noted in the store before it (``clocks.lua``). Whoever takes over a partition whose owner ended
in such a step counts one for each of them; a table that is counted acts alone from then on. After as many owners as
a message may cost it is set aside: frozen by an event, as if its clock had raised. If that ends an owner too, the
table is not even loaded any more.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final

from poolrummy.runtime.store import Lease

TABLES_MAX: Final = 64
"""Clocks in one step: the note stays short, and few are suspected at once."""


def acts(ended: Sequence[str], *, suspected: Container[str]) -> Iterator[tuple[str, ...]]:
    """The tables whose clocks ended, step by step: suspected ones alone, the others together.

    >>> list(acts(["a", "b", "c", "d"], suspected={"b"}))
    [('b',), ('a', 'c', 'd')]
    """
    yield from ((table,) for table in ended if table in suspected)
    others = tuple(table for table in ended if table not in suspected)
    for start in range(0, len(others), TABLES_MAX):
        yield others[start : start + TABLES_MAX]


def left_alone(lease: Lease, limit: int) -> Mapping[str, str]:
    """Tables that ended an owner even as they were set aside, each with the reason and the mend."""
    return {
        table: (
            f"{ended} owners in a row ended while they acted on its clock or froze it; it is not loaded any more; mend "
            f"the dealer, then let it load: redis-cli HDEL '{{p{lease.partition:02d}}}:dealer' ended, and restart"
        )
        for table, ended in lease.ended_acting.items()
        if ended > limit
    }


def reason_of(table: str, ended: int) -> str:
    """Why a table is frozen whose clock took owners along."""
    return f"{ended} owners in a row ended while they acted on a clock of {table}"
