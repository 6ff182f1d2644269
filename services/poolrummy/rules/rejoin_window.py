"""The break in which eliminated seats may come back: offers, asks one at a time, payments (chapter 10)."""

from poolrummy.rules import rejoin
from poolrummy.rules.break_state import RejoinWindow
from poolrummy.rules.match_end import over
from poolrummy.rules.permits import in_seat, late
from poolrummy.rules.recorder import Recorder, Stamp
from poolrummy_contracts.commands import AskRejoin, RefuseRejoin
from poolrummy_contracts.events import (
    DeclineReason,
    RejoinAsked,
    RejoinClosed,
    RejoinDeclined,
    RejoinGranted,
    RejoinOffer,
    RejoinOffered,
    RejoinQueued,
)
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.terms import Seat
from poolrummy_contracts.verdicts import RejoinPayment


def offer(rec: Recorder, offers: tuple[RejoinOffer, ...]) -> None:
    """Open the window (rule 10.1)."""
    ends_at = rec.at + rec.table.terms.rejoin_window_ms
    window = rec.table.windows + 1
    rec.record(RejoinOffered(**rec.follow("10.1"), window=window, ends_at=ends_at, offers=offers))


def ask(rec: Recorder, command: AskRejoin) -> Refused | None:
    """Ask to come back: settled at once, or after the ask before it (rules 10.4 and 10.6)."""
    refused = _may_answer(rec, command)
    if refused is not None:
        return refused
    if _window(rec).payment is not None:
        rec.record(RejoinQueued(**rec.own("10.4"), window=command.window, seat=command.seat))
        return None
    against = rejoin.refusal(rec.standings, command.seat, _window(rec).totals)
    if against is not None:
        return Refused(against)
    _settle(rec, command.seat)
    return None


def refuse(rec: Recorder, command: RefuseRejoin) -> Refused | None:
    """Say no, so that nobody has to wait (rule 10.7)."""
    refused = _may_answer(rec, command)
    if refused is not None:
        return refused
    _decline(rec, command.seat, "player", "10.7")
    return None


def paid(rec: Recorder, answer: RejoinPayment) -> Refused | None:
    """The cashier has answered: the seat is back, or may ask again while the window is open (rule 10.6)."""
    window = rec.table.rejoin
    awaited = None if window is None else window.payment
    if awaited is None or awaited.v != answer.ask or awaited.seat != answer.seat:
        return Refused(Refusal.ANSWER_NOT_AWAITED)
    if answer.paid:
        _grant(rec, awaited.seat)
    else:
        _decline(rec, awaited.seat, "payment", "10.6", answer.reason)
    return None


def proceed(rec: Recorder) -> bool:
    """What follows by itself while the window is open: the next ask, offers that have ended, the close (10.4, 10.7)."""
    window = _window(rec)
    if window.payment is not None:
        return False
    waits = bool(window.offered or window.queue)
    if not waits or over(rec.standings, rejoin_to_come=True) is not None:
        close(rec, rec.follow("10.7"))
        return True
    waiting = window.queue[:1] or window.offered
    for seat in waiting:
        if rejoin.refusal(rec.standings, seat, window.totals) is not None:
            _decline(rec, seat, "threshold", "10.2")
            return True
    if window.queue:
        _settle(rec, window.queue[0])
        return True
    return False


def close(rec: Recorder, stamp: Stamp) -> None:
    """The window is over; who has not come back stays out (rule 10.7)."""
    rec.record(RejoinClosed(**stamp, window=_window(rec).number))


def _settle(rec: Recorder, seat: Seat) -> None:
    """Ask the cashier for the price, or let the seat come back at once (rule 10.6)."""
    terms = rec.table.terms
    window = _window(rec).number
    price = rejoin.price(terms)
    stamp = rec.own("10.6")
    rec.record(RejoinAsked(**stamp, window=window, seat=seat, price=price, payment=terms.rejoin_payment))
    if terms.rejoin_payment == "none":
        _grant(rec, seat)


def _grant(rec: Recorder, seat: Seat) -> None:
    window = _window(rec)
    granted = rejoin.settle(rec.standings, seat, window.totals)
    if not isinstance(granted, rejoin.Granted):
        _decline(rec, seat, granted, "10.2")
        return
    rec.record(
        RejoinGranted(
            **rec.follow("10.3"),
            window=window.number,
            seat=seat,
            score=granted.score,
            price=granted.price,
            obligations=granted.obligations,
            prize_pool=granted.prize_pool,
        )
    )


def _decline(rec: Recorder, seat: Seat, why: DeclineReason, rule: str, detail: str = "") -> None:
    stamp = rec.own(rule) if why == "player" else rec.follow(rule)
    rec.record(RejoinDeclined(**stamp, window=_window(rec).number, seat=seat, why=why, detail=detail))


def _may_answer(rec: Recorder, command: AskRejoin | RefuseRejoin) -> Refused | None:
    table, seat = rec.table, command.seat
    refused = in_seat(table, command)
    if refused is not None:
        return refused
    window = table.rejoin
    if window is None:
        return Refused(Refusal.REJOIN_NOT_OFFERED)
    named, is_open = window.number == command.window, table.phase == "rejoining"
    if is_open and named and seat in window.offered:
        return Refused(Refusal.TOO_LATE) if late(table, rec.at) else None
    return Refused(_why_not(window, seat, named=named, is_open=is_open))


def _why_not(window: RejoinWindow, seat: Seat, *, named: bool, is_open: bool) -> Refusal:
    if seat not in window.invited:
        return Refusal.REJOIN_NOT_OFFERED
    if named and seat in window.too_high:
        return Refusal.REJOIN_THRESHOLD_PASSED
    return Refusal.REJOIN_ALREADY_ASKED if named and is_open else Refusal.WRONG_WINDOW


def _window(rec: Recorder) -> RejoinWindow:
    assert rec.table.rejoin is not None, "no rejoin window is open"
    return rec.table.rejoin
