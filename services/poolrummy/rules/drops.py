"""Dropping out of a deal: on one's own turn, in advance, and what it costs (chapter 7)."""

from poolrummy.rules.drop_price import drop_kind, drop_points, leaving_points, may_drop
from poolrummy.rules.permits import in_deal, late, place, playing
from poolrummy.rules.recorder import Recorder, Stamp
from poolrummy.rules.state import Deal, DealSeat
from poolrummy_contracts.commands import Drop, WithdrawDrop
from poolrummy_contracts.events import CardDiscarded, CardReturned, SeatDropped
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.seat_lines import DropNoted, DropWithdrawn
from poolrummy_contracts.terms import Seat


def drop(rec: Recorder, command: Drop) -> Refused | None:
    """Drop now, on one's own turn, or note it for when the turn comes (rules 7.1 and 7.6)."""
    refused = in_deal(rec.table, command, command.deal)
    if refused is not None:
        return refused
    one = place(rec.table, command.seat)
    on_turn = rec.deal.on_turn == command.seat
    against = _against(rec, one, on_turn=on_turn)
    if against is not None:
        return Refused(against)
    if on_turn:
        lay_back(rec, command.seat, rec.own("7.1"))
        _drop(rec, one, cause=None)
        return None
    if rec.hidden.noted_drop(command.seat) is not None:
        return Refused(Refusal.DROP_ALREADY_ASKED)
    rec.tell(DropNoted(**rec.line(), seat=command.seat, command=command.id))
    return None


def _against(rec: Recorder, one: DealSeat, *, on_turn: bool) -> Refusal | None:
    """Why the seat may not drop now, nor ask for it in advance."""
    deal = rec.deal
    if rec.table.phase not in ("turn", "finishing", "judging") or deal.finisher == one.seat:
        return Refusal.NOT_NOW
    if on_turn and late(rec.table, rec.at):
        return Refusal.TOO_LATE
    return may_drop(
        rec.table.terms,
        on_turn=on_turn,
        drawn_this_turn=on_turn and deal.drawn is not None,
        has_drawn=one.drawn,
        first_turn=in_first_turn(deal, one),
    )


def withdraw(rec: Recorder, command: WithdrawDrop) -> Refused | None:
    """Take a noted drop back, any time before the turn comes (rule 7.6)."""
    refused = in_deal(rec.table, command, command.deal)
    if refused is not None:
        return refused
    if rec.hidden.noted_drop(command.seat) is None:
        return Refused(Refusal.DROP_NOT_ASKED)
    rec.tell(DropWithdrawn(**rec.line(), seat=command.seat))
    return None


def carry_out_noted(rec: Recorder, seat: Seat) -> None:
    """The turn of a seat has come: a drop that it noted acts (rule 7.6). It lapses with the deal."""
    command = None if rec.dealt else rec.hidden.noted_drop(seat)
    if command is not None:
        _drop(rec, place(rec.table, seat), cause=command)


def price_of_leaving(rec: Recorder, seat: Seat) -> int:
    """What a drop costs whoever leaves at this moment, banned or not (rule 13.1)."""
    one = place(rec.table, seat)
    first = in_first_turn(playing(rec.table), one)
    return leaving_points(rec.table.terms, has_drawn=one.drawn, first_turn=first)


def in_first_turn(deal: Deal, one: DealSeat) -> bool:
    """Whether the seat's first turn in this deal is not over yet (rule 7.2)."""
    return one.turns == 0 or (one.turns == 1 and deal.on_turn == one.seat)


def lay_back(rec: Recorder, seat: Seat, stamp: Stamp) -> None:
    """The 14th card goes to the open pile, or returns to it as it was, before its seat goes out (rules 4.5, 13.1)."""
    drawn = playing(rec.table).drawn
    if drawn is None:
        return
    if drawn.card is not None:
        rec.record(CardReturned(**stamp, seat=seat, position=drawn.position, card=drawn.card.card))
    else:
        card = rec.hidden.face(drawn.position)
        rec.record(CardDiscarded(**stamp, seat=seat, position=drawn.position, card=card))


def _drop(rec: Recorder, one: DealSeat, cause: str | None) -> None:
    # The turn is the seat's own, though its card may have gone back: the first turn is over only after it.
    first_turn = one.turns <= 1
    kind = drop_kind(rec.table.terms, has_drawn=one.drawn, first_turn=first_turn)
    points = drop_points(rec.table.terms, has_drawn=one.drawn, first_turn=first_turn)
    rule = "7.2" if kind == "first" else "7.3"
    stamp = rec.own(rule) if cause is None else rec.noted("7.6", cause)
    rec.record(SeatDropped(**stamp, seat=one.seat, kind=kind, points=points))
