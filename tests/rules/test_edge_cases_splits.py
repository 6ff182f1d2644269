"""E-65 to E-82: splits, in the break after a deal that left the totals named here."""

import pytest

from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy.testing.tables import after_deal, started
from poolrummy_contracts.refusals import Refusal

DROPS = ("house", "rummypassion")
THREE_LEFT = (40, 80, 81)
"""Totals in the 101 pool with 3, 1 and 0 first drops left."""


def asked(table, seat=1, amounts=()):
    command = c.AskSplit(**table.who(seat), window=table.table.windows, amounts=amounts)
    return table.refusal(command)


def all_accept(table):
    for share in table.table.split.shares:
        if table.table.phase == "voting" and share.seat not in table.table.split.accepted:
            table.do(c.VoteSplit(**table.who(share.seat), window=table.table.windows, accept=True))
    return {place.seat: place.prize for place in table.last(e.MatchEnded).places if place.prize}


# case, totals, started with, pool, entry, settings, what each seat is paid
SPLITS = [
    ("E-65", THREE_LEFT, 6, 15000, 2500, {}, (9166, 4167, 1667)),
    ("E-66", THREE_LEFT, 5, 12500, 2500, {}, (8333, 3333, 834)),
    ("E-66 leader absorbs", THREE_LEFT, 5, 12500, 2500, {"split_residue": "leader_absorbs"}, (8334, 3333, 833)),
    ("E-69", (60, 110, 140), 6, 60000, 10000, {}, (36666, 16667, 6667)),
    ("E-70 1 / 0", (80, 81), 3, 7500, 2500, {}, (5000, 2500)),
    ("E-70 2 / 0", (60, 81), 3, 7500, 2500, {}, (6250, 1250)),
    ("E-76", THREE_LEFT, 6, 12600, 2500, {"rake_bp": 1600}, (8366, 3367, 867)),
    ("E-76 net", THREE_LEFT, 6, 12600, 2500, {"rake_bp": 1600, "split_drop_value": "net_entry"}, (7700, 3500, 1400)),
    ("E-78", (80, 81), 3, 1275, 500, {"rake_bp": 1500}, (887, 388)),
    ("E-79", (41, 81), 3, 7500, 2500, {}, (6250, 1250)),
    ("E-80 0", (81, 82), 8, 80000, 10000, {}, (40000, 40000)),
    ("E-80 1", (80, 81), 8, 80000, 10000, {}, (45000, 35000)),
    ("E-80 2", (60, 81), 8, 80000, 10000, {}, (50000, 30000)),
    ("E-80 3", (40, 81), 8, 80000, 10000, {}, (55000, 25000)),
    ("E-80 4", (20, 81), 8, 80000, 10000, {}, (60000, 20000)),
    ("F44", (45, 88), 5, 80000, 10000, {}, (50000, 30000)),
]


@pytest.mark.rule("11.6")
@pytest.mark.parametrize("profile", DROPS)
@pytest.mark.parametrize(
    ("case", "totals", "started_with", "pool", "entry", "settings", "paid"), SPLITS, ids=[one[0] for one in SPLITS]
)
def test_a_split_pays_the_excess_drops_and_shares_the_rest(
    case, totals, started_with, pool, entry, settings, paid, profile
):
    variant = "201" if case == "E-69" else "101"
    terms = terms_of(profile, variant, entry_fee=entry, **settings)
    table = after_deal(terms, totals, started_with=min(started_with, 6), pool=pool)

    assert asked(table) is None
    assert all_accept(table) == dict(enumerate(paid, start=1))
    assert table.last(e.MatchEnded).how == "split"


REFUSED = [
    ("E-66 gt", THREE_LEFT, 5, 12500, {"split_rest_cmp": "gt"}, Refusal.SPLIT_REST_TOO_SMALL),
    ("E-67", THREE_LEFT, 4, 10000, {}, Refusal.SPLIT_REST_TOO_SMALL),
    ("E-68", THREE_LEFT, 4, 7500, {}, Refusal.SPLIT_REST_TOO_SMALL),
    ("E-70 3 / 0", (40, 81), 3, 7500, {}, Refusal.SPLIT_REST_TOO_SMALL),
    ("E-72", (40, 60, 80, 81), 6, 15000, {}, Refusal.SPLIT_NOT_POSSIBLE),
    ("E-77", THREE_LEFT, 6, 12000, {"rake_bp": 2000}, Refusal.SPLIT_REST_TOO_SMALL),
]


@pytest.mark.rule("11.4")
@pytest.mark.parametrize("profile", DROPS)
@pytest.mark.parametrize(
    ("case", "totals", "started_with", "pool", "settings", "why"), REFUSED, ids=[one[0] for one in REFUSED]
)
def test_a_split_that_is_not_possible_is_refused_and_nobody_waits_for_it(
    case, totals, started_with, pool, settings, why, profile
):
    # While an eliminated seat may still come back an ask can be made, and says what is against it.
    terms = terms_of(profile, **settings, rejoin_threshold=99)
    table = after_deal(terms, [*totals, 101], started_with=max(started_with, len(totals) + 1), pool=pool)
    assert table.table.phase == "rejoining"
    assert asked(table) is why

    table.time_out()

    assert table.table.phase == "turn"
    assert asked(table) is Refusal.NOT_NOW


@pytest.mark.rule("11.4")
@pytest.mark.parametrize(("profile", "why"), [("house", None), ("rummypassion", (2500, 2500, 2500))])
def test_three_left_of_three_may_split_only_where_the_terms_say_so(profile, why):
    """E-71: the text of `rummypassion` says three or more."""
    table = after_deal(terms_of(profile), (61, 62, 63), pool=7500)

    if why is None:
        assert table.table.phase == "turn"
    else:
        assert asked(table) is None
        assert all_accept(table) == {1: 2500, 2: 2500, 3: 2500}


@pytest.mark.rule("11.4")
@pytest.mark.parametrize("profile", PROFILES)
def test_two_that_started_do_not_split(profile):
    """E-73."""
    table = after_deal(terms_of(profile), (60, 81))

    assert table.table.phase == "turn"
    assert asked(table) in (Refusal.NOT_NOW, Refusal.SPLIT_OFF)


@pytest.mark.rule("11.5")
@pytest.mark.parametrize("profile", DROPS)
def test_one_refusal_or_silence_ends_the_split_for_all(profile):
    """E-74."""
    refusing = after_deal(terms_of(profile), THREE_LEFT, started_with=6, pool=15000)
    asked(refusing)
    vote = c.VoteSplit(**refusing.who(2), window=refusing.table.windows, accept=False)
    given(refusing).when(vote).then(
        a(e.SplitVoted, accept=False), a(e.SplitClosed, why="refused"), e.DealStarted, e.TurnStarted
    )

    silent = after_deal(terms_of(profile), THREE_LEFT, started_with=6, pool=15000)
    asked(silent)
    silent.do(c.VoteSplit(**silent.who(2), window=silent.table.windows, accept=True))
    given(silent).when_the_time_is_up().then(a(e.SplitClosed, why="silence"), e.DealStarted, e.TurnStarted)


@pytest.mark.rule("11.4")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_split_is_asked_between_deals_only(profile):
    """E-75."""
    table = started(terms_of(profile), seats=3)

    off = profile in ("classic", "deccan")
    assert asked(table) is (Refusal.SPLIT_OFF if off else Refusal.NOT_NOW)


@pytest.mark.rule("11.4")
@pytest.mark.parametrize("profile", ["classic", "deccan"])
def test_a_table_without_a_split_refuses_every_request(profile):
    table = after_deal(terms_of(profile), THREE_LEFT, started_with=6, pool=15000)

    assert table.table.phase == "turn"
    assert asked(table) is Refusal.SPLIT_OFF


@pytest.mark.rule("11.8")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("setting", "totals", "splits"),
    [
        ("off", (81, 95), False),
        ("above", (80, 95), False),
        ("above", (81, 95), True),
        ("at_or_above", (80, 95), True),
        ("at_or_above", (79, 95), False),
    ],
)
def test_an_auto_split_needs_no_ask(profile, setting, totals, splits):
    """E-81."""
    table = after_deal(terms_of(profile, auto_split=setting), totals, started_with=3, pool=7501)

    ended = [event for event in table.log if isinstance(event, e.MatchEnded)]
    assert [event.how for event in ended] == (["auto-split"] if splits else [])
    if splits:
        # The odd unit goes to the fewest drops left, then to the higher score: seat 2.
        assert [(place.seat, place.prize) for place in ended[0].places[:2]] == [(1, 3750), (2, 3751)]


@pytest.mark.rule("11.4")
@pytest.mark.parametrize("profile", DROPS)
def test_a_split_asked_while_a_rejoin_is_open_waits_for_its_close(profile):
    """E-82."""
    table = after_deal(terms_of(profile), (45, 70, 101), started_with=5, pool=12500)
    assert asked(table, seat=2) is None
    assert table.table.phase == "rejoining"

    given(table).when_the_time_is_up().then(e.RejoinClosed, a(e.SplitAsked, seat=2, actor="system"))
    assert all_accept(table) == {1: 7500, 2: 5000}


@pytest.mark.rule("11.4")
def test_a_split_that_waited_lapses_when_a_rejoin_has_made_it_impossible():
    table = after_deal(terms_of(split_max_left=2), (45, 70, 101), started_with=5, pool=12500)
    assert asked(table, seat=2) is None

    table.rejoin(3)

    assert table.table.phase == "turn"
    assert not [event for event in table.log if isinstance(event, e.SplitAsked)]


@pytest.mark.rule("11.7")
def test_an_agreed_split_pays_what_was_proposed():
    """E-70, E-78 and E-80 in `scorekeeper`."""
    table = after_deal(terms_of("scorekeeper"), (60, 81), started_with=3, pool=7500)
    right = (c.SplitAmount(1, 7000), c.SplitAmount(2, 500))

    assert asked(table) is Refusal.SPLIT_AMOUNTS_WRONG
    assert asked(table, amounts=(c.SplitAmount(1, 7000), c.SplitAmount(2, 501))) is Refusal.SPLIT_AMOUNTS_WRONG
    assert asked(table, amounts=(c.SplitAmount(1, 7501), c.SplitAmount(2, -1))) is Refusal.SPLIT_AMOUNTS_WRONG
    assert asked(table, amounts=right) is None
    assert all_accept(table) == {1: 7000, 2: 500}


@pytest.mark.rule("11.7")
def test_an_agreed_split_is_for_two():
    """E-65 to E-69 and E-71 in `scorekeeper`: three are left, nobody waits for an ask."""
    table = after_deal(terms_of("scorekeeper"), THREE_LEFT, started_with=6, pool=15000)

    assert table.table.phase == "turn"
