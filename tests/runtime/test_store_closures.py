"""Both stores keep acts on new play: numbered, once each, in order."""

import pytest

from poolrummy.runtime.store import TableEntry

from .conftest import Bench

pytestmark = pytest.mark.conformance


def chain(n: int) -> bytes:
    return bytes([n]) * 32


async def test_acts_are_kept_in_order_and_read_from_any_number(bench: Bench) -> None:
    assert await bench.store.read_closures(0, 0, 10) == ()
    for n in (1, 2, 3):
        assert await bench.store.close_play(0, n, b"act %d" % n, chain(n))

    entries = tuple(TableEntry(version=n, payload=b"act %d" % n, chain=chain(n)) for n in (1, 2, 3))
    assert await bench.store.read_closures(0, 0, 10) == entries
    assert await bench.store.read_closures(0, 1, 1) == entries[1:2]
    assert await bench.store.read_closures(0, 3, 10) == ()
    assert await bench.store.read_closures(1, 0, 10) == (), "another partition has its own"


async def test_a_number_is_written_once(bench: Bench) -> None:
    assert await bench.store.close_play(0, 1, b"first", chain(1))

    assert not await bench.store.close_play(0, 1, b"second", chain(2))
    assert [entry.payload for entry in await bench.store.read_closures(0, 0, 10)] == [b"first"]
