"""Dropping out of a deal: when, at what price, and in advance (chapter 7)."""

import pytest

from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.tables import started
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.seat_lines import DropNoted, DropWithdrawn

HAND = "3H 4H 5H 9C 10C JC 8S 8H 8D 8C QS QH QD"
GROUPS = "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / QS QH QD"


def drops(table, seat):
    return c.Drop(**table.who(seat), deal=table.deal.number)


@pytest.mark.rule("7.2")
@pytest.mark.rule("7.3")
@pytest.mark.parametrize(
    ("variant", "first", "middle"), [("101", 20, 40), ("201", 25, 50), ("61", 15, 30), ("51", 10, 20)]
)
def test_a_first_drop_and_a_middle_drop_have_their_price_in_each_pool(variant, first, middle):
    table = started(terms_of(variant=variant), seats=4)
    given(table).when(drops(table, 1)).then(
        a(e.SeatDropped, seat=1, kind="first", points=first, actor="player", rule="7.2"), a(e.TurnStarted, seat=2)
    )
    table.play(3)
    given(table).when(drops(table, 2)).then(
        a(e.SeatDropped, seat=2, kind="middle", points=middle, rule="7.3"), a(e.TurnStarted, seat=3)
    )


@pytest.mark.rule("7.1")
def test_who_is_out_of_the_deal_does_nothing_in_it_any_more():
    table = started(terms_of(), seats=3)
    table.drop()

    given(table).when(drops(table, 1)).then(Refusal.SEAT_OUT_OF_DEAL)
    given(table).when(c.Draw(**table.turn(1), source="stock")).then(Refusal.SEAT_OUT_OF_DEAL)
    given(table).when(c.SaveGroups(**table.who(1), deal=1, groups=())).then(Refusal.SEAT_OUT_OF_DEAL)


@pytest.mark.rule("7.1")
def test_a_drop_names_its_deal():
    table = started(terms_of(), seats=3)

    given(table).when(c.Drop(**table.who(1), deal=2)).then(Refusal.WRONG_DEAL)


@pytest.mark.rule("7.1")
@pytest.mark.parametrize(
    ("setting", "first", "middle"),
    [
        ("both", None, None),
        ("first_only", None, Refusal.MIDDLE_DROP_NOT_ALLOWED),
        ("none", Refusal.DROP_NOT_ALLOWED, Refusal.DROP_NOT_ALLOWED),
    ],
)
def test_which_drops_a_player_may_choose_is_a_setting(setting, first, middle):
    early, later = (started(terms_of(voluntary_drop=setting), seats=3) for _ in range(2))
    later.play(3)

    assert early.refusal(drops(early, 1)) is first
    assert later.refusal(drops(later, 1)) is middle


@pytest.mark.rule("7.1")
def test_after_the_deadline_a_drop_on_turn_is_late():
    table = started(terms_of(), seats=3)

    given(table).when(drops(table, 1), after_ms=70_001).then(Refusal.TOO_LATE)


@pytest.mark.rule("7.1")
def test_a_card_from_the_open_pile_returns_before_a_drop_after_drawing():
    table = started(terms_of(drop_window="any_time_in_turn"), DealScript(open="JK"), seats=3)
    table.draw("open")

    given(table).when(drops(table, 1)).then(
        a(e.CardReturned, card="JK", actor="player"), a(e.SeatDropped, kind="middle"), e.TurnStarted
    )
    given(table).when(c.Draw(**table.turn(), source="open")).then(a(e.CardDrawn, card="JK"))


@pytest.mark.rule("7.5")
def test_the_last_seat_wins_with_14_cards_in_hand_too():
    table = started(terms_of(), seats=2)
    table.draw()

    given(table).when(c.Leave(**table.who(2))).then(
        a(e.SeatDropped, seat=2, kind="left"),
        e.SeatForfeited,
        a(e.DealScored, how="last-seat", winner=1),
        a(e.MatchEnded, how="last-seat"),
        e.BatchClosed,
        e.TableClosed,
    )


# -- in advance


@pytest.mark.rule("7.6")
def test_a_noted_drop_is_a_line_for_its_seat_alone():
    table = started(terms_of(), seats=3)
    command = drops(table, 3)
    given(table).when(command).then()

    line = table.lines[-1]
    assert isinstance(line, DropNoted)
    assert (line.seat, line.command) == (3, command.id)
    given(table).when(drops(table, 3)).then(Refusal.DROP_ALREADY_ASKED)


@pytest.mark.rule("7.6")
def test_a_noted_drop_names_the_command_that_asked_for_it():
    table = started(terms_of(), seats=3)
    command = drops(table, 2)
    table.do(command)
    table.draw()

    *_, dropped, _ = table.discard()

    assert a(e.SeatDropped, seat=2, kind="first", points=20, actor="player", cause=command.id, rule="7.6").matches(
        dropped
    )


@pytest.mark.rule("7.6")
def test_several_noted_drops_act_one_after_the_other():
    table = started(terms_of(), seats=4)
    for seat in (2, 3, 4):
        table.drop(seat)

    table.draw()
    given(table).when(c.Discard(**table.turn(), position=table.deal.drawn.position)).then(
        e.CardDiscarded,
        a(e.TurnStarted, seat=2),
        a(e.SeatDropped, seat=2),
        a(e.TurnStarted, seat=3),
        a(e.SeatDropped, seat=3),
        a(e.TurnStarted, seat=4),
        a(e.SeatDropped, seat=4),
        a(e.DealScored, winner=1),
        e.DealStarted,
        e.TurnStarted,
    )


@pytest.mark.rule("7.6")
def test_a_noted_drop_may_be_withdrawn():
    table = started(terms_of(), seats=3)
    given(table).when(c.WithdrawDrop(**table.who(2), deal=1)).then(Refusal.DROP_NOT_ASKED)
    table.drop(2)
    given(table).when(c.WithdrawDrop(**table.who(2), deal=1)).then()
    assert isinstance(table.lines[-1], DropWithdrawn)

    table.play()
    assert (table.on_turn, table.of(2).standing) == (2, "playing")


@pytest.mark.rule("7.6")
def test_a_noted_drop_lapses_with_the_deal():
    table = started(terms_of(split_formula="off"), seats=3)
    table.drop(3)
    table.leave(2)
    assert table.deal.number == 1

    table.drop()

    # Seat 3 has won deal 1 before its turn came; in deal 2 it plays.
    assert table.points() == {1: 20, 2: 20, 3: 0}
    assert table.deal.number == 2
    assert table.on_turn == 3


@pytest.mark.rule("7.6")
def test_a_valid_show_before_that_turn_finds_the_seat_still_playing():
    """D-41."""
    table = started(terms_of(), DealScript(hands={1: HAND}, wild="4S"), seats=3)
    table.drop(3)

    table.show(GROUPS)

    assert table.last(e.DeclareWindowOpened).seats == (2, 3)


@pytest.mark.rule("7.6")
def test_a_drop_may_be_noted_while_somebody_else_shows():
    table = started(terms_of(), DealScript(hands={1: HAND}, wild="4S"), seats=3)
    table.draw()
    table.finish()
    given(table).when(drops(table, 1)).then(Refusal.NOT_NOW)
    given(table).when(drops(table, 2)).then()

    table.declare(1, HAND)
    table.judge()
    assert table.points() == {1: 80, 2: 20, 3: 0}


@pytest.mark.rule("7.6")
def test_after_a_valid_show_nobody_drops():
    table = started(terms_of(), DealScript(hands={1: HAND}, wild="4S"), seats=3)
    table.show(GROUPS)

    given(table).when(drops(table, 2)).then(Refusal.NOT_NOW)


@pytest.mark.rule("7.6")
def test_off_turn_a_drop_is_refused_where_the_terms_allow_none_in_advance():
    """F52."""
    table = started(terms_of(drop_in_advance=False), seats=3)

    given(table).when(drops(table, 2)).then(Refusal.DROP_IN_ADVANCE_NOT_ALLOWED)


@pytest.mark.rule("7.6")
def test_a_drop_noted_after_the_first_turn_is_a_middle_drop():
    table = started(terms_of(voluntary_drop="first_only"), seats=3)
    table.play()

    given(table).when(drops(table, 1)).then(Refusal.MIDDLE_DROP_NOT_ALLOWED)
    given(table).when(drops(table, 3)).then()
