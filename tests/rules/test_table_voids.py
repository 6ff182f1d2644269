"""Void deals and matches, freezing, and what an operator has to say (rules 13.2, 13.3 and 13.5)."""

import pytest

from poolrummy.rules import table as rules
from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.tables import TABLE, after_deal, opened, started
from poolrummy_contracts.refusals import Refusal

HAND = "3H 4H 5H 9C 10C JC 8S 8H 8D 8C QS QH QD"
GROUPS = "3H 4H 5H / 9C 10C JC / 8S 8H 8D 8C / QS QH QD"


def operator(kind, reason="looked into it", name="ops"):
    return kind(id=f"{kind.__name__} {name} {reason}", table=TABLE, operator=name, reason=reason)


@pytest.mark.rule("13.2")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_void_deal_costs_nobody_anything_and_a_new_pack_is_dealt_in_the_same_order(profile):
    table = started(terms_of(profile), seats=4)
    table.drop()
    table.show(" ".join(table.hand(2)))

    given(table).when(operator(c.VoidDeal)).then(
        a(e.DealVoided, reason="looked into it", operator="ops", actor="operator", deal=1),
        a(e.SeedRevealed, of_deal=1),
        a(e.DealStarted, deal=2, order=(1, 2, 3, 4)),
        a(e.TurnStarted, seat=1),
    )
    assert set(table.totals().values()) == {0}


@pytest.mark.rule("13.2")
def test_a_seat_that_left_stays_out_after_a_void_deal():
    table = started(terms_of(), seats=3)
    table.leave(1)
    table.do(operator(c.VoidDeal))

    assert table.deal.order == (2, 3)
    assert table.states()[1] == "left"


@pytest.mark.rule("13.2")
def test_a_void_deal_that_leaves_one_seat_ends_the_match():
    table = started(terms_of(), DealScript(hands={1: HAND}, wild="4S"), seats=2)
    table.show(GROUPS)
    table.leave(1)

    given(table).when(operator(c.VoidDeal)).then(
        e.DealVoided, e.SeedRevealed, a(e.MatchEnded, how="last-seat"), e.BatchClosed, e.TableClosed
    )
    assert table.last(e.MatchEnded).places[0].seat == 2


@pytest.mark.rule("13.2")
def test_a_deal_is_voided_while_a_verdict_is_awaited_and_the_verdict_comes_too_late():
    table = started(terms_of(), DealScript(hands={1: HAND}, wild="4S"), seats=3)
    table.draw()
    table.finish()
    table.declare(1, GROUPS)
    verdict = table.verdict()
    table.do(operator(c.VoidDeal))

    given(table).when(verdict).then(Refusal.ANSWER_NOT_AWAITED)


@pytest.mark.rule("13.2")
def test_between_deals_there_is_no_deal_to_void():
    table = after_deal(terms_of(), [45, 60, 101])
    given(table).when(operator(c.VoidDeal)).then(Refusal.NO_DEAL)


@pytest.mark.rule("13.3")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_void_match_gives_every_seat_its_stake_back_and_lays_the_pack_bare(profile):
    """D-29."""
    table = started(terms_of(profile), seats=3)

    given(table).when(operator(c.VoidMatch)).then(
        a(e.MatchVoided, reason="looked into it", operator="ops", actor="operator"),
        a(e.SeedRevealed, of_deal=1),
        e.BatchClosed,
        e.TableClosed,
    )
    refunds = [(one.seat, one.kind, one.amount) for one in table.last(e.MatchVoided).obligations]
    assert refunds == [(1, "refund", 2500), (2, "refund", 2500), (3, "refund", 2500)]


@pytest.mark.rule("13.3")
def test_a_rejoin_is_part_of_the_stake():
    table = after_deal(terms_of(split_formula="off"), [45, 60, 101])
    table.rejoin(3)
    table.do(operator(c.VoidMatch))

    assert {one.seat: one.amount for one in table.last(e.MatchVoided).obligations} == {1: 2500, 2: 2500, 3: 5000}


@pytest.mark.rule("13.3")
def test_a_match_is_voided_between_deals_and_before_the_start_too():
    between, before = after_deal(terms_of(), [45, 60, 101]), opened(terms_of())

    given(between).when(operator(c.VoidMatch)).then(e.MatchVoided, e.BatchClosed, e.TableClosed)
    given(before).when(operator(c.VoidMatch)).then(a(e.MatchVoided, obligations=()), e.BatchClosed, e.TableClosed)


@pytest.mark.rule("13.5")
@pytest.mark.parametrize("kind", [c.FreezeTable, c.VoidDeal, c.VoidMatch])
@pytest.mark.parametrize("reason", ["", "  "])
def test_an_operator_gives_a_reason(kind, reason):
    table = started(terms_of(), seats=2)

    given(table).when(operator(kind, reason)).then(Refusal.REASON_MISSING)


@pytest.mark.rule("13.5")
@pytest.mark.parametrize("kind", [c.FreezeTable, c.VoidDeal, c.VoidMatch])
def test_an_operator_has_a_name(kind):
    given(started(terms_of(), seats=2)).when(operator(kind, name=" \t")).then(Refusal.REASON_MISSING)


@pytest.mark.rule("13.5")
def test_a_frozen_table_stands_still():
    table = started(terms_of(), seats=2)
    given(table).when(operator(c.UnfreezeTable)).then(Refusal.TABLE_NOT_FROZEN)
    given(table).when(operator(c.FreezeTable)).then(a(e.TableFrozen, operator="ops", actor="operator"))
    given(table).when(operator(c.FreezeTable)).then(Refusal.TABLE_FROZEN)
    given(table).when(operator(c.UnfreezeTable, "")).then(Refusal.REASON_MISSING)

    assert rules.next_clock(table.table) is None
    given(table).when(c.Draw(**table.turn(), source="stock")).then(Refusal.TABLE_FROZEN)
    given(table).when(c.Leave(**table.who(1))).then(Refusal.TABLE_FROZEN)
    given(table).when(c.RunClock(table=TABLE, deadline=table.table.clock.armed_by), after_ms=900_000).then()
    given(table).when(c.ShiftClocks(table=TABLE, ms=900_000, reason="takeover")).then()


@pytest.mark.rule("13.5")
def test_unfreezing_gives_the_clock_back_what_it_had_left():
    table = started(terms_of(), seats=2)
    table.wait(20_000)
    table.do(operator(c.FreezeTable))
    table.wait(3_600_000)

    given(table).when(operator(c.UnfreezeTable)).then(a(e.TableUnfrozen, ms=3_600_000, operator="ops"))
    assert table.wait(49_999) == ()
    assert isinstance(table.wait(1)[0], e.TurnMissed)


@pytest.mark.rule("13.5")
def test_a_fault_of_our_own_freezes_the_table_until_an_operator_has_looked():
    table = started(terms_of(), seats=2)

    given(table).when(c.FreezeFault(table=TABLE, reason="our own code raised")).then(
        a(e.TableFrozen, operator=None, actor="system", cause=None)
    )
    given(table).when(c.FreezeFault(table=TABLE, reason="again")).then()


@pytest.mark.rule("13.5")
def test_an_awaited_answer_is_taken_by_a_frozen_table_and_its_clock_stands():
    table = started(terms_of(), DealScript(hands={1: HAND}, wild="4S"), seats=3)
    table.draw()
    table.finish()
    table.declare(1, GROUPS)
    table.do(operator(c.FreezeTable))
    table.now_ms += 10_000
    given(table).when(table.verdict()).then(e.ShowJudged, e.DeclareWindowOpened)
    assert rules.next_clock(table.table) is None
    table.now_ms += 50_000

    given(table).when(operator(c.UnfreezeTable)).then(a(e.TableUnfrozen, ms=50_000))
    assert rules.next_clock(table.table).ends_at == table.now_ms + 30_000


@pytest.mark.rule("13.5")
def test_an_operator_voids_a_frozen_match():
    table = started(terms_of(), seats=2)
    table.do(operator(c.FreezeTable))

    given(table).when(operator(c.VoidMatch)).then(e.MatchVoided, e.SeedRevealed, e.BatchClosed, e.TableClosed)
    assert not table.table.frozen
