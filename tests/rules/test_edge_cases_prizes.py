"""E-105 to E-114: prizes, best of 3, toss and order of play."""

import pytest
from msgspec.structs import replace

from poolrummy.testing.given import c, e
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy.testing.tables import TABLE, TestTable, after_deal, started

# -- prizes
from poolrummy_contracts.refusals import Refusal


@pytest.mark.rule("11.2")
@pytest.mark.parametrize(
    ("case", "entry", "rake_bp", "prizes"),
    [
        ("E-105", 10000, 1000, (37800, 16200)),
        ("E-106 25", 2500, 1600, (8820, 3780)),
        ("E-106 5", 500, 1500, (1785, 765)),
    ],
)
def test_the_second_gets_30_percent_at_a_table_of_six(case, entry, rake_bp, prizes):
    terms = terms_of("deccan", entry_fee=entry, rake_bp=rake_bp)
    table = after_deal(terms, [50, 101], started_with=6)

    places = table.last(e.MatchEnded).places
    assert [(place.seat, place.prize) for place in places[:2]] == [(1, prizes[0]), (2, prizes[1])]
    assert sum(one.amount for one in table.last(e.MatchEnded).obligations) == sum(prizes)


@pytest.mark.rule("11.2")
@pytest.mark.parametrize(("setting", "prizes"), [("seats", [12600, 5400]), ("started", [18000, 0])])
def test_a_second_prize_by_the_seats_of_the_table_or_by_who_started(setting, prizes):
    """E-107: a table of six that started with two."""
    terms = terms_of("deccan", entry_fee=10000, rake_bp=1000, prize_shares_by=setting)
    table = after_deal(terms, [50, 101])

    assert [place.prize for place in table.last(e.MatchEnded).places] == prizes


@pytest.mark.rule("11.3")
@pytest.mark.parametrize(("totals", "prizes"), [((50, 118, 104), {3: 16200}), ((50, 104, 104), {2: 8100, 3: 8100})])
def test_of_two_that_go_out_together_the_lower_total_is_second(totals, prizes):
    """E-108; who went out in an earlier deal is behind both."""
    terms = terms_of("deccan", entry_fee=10000, rake_bp=1000)
    table = after_deal(terms, totals, started_with=6)

    places = table.last(e.MatchEnded).places
    assert {place.seat: place.prize for place in places[1:] if place.prize} == prizes
    assert {place.seat for place in places[3:]} == {4, 5, 6}


@pytest.mark.rule("11.2")
@pytest.mark.parametrize("profile", [one for one in PROFILES if one != "deccan"])
def test_elsewhere_the_winner_takes_all(profile):
    table = after_deal(terms_of(profile), [50, 101, 102], out={3: 1})
    if table.table.phase == "rejoining":
        table.time_out()

    assert [place.prize for place in table.last(e.MatchEnded).places] == [7500, 0, 0]


# -- best of 3


@pytest.mark.rule("12.3")
@pytest.mark.parametrize("profile", ["house", "classic"])
@pytest.mark.parametrize(("second", "ends"), [(91, True), (90, False)])
def test_best_of_3_ends_after_two_deals_with_a_lead_of_more_than_80(profile, second, ends):
    """E-109 and E-110."""
    table = started(terms_of(profile, "best_of_3"), totals=(10, second - 80))
    loses(table, 2, 0)
    assert table.table.phase == "turn"
    loses(table, 2, 80)

    ended = [event for event in table.log if isinstance(event, e.MatchEnded)]
    assert [event.how for event in ended] == (["lead"] if ends else [])
    if ends:
        assert ended[0].places[0].seat == 1


def loses(table, seat, points):
    """The other seat of two shows validly, and this one counts so many points."""
    shows(table, 3 - seat, {seat: points})


def shows(table, winner, counts):
    """A seat shows validly, and the others count so many points."""
    while table.on_turn != winner:
        table.play()
    table.draw()
    table.finish()
    for seat in (winner, *counts):
        table.do(c.Declare(**table.who(seat), deal=table.deal.number, groups=(table.of(seat).hand,)))
        if seat == winner:
            table.do(valid(table))
    while table.table.phase == "counting":
        table.do(counting(table, counts[table.deal.asks[0].seat]))


def valid(table):
    verdict = table.verdict()
    return type(verdict)(
        id=verdict.id,
        table=verdict.table,
        ask=verdict.ask,
        edition=verdict.edition,
        valid=True,
        reason="ok",
        group=None,
        groups=(),
        arrangement=None,
    )


def counting(table, points):
    verdict = table.verdict()
    return type(verdict)(
        id=verdict.id,
        table=verdict.table,
        ask=verdict.ask,
        edition=verdict.edition,
        groups=(),
        leftover=(),
        raw=points,
        points=points,
        complete=points == 0,
    )


@pytest.mark.rule("12.3")
@pytest.mark.parametrize("profile", ["house", "classic"])
def test_with_three_the_leader_has_to_be_far_ahead_of_the_second(profile):
    """E-111: 0, 60 and 90 after deal 2; both profiles have two seats, unless the terms say otherwise."""
    three = replace(terms_of(profile, "best_of_3"), seats=3)
    refused = TestTable(three).refusal(c.OpenTable(id="open", table=TABLE, terms=three))
    assert refused is Refusal.TERMS_REFUSED

    table = started(replace(three, seats_allowed=(2, 3)), totals=(0, 60, 10))
    shows(table, 1, {2: 0, 3: 0})
    shows(table, 1, {2: 0, 3: 80})

    assert (table.totals(), table.deal.number) == ({1: 0, 2: 60, 3: 90}, 3)


@pytest.mark.rule("12.4")
@pytest.mark.parametrize("profile", ["house", "classic"])
def test_a_tie_goes_on_to_the_next_deal_until_the_totals_differ(profile):
    """E-110 and E-112: 90 to 90 after deal 3, again after deal 4."""
    table = started(terms_of(profile, "best_of_3"), totals=(10, 10))
    loses(table, 2, 0)
    loses(table, 2, 80)
    loses(table, 1, 80)
    assert (table.totals(), table.table.phase, table.deal.number) == ({1: 90, 2: 90}, "turn", 4)

    loses(table, 2, 0)
    assert table.deal.number == 5

    loses(table, 1, 2)
    ended = table.last(e.MatchEnded)
    assert (ended.how, [place.seat for place in ended.places]) == ("deals", [2, 1])


# -- toss, order of play, and the deal


@pytest.mark.rule("2.4")
@pytest.mark.parametrize("profile", PROFILES)
def test_the_toss_gives_the_whole_order_or_who_begins(profile):
    """E-113: ten of spades, king of diamonds, king of hearts."""
    table = started(terms_of(profile), seats=3, toss="10S KD KH")

    assert table.deal.order == ((3, 1, 2) if profile in ("classic", "deccan") else (3, 2, 1))
    assert table.on_turn == 3


@pytest.mark.rule("2.3")
def test_who_drew_the_same_card_draws_again():
    """D-26."""
    table = started(terms_of(), seats=3, toss="KD KD 9S 2C 3C")

    tossed = table.last(e.TossDrawn)
    assert [[(one.seat, one.card) for one in cards] for cards in tossed.rounds] == [
        [(1, "KD"), (2, "KD"), (3, "9S")],
        [(1, "2C"), (2, "3C")],
    ]
    assert tossed.order == (2, 1, 3)


@pytest.mark.rule("2.6")
@pytest.mark.parametrize("profile", PROFILES)
def test_who_played_first_deals_next_and_plays_last(profile):
    """E-114."""
    table = started(terms_of(profile), seats=3)
    table.drop()
    table.drop()
    if table.table.phase == "splitting":
        table.time_out()

    dealt = table.last(e.DealStarted)
    assert (dealt.order, dealt.dealer) == ((2, 3, 1), 1)


@pytest.mark.rule("2.7")
@pytest.mark.parametrize("profile", PROFILES)
def test_where_the_first_is_out_the_dealer_stays(profile):
    """E-114."""
    table = started(terms_of(profile, rejoin_enabled=False, split_formula="off"), seats=3, totals=(100, 0, 0))
    table.drop()
    table.drop()

    dealt = table.last(e.DealStarted)
    assert (dealt.order, dealt.dealer) == ((2, 3), 3)


@pytest.mark.rule("2.7")
def test_a_seat_that_comes_back_finds_its_old_place_in_the_order():
    """D-13."""
    table = started(terms_of(split_formula="off"), seats=4, totals=(0, 90, 0, 0))
    table.play()
    table.drop()
    table.drop()
    table.drop()
    assert table.states()[2] == "eliminated"
    table.rejoin(2)

    assert table.deal.order == (2, 3, 4, 1)
