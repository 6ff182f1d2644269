"""Opening a table, taking and leaving seats, and the start of the match (chapter 1)."""

import pytest
from msgspec.structs import replace

from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy.testing.tables import TABLE, TestTable, opened, started
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.terms import EDITION, terms_hash

TERMS = terms_of()


def sits(table, seat, **changes):
    return c.Sit(**{**table.who(seat), **changes})


@pytest.mark.rule("1.1")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_table_opens_with_its_complete_terms(profile):
    terms = terms_of(profile)
    table = TestTable(terms)

    event, *_ = table.do(c.OpenTable(id="open", table=TABLE, terms=terms))

    assert (event.v, event.terms, event.terms_hash, event.edition) == (1, terms, terms_hash(terms), EDITION)
    assert event.fill_until == table.now_ms + terms.fill_timeout_ms


@pytest.mark.rule("1.1")
@pytest.mark.parametrize(
    ("command", "why"),
    [
        (c.OpenTable(id="open", table=TABLE, profile="nosuch"), Refusal.PROFILE_UNKNOWN),
        (c.OpenTable(id="open", table=TABLE), Refusal.PROFILE_UNKNOWN),
        (c.OpenTable(id="open", table=TABLE, terms=replace(TERMS, seats=7)), Refusal.TERMS_REFUSED),
        (c.OpenTable(id="open", table=TABLE, terms=replace(TERMS, decks=0)), Refusal.TERMS_REFUSED),
        (c.OpenTable(id="open", table=TABLE, terms=replace(TERMS, prize_shares_bp=(1,))), Refusal.TERMS_REFUSED),
    ],
)
def test_a_table_without_terms_or_with_terms_that_cannot_be_played_does_not_open(command, why):
    assert TestTable(TERMS).refusal(command) is why


@pytest.mark.rule("1.1")
@pytest.mark.parametrize(("jokers", "seats", "opens"), [(1, 3, True), (1, 4, False), (2, 4, False)])
def test_a_pack_that_cannot_be_dealt_to_all_seats_is_refused(jokers, seats, opens):
    """F56: one deck."""
    terms = replace(terms_of(seats=seats), decks=1, printed_jokers_per_deck=jokers)
    table = TestTable(terms)

    why = table.refusal(c.OpenTable(id="open", table=TABLE, terms=terms))

    assert why is (None if opens else Refusal.TERMS_REFUSED)
    if opens:
        table.sit(1, 2, 3)
        assert len(table.deal.stock) == 12


@pytest.mark.rule("1.1")
def test_a_table_opens_once():
    table = opened(TERMS)

    given(table).when(c.OpenTable(id="again", table=TABLE, terms=TERMS)).then(Refusal.TABLE_EXISTS)


def test_nothing_happens_at_a_table_that_does_not_exist():
    table = TestTable(TERMS)

    assert table.refusal(sits(table, 1)) is Refusal.TABLE_UNKNOWN
    assert table.do(c.RunClock(table=TABLE, deadline=1)) == ()
    assert table.do(c.ShiftClocks(table=TABLE, ms=5, reason="takeover")) == ()
    assert table.do(c.FreezeFault(table=TABLE, reason="fault")) == ()


@pytest.mark.rule("1.2")
def test_a_seat_is_taken_once_and_a_player_sits_once():
    table = opened(TERMS)
    given(table).when(sits(table, -1)).then(Refusal.SEAT_UNKNOWN)
    given(table).when(sits(table, 7)).then(Refusal.SEAT_UNKNOWN)
    given(table).when(sits(table, 3)).then(a(e.SeatTaken, seat=3, player="p3", kind="person", actor="player"))
    given(table).when(sits(table, 3, player="p9")).then(Refusal.SEAT_TAKEN)
    given(table).when(sits(table, 4, player="p3")).then(Refusal.ALREADY_SEATED)


@pytest.mark.rule("1.6")
@pytest.mark.parametrize(
    ("robots", "currency", "may"),
    [("practice_only", "practice", True), ("practice_only", "INR", False), ("never", "practice", False)],
)
def test_robots_sit_at_practice_tables_only(robots, currency, may):
    terms = terms_of(robots=robots, currency=currency, rejoin_payment="cashier")
    table = opened(terms)

    given(table).when(sits(table, 1, kind="robot")).then(
        a(e.SeatTaken, kind="robot") if may else Refusal.ROBOTS_NOT_ALLOWED
    )


@pytest.mark.rule("1.3")
def test_the_countdown_begins_with_the_second_seat_and_a_third_does_not_move_it():
    table = opened(TERMS)
    table.sit(1)
    given(table).when(sits(table, 2)).then(
        e.SeatTaken, a(e.StartScheduled, starts_at=table.now_ms + 10_000, actor="system")
    )
    given(table).when(sits(table, 3), after_ms=4_000).then(e.SeatTaken)

    begun = table.wait(6_000)

    assert [type(event) for event in begun] == [e.MatchStarted, e.TossDrawn, e.DealStarted, e.TurnStarted]
    assert [one.seat for one in begun[0].seats] == [1, 2, 3]


@pytest.mark.rule("1.3")
def test_a_full_table_starts_at_once():
    table = opened(terms_of(seats=3))
    table.sit(1, 2)

    given(table).when(sits(table, 3)).then(e.SeatTaken, e.MatchStarted, e.TossDrawn, e.DealStarted, e.TurnStarted)


@pytest.mark.rule("1.3")
def test_nobody_joins_a_running_match():
    table = started(TERMS, seats=2)

    given(table).when(sits(table, 3)).then(Refusal.MATCH_RUNNING)


@pytest.mark.rule("1.3")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_every_seat_that_starts_owes_its_entry(seats):
    table = started(terms_of(entry_fee=1000, rake_bp=1250), seats=seats)

    begun = table.last(e.MatchStarted)
    assert sum(one.amount for one in begun.obligations) == 1000 * seats
    assert begun.prize_pool == 875 * seats


@pytest.mark.rule("1.4")
def test_leaving_before_the_start_is_free_and_stops_the_countdown():
    table = opened(TERMS)
    table.sit(1, 2, 3)
    given(table).when(c.Leave(**table.who(3)), after_ms=9_000).then(a(e.SeatVacated, seat=3))
    given(table).when(c.Leave(**table.who(1))).then(
        e.SeatVacated, a(e.StartCancelled, fill_until=table.now_ms + TERMS.fill_timeout_ms)
    )
    given(table).when(c.Leave(**table.who(1))).then(Refusal.SEAT_EMPTY)
    given(table).when(sits(table, 1, player="somebody else")).then(e.SeatTaken, e.StartScheduled)


@pytest.mark.rule("1.5")
@pytest.mark.parametrize("seats", [0, 1])
def test_a_table_that_is_not_filled_in_time_is_void(seats):
    table = opened(TERMS)
    table.sit(*range(1, seats + 1))
    assert table.wait(TERMS.fill_timeout_ms - 1) == ()

    given(table).when_the_time_is_up().then(
        a(e.MatchVoided, obligations=(), actor="timer", rule="1.5"),
        e.BatchClosed,
        a(e.TableClosed, actor="system"),
    )
    given(table).when(sits(table, 2)).then(Refusal.TABLE_CLOSED)


@pytest.mark.rule("1.5")
def test_with_enough_seats_taken_no_fill_time_runs():
    table = opened(terms_of(start_countdown_ms=700_000))
    table.wait(590_000)
    table.sit(1, 2)
    table.wait(300_000)
    assert table.table.phase == "starting"


@pytest.mark.rule("1.3")
def test_a_minimum_of_more_than_two_is_waited_for():
    table = opened(terms_of(min_to_start=3))
    table.sit(1, 2)
    assert table.table.phase == "seating"
    table.sit(3)
    assert table.table.phase == "starting"
