"""A log lasts for ever: one line of every shape that was ever recorded is kept here and must be read for ever.

A line in ``lines/`` is never changed and never removed. A new shape is a new tag, an upcast and a new line.
"""

import json
from pathlib import Path
from typing import get_args

import pytest
import rfc8785

from poolrummy.contracts_pages.messages import tag_of
from poolrummy_contracts import codec
from poolrummy_contracts.events import TableEvent
from poolrummy_contracts.upcasts import UPCASTS, Json, upcast

LINES = Path(__file__).parent / "lines"
RECORDED = sorted(LINES.glob("*.json"))
TODAY = {tag_of(event) for event in get_args(TableEvent)}


@pytest.mark.parametrize("line", RECORDED, ids=lambda line: line.stem)
def test_a_recorded_line_is_read_for_ever(line: Path) -> None:
    stored = line.read_bytes()
    tag = json.loads(stored)["type"]

    event = codec.decode_event(stored)

    assert codec.canonical(stored) == stored == rfc8785.dumps(json.loads(stored))
    assert line.name == f"{tag}.1.json"
    if tag in TODAY:
        assert codec.encode(event) == stored
    else:
        assert tag in UPCASTS


def test_every_event_has_a_recorded_line() -> None:
    without = TODAY - {line.name.partition(".")[0] for line in RECORDED}

    assert not without, f"{sorted(without)}: record a line with: make fix, and commit it; it stays for ever"


def test_every_recorded_shape_is_one_of_today_or_has_an_upcast() -> None:
    assert {line.name.partition(".")[0] for line in RECORDED} <= TODAY | set(UPCASTS)


def test_no_shape_of_today_is_also_an_old_one() -> None:
    assert not TODAY & set(UPCASTS)


# -- the mechanism, on shapes that never were --------------------------------------------------------------------

OLDEST = {"actor": "system", "at": 7, "rule": "9.1", "seat": "north", "table": "p07-9f2c", "type": "seat-out", "v": 5}


def seat_out(event: Json) -> Json:
    """Seats had names once, and now have numbers."""
    return {**event, "type": "seat-out-2", "seat": {"north": 1, "south": 2}[str(event["seat"])]}


def seat_out_2(event: Json) -> Json:
    """The total was not recorded; the limit is what is known of it."""
    return {**event, "type": "seat-eliminated", "total": 101}


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(UPCASTS, "seat-out", seat_out)
    monkeypatch.setitem(UPCASTS, "seat-out-2", seat_out_2)


@pytest.mark.usefixtures("made_up")
def test_an_old_shape_is_read_in_the_shape_of_today_through_every_step_between() -> None:
    event = codec.decode_event(json.dumps(OLDEST).encode())

    assert (event.seat, event.total, event.v, tag_of(type(event))) == (1, 101, 5, "seat-eliminated")


@pytest.mark.usefixtures("made_up")
def test_a_shape_of_today_is_read_as_it_stands_beside_old_ones() -> None:
    for line in RECORDED:
        assert codec.encode(codec.decode_event(line.read_bytes())) == line.read_bytes()


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("payload", "error"),
    [(b'{"type":"seat-gone-away"}', codec.UnknownType), (b"[]", codec.Malformed), (b"{", codec.Unreadable)],
)
def test_with_upcasts_the_ways_of_not_being_readable_stay_the_same(payload: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        codec.decode_event(payload)


def test_without_its_upcast_an_old_shape_is_of_unknown_type() -> None:
    with pytest.raises(codec.UnknownType, match="seat-out"):
        codec.decode_event(json.dumps(OLDEST).encode())


def test_an_upcast_that_goes_nowhere_is_our_own_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(UPCASTS, "seat-out", lambda event: event)

    with pytest.raises(AssertionError, match="does not change the tag"):
        upcast("seat-out", {"type": "seat-out"})
