"""E-83 to E-97: rejoins, in the break after a deal that left the totals named here."""

import pytest

from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy.testing.tables import after_deal
from poolrummy_contracts.refusals import Refusal

# -- rejoins


def offered(table):
    return {
        offer.seat: offer.score for event in table.log if isinstance(event, e.RejoinOffered) for offer in event.offers
    }


# case, variant, survivors, score in house, rummypassion, classic, deccan, scorekeeper (None: no offer)
REJOINS = [
    ("E-83", "101", (72, 45, 56), (73, 73, 73, None, 71)),
    ("E-84", "101", (78, 45), (79, 79, 79, None, 77)),
    ("E-85", "101", (79, 45), (80, 80, 80, None, 78)),
    ("E-86", "101", (80, 45), (None, None, None, None, 79)),
    ("E-87 173", "201", (173, 45), (174, 174, 174, None, 172)),
    ("E-87 174", "201", (174, 45), (175, 175, 175, None, 173)),
    ("E-87 175", "201", (175, 45), (None, None, None, None, 174)),
    ("E-91", "101", (35,), (None, 36, None, None, None)),
    ("E-92", "101", (0, 0), (1, 1, 1, None, 0)),
    ("000 example 1", "101", (35, 45), (46, 46, 46, None, 44)),
]


@pytest.mark.rule("10.3")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("case", "variant", "survivors", "scores"), REJOINS, ids=[one[0] for one in REJOINS])
def test_who_comes_back_stands_next_to_the_highest_survivor(case, variant, survivors, scores, profile):
    limit = int(variant)
    table = after_deal(terms_of(profile, variant), [*survivors, limit + 9])
    seat, score = len(survivors) + 1, scores[PROFILES.index(profile)]

    assert offered(table) == ({} if score is None else {seat: score})
    if score is not None:
        table.rejoin(seat)
        assert (table.totals()[seat], table.states()[seat]) == (score, "playing")


@pytest.mark.rule("10.2")
@pytest.mark.parametrize(
    ("variant", "highest", "score"), [("61", 44, 45), ("61", 45, None), ("51", 39, 40), ("51", 40, None)]
)
def test_the_thresholds_of_the_small_pools(variant, highest, score):
    """E-96 and F39."""
    table = after_deal(terms_of(variant=variant), [highest, 20, 99])

    assert offered(table) == ({} if score is None else {3: score})


TWO_OUT = [
    ("E-88", (35, 45), (4, 3), [(46, 47), (46, 47), (46, 47), None, (44, 44)], {}),
    ("E-89", (35, 79), (3, 4), [(80, None), (80, None), (80, None), None, (78, 78)], {}),
    (
        "E-89 once",
        (35, 79),
        (3, 4),
        [(80, 81), (80, 81), (80, 81), None, (78, 78)],
        {"rejoin_recheck_threshold": "once"},
    ),
]


@pytest.mark.rule("10.4")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("case", "survivors", "order", "scores", "settings"), TWO_OUT, ids=[one[0] for one in TWO_OUT])
def test_two_come_back_one_after_the_other(case, survivors, order, scores, settings, profile):
    table = after_deal(terms_of(profile, **settings), [*survivors, 110, 104])
    expected = scores[PROFILES.index(profile)]
    if expected is None:
        assert table.table.phase == "turn"
        return
    first, second = order
    window = table.table.windows

    table.rejoin(first)
    why = table.refusal(c.AskRejoin(**table.who(second), window=window))

    assert table.totals()[first] == expected[0]
    if expected[1] is None:
        assert why is Refusal.REJOIN_THRESHOLD_PASSED
        assert a(e.RejoinDeclined, seat=second, why="threshold").matches(table.last(e.RejoinDeclined))
    else:
        assert (why, table.totals()[second]) == (None, expected[1])


@pytest.mark.rule("10.2")
@pytest.mark.parametrize("profile", PROFILES)
def test_two_that_went_out_together_may_both_come_back(profile):
    """E-90; read literally, `all_others` of 001 would let neither."""
    both = after_deal(terms_of(profile), [35, 45, 110, 104])
    neither = after_deal(terms_of(profile, rejoin_population="all_others"), [35, 45, 110, 104])

    assert set(offered(both)) == (set() if profile == "deccan" else {3, 4})
    assert set(offered(neither)) == ({3, 4} if profile == "scorekeeper" else set())


@pytest.mark.rule("10.8")
def test_with_one_survivor_the_match_waits_for_the_rejoin_where_the_terms_say_so():
    """E-91: 35 and 110 at a table of two."""
    table = after_deal(terms_of("rummypassion"), [35, 110])
    assert offered(table) == {2: 36}

    given(table).when(c.RefuseRejoin(**table.who(2), window=1)).then(
        a(e.RejoinDeclined, why="player"),
        e.RejoinClosed,
        a(e.MatchEnded, how="last-seat"),
        e.BatchClosed,
        e.TableClosed,
    )


@pytest.mark.rule("10.6")
@pytest.mark.parametrize("profile", [one for one in PROFILES if one != "deccan"])
def test_the_cashier_declines_and_nothing_changes(profile):
    """E-93."""
    table = after_deal(terms_of(profile, rejoin_payment="cashier"), [35, 45, 110])
    table.rejoin(3)
    assert table.table.rejoin.payment.price == 2500

    assert a(e.RejoinDeclined, seat=3, why="payment", detail="no money").matches(table.pay(3, paid=False)[0])
    assert (table.totals()[3], table.states()[3], table.table.phase) == (110, "eliminated", "rejoining")

    table.rejoin(3)
    table.pay(3)
    assert table.states()[3] == "playing"


@pytest.mark.rule("10.7")
@pytest.mark.parametrize("profile", PROFILES)
def test_after_the_next_deal_has_begun_nobody_comes_back(profile):
    """E-94."""
    table = after_deal(terms_of(profile), [35, 45, 110])
    window = max(table.table.windows, 1)
    while table.table.phase != "turn":
        table.time_out()

    why = table.refusal(c.AskRejoin(**table.who(3), window=window))

    assert why is (Refusal.REJOIN_NOT_OFFERED if profile == "deccan" else Refusal.WRONG_WINDOW)
    assert table.states()[3] == "eliminated"


@pytest.mark.rule("10.5")
@pytest.mark.parametrize("profile", PROFILES)
def test_each_rejoin_adds_its_price_to_the_prize_pool(profile):
    """E-95: three started at 25, two rejoins."""
    table = after_deal(terms_of(profile), [35, 101, 45])
    if profile == "deccan":
        assert table.table.standings.prize_pool == 7500
        return
    table.rejoin(2)
    assert table.table.standings.prize_pool == 10000

    apart = after_deal(terms_of(profile, rejoin_adds_to_pool=False), [35, 101, 45])
    apart.rejoin(2)
    assert apart.table.standings.prize_pool == 7500


@pytest.mark.rule("10.4")
def test_two_that_accept_in_the_same_millisecond_come_back_in_the_order_of_arrival():
    """F42: 6 entries of 100; 800 in the pool, 46 and 47."""
    table = after_deal(terms_of(entry_fee=100), [20, 45, 110, 104], started_with=6)
    window = table.table.windows

    table.do(c.AskRejoin(**table.who(3), window=window))
    table.do(c.AskRejoin(**table.who(4), window=window))

    assert (table.totals()[3], table.totals()[4]) == (46, 47)
    assert table.table.standings.prize_pool == 800


@pytest.mark.rule("10.1")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("draws", [True, False])
def test_back_on_80_three_misses_put_the_seat_out_again_or_not(profile, draws):
    """E-97."""
    table = after_deal(terms_of(profile), [79, 30, 110])
    if profile == "deccan":
        return
    table.rejoin(3)
    while table.table.phase != "turn":
        table.time_out()
    back = table.totals()[3]
    while table.deal.turn < 12 and table.of(3).standing == "playing":
        if table.on_turn == 3 and (table.of(3).drawn or not draws):
            table.time_out()
        else:
            table.play()

    assert back == (78 if profile == "scorekeeper" else 80)
    first = 20 if profile in ("house", "rummypassion") else 40
    assert table.of(3).points == (40 if draws else first)
    while table.table.deal is not None and table.deal.number == 3:
        if table.on_turn == 1:
            table.drop()
        else:
            table.play()
    assert table.states()[3] == ("playing" if back + table.points()[3] < 101 else "eliminated")
