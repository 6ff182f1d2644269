"""Tables to begin a test with: opened, in the first turn of a deal, or right after a deal that left these totals."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from poolrummy.rules.state import Table
from poolrummy.testing.packs import DealScript, Script
from poolrummy.testing.table_in_test import CHANNEL_KEY, TABLE, Command, Refusing, TestTable, Turn, Who
from poolrummy_contracts import commands as c
from poolrummy_contracts.terms import Terms

__all__ = [
    "CHANNEL_KEY",
    "TABLE",
    "Command",
    "Refusing",
    "TestTable",
    "Turn",
    "Who",
    "after_deal",
    "opened",
    "started",
    "with_totals",
]


def opened(terms: Terms, script: Script | None = None) -> TestTable:
    """A table that waits for its seats to be taken."""
    table = TestTable(terms, script)
    table.do(c.OpenTable(id="open", table=TABLE, terms=terms))
    return table


def started(
    terms: Terms,
    deal: DealScript | Mapping[int, DealScript] | None = None,
    *,
    seats: int | None = None,
    totals: Sequence[int] = (),
    toss: str = "",
) -> TestTable:
    """A table in the first turn of its first deal, with these totals at the start; seat 1 plays first."""
    deals = {1: deal} if isinstance(deal, DealScript) else deal
    table = opened(terms, Script(terms, deals, toss=toss))
    taken = terms.seats if seats is None else seats
    table.sit(*range(1, taken + 1))
    if taken < terms.seats:
        table.time_out()
    if totals:
        table.state = with_totals(table.table, totals)
    return table


def after_deal(
    terms: Terms,
    totals: Sequence[int],
    *,
    started_with: int | None = None,
    out: Mapping[int, int] = {},
    pool: int | None = None,
) -> TestTable:
    """A table at the end of a deal that left these totals: seats 1, 2, …; the lowest of them has won it.

    ``out`` names seats that were out before, with the deal in which they went. All others but the winner dropped in
    this deal, or showed wrongly where there is no drop. The table is at what comes then: the rejoin window, the
    split, the next deal, or the end.
    """
    taken = len(totals) if started_with is None else started_with
    table = started(terms, seats=taken)
    winner = min(
        (seat for seat in range(1, len(totals) + 1) if seat not in out), key=lambda seat: (totals[seat - 1], seat)
    )
    drop = terms.first_drop_points if isinstance(terms.first_drop_points, int) else terms.wrong_show_points
    before = [total if seat == winner or seat in out else total - drop for seat, total in enumerate(totals, start=1)]
    before += [terms.full_count_cap + 200] * (taken - len(totals))
    gone = dict.fromkeys(range(len(totals) + 1, taken + 1), 1) | dict(out)
    table.state = _standing_at(table.table, before, gone, pool)
    table.do(c.VoidDeal(id="as if deals had been played", table=TABLE, operator="test", reason="test"))
    while table.table.deal is not None and table.deal.number == 2:
        if table.on_turn == winner:
            table.play()
        elif terms.voluntary_drop == "none":
            table.show(" ".join(table.hand(table.on_turn)))
        else:
            table.drop()
    return table


def with_totals(table: Table, totals: Sequence[int]) -> Table:
    """The same table with other totals: as if deals had been played before."""
    return _standing_at(table, totals, {}, None)


def _standing_at(table: Table, totals: Sequence[int], out: Mapping[int, int], pool: int | None) -> Table:
    standings = table.standings
    assert standings is not None, "the match has not begun"
    seats = tuple(
        replace(
            one,
            total=total,
            state="eliminated" if one.seat in out else "playing",
            out_in_deal=out.get(one.seat),
        )
        for one, total in zip(standings.seats, totals, strict=True)
    )
    prize_pool = standings.prize_pool if pool is None else pool
    return replace(table, standings=replace(standings, seats=seats, prize_pool=prize_pool))
