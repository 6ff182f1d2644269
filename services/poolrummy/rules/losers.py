"""The hands of those who did not show: declared, laid open, counted (rules 6.6 and 8.2)."""

from poolrummy.rules import deal_end
from poolrummy.rules.loser_points import charge, count_basis, without_count
from poolrummy.rules.permits import late, place, playing
from poolrummy.rules.placing import Groups, current_groups, holds_exactly, shown, shown_cards
from poolrummy.rules.recorder import Recorder
from poolrummy.rules.state import DealSeat
from poolrummy_contracts.commands import Declare
from poolrummy_contracts.events import CountBasis, HandCounted, HandDeclared, HandLaidOpen
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.seat_lines import GroupingSaved
from poolrummy_contracts.terms import Seat
from poolrummy_contracts.verdicts import HandVerdict


def declare_hand(rec: Recorder, command: Declare) -> Refused | None:
    """Group the hand after somebody else's valid show (rule 6.6)."""
    deal = playing(rec.table)
    if command.seat in deal.waiting and (rec.table.phase == "counting" or late(rec.table, rec.at)):
        return Refused(Refusal.TOO_LATE)
    one = place(rec.table, command.seat)
    if command.seat in deal.waiting and not holds_exactly(command.groups, one.hand):
        return Refused(Refusal.CARDS_MISMATCH)
    if command.seat == deal.winner or deal.declaration(command.seat) is not None:
        return Refused(Refusal.ALREADY_DECLARED)
    if command.seat not in deal.waiting:
        return Refused(Refusal.NOT_NOW, "The points of this seat are fixed already.")
    groups = tuple(group for group in command.groups if group)
    rec.record(HandDeclared(**rec.own("6.6"), seat=command.seat, groups=groups))
    if rec.table.terms.loser_hand == "saved_groups":
        # Declaring places the cards as saving does, and the last grouping placed is what counts.
        rec.tell(GroupingSaved(**rec.line(), seat=command.seat, groups=groups))
    return None


def may_still_gain(rec: Recorder, seat: Seat) -> bool:
    """Whether what the seat declares can change its points."""
    loser = deal_end.loser_of(rec.deal, place(rec.table, seat), declared=True)
    return without_count(rec.table.terms, loser) is None


def close_window(rec: Recorder) -> None:
    """Everybody has declared, or the time is up: the hands to be counted lie open (rules 6.6 and 8.2)."""
    deal, terms = rec.deal, rec.table.terms
    for one in deal.seats:
        if one.standing != "playing" or one.seat == deal.winner:
            continue
        loser = deal_end.loser_of(deal, one)
        if without_count(terms, loser) is None:
            _lay_open(rec, one, count_basis(terms, loser), is_late=one.seat in deal.waiting)
    if not rec.deal.asks:
        deal_end.score(rec)


def lay_open_all(rec: Recorder) -> None:
    """Nobody has shown and no card is left: every hand that is in counts (rule 4.6)."""
    for one in rec.deal.seats:
        if one.standing == "playing":
            _lay_open(rec, one, "best", is_late=False)


def counted(rec: Recorder, verdict: HandVerdict) -> Refused | None:
    """Take the count of a hand over, and charge what the terms make of it (rule 8.2)."""
    deal = rec.table.deal
    ask = None if deal is None else next((ask for ask in deal.asks if ask.v == verdict.ask), None)
    if rec.table.phase != "counting" or deal is None or ask is None:
        return Refused(Refusal.ANSWER_NOT_AWAITED)
    if verdict.edition < rec.table.edition:
        return Refused(Refusal.EDITION_TOO_OLD, f"The table plays edition {rec.table.edition}.")
    loser = deal_end.loser_of(deal, place(rec.table, ask.seat))
    charged = charge(rec.table.terms, loser, counted=verdict.points, complete=verdict.complete).points
    rec.record(
        HandCounted(
            **rec.own("8.2"),
            seat=ask.seat,
            ask=verdict.ask,
            edition=verdict.edition,
            groups=verdict.groups,
            leftover=verdict.leftover,
            raw=verdict.raw,
            counted=verdict.points,
            points=verdict.points if deal.winner is None else charged,
            complete=verdict.complete,
        )
    )
    return None


def _lay_open(rec: Recorder, one: DealSeat, basis: CountBasis, *, is_late: bool) -> None:
    rec.record(
        HandLaidOpen(
            **rec.follow("8.2"),
            seat=one.seat,
            hand=shown_cards(rec, one.hand),
            groups=shown(rec, _groups(rec, one, basis)),
            wild_rank=rec.deal.wild_rank,
            basis=basis,
            late=is_late,
        )
    )


def _groups(rec: Recorder, one: DealSeat, basis: CountBasis) -> Groups:
    """The groups that are laid open with a hand: as declared, or the last that were placed (rules 6.6 and 6.7)."""
    declared = rec.deal.declaration(one.seat)
    if declared is not None and rec.table.terms.loser_hand != "saved_groups":
        return declared.groups
    if basis == "placed":
        return current_groups(rec, one)
    return () if declared is None else declared.groups
