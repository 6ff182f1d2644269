import pytest

from poolrummy.fairness.pack import unshuffled
from poolrummy.rules.deal_out import deal_out
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy_contracts.cards import Card

ORDER = (3, 1, 2)
HANDS = tuple(tuple(range(seat, 39, 3)) for seat in range(3))


def pack(**faces):
    """Two decks in their first order, with these faces at these places."""
    cards = [Card(face) for face in unshuffled(2, 1)]
    for place, face in faces.items():
        cards[int(place[1:])] = Card(face)
    return cards


@pytest.mark.rule("3.2")
def test_cards_are_dealt_one_at_a_time_in_order_of_play():
    layout = deal_out(terms_of(), ORDER, pack())

    assert layout.hands == HANDS
    assert layout.hands[0][:3] == (0, 3, 6)


@pytest.mark.rule("3.3")
@pytest.mark.parametrize(
    ("profile", "hands_from", "wild", "opened"),
    [
        ("house", 0, 39, 40),
        ("classic", 0, 39, 40),
        ("scorekeeper", 0, 39, 40),
        ("rummypassion", 1, 0, 40),
        ("deccan", 0, 40, 39),
    ],
)
def test_the_same_pack_is_dealt_in_the_order_that_the_profile_says_e_115(profile, hands_from, wild, opened):
    layout = deal_out(terms_of(profile), ORDER, pack())

    assert layout.hands == tuple(tuple(place + hands_from for place in hand) for hand in HANDS)
    assert (layout.wild, layout.open) == (wild, opened)
    assert layout.stock == tuple(range(41, 106))


@pytest.mark.rule("3.4")
def test_the_rank_of_the_card_that_is_turned_up_is_wild():
    assert deal_out(terms_of(), ORDER, pack(p39="4S")).wild_rank == "4"


@pytest.mark.rule("3.4")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_printed_joker_that_is_turned_up_makes_aces_wild(profile):
    layout = deal_out(terms_of(profile), ORDER, pack(p0="JK", p39="JK", p40="JK"))

    assert (layout.wild_rank, layout.set_aside) == ("A", ())


@pytest.mark.rule("3.4")
def test_with_redraw_printed_jokers_are_laid_aside_until_another_card_is_turned():
    layout = deal_out(terms_of(printed_wild_rule="redraw"), ORDER, pack(p39="JK", p40="JK", p41="9H"))

    assert (layout.set_aside, layout.wild, layout.wild_rank) == ((39, 40), 41, "9")
    assert (layout.open, layout.stock[0]) == (42, 43)


@pytest.mark.rule("3.4")
def test_with_redraw_before_the_deal_the_hands_come_after_the_card_that_counts():
    terms = terms_of("rummypassion", printed_wild_rule="redraw")
    layout = deal_out(terms, ORDER, pack(p0="JK", p1="9H"))

    assert (layout.set_aside, layout.wild, layout.hands[0][0], layout.open) == ((0,), 1, 2, 41)


@pytest.mark.rule("3.4")
def test_an_open_card_that_is_a_printed_joker_stays_where_it_is():
    layout = deal_out(terms_of(printed_wild_rule="redraw"), ORDER, pack(p39="9H", p40="JK"))

    assert (layout.open, layout.set_aside) == (40, ())


@pytest.mark.rule("3.5")
@pytest.mark.parametrize(("decks", "seats", "stock"), [(1, 2, 25), (1, 3, 12), (2, 2, 78), (2, 6, 26), (3, 6, 79)])
def test_every_card_of_the_pack_is_in_one_place(decks, seats, stock):
    faces = [Card(face) for face in unshuffled(decks, 1)]
    layout = deal_out(terms_of(), range(1, seats + 1), faces)
    places = [*(place for hand in layout.hands for place in hand), layout.wild, layout.open, *layout.stock]

    assert sorted(places) == list(range(len(faces)))
    assert len(layout.stock) == stock
    assert {len(hand) for hand in layout.hands} == {13}


@pytest.mark.rule("3.5")
def test_a_pack_that_is_too_small_is_our_own_mistake():
    with pytest.raises(AssertionError, match="too small"):
        deal_out(terms_of(), (1, 2, 3, 4), [Card(face) for face in unshuffled(1, 1)])
