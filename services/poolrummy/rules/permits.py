"""Who may act at all: the table, the seat, the deal and the turn that a command speaks of, in the order of refusals."""

from poolrummy.rules.state import Deal, DealSeat, Table
from poolrummy_contracts.commands import OperatorCommand, SeatCommand, TurnCommand
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.terms import Seat


def at_table(table: Table | None, *, frozen_too: bool = False) -> Refused | None:
    """Whether the table is there and plays; operators and answers get through to a frozen one (rule 13.5)."""
    if table is None:
        return Refused(Refusal.TABLE_UNKNOWN)
    if table.closed:
        return Refused(Refusal.TABLE_CLOSED)
    return Refused(Refusal.TABLE_FROZEN) if table.frozen and not frozen_too else None


def on_record(command: OperatorCommand) -> Refused | None:
    """Whether an operator's act has a name and a reason: none stands in the log without (chapter 13)."""
    return None if command.operator.strip() and command.reason.strip() else Refused(Refusal.REASON_MISSING)


def in_seat(table: Table, command: SeatCommand) -> Refused | None:
    """Whether this player sits there (rule 1.2), and has not left the match (rule 13.1)."""
    if not 1 <= command.seat <= table.terms.seats:
        return Refused(Refusal.SEAT_UNKNOWN, f"It has seats 1 to {table.terms.seats}.")
    chair = table.chair(command.seat)
    if chair is None:
        return Refused(Refusal.SEAT_EMPTY)
    if chair.player != command.player:
        return Refused(Refusal.NOT_YOUR_SEAT)
    return Refused(Refusal.SEAT_GONE) if _standing(table, command.seat) == "left" else None


def in_match(table: Table, command: SeatCommand) -> Refused | None:
    """Whether the seat is in its place and in the match (rule 9.2)."""
    refused = in_seat(table, command)
    if refused is None and _standing(table, command.seat) == "eliminated":
        return Refused(Refusal.SEAT_ELIMINATED)
    return refused


def in_deal(table: Table, command: SeatCommand, number: int) -> Refused | None:
    """Whether the seat plays in the deal of this number."""
    refused = in_match(table, command)
    if refused is not None:
        return refused
    if table.deal is None:
        return Refused(Refusal.NO_DEAL)
    place = table.deal.of(command.seat)
    if place is None or place.standing != "playing":
        return Refused(Refusal.SEAT_OUT_OF_DEAL)
    if table.deal.number != number:
        return Refused(Refusal.WRONG_DEAL, f"Deal {table.deal.number} is being played.")
    return None


def on_turn(table: Table, command: TurnCommand, now_ms: int) -> Refused | None:
    """Whether it is this turn of this seat, and its time has not run out (rules 4.1 and 4.7).

    A turn that the clock has ended is late, whoever is on turn since.
    """
    refused = in_deal(table, command, command.deal)
    if refused is not None:
        return refused
    deal = playing(table)
    if table.phase != "turn":
        return Refused(Refusal.NOT_NOW)
    run_out = deal.run_out
    if run_out is not None and (run_out.seat, run_out.turn) == (command.seat, command.turn):
        return Refused(Refusal.TOO_LATE, f"The clock ended turn {run_out.turn} with version {run_out.v}.")
    if deal.on_turn != command.seat:
        return Refused(Refusal.NOT_YOUR_TURN, f"Turn {deal.turn} is seat {deal.on_turn}'s.")
    if deal.turn != command.turn:
        return Refused(Refusal.STALE_TURN, f"Turn {deal.turn} is being played.")
    return Refused(Refusal.TOO_LATE) if late(table, now_ms) else None


def late(table: Table, now_ms: int) -> bool:
    """Whether a command that arrived now is after the running deadline, bank and grace included (rule 4.7)."""
    clock = table.clock
    return clock is not None and now_ms > clock.ends_at + clock.bank_ms + table.terms.late_grace_ms


def playing(table: Table) -> Deal:
    """The deal that is played."""
    assert table.deal is not None, f"no deal is played at version {table.v} of {table.id}"
    return table.deal


def place(table: Table, seat: Seat) -> DealSeat:
    """The seat in the deal that is played."""
    found = playing(table).of(seat)
    assert found is not None, f"seat {seat} was not dealt in"
    return found


def _standing(table: Table, seat: Seat) -> str:
    if table.standings is not None:
        for one in table.standings.seats:
            if one.seat == seat:
                return one.state
    return "playing"
