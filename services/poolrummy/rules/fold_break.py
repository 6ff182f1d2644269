"""Folding what happens between deals and at the end: scores, rejoins, splits, leaving, the close."""

from typing import assert_never

from msgspec.structs import replace

from poolrummy.rules import rejoin, standings
from poolrummy.rules.break_state import Payment, RejoinWindow, SplitWindow, SplitWish
from poolrummy.rules.standings import Standings
from poolrummy.rules.state import Deal, RunningClock, Table
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat

Seats = tuple[Seat, ...]


def scored(table: Table, event: e.DealScored) -> Table:
    """The deal is over and counts (rule 8.1)."""
    return replace(
        table,
        v=event.v,
        at=event.at,
        phase="between",
        standings=_standings(table, event),
        deal=None,
        scored=True,
        clock=None,
        rejoin=None,
        split=None,
    )


def deal_voided(table: Table, event: e.DealVoided) -> Table:
    """The deal counts for nobody (rule 13.2)."""
    return replace(table, v=event.v, at=event.at, phase="between", deal=None, scored=False, clock=None)


def eliminated(table: Table, event: e.SeatEliminated) -> Table:
    """A seat is out of the match, unless it comes back (rule 9.2)."""
    return replace(table, v=event.v, at=event.at, standings=_standings(table, event))


def rejoin_offered(table: Table, event: e.RejoinOffered) -> Table:
    """Eliminated seats may come back (rule 10.1)."""
    assert table.standings is not None, "a rejoin is offered in a match"
    invited = tuple(offer.seat for offer in event.offers)
    totals = rejoin.totals(table.standings)
    window = RejoinWindow(number=event.window, invited=invited, offered=invited, totals=totals)
    clock = RunningClock(what="rejoin", armed_by=event.v, armed_at=event.at, ends_at=event.ends_at)
    return replace(table, v=event.v, at=event.at, phase="rejoining", rejoin=window, windows=event.window, clock=clock)


def rejoin_asked(table: Table, event: e.RejoinAsked) -> Table:
    """A seat asked for its rejoin; with a cashier its payment is awaited (rule 10.6)."""
    window = _open_window(table)
    awaited = Payment(v=event.v, seat=event.seat, price=event.price) if event.payment == "cashier" else None
    window = replace(
        window,
        offered=_without(window.offered, event.seat),
        queue=_without(window.queue, event.seat),
        payment=awaited,
    )
    return replace(table, v=event.v, at=event.at, rejoin=window)


def rejoin_queued(table: Table, event: e.RejoinQueued) -> Table:
    """A seat's ask waits for the one before it (rule 10.4)."""
    window = _open_window(table)
    window = replace(window, offered=_without(window.offered, event.seat), queue=(*window.queue, event.seat))
    return replace(table, v=event.v, at=event.at, rejoin=window)


def rejoin_granted(table: Table, event: e.RejoinGranted) -> Table:
    """A seat is back (rule 10.3)."""
    window = replace(_open_window(table), payment=None)
    return replace(table, v=event.v, at=event.at, standings=_standings(table, event), rejoin=window)


def rejoin_declined(table: Table, event: e.RejoinDeclined) -> Table:
    """A seat does not come back; one whose payment failed may ask again while the window is open (rule 10.6)."""
    window = _open_window(table)
    offered, queue, too_high = (
        _without(window.offered, event.seat),
        _without(window.queue, event.seat),
        window.too_high,
    )
    payment = None if window.payment is not None and window.payment.seat == event.seat else window.payment
    match event.why:
        case "payment":
            offered = (*offered, event.seat)
        case "threshold":
            too_high = (*too_high, event.seat)
        case "player":
            pass
        case _:
            assert_never(event.why)
    window = replace(window, offered=offered, queue=queue, too_high=too_high, payment=payment)
    return replace(table, v=event.v, at=event.at, rejoin=window)


def rejoin_closed(table: Table, event: e.RejoinClosed) -> Table:
    """The break goes on without offers (rule 10.7)."""
    window = replace(_open_window(table), offered=(), queue=(), payment=None)
    return replace(table, v=event.v, at=event.at, phase="between", rejoin=window, clock=None)


def split_offered(table: Table, event: e.SplitOffered) -> Table:
    """A split may be asked (rule 11.4)."""
    clock = RunningClock(what="split", armed_by=event.v, armed_at=event.at, ends_at=event.ends_at)
    window = SplitWindow(number=event.window)
    return replace(table, v=event.v, at=event.at, phase="splitting", split=window, windows=event.window, clock=clock)


def split_requested(table: Table, event: e.SplitRequested) -> Table:
    """A split waits for the close of the rejoin window (rule 11.4)."""
    return replace(table, v=event.v, at=event.at, wish=SplitWish(seat=event.seat, amounts=event.amounts))


def split_asked(table: Table, event: e.SplitAsked) -> Table:
    """A split is voted on; who asks for it accepts it (rule 11.5)."""
    window = SplitWindow(number=event.window, asker=event.seat, shares=event.shares, accepted=(event.seat,))
    clock = RunningClock(what="vote", armed_by=event.v, armed_at=event.at, ends_at=event.ends_at)
    return replace(
        table,
        v=event.v,
        at=event.at,
        phase="voting",
        split=window,
        windows=event.window,
        wish=None,
        clock=clock,
    )


def split_voted(table: Table, event: e.SplitVoted) -> Table:
    """A seat has voted (rule 11.5)."""
    window = table.split
    assert window is not None, "votes need a split"
    accepted = (*window.accepted, event.seat) if event.accept else window.accepted
    return replace(table, v=event.v, at=event.at, split=replace(window, accepted=accepted))


def split_closed(table: Table, event: e.SplitClosed) -> Table:
    """The break goes on without a split (rule 11.5)."""
    return replace(table, v=event.v, at=event.at, phase="between", wish=None, clock=None)


def forfeited(table: Table, event: e.SeatForfeited) -> Table:
    """A player has left the running match: nothing is offered to the seat or awaited from it any more (rule 13.1)."""
    window, split, wish = table.rejoin, table.split, table.wish
    if window is not None:
        payment = None if window.payment is not None and window.payment.seat == event.seat else window.payment
        offered, queue = _without(window.offered, event.seat), _without(window.queue, event.seat)
        window = replace(window, offered=offered, queue=queue, payment=payment)
    if split is not None:
        split = replace(split, accepted=_without(split.accepted, event.seat))
    return replace(
        table,
        v=event.v,
        at=event.at,
        standings=_standings(table, event),
        deal=None if table.deal is None else _gone(table.deal, event.seat, waits=table.phase == "declaring"),
        rejoin=window,
        split=split,
        wish=None if wish is not None and wish.seat == event.seat else wish,
    )


def over(table: Table, event: e.MatchEnded | e.MatchVoided) -> Table:
    """The match is decided, or void (rules 12.1 and 13.3)."""
    return replace(
        table,
        v=event.v,
        at=event.at,
        phase="ended" if isinstance(event, e.MatchEnded) else "voided",
        standings=standings.evolve(table.standings, event, table.terms),
        deal=None,
        clock=None,
        rejoin=None,
        split=None,
        wish=None,
    )


def closed(table: Table, event: e.TableClosed) -> Table:
    """Nothing happens here any more."""
    return replace(table, v=event.v, at=event.at, phase="closed", clock=None, frozen_at=None)


def _standings(table: Table, event: e.TableEvent) -> Standings:
    after = standings.evolve(table.standings, event, table.terms)
    assert after is not None, "there are standings in a match"
    return after


def _open_window(table: Table) -> RejoinWindow:
    assert table.rejoin is not None, "no rejoin window is open"
    return table.rejoin


def _gone(deal: Deal, seat: Seat, *, waits: bool) -> Deal:
    """The seat has left; nobody waits for it to declare, but once hands lie open who was late stays so."""
    seats = tuple(replace(one, gone=True) if one.seat == seat else one for one in deal.seats)
    return replace(deal, seats=seats, waiting=_without(deal.waiting, seat) if waits else deal.waiting)


def _without(seats: Seats, seat: Seat) -> Seats:
    return tuple(one for one in seats if one != seat)
