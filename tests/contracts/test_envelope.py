"""The hash chain, against published vectors and against one line of hashlib."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolrummy_contracts.envelope import CHAIN_DOMAIN, chain_next, chain_over, chain_start

TABLE = "p07-9f2c"
ENTRIES = [b'{"v":1}', b'{"v":2}', '{"v":3,"player":"ä"}'.encode()]
PUBLISHED = [
    "c0afa6f7853b38f29e329e2ebb41297a5f1fe79e423d8d0a8d82fe71097849bf",
    "59db8d99cd6f6c6952d45ac8a427e45fbd9eeb55b6996bb69eecb2e40cd45c93",
    "5f5a3d60e8b859315a19e3e7d3470737fdb851d44eee7f26e09b66d993f5e90e",
    "3ae652600ed17601b469d0833c93735b49211bae75c7e84bd2b9d746185cf86b",
]


def test_the_published_vectors_hold() -> None:
    assert [chain_over(TABLE, ENTRIES[:count]).hex() for count in range(4)] == PUBLISHED


def test_the_domain_is_fixed() -> None:
    assert CHAIN_DOMAIN == b"poolrummy/table-log/1\0"


@given(st.sampled_from([TABLE, "p00-a"]), st.lists(st.binary(max_size=300), max_size=5))
def test_the_chain_is_what_one_line_of_hashlib_says(table: str, entries: list[bytes]) -> None:
    chain = sha256(b"poolrummy/table-log/1\x00" + table.encode()).digest()
    for stored in entries:
        chain = sha256(chain + bytes.fromhex(f"{len(stored):016x}") + stored).digest()

    assert chain_over(table, entries) == chain


@pytest.mark.parametrize(
    "other",
    [
        ENTRIES[:2],
        ENTRIES[1:],
        [ENTRIES[1], ENTRIES[0], ENTRIES[2]],
        [*ENTRIES, b""],
        [ENTRIES[0] + ENTRIES[1], ENTRIES[2]],
        [ENTRIES[0], ENTRIES[1].replace(b"2", b"5"), ENTRIES[2]],
    ],
    ids=["last dropped", "first dropped", "swapped", "empty added", "joined", "changed"],
)
def test_a_changed_dropped_or_swapped_entry_shows(other: list[bytes]) -> None:
    assert chain_over(TABLE, other) != chain_over(TABLE, ENTRIES)


def test_the_log_of_another_table_has_another_chain() -> None:
    assert chain_over("p07-9f2d", ENTRIES) != chain_over(TABLE, ENTRIES)


def test_the_chain_goes_on_where_it_stands() -> None:
    assert chain_next(chain_next(chain_start(TABLE), ENTRIES[0]), ENTRIES[1]) == chain_over(TABLE, ENTRIES[:2])
