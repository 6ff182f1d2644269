import hashlib
import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolrummy.fairness import shuffle, stream

DEALS = 1500


def drawn_until_the_end(bound):
    """Every number that the routine gives when each 16-bit draw comes exactly once."""
    every_draw = iter(range(65536))
    while True:
        try:
            yield shuffle.bounded(bound, every_draw)
        except StopIteration:
            return


@pytest.mark.parametrize("bound", [2, 3, 7, 13, 53, 64, 105, 106, 107, 159, 256, 257, 319, 320])
def test_the_routine_itself_gives_every_number_equally_often(bound):
    counts = Counter(drawn_until_the_end(bound))

    assert set(counts) == set(range(bound))
    assert len(set(counts.values())) == 1


def test_no_bound_from_2_to_320_has_any_bias():
    draws = range(65536)
    for bound in range(2, 321):
        limit = shuffle.accepted_below(bound)
        counts = Counter(map(bound.__rmod__, draws[:limit]))

        assert set(counts.values()) == {limit // bound}, bound
        assert len(counts) == bound
        assert 65536 - limit < bound, "no draw is skipped without need"
        assert shuffle.bounded(bound, iter([limit - 1])) == bound - 1
        if limit < 65536:
            assert shuffle.bounded(bound, iter([limit, 65535, 0])) == 0


def test_each_order_of_five_cards_has_exactly_one_row_of_choices():
    orders = Counter(shuffle.order(5, iter(row)) for row in itertools.product(range(5), range(4), range(3), range(2)))

    assert len(orders) == 120
    assert set(orders.values()) == {1}


@given(n=st.integers(0, 320), salt=st.binary(max_size=8))
def test_an_order_names_each_card_once(n, salt):
    draws = stream.draws(hashlib.sha512(salt).digest(), stem=b"any", context=bytes(64))

    assert sorted(shuffle.order(n, draws)) == list(range(n))


def z_of(orders, n):
    """How far position x card is from even, in standard deviations of chi-square."""
    seen = Counter((position, card) for order in orders for position, card in enumerate(order))
    expected = len(orders) / n
    square = sum((seen[cell] - expected) ** 2 / expected for cell in itertools.product(range(n), repeat=2))
    free = (n - 1) ** 2
    return (square - free) / (2 * free) ** 0.5


def deals(n, shuffler):
    for deal in range(DEALS):
        seed = hashlib.shake_256(b"chi-square %d" % deal).digest(80)
        yield shuffler(n, stream.draws(seed, stem=b"chi", context=bytes(64)))


def test_every_card_comes_to_every_position_equally_often():
    """Case F59."""
    assert abs(z_of(list(deals(53, shuffle.order)), 53)) < 4


def test_the_swap_loop_of_1999_would_be_seen():
    def naive(n, draws):
        places = list(range(n))
        for at in range(n):
            other = shuffle.bounded(n, draws)
            places[at], places[other] = places[other], places[at]
        return tuple(places)

    assert z_of(list(deals(53, naive)), 53) > 10
