"""Every key of a partition lies in one slot, and a table id says in which."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolrummy.contracts_pages.asyncapi import address_of
from poolrummy.contracts_pages.keys import OTHER_KEYS, STREAMS, Key
from poolrummy.runtime.redis_leases import members
from poolrummy.runtime.redis_reads import saved
from poolrummy_contracts import streams
from poolrummy_contracts.streams import Partition, is_table_id, partition_of

TABLE = "p07-9f2c"
OF_PARTITION = [
    streams.meta(7),
    streams.inbox(7),
    streams.feed(7),
    streams.dealer(7),
    streams.role(7, "validator"),
    streams.roles(7),
    streams.open_tables(7),
    streams.replies(7),
    streams.parked(7),
    streams.closures(7),
    streams.view(7),
    streams.view(7, "table", TABLE),
]
OF_TABLE = [
    streams.table(TABLE),
    streams.head(TABLE),
    streams.answers(TABLE, "a"),
    streams.answers(TABLE, "b"),
    streams.snapshot(TABLE),
    streams.seat(TABLE, 2),
]


@pytest.mark.parametrize("key", [*OF_PARTITION, *OF_TABLE])
def test_every_key_carries_the_hash_tag_of_its_partition_and_no_other(key: str) -> None:
    assert re.findall(r"\{[^}]*\}", key) == ["{p07}"]
    assert key.startswith("{p07}:")


def test_no_two_keys_are_the_same() -> None:
    assert len({*OF_PARTITION, *OF_TABLE}) == len(OF_PARTITION) + len(OF_TABLE)


@pytest.mark.parametrize("text", ["p07-9f2c", "p00-a", "p15-0-0-0", "p123-table", "p07-" + "a" * 59, "p07--"])
def test_a_table_id_names_its_partition(text: str) -> None:
    assert is_table_id(text)
    assert partition_of(text) == int(text[1:].partition("-")[0])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "p7-a",
        "p1234-a",
        "p07",
        "p07-",
        "P07-A",
        "p07-A",
        "p07-é",
        "p07-a\n",
        " p07-a",
        "p07-{x}",
        "p07-a:b",
        "p\N{ARABIC-INDIC DIGIT ZERO}\N{ARABIC-INDIC DIGIT SEVEN}-a",
        "p07-" + "a" * 60,
    ],
)
def test_what_is_no_table_id_is_refused(text: str) -> None:
    assert not is_table_id(text)
    with pytest.raises(ValueError, match="is no table id"):
        partition_of(text)


@given(st.text(max_size=70))
def test_a_table_id_is_never_longer_than_64_characters(text: str) -> None:
    assert not is_table_id(text) or len(text) <= 64


@given(st.integers(min_value=0, max_value=999))
def test_a_hash_tag_and_a_table_id_agree_on_the_partition(partition: int) -> None:
    table = f"p{partition:02d}-x"

    assert partition_of(table) == Partition(partition)
    assert streams.table(table).startswith(streams.tag(partition))


@pytest.mark.parametrize("key", [*STREAMS, *OTHER_KEYS], ids=lambda key: key.name)
def test_the_pages_know_the_pattern_of_every_key(key: Key) -> None:
    pattern = re.escape(address_of(key)).replace(re.escape("{partition}"), r"\{p0[07]\}")
    for parameter, value in (
        ("{table}", "p07-9f2c"),
        ("{seat}", r"\d"),
        ("<name>", r"\w+"),
        ("<role>", r"\w+"),
        ("<a|b>", "[ab]"),
    ):
        pattern = pattern.replace(re.escape(parameter), value)

    assert re.fullmatch(pattern.replace("…", ".*"), key.example), (pattern, key.example)


def test_the_pages_leave_out_no_key() -> None:
    known = {"table": "table", "open_tables": "open"}
    functions = {
        known.get(name, name)
        for name, made in vars(streams).items()
        if callable(made) and getattr(made, "__module__", "") == streams.__name__ and made.__doc__
        if re.match(r"(Stream|Hash|Set|String|Key)\b", made.__doc__)
    }

    beside = {"saved", "members"}

    assert functions | beside == {key.name for key in (*STREAMS, *OTHER_KEYS)}


def test_the_keys_that_only_the_runtime_makes_are_as_the_pages_say() -> None:
    example = {key.name: key.example for key in OTHER_KEYS}

    assert (saved(TABLE, 2), members("dealer")) == (example["saved"], example["members"])
