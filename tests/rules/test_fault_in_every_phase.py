"""A fault of our own in any phase of a match: money is whole, and there is a way on and a way out (R21, R22)."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from copy import copy
from itertools import chain
from typing import get_args

import pytest

from poolrummy.rules import table as rules
from poolrummy.rules.state import Phase, Table
from poolrummy.testing.matches import terms_of
from poolrummy.testing.random_play import RandomMatch
from poolrummy.testing.tables import TABLE, TestTable, after_deal
from poolrummy_contracts import commands as c
from poolrummy_contracts import events as e
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.terms import Seat

WHO = {"table": TABLE, "operator": "meera", "reason": "our code raised"}
PAUSE_MS = 60_000
KINDS = (("house", 2), ("house", 3), ("house", 4), ("classic", 6), ("deccan", 6), ("scorekeeper", 3))
OVER = {"ended", "voided", "closed"}
STAKES = {"entry", "entry-fee", "rejoin", "rejoin-fee"}


def stops(number: int) -> Iterator[RandomMatch]:
    """A match of chance, looked at in many moments."""
    profile, seats = KINDS[number % len(KINDS)]
    match = RandomMatch(terms_of(profile, "101", seats=seats, rake_bp=1000), number, rude=0)
    for _ in range(400):
        match.play(match.random.randint(1, 6))
        if match.table.table.closed:
            return
        yield match


def in_breaks() -> Iterator[TestTable]:
    """Tables between two deals: a rejoin may be asked, or was asked for; a split may be asked, or was."""
    for payment in ("none", "cashier"):
        table = after_deal(terms_of(rejoin_payment=payment, rake_bp=1000), [45, 60, 101, 102])
        yield table
        table.rejoin(3)
        yield table
    for totals in ([45, 60], [45, 50]):
        table = after_deal(terms_of(), totals, started_with=4)
        yield table
        table.do(c.AskSplit(**table.who(1), window=table.table.windows))
        yield table


def owed(table: Table, *kinds: str) -> dict[Seat, int]:
    """What each seat has paid in, or is owed, by what is recorded."""
    found: dict[Seat, int] = defaultdict(int)
    for one in () if table.standings is None else table.standings.obligations:
        if one.kind in kinds:
            found[one.seat] += one.amount
    return dict(found)


def after(played: TestTable, *commands: object) -> tuple[Table, list[e.TableEvent]]:
    """The table after a fault now and these commands a minute later, with what they led to; it goes on as before."""
    state, log, script = played.table, [], copy(played.script)
    script.__dict__.update({name: copy(value) for name, value in vars(played.script).items()})
    fault = c.FreezeFault(table=TABLE, reason="message 1-0 was set aside")
    for command in (fault, *commands):
        now_ms = played.now_ms + (0 if command is fault else PAUSE_MS)
        decided = rules.decide(state, command, now_ms, script)
        assert not isinstance(decided, Refused), (command, decided)
        for event in decided.events:
            state = rules.evolve(state, event)
        script.follow(decided.events, decided.lines)
        log.extend(decided.events)
    return state, log


@pytest.fixture(scope="module")
def moments() -> dict[str, int]:
    """Every stop of many matches, with a fault and each way on from there; how many stops there were in each phase."""
    seen = Counter[str]()
    by_chance = (match.table for number in range(12) for match in stops(number))
    for played in chain(in_breaks(), by_chance):
        if not played.table.frozen:
            seen[played.table.phase] += 1
            fault_is_survived(played)
    return dict(seen)


def fault_is_survived(played: TestTable) -> None:
    """What has to hold after a fault at this moment."""
    before = played.table
    frozen, (noted,) = after(played)
    assert isinstance(noted, e.TableFrozen)
    assert (noted.actor, noted.operator) == ("system", None)
    assert rules.next_clock(frozen) is None, "nobody is timed out by our fault"
    assert frozen.standings == before.standings, "no point and no money has moved"
    move = c.SetAway(id="m", table=TABLE, player="player-1", seat=Seat(1))
    assert rules.decide(frozen, move, played.now_ms, played.script) == Refused(Refusal.TABLE_FROZEN)

    # The way out: every seat gets back what it paid, or what it had won if that is more.
    _, log = after(played, c.VoidMatch(id="v", **WHO))
    voided = next(event for event in log if isinstance(event, e.MatchVoided))
    paid = owed(before, *STAKES)
    won = owed(before, "prize")
    back = {one.seat: one.amount for one in voided.obligations}
    assert back == {seat: max(amount, won.get(seat, 0)) for seat, amount in paid.items() if amount}
    assert (voided.operator, voided.reason, voided.actor) == ("meera", "our code raised", "operator")
    assert isinstance(log[-1], e.TableClosed)

    # The way on: the clock has again what it had left; a deal that cannot be trusted is dealt anew.
    unfreeze = c.UnfreezeTable(id="u", **WHO)
    on, _ = after(played, unfreeze)
    assert on.phase == before.phase
    if before.clock is not None:
        assert on.clock is not None
        assert on.clock.ends_at == before.clock.ends_at + PAUSE_MS
    if before.deal is not None:
        next_deal, log = after(played, c.VoidDeal(id="d", **WHO), unfreeze)
        assert [event.deal for event in log if isinstance(event, e.DealVoided)] == [before.deal.number]
        if next_deal.phase not in OVER:
            assert next_deal.deal_number == before.deal_number + 1
            assert next_deal.phase == "turn"
            assert rules.next_clock(next_deal) is not None
        assert owed(next_deal, *STAKES) == paid
        assert next_deal.standings is not None
        assert before.standings is not None
        totals = {one.seat: one.total for one in before.standings.seats}
        assert {one.seat: one.total for one in next_deal.standings.seats} == totals, "a void deal costs nobody a point"


@pytest.mark.rule("13.5")
@pytest.mark.parametrize("phase", [one for one in get_args(Phase) if one not in OVER | {"between"}])
def test_a_fault_of_our_own_costs_nobody_anything_whatever_the_phase(phase: str, moments: dict[str, int]) -> None:
    assert moments.get(phase, 0) >= 2, f"the matches were not stopped often enough in {phase}: {moments}"


def test_between_is_never_a_phase_that_anybody_waits_in(moments: dict[str, int]) -> None:
    assert not {"between", *OVER} & set(moments)
