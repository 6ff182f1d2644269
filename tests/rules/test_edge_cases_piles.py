"""E-98 to E-104 and E-115: the open pile, the stock, and the deal."""

import pytest

from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy.testing.packs import DealScript, shuffled_faces
from poolrummy.testing.tables import started
from poolrummy_contracts.cards import Card
from poolrummy_contracts.refusals import Refusal


def take(table):
    return c.Draw(**table.turn(), source="open")


# -- jokers on the open pile


@pytest.mark.rule("4.3")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_joker_that_is_the_first_open_card_may_be_taken(profile):
    """E-98."""
    table = started(terms_of(profile), DealScript(open="JK"), seats=3)

    given(table).when(take(table)).then(a(e.CardDrawn, card="JK", source="open"))


@pytest.mark.rule("4.3")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("setting", "refused"),
    [("first_open_card", False), ("first_open_card_first_turn", True), ("never", True), ("always", False)],
)
def test_the_first_open_card_is_still_the_first_after_a_drop(profile, setting, refused):
    """E-99."""
    table = started(terms_of(profile, open_joker_pick=setting), DealScript(open="JK"), seats=3)
    table.drop()

    given(table).when(take(table)).then(Refusal.OPEN_JOKER if refused else e.CardDrawn)


@pytest.mark.rule("4.3")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_joker_that_was_covered_once_may_not_be_taken_any_more(profile):
    """E-100: it lies on top again after a wrong show."""
    table = started(terms_of(profile), DealScript(open="JK", stock="9C", wild="4S"), seats=3)
    table.play()
    table.draw("open")
    table.finish("")
    table.declare(2, " ".join(table.hand(2)))
    table.judge()
    assert [card.card for card in table.deal.pile] == ["JK"]

    given(table).when(take(table)).then(Refusal.OPEN_JOKER)


@pytest.mark.rule("4.3")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("wild", "card"), [("4S", "4H"), ("4S", "JK"), ("JK", "AD")])
def test_a_joker_that_an_opponent_discards_may_not_be_taken(profile, wild, card):
    """E-101, F61; with a printed joker turned up the aces are wild. A refusal changes nothing."""
    table = started(terms_of(profile), DealScript(stock=card, wild=wild, open="9C"), seats=3)
    table.play()

    given(table).when(take(table)).then(Refusal.OPEN_JOKER)
    given(table).when(c.Draw(**table.turn(), source="stock")).then(e.CardDrawn)


@pytest.mark.rule("4.3")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_wild_card_as_first_open_card_may_be_taken(profile):
    """F61, the other half."""
    table = started(terms_of(profile), DealScript(open="4S", wild="4H"), seats=3)

    given(table).when(take(table)).then(a(e.CardDrawn, card="4S"))


# -- the stock runs out


@pytest.mark.rule("4.6")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("dropped", [False, True])
def test_all_open_cards_but_the_top_become_the_new_stock(profile, dropped):
    """E-102, E-103 and E-104: six seats, two decks; dropped hands and the wild card stay where they are."""
    table = started(terms_of(profile), seats=6)
    if dropped:
        table.drop()
    table.play(26)
    top = table.deal.pile[-1]
    table.draw()

    reshuffled = table.last(e.StockReshuffled)
    assert (len(reshuffled.taken), len(reshuffled.stock)) == (26, 26)
    assert table.deal.pile == (top,)
    assert table.deal.wild.position in table.deal.aside
    assert len(table.of(1).hand) == (13 if dropped else 13 + (table.on_turn == 1))


@pytest.mark.rule("4.6")
def test_dropped_hands_go_into_the_new_stock_where_the_terms_say_so():
    table = started(terms_of(reshuffle_dropped_hands=True), seats=6)
    table.drop()
    table.play(26)
    table.draw()

    assert len(table.last(e.StockReshuffled).taken) == 39
    assert table.of(1).hand == ()


@pytest.mark.rule("4.6")
def test_a_wrong_show_with_a_dead_finish_card_takes_one_card_out_of_the_circle():
    table = started(terms_of(), seats=6)
    table.show(" ".join(table.hand(1)))
    table.play(25)
    assert (len(table.deal.stock), len(table.deal.pile)) == (0, 26)


@pytest.mark.rule("4.6")
def test_a_deal_that_cannot_go_on_for_lack_of_cards_is_void():
    """D-21: no points for anybody, the order of play stays, and the pack is laid bare."""
    table = started(terms_of(max_reshuffles=0), seats=6)
    table.drop()
    table.play(26)

    given(table).when(c.Draw(**table.turn(), source="stock")).then(
        a(e.DealVoided, operator=None, rule="4.6"),
        a(e.SeedRevealed, of_deal=1),
        a(e.DealStarted, deal=2),
        e.TurnStarted,
    )
    assert set(table.totals().values()) == {0}
    assert table.deal.order == (1, 2, 3, 4, 5, 6)


@pytest.mark.rule("4.6")
def test_the_lowest_count_wins_a_deal_without_cards_where_the_terms_say_so():
    """D-21: every seat with the lowest count scores 0, the others their count; a drop stays what it was."""
    complete = "AH 2H 3H 5D 6D 7D JS JH JD QS QH QC QD"
    hands = {2: complete, 3: "AC 2C 3C 5S 6S 7S JC JH JS 10S 10H 10C 10D"}
    terms = terms_of(max_reshuffles=1, on_stock_exhausted="lowest_count_wins")
    table = started(terms, DealScript(hands=hands, wild="4S"), seats=4)
    table.drop()
    while len(table.deal.stock) or table.deal.generation == 0:
        table.play()

    laid_open = table.draw()
    assert [event.seat for event in laid_open] == [2, 3, 4]
    table.judge()

    scored = table.last(e.DealScored)
    assert (scored.how, scored.winner) == ("lowest-count", 2)
    assert (table.points()[1], table.points()[2], table.points()[3]) == (20, 0, 0)
    assert table.points()[4] > 0
    assert table.reasons() == {1: "dropped", 2: "won", 3: "counted", 4: "counted"}


LAID_OUT = {
    "house": (range(26), 26, 27),
    "classic": (range(26), 26, 27),
    "scorekeeper": (range(26), 26, 27),
    "rummypassion": (range(1, 27), 0, 27),
    "deccan": (range(26), 27, 26),
}


@pytest.mark.rule("3.1")
@pytest.mark.parametrize("profile", PROFILES)
def test_the_same_pack_is_dealt_in_the_order_of_the_profile(profile):
    """E-115: hands one card at a time, wild card and open card where the terms turn them."""
    terms = terms_of(profile)
    faces = shuffled_faces(terms, 7)
    table = started(terms, DealScript(faces=faces), seats=2)

    hands, wild, opened = LAID_OUT[profile]
    dealt = table.last(e.DealStarted)
    assert [hand.positions for hand in dealt.hands] == [
        tuple(f"0-{place}" for place in hands[start::2]) for start in (0, 1)
    ]
    assert (dealt.wild.position, dealt.open.position) == (f"0-{wild}", f"0-{opened}")
    assert dealt.stock[0] == "0-28"
    assert (dealt.wild.card, dealt.open.card) == (faces[wild], faces[opened])


@pytest.mark.rule("3.4")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_printed_joker_turned_up_makes_the_aces_wild(profile):
    """D-32."""
    table = started(terms_of(profile), DealScript(wild="JK"), seats=3)

    assert (table.deal.wild.card, table.deal.wild_rank) == ("JK", "A")


@pytest.mark.rule("3.4")
def test_a_printed_joker_turned_up_is_laid_aside_where_another_card_is_turned():
    faces = list(shuffled_faces(terms_of(), 7))
    for place, card in ((26, "JK"), (27, "7H")):
        other = faces.index(Card(card))
        faces[place], faces[other] = faces[other], faces[place]
    table = started(terms_of(printed_wild_rule="redraw"), DealScript(faces=tuple(faces)), seats=2)

    dealt = table.last(e.DealStarted)
    assert ([card.card for card in dealt.set_aside], dealt.wild.card, dealt.wild_rank) == (["JK"], "7H", "7")
    assert dealt.set_aside[0].position in table.deal.aside
    assert dealt.open.position == "0-28"
