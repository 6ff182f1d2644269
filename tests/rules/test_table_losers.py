"""The hands of the others after a valid show, and saved groupings (rules 6.6 and 6.7)."""

import pytest
from msgspec.structs import replace

from poolrummy.rules import table as rules
from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.tables import started
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.seat_lines import GroupingSaved

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


# -- the others


def shown(seats=3, **settings):
    table = finished(seats, **settings)
    table.declare(1, GROUPS)
    table.do(table.verdict())
    return table


@pytest.mark.rule("6.6")
def test_the_others_declare_and_their_hands_lie_open_when_all_have():
    table = shown()
    given(table).when(declares(table, 2, "AH 2H 3H / 5D 6D 7D / JS JH JD / 2C 9S KD KC")).then(
        a(e.HandDeclared, seat=2, actor="player")
    )
    given(table).when(declares(table, 2, LOSING)).then(Refusal.ALREADY_DECLARED)
    given(table).when(declares(table, 1, GROUPS)).then(Refusal.ALREADY_DECLARED)

    given(table).when(declares(table, 3, " ".join(table.hand(3)))).then(
        e.HandDeclared,
        a(e.HandLaidOpen, seat=2, basis="best", late=False),
        a(e.HandLaidOpen, seat=3, basis="best", late=False),
    )
    assert (table.table.phase, rules.next_clock(table.table)) == ("counting", None)


@pytest.mark.rule("6.6")
def test_what_a_loser_lays_out_is_his_whole_hand():
    table = shown()

    given(table).when(declares(table, 2, "AH 2H 3H")).then(Refusal.CARDS_MISMATCH)
    given(table).when(c.Declare(**table.who(2), deal=1, groups=(table.of(3).hand,))).then(Refusal.CARDS_MISMATCH)


@pytest.mark.rule("6.6")
def test_who_does_not_declare_in_time_is_late():
    table = shown()
    table.declare(2, LOSING)
    command = declares(table, 3, " ".join(table.hand(3)))

    given(table).when_the_time_is_up().then(
        a(e.HandLaidOpen, seat=2, late=False), a(e.HandLaidOpen, seat=3, late=True, actor="system")
    )
    given(table).when(command).then(Refusal.TOO_LATE)


@pytest.mark.rule("6.6")
def test_a_deal_is_over_when_its_last_hand_is_counted():
    table = shown()
    table.time_out()
    first = table.verdict()
    given(table).when(first).then(a(e.HandCounted, seat=2, points=31, counted=31, raw=31))
    given(table).when(first).then(Refusal.ANSWER_NOT_AWAITED)
    given(table).when(replace(table.verdict(), edition=0)).then(Refusal.EDITION_TOO_OLD)

    given(table).when(table.verdict()).then(
        a(e.HandCounted, seat=3),
        a(e.DealScored, how="show", winner=1, rule="8.1"),
        a(e.DealStarted, deal=2),
        e.TurnStarted,
    )


@pytest.mark.rule("6.6")
def test_a_dropped_hand_is_never_laid_open():
    """D-35 and 000."""
    table = dealt()
    table.play()
    table.drop()
    table.play()
    table.show(GROUPS)
    table.time_out()
    table.judge()

    assert {event.seat for event in table.log if isinstance(event, e.HandLaidOpen)} == {3}


@pytest.mark.rule("6.6")
def test_where_no_hand_can_change_its_points_the_deal_is_scored_at_once():
    """`deccan`: nobody else had a turn, each pays 20."""
    table = dealt(profile="deccan")

    events = table.show(GROUPS)

    assert [type(event) for event in events[-4:]] == [e.ShowJudged, e.DealScored, e.DealStarted, e.TurnStarted]
    assert table.points() == {1: 0, 2: 20, 3: 20}
    assert table.reasons()[2] == "no-turn"


@pytest.mark.rule("6.6")
def test_a_seat_whose_points_are_fixed_has_nothing_to_declare():
    table = dealt(profile="deccan")
    table.play(2)
    table.draw()
    table.finish()
    # Seat 3 shows while seats 1 and 2 have had a turn.
    table.do(c.Declare(**table.who(3), deal=1, groups=(table.of(3).hand,)))
    table.do(replace(table.verdict(), valid=True, reason="ok"))

    assert table.last(e.DeclareWindowOpened).seats == (1, 2)


@pytest.mark.rule("8.7")
def test_a_late_loser_of_classic_pays_the_full_count_with_a_closed_hand():
    table = shown(profile="classic")
    table.declare(2, LOSING)

    given(table).when_the_time_is_up().then(a(e.HandLaidOpen, seat=2))
    table.judge()

    assert (table.points()[3], table.reasons()[3]) == (80, "late")


# -- saved groupings


@pytest.mark.rule("6.7")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_saved_grouping_is_a_line_for_its_seat_alone(profile):
    """D-43."""
    table = dealt(profile=profile)
    version = table.table.v

    assert table.save(2, "AH 2H 3H / 5D 6D 7D") == ()

    line = table.lines[-1]
    assert isinstance(line, GroupingSaved)
    assert (line.seat, line.deal, line.v) == (2, 1, version)
    assert table.table.v == version


@pytest.mark.rule("6.7")
def test_a_grouping_holds_own_cards_each_once():
    table = dealt()
    own, other = table.of(2).hand[0], table.of(1).hand[0]

    def saves(groups):
        return c.SaveGroups(**table.who(2), deal=1, groups=groups)

    given(table).when(saves(((own, other),))).then(Refusal.CARD_NOT_HELD)
    given(table).when(saves(((own,), (own,)))).then(Refusal.CARDS_MISMATCH)
    given(table).when(saves(())).then()


@pytest.mark.rule("6.7")
def test_a_card_that_was_discarded_since_is_no_longer_in_the_grouping():
    table = dealt(finish_timeout="validate_current_groups")
    table.draw()
    drawn = table.deal.drawn.position
    table.do(c.SaveGroups(**table.who(1), deal=1, groups=(table.of(1).hand,)))
    table.do(c.Finish(**table.turn(), position=drawn))

    shown, *_ = table.time_out()

    assert drawn not in [card.position for group in shown.groups for card in group]
    assert sum(len(group) for group in shown.groups) == 13


@pytest.mark.rule("6.7")
def test_a_grouping_that_comes_after_the_deadline_is_late():
    table = finished()
    table.now_ms += 30_001

    given(table).when(c.SaveGroups(**table.who(1), deal=1, groups=())).then(Refusal.TOO_LATE)
    given(table).when(c.SaveGroups(**table.who(2), deal=1, groups=())).then()


@pytest.mark.rule("6.7")
def test_who_has_shown_or_is_counted_saves_nothing_more():
    table = shown()
    given(table).when(c.SaveGroups(**table.who(1), deal=1, groups=())).then(Refusal.NOT_NOW)
    table.time_out()
    given(table).when(c.SaveGroups(**table.who(2), deal=1, groups=())).then(Refusal.NOT_NOW)
