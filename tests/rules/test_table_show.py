"""Finish, show and verdict (rules 6.1 to 6.5 and 6.8)."""

import pytest
from msgspec.structs import replace

from poolrummy.rules import table as rules
from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.tables import started
from poolrummy_contracts.cards import Position
from poolrummy_contracts.refusals import Refusal

HAND = "3H 4H 5H 9C 10C JC 8S 8H 8D 8C QS QH QD"
GROUPS = "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / QS QH QD"
LOSING = "AH 2H 3H 5D 6D 7D JS JH JD 2C 9S KD KC"


def dealt(seats=3, profile="house", **settings):
    script = DealScript(hands={1: HAND, 2: LOSING}, wild="4S")
    return started(terms_of(profile, **settings), script, seats=seats)


def finished(seats=3, **settings):
    table = dealt(seats, **settings)
    table.play(seats)
    table.draw()
    table.finish()
    return table


def declares(table, seat, groups):
    return c.Declare(**table.who(seat), deal=table.deal.number, groups=table.placed(seat, groups))


@pytest.mark.rule("6.1")
def test_finish_needs_a_fourteenth_card_that_is_held():
    table = dealt()
    given(table).when(c.Finish(**table.turn(), position=table.of(1).hand[0])).then(Refusal.NOT_DRAWN_YET)
    table.draw()
    given(table).when(c.Finish(**table.turn(), position=Position("0-999"))).then(Refusal.CARD_NOT_HELD)

    given(table).when(c.Finish(**table.turn(), position=table.deal.drawn.position)).then(
        a(e.FinishCalled, seat=1, ends_at=table.now_ms + 30_000, rule="6.1")
    )
    assert (table.table.phase, len(table.of(1).hand), table.deal.finish) == ("finishing", 13, "0-41")


@pytest.mark.rule("6.1")
@pytest.mark.parametrize(
    "groups",
    [
        (),
        (("0-0",),),
        "without one card",
        "one card twice",
        "a card of another seat",
        "the finish card for another",
    ],
)
def test_what_does_not_hold_exactly_the_hand_is_no_show(groups):
    """D-40."""
    table = finished()
    hand = table.of(1).hand
    made = {
        "without one card": (hand[1:],),
        "one card twice": (hand, hand[:1]),
        "a card of another seat": ((*hand[1:], table.of(2).hand[0]),),
        "the finish card for another": ((*hand[1:], table.deal.finish),),
    }.get(groups, groups)

    given(table).when(c.Declare(**table.who(1), deal=1, groups=made)).then(Refusal.CARDS_MISMATCH)
    assert table.table.phase == "finishing"


@pytest.mark.rule("6.1")
def test_only_the_finisher_shows():
    table = finished()

    given(table).when(declares(table, 2, "")).then(Refusal.NOT_THE_FINISHER)
    given(table).when(declares(table, 1, GROUPS)).then(a(e.ShowDeclared, seat=1, timed_out=False, wild_rank="4"))
    given(table).when(declares(table, 1, GROUPS)).then(Refusal.ALREADY_DECLARED)
    given(table).when(declares(table, 2, "")).then(Refusal.NOT_NOW)


@pytest.mark.rule("6.1")
def test_a_show_lies_open_to_the_whole_table_valid_or_not():
    """D-35."""
    table = finished()
    table.declare(1, GROUPS)

    shown = table.last(e.ShowDeclared)
    assert [[card.card for card in group] for group in shown.groups] == [
        ["3H", "4H", "5H"],
        ["9C", "TC", "JC"],
        ["8S", "8H", "8D", "8C"],
        ["QS", "QH", "QD"],
    ]
    assert {card.position for card in shown.hand} == set(table.of(1).hand)


@pytest.mark.rule("6.2")
def test_while_a_show_is_judged_no_clock_runs_and_nobody_moves():
    table = finished()
    table.declare(1, GROUPS)

    assert rules.next_clock(table.table) is None
    given(table).when(c.Draw(**table.turn(1), source="stock")).then(Refusal.NOT_NOW)


@pytest.mark.rule("6.2")
def test_a_verdict_is_taken_only_while_exactly_it_is_awaited():
    table = finished()
    given(table).when(replace(verdict_of(table), ask=1)).then(Refusal.ANSWER_NOT_AWAITED)
    table.declare(1, GROUPS)
    verdict = table.verdict()

    given(table).when(replace(verdict, ask=verdict.ask - 1)).then(Refusal.ANSWER_NOT_AWAITED)
    given(table).when(replace(verdict, edition=0)).then(Refusal.EDITION_TOO_OLD)
    given(table).when(replace(verdict, edition=9)).then(
        a(e.ShowJudged, edition=9, valid=True, actor="system", cause=verdict.id, points=0),
        a(e.DeclareWindowOpened, winner=1, seats=(2, 3), ends_at=table.now_ms + 30_000),
    )
    given(table).when(verdict).then(Refusal.ANSWER_NOT_AWAITED)


def verdict_of(table):
    """A verdict from another show."""
    other = finished()
    other.declare(1, GROUPS)
    return other.verdict()


@pytest.mark.rule("6.5")
def test_a_wrong_show_costs_its_points_and_the_turn_goes_on():
    table = finished()
    table.do(declares(table, 1, "3H 4H 5H 9C / 10C JC 8S / 8H 8D 8C / QS QH QD"))

    given(table).when(table.verdict()).then(
        a(e.ShowJudged, valid=False, reason="invalid_group", group=0, points=80, finish_card=None, rule="6.5"),
        a(e.TurnStarted, seat=2),
    )


@pytest.mark.rule("6.5")
def test_with_two_a_wrong_show_ends_the_deal():
    table = finished(seats=2)
    table.do(declares(table, 1, "3H 4H 5H 9C / 10C JC 8S / 8H 8D 8C / QS QH QD"))

    given(table).when(table.verdict()).then(
        e.ShowJudged, a(e.DealScored, how="last-seat", winner=2, rule="7.5"), e.DealStarted, e.TurnStarted
    )


@pytest.mark.rule("6.8")
@pytest.mark.parametrize(
    ("setting", "saved", "valid"),
    [
        ("validate_current_groups", GROUPS, True),
        ("validate_current_groups", "3H 4H 5H / 9C 10C JC", False),
        ("validate_current_groups", "", False),
    ],
)
def test_what_is_saved_when_the_time_is_up_is_the_show(setting, saved, valid):
    """D-40: a card that lies in no group stands alone."""
    table = finished(finish_timeout=setting)
    if saved:
        table.save(1, saved)

    shown, *_ = table.time_out()
    assert a(e.ShowDeclared, timed_out=True, actor="timer", rule="6.8").matches(shown)
    assert sum(len(group) for group in shown.groups) == 13
    assert {len(group) for group in shown.groups} == ({3, 4} if valid else {1, 3} if saved else {1})

    table.judge()
    assert table.last(e.ShowJudged).valid is valid


@pytest.mark.rule("6.8")
def test_the_best_arrangement_may_be_the_show_of_a_late_finisher():
    table = finished(finish_timeout="best_arrangement")

    table.time_out()

    assert a(e.ShowDeclared, timed_out=True).matches(table.last(e.ShowDeclared))
    table.judge()
    assert table.last(e.ShowJudged).valid is True


@pytest.mark.rule("6.8")
@pytest.mark.parametrize("card", ["dead", "open_pile"])
def test_a_late_finisher_has_shown_wrongly_where_the_terms_say_so(card):
    table = finished(finish_timeout="wrong_show", finish_card_after_wrong_show=card)
    finish = table.deal.finish

    given(table).when_the_time_is_up().then(
        a(e.ShowForfeited, seat=1, points=80, actor="timer", rule="6.8"), a(e.TurnStarted, seat=2)
    )
    assert (finish in table.deal.aside) == (card == "dead")
    assert (table.deal.pile[-1].position == finish) == (card == "open_pile")
