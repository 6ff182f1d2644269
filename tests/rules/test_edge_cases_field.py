"""What goes wrong in public: turns, races and cards that must not happen here."""

import pytest

from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import terms_of
from poolrummy.testing.packs import DealScript, Script, shuffled_faces
from poolrummy.testing.tables import TABLE, opened, started
from poolrummy_contracts.cards import Card
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.terms import AutoTurns

COMPLETE = "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / QS QH QD"
HAND = COMPLETE.replace("/", " ")


# -- field cases


@pytest.mark.rule("4.8")
def test_an_absent_seat_gets_so_many_automatic_turns_then_drops():
    """F75 with ``auto_turns(3)``."""
    table = started(terms_of(disconnection_policy=AutoTurns(3)), seats=2, totals=(10, 0))
    table.play(2)

    for _ in range(2):
        drawn, discarded, missed, _ = table.time_out()
        assert (drawn.source, drawn.position) == ("stock", discarded.position)
        assert {drawn.actor, discarded.actor, missed.actor} == {"timer"}
        assert {drawn.rule, discarded.rule} == {"4.8"}
        table.play()
    dropped = next(event for event in table.time_out() if isinstance(event, e.SeatDropped))

    assert (dropped.kind, dropped.points, dropped.actor) == ("policy", 40, "timer")
    assert table.totals()[1] == 50
    while table.on_turn != 1:
        table.play()
    given(table).when_the_time_is_up().then(
        a(e.TurnMissed, misses=1),
        a(e.SeatDropped, kind="policy", points=20, actor="timer"),
        e.DealScored,
        e.DealStarted,
        e.TurnStarted,
    )
    assert table.totals()[1] == 70


@pytest.mark.rule("7.4")
def test_in_the_house_no_card_moves_for_an_absent_seat():
    """F75 with the policy of ``house``: 50, then 70."""
    table = started(terms_of(), seats=2, totals=(10, 0))
    table.play(2)

    for expected in (50, 70):
        while table.totals()[1] != expected:
            if table.on_turn == 1:
                assert not [event for event in table.time_out() if isinstance(event, e.CardDrawn)]
            else:
                table.play()


@pytest.mark.rule("4.1")
def test_the_turn_goes_to_the_next_seat_after_a_drop():
    """F50: seat 4 drops, seat 5 plays, seat 1 drops, and it is the turn of seat 2."""
    table = started(terms_of(), seats=5)
    table.play(3)
    assert table.on_turn == 4

    table.drop()
    assert table.on_turn == 5
    table.play()
    table.drop()
    assert table.on_turn == 2


@pytest.mark.rule("4.6")
def test_106_cards_through_a_reshuffle():
    """F54 and E-102: 6 players, stock 26; after 26 draws the 27th finds a new stock."""
    table = started(terms_of(), seats=6)
    table.play(26)
    assert (len(table.deal.stock), len(table.deal.pile)) == (0, 27)

    given(table).when(c.Draw(**table.turn(), source="stock")).then(
        a(e.StockReshuffled, generation=1), a(e.CardDrawn, position="1-0")
    )

    assert (len(table.deal.stock), len(table.deal.pile)) == (25, 1)
    assert (len(table.last(e.StockReshuffled).taken), table.deal.wild.position in table.deal.aside) == (26, True)


@pytest.mark.rule("3.5")
def test_a_pack_with_one_card_too_many_and_another_missing_is_not_dealt():
    """F57: the second 8 of hearts lies in the stock and, in place of a king, in a hand."""
    terms = terms_of()
    faces = list(shuffled_faces(terms, 7))
    faces[faces.index("KD")] = Card("8H")
    table = opened(terms, Script(terms, {1: DealScript(faces=tuple(faces))}))
    table.sit(1, 2, 3, 4, 5)

    with pytest.raises(AssertionError, match="not made of the decks"):
        table.sit(6)
    assert table.table.phase == "starting"


@pytest.mark.rule("4.4")
def test_of_two_equal_cards_the_one_that_is_named_is_discarded():
    """F58."""
    table = started(terms_of(), DealScript(hands={1: HAND}, stock="9C", wild="4S"), seats=2)
    table.draw()
    first, second = (where for where in table.of(1).hand if table.script.face(where) == "9C")

    table.do(c.Discard(**table.turn(), position=second))

    assert first in table.of(1).hand
    assert table.deal.pile[-1] == e.ShownCard("9C", second)


@pytest.mark.rule("4.2")
def test_two_taps_give_one_card():
    """F62, F64 and F73."""
    table = started(terms_of(), seats=2)
    given(table).when(c.Discard(**table.turn(), position=table.of(1).hand[0])).then(Refusal.NOT_DRAWN_YET)
    table.draw()

    given(table).when(c.Draw(**table.turn(), source="stock"), after_ms=30).then(Refusal.ALREADY_DRAWN)
    assert len(table.of(1).hand) == 14


@pytest.mark.rule("4.5")
def test_a_move_that_comes_after_the_automatic_one_is_late_and_names_it():
    """F65."""
    table = started(terms_of(), seats=3)
    table.draw()
    command = c.Discard(**table.turn(), position=table.of(1).hand[0])
    table.time_out()
    missed = table.last(e.TurnMissed)

    refused = table.send(command)

    assert refused.refusal is Refusal.TOO_LATE
    assert f"version {missed.v}" in refused.sentence


@pytest.mark.rule("4.7")
def test_a_clock_or_a_tap_that_was_meant_for_another_turn_does_nothing():
    """F66."""
    table = started(terms_of(), seats=3)
    armed = table.table.clock.armed_by
    table.draw()
    command = c.Discard(**table.turn(), position=table.deal.drawn.position)
    table.do(command)
    ends_at = table.table.clock.ends_at

    given(table).when(c.RunClock(table=TABLE, deadline=armed), after_ms=5).then()
    given(table).when(command).then(Refusal.NOT_YOUR_TURN)
    assert table.table.clock.ends_at == ends_at


@pytest.mark.rule("7.6")
def test_a_drop_off_turn_waits_for_the_turn():
    """F52."""
    table = started(terms_of(), seats=5)
    table.play()
    table.drop(5)
    assert table.on_turn == 2
    table.play(2)

    given(table).when(c.Draw(**table.turn(), source="stock")).then(e.CardDrawn)
    given(table).when(c.Discard(**table.turn(), position=table.deal.drawn.position)).then(
        e.CardDiscarded,
        a(e.TurnStarted, seat=5),
        a(e.SeatDropped, seat=5, kind="first", points=20, actor="player"),
        a(e.TurnStarted, seat=1),
    )


@pytest.mark.rule("8.1")
def test_who_dropped_is_not_scored_again_when_somebody_shows():
    """F29."""
    hands = {1: HAND, 2: "KS QH 9D 8C 7S 6H 5D 4C 3S 2H JD 10C 9S"}
    table = started(terms_of(), DealScript(hands=hands, wild="AC"), seats=3)
    table.play()
    table.drop()
    table.play(3)

    table.show(COMPLETE)
    table.time_out()
    table.judge()

    assert table.points()[2] == 20
    assert [event.seat for event in table.log if isinstance(event, e.HandLaidOpen)] == [3]
