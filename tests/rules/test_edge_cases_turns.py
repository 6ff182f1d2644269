"""E-38 to E-64: totals and the limit, the end of a deal, drops, missed turns and clocks."""

import pytest

from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.tables import TABLE, after_deal, started
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.terms import AutoTurns

COMPLETE = "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / QS QH QD"
HAND = COMPLETE.replace("/", " ")
WRONG = "3H 4H 5H 9C / 10C JC 8S / 8H 8D 8C / QS QH QD"


def out(table):
    return [event.seat for event in table.log if isinstance(event, e.SeatEliminated)]


def drops_at_once(table):
    table.drop()


def drops_later(table):
    table.play(2)
    table.drop()


def shows_wrongly(table):
    hand = table.hand(table.on_turn)
    table.show(" ".join(hand))


# case, variant, total before, what seat 1 does, total after, whether it is out
LIMITS = [
    ("E-38", "101", 81, drops_at_once, 101, True),
    ("E-39 wrong show", "101", 21, shows_wrongly, 101, True),
    ("E-39 middle drop", "101", 61, drops_later, 101, True),
    ("E-40", "101", 80, drops_at_once, 100, False),
    ("E-41 175", "201", 175, drops_at_once, 200, False),
    ("E-41 176", "201", 176, drops_at_once, 201, True),
    ("E-41 121", "201", 121, shows_wrongly, 201, True),
    ("E-41 151", "201", 151, drops_later, 201, True),
    ("F31", "201", 180, drops_at_once, 205, True),
]
SMALL_POOLS = [
    ("E-42 45", "61", 45, drops_at_once, 60, False),
    ("E-42 46", "61", 46, drops_at_once, 61, True),
    ("F31", "61", 40, drops_later, 70, True),
    ("51", "51", 40, drops_at_once, 50, False),
    ("51 middle", "51", 31, drops_later, 51, True),
]


@pytest.mark.rule("9.2")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("case", "variant", "before", "act", "after", "is_out"), LIMITS, ids=[one[0] for one in LIMITS]
)
def test_a_total_at_the_limit_is_out_in_every_profile(case, variant, before, act, after, is_out, profile):
    table = started(terms_of(profile, variant), seats=2, totals=(before, 0))

    act(table)

    assert table.totals()[1] == after
    assert out(table) == ([1] if is_out else [])


@pytest.mark.rule("9.2")
@pytest.mark.parametrize(
    ("case", "variant", "before", "act", "after", "is_out"), SMALL_POOLS, ids=[one[0] for one in SMALL_POOLS]
)
def test_the_small_pools_have_their_own_drops_and_limits(case, variant, before, act, after, is_out):
    table = started(terms_of(variant=variant), seats=2, totals=(before, 0))

    act(table)

    assert (table.totals()[1], out(table)) == (after, [1] if is_out else [])


@pytest.mark.rule("9.2")
@pytest.mark.parametrize(("before", "act"), [(81, drops_at_once), (21, shows_wrongly), (61, drops_later)])
def test_exactly_the_limit_is_in_where_the_terms_say_more_than_it(before, act):
    """E-38 and E-39 with ``gt``."""
    table = started(terms_of("rummypassion", elimination_cmp="gt", rejoin_enabled=False), seats=2, totals=(before, 0))

    act(table)

    assert (table.totals()[1], out(table)) == (101, [])


@pytest.mark.rule("12.1")
@pytest.mark.parametrize("profile", PROFILES)
def test_heads_up_a_seat_at_the_limit_is_out_and_the_other_has_won(profile):
    """E-43."""
    table = started(terms_of(profile), seats=2, totals=(81, 95))

    table.drop()

    assert out(table) == [1]
    if table.table.phase == "rejoining":
        table.time_out()
    ended = table.last(e.MatchEnded)
    assert [place.seat for place in ended.places] == [2, 1]


@pytest.mark.rule("10.2")
@pytest.mark.parametrize("profile", PROFILES)
def test_74_and_40_make_114_and_who_may_come_back_depends_on_the_profile(profile):
    """E-44: the highest survivor has 88."""
    table = after_deal(terms_of(profile), [114, 88, 40])

    offers = [offer for event in table.log if isinstance(event, e.RejoinOffered) for offer in event.offers]
    assert [(offer.seat, offer.score) for offer in offers] == ([(1, 87)] if profile == "scorekeeper" else [])
    assert out(table) == [1]


# -- the end of a deal


@pytest.mark.rule("7.5")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("variant", "drop"), [("101", 20), ("201", 25)])
def test_all_but_one_drop_and_the_last_has_won_without_a_turn(profile, variant, drop):
    """E-45."""
    table = started(terms_of(profile, variant), seats=3)

    table.drop()
    table.drop()

    assert table.points() == {1: drop, 2: drop, 3: 0}


@pytest.mark.rule("7.5")
@pytest.mark.parametrize("profile", PROFILES)
def test_with_two_the_first_to_act_drops_and_the_other_has_won(profile):
    """E-46."""
    table = started(terms_of(profile), seats=2)

    table.drop()

    assert table.points() == {1: 20, 2: 0}


@pytest.mark.rule("6.5")
@pytest.mark.parametrize("profile", PROFILES)
def test_after_a_wrong_show_the_others_play_on(profile):
    """E-47 and E-48, F34."""
    table = started(terms_of(profile), seats=3)

    shows_wrongly(table)
    assert table.table.phase == "turn"
    assert table.deal.playing() == (2, 3)

    table.play(2)
    table.drop()
    assert table.points() == {1: 80, 2: 40, 3: 0}


@pytest.mark.rule("6.5")
def test_a_later_show_scores_everybody_beside_the_wrong_one():
    """F34: seat 3 holds 31."""
    hands = {2: HAND, 3: "AH 2H 3H 5D 6D 7D JS JH JD 2C 9S KD KC"}
    table = started(terms_of(), DealScript(hands=hands, wild="4S"), seats=3)
    shows_wrongly(table)
    table.play(2)

    table.show(COMPLETE)
    table.declare(3, hands[3])
    table.judge()

    assert table.points() == {1: 80, 2: 0, 3: 31}


@pytest.mark.rule("6.5")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("hopeless", ["KS QH JD 10C AS 9D 8H 7S 6C 4D 3S 4C 3D", ""])
def test_with_two_a_wrong_show_wins_the_deal_for_the_other_whatever_it_holds(profile, hopeless):
    """E-49 and E-50."""
    table = started(terms_of(profile), DealScript(hands={2: hopeless}, wild="5S"), seats=2)

    shows_wrongly(table)

    assert table.points() == {1: 80, 2: 0}
    assert not [event for event in table.log if isinstance(event, e.HandLaidOpen)]


@pytest.mark.rule("9.2")
@pytest.mark.parametrize("profile", PROFILES)
def test_one_seat_always_survives_a_deal(profile):
    """E-51."""
    table = after_deal(terms_of(profile, rejoin_enabled=False), [100, 101, 101, 101])

    assert out(table) == [2, 3, 4]
    assert table.last(e.MatchEnded).places[0].seat == 1


@pytest.mark.rule("7.4")
@pytest.mark.parametrize("profile", PROFILES)
def test_everybody_stays_away_and_the_last_that_is_not_out_wins(profile):
    """E-52."""
    table = started(terms_of(profile), seats=3)

    for _ in range(8):
        table.time_out()

    cost = {"classic": 40, "scorekeeper": 40, "deccan": 40}.get(profile, 20)
    assert table.points() == {1: cost, 2: cost, 3: 0}


@pytest.mark.rule("6.5")
@pytest.mark.parametrize("profile", PROFILES)
def test_after_a_wrong_show_the_finish_card_is_dead_and_the_open_pile_as_it_was(profile):
    """E-53."""
    table = started(terms_of(profile), DealScript(hands={1: HAND}, open="6C", stock="2D 7C", wild="4S"), seats=3)

    table.draw()
    table.finish("8S")
    finish_card = table.deal.finish
    table.declare(1, "3H 4H 5H / 9C 10C JC / 8H 8D 8C 2D / QS QH QD")
    table.judge()

    assert table.last(e.ShowJudged).finish_card is None
    assert finish_card in table.deal.aside
    assert [card.card for card in table.deal.pile] == ["6C"]
    assert table.of(1).hand == ()
    assert table.draw("open")[0].card == "6C"


@pytest.mark.rule("6.5")
def test_the_finish_card_of_a_wrong_show_goes_on_the_open_pile_where_the_terms_say_so():
    """E-53 and E-100 with ``open_pile``."""
    terms = terms_of(finish_card_after_wrong_show="open_pile")
    table = started(terms, DealScript(hands={1: HAND}, open="6C", stock="2D 7C", wild="4S"), seats=3)

    table.draw()
    table.finish("8S")
    table.declare(1, "3H 4H 5H / 9C 10C JC / 8H 8D 8C 2D / QS QH QD")
    table.judge()

    assert table.last(e.ShowJudged).finish_card.card == "8S"
    assert [card.card for card in table.deal.pile] == ["6C", "8S"]


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
    late = table.refusal(c.Declare(**table.who(1), deal=1, groups=table.table.deal.of(1).hand and ()))
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


MISSES = {"101": {"deccan": 40}, "201": {"deccan": 40}}
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
