"""E-38 to E-53: totals and the limit, and the end of a deal."""

import pytest

from poolrummy.testing.given import e
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.tables import after_deal, started

COMPLETE = "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / QS QH QD"
HAND = COMPLETE.replace("/", " ")


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
