"""Each card is checked at once against the root (rule 3.7)."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolrummy.fairness import pack
from poolrummy.fairness.transcript import DeckSpec, SeatPlace, without_seat_seeds
from poolrummy_contracts.cards import Card, position
from poolrummy_contracts.events import OpenedCard
from poolrummy_contracts.openings import card_fault, check_card


def opened(dealt, place):
    found = dealt.opening(place)
    return OpenedCard(Card(found.face), position(dealt.generation, place), found.salt, found.path)


@pytest.fixture(scope="module")
def dealt():
    return pack.deal_pack(
        bytes(range(80)),
        without_seat_seeds(
            deck=DeckSpec(decks=2, printed_jokers_per_deck=1),
            rules="5e" * 32,
            table="p07-9f2c",
            deal=3,
            seats=[SeatPlace(seat="1", player="p-1")],
        ),
    )


@pytest.mark.rule("3.7")
def test_every_card_of_a_pack_is_proved(dealt):
    cards = [opened(dealt, place) for place in range(dealt.leaves)]

    assert all(check_card(card, root=dealt.root, generation=0, leaves=106) for card in cards)


@pytest.mark.rule("3.7")
@given(data=st.data())
def test_no_card_is_proved_with_the_opening_of_another(dealt, data):
    one, other = data.draw(st.lists(st.integers(0, 105), min_size=2, max_size=2, unique=True))
    card, stranger = opened(dealt, one), opened(dealt, other)
    for field in ("card", "position", "salt", "path"):
        forged = msgspec.structs.replace(card, **{field: getattr(stranger, field)})
        assert forged == card or not check_card(forged, root=dealt.root, generation=0, leaves=106), field


@pytest.mark.rule("3.7")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"salt": "", "path": ()}, "reveal policy is `auditor`"),
        ({"salt": "zz"}, "lower-case hex"),
        ({"card": "XX"}, "is no card"),
        ({"position": "0-x"}, "is no position"),
        ({"position": "0-041"}, "is no position"),
        ({"position": "1-4"}, "generation 1"),
        ({"position": "0-106"}, "no place 106"),
    ],
)
def test_a_person_is_told_what_is_wrong(dealt, change, said):
    card = msgspec.structs.replace(opened(dealt, 4), **change)

    assert said in card_fault(card, root=dealt.root, generation=0, leaves=106)


def test_a_root_in_upper_case_is_no_root(dealt):
    assert "root" in card_fault(opened(dealt, 4), root=dealt.root.upper(), generation=0, leaves=106)
