import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolrummy.rules import toss
from poolrummy.testing.matches import terms_of
from poolrummy_contracts.cards import RANKS, SUITS, Card
from poolrummy_contracts.events import TossCard
from poolrummy_contracts.terms import Seat

SEATS = (Seat(1), Seat(2), Seat(3))


def cards(text):
    return [Card(one) for one in text.split()]


def drawn(rounds):
    return [[(one.seat, one.card) for one in row] for row in rounds]


def one_round(text):
    return [[TossCard(seat, card) for seat, card in zip(SEATS, cards(text), strict=False)]]


@pytest.mark.rule("2.1")
def test_every_seat_draws_one_card_in_seat_order_whatever_the_order_of_sitting_down():
    assert drawn(toss.draw(cards("TS KD KH 2C"), (3, 1, 2))) == [[(1, "TS"), (2, "KD"), (3, "KH")]]


@pytest.mark.rule("2.2")
def test_an_ace_is_the_highest_and_equal_ranks_are_decided_by_the_suit():
    falling = cards("AS AH AD AC KS KC QS JH TS 9C 3S 2S 2C")

    assert sorted(falling, key=toss.strength, reverse=True) == falling


@pytest.mark.rule("2.3")
def test_two_seats_with_the_same_card_draw_again_from_where_the_pack_stands():
    rounds = toss.draw(cards("KD 9S KD 2C 3C AS"), SEATS)

    assert drawn(rounds) == [[(1, "KD"), (2, "9S"), (3, "KD")], [(1, "2C"), (3, "3C")]]
    assert toss.order_of_play(rounds, SEATS, "all") == (3, 1, 2)


@pytest.mark.rule("2.3")
def test_drawing_again_decides_only_among_the_seats_that_were_equal():
    seats = (1, 2, 3, 4, 5)
    rounds = toss.draw(cards("5S KD KD 5S 9C 2C AS 2D AS"), seats)

    assert drawn(rounds)[1] == [(1, "2C"), (2, "AS"), (3, "2D"), (4, "AS")]
    assert len(rounds) == 2
    assert toss.order_of_play(rounds, seats, "all") == (2, 3, 5, 4, 1)


@pytest.mark.rule("2.3")
def test_seats_that_draw_the_same_card_a_second_time_draw_a_third_time():
    rounds = toss.draw(cards("KD KD 9S 4H 4H 3C 2C"), SEATS)

    assert drawn(rounds)[1:] == [[(1, "4H"), (2, "4H")], [(1, "3C"), (2, "2C")]]
    assert toss.order_of_play(rounds, SEATS, "first") == (1, 2, 3)


@pytest.mark.rule("2.4")
@pytest.mark.parametrize(
    ("profile", "order"),
    [
        ("house", (3, 2, 1)),
        ("rummypassion", (3, 2, 1)),
        ("scorekeeper", (3, 2, 1)),
        ("classic", (3, 1, 2)),
        ("deccan", (3, 1, 2)),
    ],
)
def test_the_toss_decides_the_order_or_only_who_begins_e_113(profile, order):
    assert toss.order_of_play(one_round("TS KD KH"), SEATS, terms_of(profile).toss_orders) == order


@pytest.mark.rule("2.4")
def test_where_the_toss_decides_only_who_begins_the_turn_goes_round_the_table():
    assert toss.order_of_play(one_round("TS AD KH"), SEATS, "first") == (2, 3, 1)


@given(
    st.permutations([Card(rank + suit) for rank in RANKS for suit in SUITS] * 3),
    st.integers(2, 6),
    st.sampled_from(["all", "first"]),
)
def test_every_pack_gives_every_seat_one_place(pack, seats, toss_orders):
    sitting = tuple(range(1, seats + 1))
    rounds = toss.draw(pack, sitting)
    order = toss.order_of_play(rounds, sitting, toss_orders)

    assert sorted(order) == list(sitting)
    assert [one.card for row in rounds for one in row] == pack[: sum(map(len, rounds))]


@given(st.permutations([Card(rank + suit) for rank in RANKS for suit in SUITS]))
def test_with_one_deck_nobody_draws_twice(pack):
    assert len(toss.draw(pack, (1, 2, 3, 4, 5, 6))) == 1
