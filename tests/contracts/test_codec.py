"""Bytes to messages and back; every way of not being readable has its name."""

import json

import pytest
import rfc8785
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from poolrummy.contracts_pages.examples import EXAMPLES
from poolrummy.contracts_pages.messages import FAMILIES, Message, tag_of
from poolrummy_contracts import codec
from poolrummy_contracts.commands import PlatformCommand
from poolrummy_contracts.events import SeatEliminated, TableEvent
from poolrummy_contracts.replies import ReplyMessage
from poolrummy_contracts.seat_lines import SeatMessage
from poolrummy_contracts.terms import Seat
from poolrummy_contracts.verdicts import VerdictMessage

from .made_messages import messages_of

DECODE = {
    "command": codec.decode_inbox,
    "event": codec.decode_event,
    "verdict": codec.decode_inbox,
    "reply": codec.decode_reply,
    "seat-line": codec.decode_seat_line,
    "parked": codec.decode_parked,
}
DECODE_OF = {message: DECODE[family.name] for family in FAMILIES for message in family.classes}
OUT = SeatEliminated(v=53, table="p07-9f2c", at=1, actor="system", rule="9.1", seat=Seat(1), total=115)
STORED = codec.encode(OUT)
MADE = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def changed(old: str, new: str | bytes) -> bytes:
    """The stored event with one thing changed in its bytes."""
    assert old.encode() in STORED, old
    return STORED.replace(old.encode(), new if isinstance(new, bytes) else new.encode())


@pytest.mark.parametrize("message", EXAMPLES, ids=lambda message: tag_of(type(message)))
def test_every_example_comes_back_from_its_bytes_and_to_the_same_bytes(message: Message) -> None:
    stored = codec.encode(message)

    found = DECODE_OF[type(message)](stored)

    assert found == message
    assert codec.encode(found) == stored
    assert codec.canonical(stored) == stored
    assert rfc8785.dumps(json.loads(stored)) == stored


@MADE
@given(messages_of(TableEvent))
def test_any_event_is_written_as_rfc_8785_writes_it_and_comes_back(event: TableEvent) -> None:
    stored = codec.encode(event)

    assert stored == rfc8785.dumps(json.loads(stored))
    assert codec.canonical(stored) == stored
    assert codec.decode_event(stored) == event


@MADE
@given(messages_of(PlatformCommand | VerdictMessage | ReplyMessage | SeatMessage))
def test_any_other_message_comes_back_too(message: Message) -> None:
    assert DECODE_OF[type(message)](codec.encode(message)) == message


def test_a_command_may_have_its_keys_in_any_order_and_blanks() -> None:
    payload = b'{ "type": "sit", "table": "p07-9f2c", "seat": 1, "player": "asha", "id": "a" }'

    assert codec.decode_inbox(payload).id == "a"


# -- F79: an event of a newer version ---------------------------------------------------------------------------


def test_an_event_of_a_newer_version_says_so_and_leaves_the_others_readable() -> None:
    log = [STORED, changed("seat-eliminated", "seat-vanished"), STORED]

    assert codec.decode_event(log[0]) == OUT
    with pytest.raises(
        codec.UnknownType, match="'seat-vanished' is unknown to this version: it needs a newer"
    ) as found:
        codec.decode_event(log[1])
    assert found.value.tag == "seat-vanished"
    assert codec.canonical(log[1]) == log[1]
    assert codec.decode_event(log[2]) == OUT


def test_a_newer_version_may_add_a_field_to_an_event_but_not_to_a_command() -> None:
    assert codec.decode_event(changed('"v":', '"unheard":1,"v":')) == OUT
    with pytest.raises(codec.Malformed, match="unknown field `unheard`"):
        codec.decode_inbox(b'{"id":"a","player":"p","seat":1,"table":"p07-9f2c","type":"sit","unheard":1}')


# -- F81: whole numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["20.0", "20.5", "1e2", "-0.0", "true", '"20"'])
def test_a_number_that_is_no_plain_integer_is_refused_everywhere(number: str) -> None:
    with pytest.raises(codec.Malformed, match="total"):
        codec.decode_event(changed("115", number))
    with pytest.raises(codec.Malformed):
        codec.decode_inbox(b'{"id":"a","player":"p","seat":%s,"table":"p07-9f2c","type":"sit"}' % number.encode())


@pytest.mark.parametrize("number", ["20.0", "20.5", "1e2", "-0.0"])
def test_a_float_is_never_canonical(number: str) -> None:
    with pytest.raises(codec.NotCanonical, match="is no integer"):
        codec.canonical(changed("115", number))


@pytest.mark.parametrize("number", [2**53 - 1, -(2**53) + 1])
def test_the_largest_integers_that_every_language_can_hold_are_canonical(number: int) -> None:
    assert codec.canonical(changed("115", str(number)))


@pytest.mark.parametrize("number", [2**53, -(2**53), 10**30])
def test_integers_beyond_them_are_not(number: int) -> None:
    with pytest.raises(codec.NotCanonical, match="beyond 2"):
        codec.canonical(changed("115", str(number)))


def test_an_endless_number_is_refused_without_being_reckoned() -> None:
    payload = changed("115", "1" * 100_000)

    with pytest.raises(codec.Malformed, match="out of range"):
        codec.decode_event(payload)
    with pytest.raises(codec.Unreadable, match="out of range"):
        codec.canonical(payload)


# -- bytes that are not one form ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "payload",
    [
        changed('"total":115', '"total":115,"total":115'),
        changed('"total":115', '"total":1,"total":115'),
        changed('"actor"', ' "actor"'),
        changed('"p07-9f2c"', r'"\u0070\u0030\u0037-9f2c"'),
        changed('"v":53', '"a":1,"v":53'),
        STORED + b"\n",
        b'{"b":1,"a":1}',
    ],
    ids=["repeated key", "repeated key, other value", "blank", "escapes", "key out of order", "line end", "order"],
)
def test_readable_bytes_in_another_form_are_not_canonical(payload: bytes) -> None:
    with pytest.raises(codec.NotCanonical, match="keys are not sorted"):
        codec.canonical(payload)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"hello",
        STORED[:-1],
        STORED + STORED,
        changed("p07-9f2c", b"\xff"),
        changed("p07-9f2c", b"\xed\xa0\x80"),
        changed("p07-9f2c", r"\ud800"),
        changed("p07-9f2c", b"\x00"),
        changed("115", "NaN"),
        changed("115", "0115"),
        b'{"a":' * 100_000,
        STORED.decode().encode("utf-16"),
    ],
    ids=[
        "nothing",
        "cut at once",
        "no UTF-8",
        "no JSON",
        "cut",
        "two of them",
        "a byte of no UTF-8",
        "a surrogate in UTF-8",
        "a lone surrogate",
        "a bare control character",
        "NaN",
        "a leading zero",
        "too deep",
        "UTF-16",
    ],
)
def test_bytes_that_are_no_json_are_unreadable_for_every_reader(payload: bytes) -> None:
    for read in (*DECODE.values(), codec.canonical):
        with pytest.raises(codec.Unreadable):
            read(payload)


@pytest.mark.parametrize(
    "payload",
    [
        b"[]",
        b"null",
        b"7",
        b"{}",
        changed('"type":"seat-eliminated",', ""),
        changed('"seat-eliminated"', "7"),
        changed('"total":115,', ""),
        changed('"system"', '"nobody"'),
        changed('"seat":1', '"seat":null'),
        changed('"seat":1', '"seat":[1]'),
    ],
)
def test_json_that_is_no_message_of_its_type_is_malformed(payload: bytes) -> None:
    with pytest.raises(codec.Malformed):
        codec.decode_event(payload)


def test_a_message_of_another_family_is_of_unknown_type() -> None:
    with pytest.raises(codec.UnknownType, match="card-drawn"):
        codec.decode_inbox(b'{"type":"card-drawn"}')
    with pytest.raises(codec.UnknownType, match="run-clock"):
        codec.decode_inbox(b'{"deadline":1,"table":"p07-9f2c","type":"run-clock"}')


def test_every_wire_error_is_a_value_error() -> None:
    kinds = (codec.Unreadable, codec.UnknownType, codec.Malformed, codec.NotCanonical)

    assert set(codec.WireError.__subclasses__()) == set(kinds)
    assert issubclass(codec.WireError, ValueError)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_a_message_or_a_wire_error(payload: bytes) -> None:
    for read in (*DECODE.values(), codec.canonical):
        try:
            read(payload)
        except codec.WireError:
            continue


@settings(max_examples=200, deadline=None)
@given(st.integers(min_value=0, max_value=len(STORED) - 1), st.binary(min_size=1, max_size=3))
def test_a_damaged_event_is_another_event_or_a_wire_error(place: int, junk: bytes) -> None:
    try:
        codec.decode_event(STORED[:place] + junk + STORED[place + 1 :])
    except codec.WireError:
        return


@pytest.mark.parametrize(
    ("payload", "found"),
    [
        (b'{"type":"sit","id":"a","table":"t","seat":"x"}', ("sit", "a", "t")),
        (b"{}", ("", "", "")),
        (b'{"id":7}', None),
        (b"\xff", None),
        (b"[" * 100_000, None),
    ],
)
def test_what_a_wrong_message_is_answered_by(payload: bytes, found: tuple[str, str, str] | None) -> None:
    seen = codec.tagged(payload)

    assert (seen and (seen.type, seen.id, seen.table)) == found
