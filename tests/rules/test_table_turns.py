"""Turns, draws, discards, missed and automatic turns (rules 4.1 to 4.5 and 4.8)."""

import pytest

from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.tables import started
from poolrummy_contracts.cards import Position
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.terms import AutoTurns, Points, SavedOrMiddleDrop

HAND = "3H 4H 5H 9C 10C JC 8S 8H 8D 8C QS QH QD"
GROUPS = "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / QS QH QD"


@pytest.mark.rule("4.1")
def test_turns_are_numbered_and_go_round_in_the_order_of_play():
    table = started(terms_of(), seats=3)

    table.play(4)

    begun = [event for event in table.log if isinstance(event, e.TurnStarted)]
    assert [(event.turn, event.seat) for event in begun] == [(1, 1), (2, 2), (3, 3), (4, 1), (5, 2)]
    assert {event.ends_at - event.at for event in begun} == {30_000}


@pytest.mark.rule("4.1")
def test_a_move_is_for_one_seat_and_one_turn():
    table = started(terms_of(), seats=3)
    draw = {"source": "stock"}

    given(table).when(c.Draw(**table.turn(2), **draw)).then(Refusal.NOT_YOUR_TURN)
    given(table).when(c.Draw(**{**table.turn(), "turn": 2}, **draw)).then(Refusal.STALE_TURN)
    given(table).when(c.Draw(**{**table.turn(), "deal": 2}, **draw)).then(Refusal.WRONG_DEAL)
    given(table).when(c.Draw(**{**table.turn(), "player": "p2"}, **draw)).then(Refusal.NOT_YOUR_SEAT)
    given(table).when(c.Draw(**{**table.turn(), "seat": 4}, **draw)).then(Refusal.SEAT_EMPTY)
    given(table).when(c.Draw(**table.turn(), **draw)).then(a(e.CardDrawn, card=None, actor="player"))


@pytest.mark.rule("4.2")
def test_a_card_from_the_stock_is_a_position_and_one_from_the_open_pile_a_face():
    table = started(terms_of(), DealScript(open="6C"), seats=2)
    table.play()
    top = table.deal.pile[-1]

    given(table).when(c.Draw(**table.turn(), source="open")).then(
        a(e.CardDrawn, source="open", card=top.card, position=top.position)
    )
    assert len(table.deal.pile) == 1


@pytest.mark.rule("4.2")
def test_an_open_pile_can_be_empty_after_a_wrong_show():
    table = started(terms_of(), DealScript(open="6C"), seats=3)
    table.draw("open")
    table.show(" ".join(table.hand(1)[1:]), card=table.hand(1)[0])

    given(table).when(c.Draw(**table.turn(), source="open")).then(Refusal.OPEN_PILE_EMPTY)


@pytest.mark.rule("4.4")
def test_a_card_is_discarded_that_is_held_and_only_after_drawing():
    table = started(terms_of(), seats=2)
    given(table).when(c.Discard(**table.turn(), position=table.of(1).hand[0])).then(Refusal.NOT_DRAWN_YET)
    table.draw()

    given(table).when(c.Discard(**table.turn(), position=table.of(2).hand[0])).then(Refusal.CARD_NOT_HELD)
    given(table).when(c.Discard(**table.turn(), position=Position("9-999"))).then(Refusal.CARD_NOT_HELD)
    given(table).when(c.Discard(**table.turn(), position=table.of(1).hand[0])).then(e.CardDiscarded, e.TurnStarted)


@pytest.mark.rule("4.4")
def test_the_card_just_taken_from_the_open_pile_may_be_discarded_again():
    table = started(terms_of(), DealScript(open="JK"), seats=2)
    table.draw("open")
    table.discard("JK")

    # It is a discarded joker now, no longer the first open card.
    given(table).when(c.Draw(**table.turn(), source="open")).then(Refusal.OPEN_JOKER)


@pytest.mark.rule("4.5")
def test_a_turn_that_runs_out_passes_without_a_draw():
    table = started(terms_of(), seats=2)
    assert table.wait(69_999) == ()

    missed, begun = table.wait(1)

    assert a(e.TurnMissed, seat=1, misses=1, actor="timer", rule="4.5", cause=None).matches(missed)
    assert a(e.TurnStarted, seat=2, actor="system").matches(begun)
    assert len(table.of(1).hand) == 13


@pytest.mark.rule("4.5")
@pytest.mark.parametrize(("limit", "out_after"), [(1, 1), (2, 2), ("off", None)])
def test_how_many_misses_put_a_seat_out_is_a_setting(limit, out_after):
    table = started(terms_of(auto_drop_after_misses=limit), seats=3)

    for _ in range(3):
        while table.on_turn != 1:
            table.play()
        table.time_out()
        if table.of(1).standing != "playing":
            break

    assert table.of(1).misses == (out_after or 3)
    assert table.of(1).standing == ("dropped" if out_after else "playing")


@pytest.mark.rule("7.4")
@pytest.mark.parametrize(
    ("setting", "points"), [("as_drop", 20), ("middle_drop", 40), ("full_count", 80), (Points(33), 33)]
)
def test_what_too_many_misses_cost_is_a_setting(setting, points):
    table = started(terms_of(auto_drop_points=setting, auto_drop_after_misses=1), seats=3)

    _, dropped, _ = table.time_out()

    assert a(e.SeatDropped, kind="misses", points=points, actor="timer", rule="7.4").matches(dropped)


@pytest.mark.rule("7.4")
def test_a_banned_middle_drop_bans_the_voluntary_one_only():
    """D-17."""
    table = started(terms_of(voluntary_drop="first_only"), seats=2)
    table.play(2)
    given(table).when(c.Drop(**table.who(1), deal=1)).then(Refusal.MIDDLE_DROP_NOT_ALLOWED)

    for _ in range(2):
        table.time_out()
        table.play()
    table.time_out()

    assert table.points() == {1: 40, 2: 0}


@pytest.mark.rule("4.8")
def test_a_drawn_card_that_goes_back_is_an_automatic_turn_too():
    table = started(terms_of(disconnection_policy=AutoTurns(1)), seats=3)
    table.draw()
    drawn = table.deal.drawn.position

    given(table).when_the_time_is_up().then(
        a(e.CardDiscarded, position=drawn, actor="timer"),
        a(e.TurnMissed, misses=1),
        a(e.SeatDropped, kind="policy", points=40),
        a(e.TurnStarted, seat=2),
    )


@pytest.mark.rule("4.8")
def test_who_plays_again_itself_begins_a_new_row_of_automatic_turns():
    table = started(terms_of(disconnection_policy=AutoTurns(2)), seats=2)
    table.play(2)
    for _ in range(3):
        table.time_out()
        table.play(3)

    assert (table.of(1).standing, table.of(1).misses) == ("playing", 0)


@pytest.mark.rule("4.8")
@pytest.mark.parametrize(("saved", "stays"), [(GROUPS, True), ("3H 4H 5H", False), ("", False)])
def test_a_seat_stays_in_automatic_play_while_its_saved_groups_count_less_than_the_middle_drop(saved, stays):
    terms = terms_of(disconnection_policy=SavedOrMiddleDrop(2))
    table = started(terms, DealScript(hands={1: HAND}, wild="4S"), seats=2)
    table.play(2)
    table.save(1, saved)

    for _ in range(4):
        if table.table.deal_number == 1:
            table.time_out()
            if table.on_turn == 2:
                table.play()

    if stays:
        assert (table.deal.number, table.of(1).misses) == (1, 4)
    else:
        assert table.points() == {1: 40, 2: 0}


@pytest.mark.rule("4.8")
def test_an_automatic_turn_without_cards_passes_without_one():
    table = started(terms_of(disconnection_policy=AutoTurns(9), max_reshuffles=0), seats=6)
    table.play(26)
    while table.deal.stock:
        table.play()

    given(table).when_the_time_is_up().then(e.TurnMissed, e.TurnStarted)


@pytest.mark.rule("4.8")
def test_an_automatic_turn_draws_through_a_reshuffle():
    table = started(terms_of(disconnection_policy=AutoTurns(9)), seats=6)
    table.play(26)

    given(table).when_the_time_is_up().then(
        a(e.StockReshuffled, actor="system"),
        a(e.CardDrawn, position="1-0", actor="timer"),
        a(e.CardDiscarded, position="1-0", actor="timer"),
        e.TurnMissed,
        e.TurnStarted,
    )
