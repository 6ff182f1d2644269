"""E-54 to E-64: the finisher's clock, drops, missed turns and time banks."""

import pytest

from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.tables import started
from poolrummy_contracts.refusals import Refusal

COMPLETE = "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / QS QH QD"
HAND = COMPLETE.replace("/", " ")


# -- the finisher's clock


def finished(profile, **settings):
    """The finisher saves valid groups after 20 s and does not press Declare in time."""
    table = started(terms_of(profile, **settings), DealScript(hands={1: HAND}, wild="4S"), seats=3)
    table.play(3)
    table.draw()
    table.finish()
    table.wait(20_000)
    table.save(1, COMPLETE)
    return table


@pytest.mark.rule("6.8")
@pytest.mark.parametrize("profile", PROFILES)
def test_the_groups_as_they_stood_at_the_deadline_are_judged_or_it_is_a_wrong_show(profile):
    """E-54."""
    table = finished(profile)
    table.wait(11_000)
    late = table.refusal(c.Declare(**table.who(1), deal=1, groups=()))
    table.judge()

    if profile in ("rummypassion", "classic"):
        assert late is Refusal.SEAT_OUT_OF_DEAL
        assert (table.of(1).standing, table.of(1).points) == ("wrong-show", 80)
        assert table.of(1).hand == ()
        assert not [event for event in table.log if isinstance(event, e.ShowDeclared)]
    else:
        assert late is Refusal.TOO_LATE
        assert (table.deal.winner, table.last(e.ShowJudged).points) == (1, 0)


@pytest.mark.rule("6.8")
@pytest.mark.parametrize("profile", PROFILES)
def test_the_time_of_arrival_decides_and_the_grace_is_none(profile):
    """E-55: sent at 29.9 s, received at 30.2 s."""
    table = finished(profile)
    table.now_ms += 10_200
    command = c.Declare(**table.who(1), deal=1, groups=table.placed(1, COMPLETE))

    given(table).when(command).then(Refusal.TOO_LATE)


@pytest.mark.rule("4.7")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("after_ms", "counts"), [(10_200, True), (10_201, False)])
def test_a_grace_lets_a_command_count_that_comes_a_little_late(profile, after_ms, counts):
    """E-55 with ``late_grace_ms = 200``."""
    table = finished(profile, late_grace_ms=200)
    command = c.Declare(**table.who(1), deal=1, groups=table.placed(1, COMPLETE))

    given(table).when(command, after_ms=after_ms).then(a(e.ShowDeclared) if counts else Refusal.TOO_LATE)


# -- drops, missed turns and clocks


@pytest.mark.rule("7.1")
@pytest.mark.parametrize("profile", PROFILES)
def test_who_has_drawn_may_not_drop_in_this_turn(profile):
    """E-56."""
    table = started(terms_of(profile), seats=3)
    table.draw()

    given(table).when(c.Drop(**table.who(1), deal=1)).then(Refusal.DROP_AFTER_DRAW)


@pytest.mark.rule("7.2")
@pytest.mark.parametrize(("basis", "points"), [("no_card_drawn", 40), ("first_turn", 20)])
def test_a_drop_after_drawing_costs_by_the_border_of_the_first_drop(basis, points):
    """E-56 with ``any_time_in_turn``; the drawn card goes to the open pile first."""
    table = started(terms_of(drop_window="any_time_in_turn", first_drop_basis=basis), seats=3)
    table.draw()
    drawn = table.deal.drawn.position

    given(table).when(c.Drop(**table.who(1), deal=1)).then(
        a(e.CardDiscarded, position=drawn), a(e.SeatDropped, points=points), a(e.TurnStarted, seat=2)
    )


@pytest.mark.rule("7.2")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_drop_at_the_second_turn_after_missing_the_first(profile):
    """E-57."""
    table = started(terms_of(profile), seats=2)
    table.time_out()
    table.play()

    dropped = table.drop()[0]

    assert dropped.points == (40 if profile == "scorekeeper" else 20)


WITHOUT_A_CARD = {
    "101": {"house": 20, "rummypassion": 20, "classic": 40, "deccan": 40, "scorekeeper": 40},
    "201": {"house": 25, "rummypassion": 25, "classic": 50, "deccan": 40, "scorekeeper": 50},
}


@pytest.mark.rule("7.4")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("variant", "middle"), [("101", 40), ("201", 50)])
def test_three_misses_in_a_row_after_a_draw_cost_the_middle_drop(profile, variant, middle):
    """E-58."""
    table = started(terms_of(profile, variant), seats=2)
    table.play(2)

    for _ in range(2):
        table.time_out()
        table.play()
    table.time_out()

    assert table.points() == {1: 40 if profile == "deccan" else middle, 2: 0}


@pytest.mark.rule("7.4")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("variant", ["101", "201"])
def test_three_misses_in_a_row_without_a_card(profile, variant):
    """E-59."""
    table = started(terms_of(profile, variant), seats=2)

    for _ in range(2):
        table.time_out()
        table.play()
    table.time_out()

    assert table.points() == {1: WITHOUT_A_CARD[variant][profile], 2: 0}


@pytest.mark.rule("4.5")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_turn_that_is_played_ends_the_row_of_misses(profile):
    """E-60: miss, miss, play, miss, miss."""
    table = started(terms_of(profile), seats=2)

    for act in (table.time_out, table.time_out, table.play, table.time_out, table.time_out):
        act()
        table.play()

    assert (table.of(1).standing, table.of(1).misses) == ("playing", 2)


@pytest.mark.rule("4.7")
@pytest.mark.parametrize("profile", PROFILES)
def test_the_time_bank_is_shared_over_the_turns_of_a_deal(profile):
    """E-61: 45 s leave 25 s of the bank; the second turn times out at 55 s."""
    table = started(terms_of(profile), seats=2)
    table.draw()
    table.wait(45_000)
    table.discard()
    assert table.table.bank_ms(1) == 25_000
    table.play()
    begun = table.now_ms

    assert not table.wait(54_999)
    missed, *_ = table.wait(1)

    assert isinstance(missed, e.TurnMissed)
    assert (missed.at - begun, table.table.bank_ms(1)) == (55_000, 0)


@pytest.mark.rule("4.5")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_card_drawn_and_not_discarded_in_time_goes_to_the_open_pile(profile):
    """E-62 and F70."""
    table = started(terms_of(profile), DealScript(stock="KD", wild="4S"), seats=2)
    table.draw()

    given(table).when_the_time_is_up().then(
        a(e.CardDiscarded, card="KD", actor="timer", seat=1),
        a(e.TurnMissed, misses=1, actor="timer"),
        a(e.TurnStarted, seat=2),
    )


@pytest.mark.rule("4.5")
def test_a_card_from_the_open_pile_returns_to_it_as_it_was():
    """E-62: a first open card is still the first open card."""
    table = started(terms_of(), DealScript(open="JK"), seats=2)
    table.draw("open")

    given(table).when_the_time_is_up().then(
        a(e.CardReturned, card="JK", actor="timer"), e.TurnMissed, a(e.TurnStarted, seat=2)
    )
    given(table).when(c.Draw(**table.turn(), source="open")).then(a(e.CardDrawn, card="JK"))


@pytest.mark.rule("7.1")
@pytest.mark.parametrize("profile", ["house", "classic"])
def test_best_of_3_has_no_drop(profile):
    """E-63."""
    table = started(terms_of(profile, "best_of_3"))

    given(table).when(c.Drop(**table.who(1), deal=1)).then(Refusal.DROP_NOT_ALLOWED)


@pytest.mark.rule("7.4")
@pytest.mark.parametrize("profile", ["house", "classic"])
def test_in_best_of_3_three_misses_cost_the_full_count(profile):
    """E-64."""
    table = started(terms_of(profile, "best_of_3"))

    for _ in range(2):
        table.time_out()
        table.play()
    table.time_out()

    assert table.points() == {1: 80, 2: 0}
