"""The match at the borders of a deal, as a record tells it, and the table that it was (chapters 9 and 4)."""

from poolrummy.audit.deal_record import Border, DealRecord, SeatStands
from poolrummy.rules.standings import SeatStanding, Standings, drops_left, headroom
from poolrummy.rules.state import Chair, CommittedBatch, Table
from poolrummy_contracts import events as e


def border_of(table: Table, chain: bytes) -> Border:
    """The match at this moment (rules 9.1 to 9.4)."""
    standings = standings_of(table)
    chairs = {chair.seat: chair for chair in table.chairs}
    return Border(
        v=table.v,
        at=table.at,
        chain=chain.hex(),
        deals_scored=standings.scored,
        windows=table.windows,
        prize_pool=standings.prize_pool,
        seats=tuple(_seat(one, table, chairs.get(one.seat)) for one in standings.seats),
        obligations=standings.obligations,
        order=table.order,
        last_scored=table.scored,
        last_in=standings.last_in,
    )


def _seat(one: SeatStanding, table: Table, chair: Chair | None) -> SeatStands:
    is_in = one.state == "playing"
    room = headroom(one.total, table.terms)
    return SeatStands(
        seat=one.seat,
        player=one.player,
        kind=one.kind,
        total=one.total,
        state=one.state,
        rejoins=one.rejoins,
        out_in_deal=one.out_in_deal,
        headroom=room if is_in or room is None else 0,
        drops_left=drops_left(one.total, table.terms) if is_in else 0,
        bank_ms=table.bank_ms(one.seat),
        away=chair is not None and chair.away,
    )


def table_at(record: DealRecord, opened: e.TableOpened) -> Table:
    """The table before the deal, as far as a deal and the break after it ask for it."""
    border = record.before
    standings = Standings(
        terms=opened.terms,
        seats=tuple(
            SeatStanding(
                seat=one.seat,
                player=one.player,
                kind=one.kind,
                total=one.total,
                state=one.state,
                rejoins=one.rejoins,
                out_in_deal=one.out_in_deal,
            )
            for one in border.seats
        ),
        started=record.started,
        deal=record.deal - 1,
        scored=border.deals_scored,
        last_in=border.last_in,
        prize_pool=border.prize_pool,
        obligations=border.obligations,
    )
    return Table(
        id=record.table,
        v=border.v,
        at=border.at,
        terms=opened.terms,
        edition=record.edition,
        software=record.software,
        phase="between",
        chairs=tuple(Chair(seat=one.seat, player=one.player, kind=one.kind, away=one.away) for one in border.seats),
        batches=tuple(
            CommittedBatch(number=one.batch, count=one.count, root=one.root, used=one.used) for one in record.batches
        ),
        seat_seeds=record.seat_seeds,
        standings=standings,
        order=border.order,
        deal_number=record.deal - 1,
        scored=border.last_scored,
        banks=tuple((one.seat, one.bank_ms) for one in border.seats),
        windows=border.windows,
    )


def standings_of(table: Table) -> Standings:
    """The standings of a match that has begun (rule 9.1)."""
    assert table.standings is not None, "a deal is played in a match that has begun"
    return table.standings
