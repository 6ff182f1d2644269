import math
from pathlib import Path

import pytest

import poolrummy.fairness
from poolrummy.fairness import entropy


@pytest.mark.parametrize(("decks", "size"), [(1, 80), (2, 80), (3, 120)])
def test_a_seed_is_long_enough_for_every_order_of_its_decks(decks, size):
    assert len(entropy.fresh_seed(decks)) == size
    assert size * 8 >= math.log2(entropy.pack_orders(decks, 4))
    assert size <= 128, "a longer key would be hashed down by HMAC-SHA-512"


def test_a_seed_reaches_every_order_even_if_equal_cards_were_told_apart():
    assert entropy.SEED_BYTES[2] * 8 >= math.log2(math.factorial(2 * 56))
    assert entropy.SEED_BYTES[3] * 8 >= math.log2(math.factorial(3 * 53))


def test_a_number_of_decks_without_a_seed_length_is_our_own_mistake():
    with pytest.raises(AssertionError, match="4 decks"):
        entropy.fresh_seed(4)


def test_no_two_deals_share_a_seed():
    assert len({entropy.fresh_seed(2) for _ in range(200)}) == 200


def test_only_entropy_touches_the_generator_of_the_operating_system():
    folder = Path(poolrummy.fairness.__file__).parent
    forbidden = ("urandom", "import secrets", "import random", "from random", "import time", "import uuid")

    touching = {
        path.name for path in folder.glob("*.py") for word in forbidden if word in path.read_text(encoding="utf-8")
    }

    assert touching == {"entropy.py"}
