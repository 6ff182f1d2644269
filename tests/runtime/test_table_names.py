"""One suite, two stores: every table that a partition has ever had is named, and no other."""

import pytest

from poolrummy.runtime.store import AppendCode, OpenChange
from poolrummy.runtime.table_names import table_names

from .conftest import Bench

pytestmark = pytest.mark.conformance


async def test_open_and_closed_tables_of_the_partition_are_named_in_order(bench: Bench) -> None:
    lease, other = await bench.own(0), await bench.own(1)
    calls = [
        bench.call(lease, "0-0", "0-0", table, 0, b"e1", open_change=OpenChange.OPENS)
        for table in ("p00-b", "p00-a", "p00-a1")
    ]
    calls.append(bench.call(lease, "0-0", "0-0", "p00-b", 1, b"e2", open_change=OpenChange.CLOSES))
    calls.append(bench.call(other, "0-0", "0-0", "p01-a", 0, b"e1", open_change=OpenChange.OPENS))
    assert {answer.code for answer in await bench.append(*calls)} == {AppendCode.APPENDED}

    assert list(await table_names(0, bench.store)) == ["p00-a", "p00-a1", "p00-b"]
    assert list(await table_names(1, bench.store)) == ["p01-a"]
    assert list(await bench.store.open_tables(0)) == ["p00-a", "p00-a1"]


async def test_a_partition_without_tables_names_none(bench: Bench) -> None:
    assert list(await table_names(0, bench.store)) == []


async def test_more_tables_than_one_answer_of_the_server_holds_are_all_named(bench: Bench) -> None:
    lease = await bench.own(0)
    names = [f"p00-{number:05d}" for number in range(2500)]
    for at in range(0, len(names), 500):
        calls = [
            bench.call(lease, "0-0", "0-0", name, 0, b"e1", open_change=OpenChange.OPENS)
            for name in names[at : at + 500]
        ]
        await bench.append(*calls)

    assert list(await table_names(0, bench.store)) == names
