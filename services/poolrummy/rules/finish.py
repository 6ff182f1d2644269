"""Calling finish and laying out a show, in time or not (rules 6.1 and 6.8)."""

from typing import assert_never

from poolrummy.rules.permits import late, on_turn, place, playing
from poolrummy.rules.placing import Groups, current_groups, holds_exactly, shown, shown_cards, with_lone_cards
from poolrummy.rules.recorder import Recorder
from poolrummy_contracts.commands import Declare, Finish
from poolrummy_contracts.events import FinishCalled, ShowDeclared, ShowForfeited, ShownCard
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.terms import Seat


def finish(rec: Recorder, command: Finish) -> Refused | None:
    """Lay the 14th card face down and claim a show (rule 6.1)."""
    refused = on_turn(rec.table, command, rec.at)
    if refused is not None:
        return refused
    if rec.deal.drawn is None:
        return Refused(Refusal.NOT_DRAWN_YET)
    if command.position not in place(rec.table, command.seat).hand:
        return Refused(Refusal.CARD_NOT_HELD)
    ends_at = rec.at + rec.table.terms.declare_ms
    rec.record(FinishCalled(**rec.own("6.1"), seat=command.seat, position=command.position, ends_at=ends_at))
    return None


def declare_show(rec: Recorder, command: Declare) -> Refused | None:
    """Lay the 13 cards out in groups; what does not hold exactly them is no show (rule 6.1)."""
    if playing(rec.table).finisher != command.seat:
        return Refused(Refusal.NOT_THE_FINISHER)
    if late(rec.table, rec.at):
        return Refused(Refusal.TOO_LATE)
    if not holds_exactly(command.groups, place(rec.table, command.seat).hand):
        return Refused(Refusal.CARDS_MISMATCH)
    groups = tuple(group for group in command.groups if group)
    _lay_out(rec, groups, rule="6.1", timed_out=False)
    return None


def declared_again(rec: Recorder, command: Declare) -> Refused:
    """A show lies open already: the finisher's second one comes after it, or after its time."""
    deal = playing(rec.table)
    if command.seat != deal.finisher:
        return Refused(Refusal.NOT_NOW)
    return Refused(Refusal.TOO_LATE if deal.timed_out else Refusal.ALREADY_DECLARED)


def show_ran_out(rec: Recorder) -> None:
    """The finisher did not declare in time: a wrong show, or what is saved by now is the show (rule 6.8)."""
    one = place(rec.table, _finisher(rec))
    terms = rec.table.terms
    match terms.finish_timeout:
        case "wrong_show":
            card = finish_card(rec)
            points = terms.wrong_show_points
            rec.record(ShowForfeited(**rec.own("6.8"), seat=one.seat, points=points, finish_card=card))
        case "validate_current_groups" | "best_arrangement":
            groups = with_lone_cards(current_groups(rec, one), one.hand)
            _lay_out(rec, groups, rule="6.8", timed_out=True)
        case _:
            assert_never(terms.finish_timeout)


def finish_card(rec: Recorder) -> ShownCard | None:
    """The finish card after a wrong show, where it goes on the open pile; else it stays face down (rule 6.5)."""
    where = rec.deal.finish
    if where is None or rec.table.terms.finish_card_after_wrong_show == "dead":
        return None
    return shown_cards(rec, (where,))[0]


def _lay_out(rec: Recorder, groups: Groups, *, rule: str, timed_out: bool) -> None:
    one = place(rec.table, _finisher(rec))
    rec.record(
        ShowDeclared(
            **rec.own(rule),
            seat=one.seat,
            hand=shown_cards(rec, one.hand),
            groups=shown(rec, groups),
            wild_rank=rec.deal.wild_rank,
            timed_out=timed_out,
        )
    )


def _finisher(rec: Recorder) -> Seat:
    assert rec.deal.finisher is not None, "nobody has called finish"
    return rec.deal.finisher
