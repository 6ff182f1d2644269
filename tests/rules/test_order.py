import pytest

from poolrummy.rules import order
from poolrummy.testing.matches import PROFILES, standings_of, terms_of

HOUSE = terms_of()
A, B, C, D = 1, 2, 3, 4


def all_in(seats=3, terms=HOUSE):
    return standings_of(terms, (0,) * seats)


@pytest.mark.rule("2.5")
def test_the_last_seat_in_order_of_play_deals():
    assert order.in_play((A, B, C), all_in())[-1] == C


@pytest.mark.rule("2.6")
@pytest.mark.parametrize("profile", PROFILES)
def test_who_played_first_deals_next_and_plays_last_e_114(profile):
    assert order.next_order((A, B, C), all_in(terms=terms_of(profile))) == (B, C, A)


@pytest.mark.rule("2.6")
@pytest.mark.parametrize("profile", PROFILES)
def test_if_who_played_first_is_out_the_dealer_stays_dealer_e_114(profile):
    standings = standings_of(terms_of(profile), (110, 20, 30))

    assert order.in_play(order.next_order((A, B, C), standings), standings) == (B, C)


@pytest.mark.rule("2.6")
def test_a_seat_that_is_out_is_passed_over():
    standings = standings_of(HOUSE, (20, 110, 30))

    assert order.in_play(order.next_order((A, B, C), standings), standings) == (C, A)


@pytest.mark.rule("2.6")
def test_the_deal_after_one_in_which_a_seat_was_passed_over_counts_from_who_really_played_first():
    without_b = standings_of(HOUSE, (20, 110, 30, 40))
    second = order.next_order((A, B, C, D), without_b)
    third = order.next_order(second, without_b)

    assert order.in_play(second, without_b) == (C, D, A)
    assert order.in_play(third, without_b) == (D, A, C)


@pytest.mark.rule("2.6")
def test_while_everybody_stays_in_every_seat_plays_first_once_in_a_round():
    circle, first = (C, A, D, B), []
    for _ in range(4):
        first.append(circle[0])
        circle = order.next_order(circle, all_in(4))

    assert first == [C, A, D, B]


@pytest.mark.rule("2.7")
def test_a_seat_that_comes_back_finds_its_old_place():
    without_a = standings_of(HOUSE, (110, 20, 30))
    second = order.next_order((A, B, C), without_a)

    assert order.in_play(second, without_a) == (B, C)
    assert order.next_order(second, all_in()) == (C, A, B)


@pytest.mark.rule("2.7")
def test_who_played_first_was_eliminated_and_came_back_deals_like_anybody():
    assert order.next_order((A, B, C), all_in()) == (B, C, A)


@pytest.mark.rule("2.8")
def test_after_a_void_deal_the_same_seat_plays_first_again():
    assert order.same_order((B, C, A), all_in()) == (B, C, A)


@pytest.mark.rule("2.8")
def test_a_seat_that_left_in_a_void_deal_is_passed_over():
    standings = standings_of(HOUSE, (0, 0, 0), left={B: 1})

    assert order.in_play(order.same_order((B, C, A), standings), standings) == (C, A)


@pytest.mark.rule("2.7")
def test_the_circle_follows_the_recorded_deals():
    assert order.turned_to((A, B, C, D), C) == (C, D, A, B)


@pytest.mark.rule("2.7")
def test_an_order_that_forgot_a_seat_that_is_in_is_our_own_mistake():
    with pytest.raises(AssertionError, match="full circle"):
        order.next_order((B, C), all_in())
