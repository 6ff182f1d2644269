"""Leaving a running match (rule 13.1)."""

from poolrummy.rules import drops
from poolrummy.rules.permits import in_seat
from poolrummy.rules.recorder import Recorder
from poolrummy.rules.standings import of
from poolrummy_contracts.commands import Leave
from poolrummy_contracts.events import SeatDropped, SeatForfeited
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.terms import Seat


def leave(rec: Recorder, command: Leave) -> Refused | None:
    """Out of the deal at the price of a drop, and out of the match without a rejoin; it acts at once, off turn too.

    A seat whose points of the deal are settled adds nothing; after a valid show its hand is counted.
    """
    refused = in_seat(rec.table, command)
    if refused is not None:
        return refused
    seat = command.seat
    if of(rec.standings, seat).state == "eliminated" and not _may_come_back(rec, seat):
        return Refused(Refusal.SEAT_ELIMINATED)
    _drop_out(rec, seat)
    rec.record(SeatForfeited(**rec.own("13.1"), seat=seat, player=command.player))
    return None


def _drop_out(rec: Recorder, seat: Seat) -> None:
    deal = rec.table.deal
    one = None if deal is None else deal.of(seat)
    if deal is None or one is None or one.standing != "playing" or deal.winner is not None:
        return
    if rec.table.phase not in ("turn", "finishing", "judging"):
        return
    points = drops.price_of_leaving(rec, seat)
    if deal.on_turn == seat:
        drops.lay_back(rec, seat, rec.own("13.1"))
    rec.record(SeatDropped(**rec.own("13.1"), seat=seat, kind="left", points=points))


def _may_come_back(rec: Recorder, seat: Seat) -> bool:
    """Whether the seat holds an offer of a rejoin, or waits for its answer."""
    window = rec.table.rejoin
    if window is None or rec.table.phase != "rejoining":
        return False
    awaited = window.payment is not None and window.payment.seat == seat
    return awaited or seat in window.offered or seat in window.queue
