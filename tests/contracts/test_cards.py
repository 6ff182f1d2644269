"""Cards as they are written: one notation out, many in."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolrummy_contracts.cards import (
    FACES,
    PRINTED_JOKER,
    RANKS,
    SUITS,
    Card,
    card_points,
    parse_card,
    parse_cards,
    place_of,
    position,
    wild_rank_of,
)

FACE = st.sampled_from(sorted(FACES))


def test_there_are_52_faces_and_the_printed_joker() -> None:
    assert len(FACES) == 53
    assert Counter(face[1] for face in FACES - {PRINTED_JOKER}) == dict.fromkeys(SUITS, 13)


@given(FACE)
def test_what_is_written_can_be_read(face: Card) -> None:
    assert parse_card(face) == face


@given(FACE, st.booleans(), st.booleans(), st.booleans(), st.sampled_from(["", " ", "\t"]))
def test_a_person_may_write_a_card_in_many_ways(face: Card, ten: bool, symbol: bool, lower: bool, blank: str) -> None:
    written = face.replace("T", "10") if ten else face
    if symbol and face != PRINTED_JOKER:
        written = written[:-1] + dict(zip(SUITS, "♠♥♦♣", strict=True))[written[-1]]
    written = written.lower() if lower else written

    assert parse_card(blank + written + blank) == face


@pytest.mark.parametrize("written", ["jk", "JK", "joker", "PJ", "\N{PLAYING CARD BLACK JOKER}"])
def test_a_printed_joker_has_several_names(written: str) -> None:
    assert parse_card(written) == PRINTED_JOKER


@pytest.mark.parametrize("written", ["", "1S", "11S", "S9", "9", "9HH", "0H", "10", "10SS", "ZZ", "9X", "JKS"])
def test_what_is_no_card_is_refused_by_name(written: str) -> None:
    with pytest.raises(ValueError, match="is no card: write rank then suit") as refused:
        parse_card(written)

    assert repr(written) in str(refused.value)


@given(st.text(max_size=8))
def test_any_text_is_a_card_or_a_value_error(text: str) -> None:
    try:
        found = parse_card(text)
    except ValueError:
        return
    assert found in FACES


def test_a_line_of_cards_has_blanks_or_commas() -> None:
    assert parse_cards("9h, 10D  q♥,jk") == ("9H", "TD", "QH", "JK")


@given(st.integers(min_value=0, max_value=99), st.integers(min_value=0, max_value=200))
def test_a_position_names_generation_and_place(generation: int, place: int) -> None:
    assert place_of(position(generation, place)) == (generation, place)


@pytest.mark.rule("3.4")
def test_a_printed_joker_turned_up_makes_aces_wild() -> None:
    assert wild_rank_of(PRINTED_JOKER) == "A"
    assert wild_rank_of(Card("TD")) == "T"


@pytest.mark.rule("8.1")
@pytest.mark.parametrize(
    ("card", "points"),
    [("AS", 10), ("KD", 10), ("QD", 10), ("JC", 10), ("TH", 10), ("9H", 9), ("2C", 2), ("4S", 0), ("JK", 0)],
)
def test_a_card_counts_its_points_unless_it_is_a_joker(card: str, points: int) -> None:
    assert card_points(Card(card), "4") == points


def test_every_rank_has_points() -> None:
    assert all(2 <= card_points(Card(rank + "S"), "none") <= 10 for rank in RANKS)
