import hashlib
import inspect

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from poolrummy.fairness import pack
from poolrummy.fairness.transcript import (
    DeckSpec,
    SeatPlace,
    Transcript,
    canonical,
    context,
    parse,
    without_seat_seeds,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
PLACES = st.builds(SeatPlace, seat=TEXTS, player=TEXTS)
TRANSCRIPTS = st.builds(
    without_seat_seeds,
    deck=st.builds(DeckSpec, decks=st.integers(1, 3), printed_jokers_per_deck=st.integers(0, 4)),
    rules=st.binary(min_size=32, max_size=32).map(bytes.hex),
    table=TEXTS,
    deal=st.integers(0, 2**53 - 1),
    generation=st.integers(0, 2**32 - 1),
    purpose=st.sampled_from(["deal", "toss"]),
    seats=st.lists(PLACES, max_size=6),
)


@given(TRANSCRIPTS)
def test_the_bytes_are_those_of_rfc_8785(given_transcript):
    assert canonical(given_transcript) == rfc8785.dumps(msgspec.json.decode(msgspec.json.encode(given_transcript)))


@given(TRANSCRIPTS)
def test_a_transcript_is_read_back_from_its_bytes(given_transcript):
    assert parse(canonical(given_transcript)) == given_transcript


@given(TRANSCRIPTS, TRANSCRIPTS)
def test_two_transcripts_have_one_context_only_if_they_are_one(one, other):
    assert (context(one) == context(other)) == (one == other)


def test_the_final_form_stands_here_letter_by_letter(transcript):
    written = canonical(transcript)

    assert written == (
        b'{"batch":null,"beacon":null,"deal":3,"deck":{"decks":2,"printed_jokers_per_deck":1},'
        b'"format":"poolrummy-deck-transcript-v1","generation":0,"purpose":"deal",'
        b'"rules":"' + b"5e" * 32 + b'","seat_seeds":['
        b'{"commitment":null,"seat":"south","seed":null,"state":"none"},'
        b'{"commitment":null,"seat":"west","seed":null,"state":"none"}],'
        b'"seats":[{"player":"p-1","seat":"south"},{"player":"p-2","seat":"west"}],"table":"p07-9f2c"}'
    )
    assert context(transcript) == hashlib.sha512(written).digest()


@pytest.mark.parametrize(
    "changed",
    [
        lambda raw: raw.replace(b'"deal":3', b'"deal": 3'),
        lambda raw: raw.replace(b'{"batch":null,', b"{"),
        lambda raw: raw.replace(b'"batch":null,"beacon":null', b'"beacon":null,"batch":null'),
        lambda raw: raw.replace(b"south", b"\\u0073outh"),
        lambda raw: raw.replace(b"transcript-v1", b"transcript-v2"),
        lambda raw: raw.replace(b'{"batch"', b'{"a":1,"batch"'),
        lambda raw: raw.replace(b'"deal":3', b'"deal":3.0'),
    ],
)
def test_bytes_that_are_not_the_one_form_are_refused(transcript, changed):
    raw = canonical(transcript)
    assert changed(raw) != raw

    with pytest.raises(ValueError):
        parse(changed(raw))


def test_a_shuffle_takes_no_argument_through_which_stakes_or_scores_could_act():
    assert list(inspect.signature(pack.deal_pack).parameters) == ["seed", "transcript"]
    assert list(inspect.signature(pack.reshuffled).parameters) == ["seed", "transcript", "faces"]
    assert set(Transcript.__struct_fields__) == {
        *("format", "deck", "rules", "table", "deal", "generation", "purpose"),
        *("seats", "batch", "seat_seeds", "beacon"),
    }


def test_every_seat_has_a_place_for_its_seed_from_the_first_version_on(transcript):
    assert [(entry.seat, entry.state) for entry in transcript.seat_seeds] == [("south", "none"), ("west", "none")]
