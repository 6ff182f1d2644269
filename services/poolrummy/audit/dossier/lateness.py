"""Moves that came too late: when the time was up, when the move came, and by how much it missed (rule 4.7)."""

from poolrummy.audit.dossier.case import Case, Reply
from poolrummy.audit.dossier.content import RefusedCommand
from poolrummy.audit.dossier.names import clock, span
from poolrummy.audit.history import Moment
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat

LATE = frozenset({"too-late", "stale-turn", "not-your-turn"})


def late_move(case: Case, seat: Seat) -> Reply | None:
    """The first refused move of the seat in this deal that came after its time, with the time it had."""
    for refused in case.refused:
        if refused.code in LATE and refused.seat == seat and refused.deal in (None, case.deal):
            ran_out = _ran_out(case, seat, refused)
            if ran_out is not None:
                return _reply(case, seat, refused, ran_out)
    return None


def _ran_out(case: Case, seat: Seat, refused: RefusedCommand) -> Moment | None:
    """The latest turn of the seat that ran out before this answer, or whose time was up at it."""
    found: Moment | None = None
    for one in case.of_deal:
        if one.event.at > refused.at and one.v > refused.v + 2:
            break
        if isinstance(one.event, e.TurnMissed) and one.event.seat == seat:
            found = one
    return found


def _reply(case: Case, seat: Seat, refused: RefusedCommand, ran_out: Moment) -> Reply:
    started = _started(case, ran_out)
    limit = started.ends_at + started.bank_ms + case.terms.late_grace_ms
    what = (refused.what or "command").replace("-", " ")
    bank = f" and a time bank of {span(started.bank_ms)}" if started.bank_ms else " and nothing left of its time bank"
    sentence = (
        f"The {what} of {case.who.of(seat)} in turn {started.turn} of deal {case.deal} did not count because it came "
        f"{span(refused.at - limit)} too late: the turn began at {clock(started.at)} with "
        f"{span(started.ends_at - started.at)}{bank}, so it ended at {clock(limit)}, and the server received the "
        f"{what} at {clock(refused.at)}."
    )
    question = f"Why did the {what} of {case.who.of(seat)} not count?"
    return Reply(question=question, sentence=sentence, rules=("4.7", "4.5"), at_v=ran_out.v)


def _started(case: Case, ran_out: Moment) -> e.TurnStarted:
    turn = ran_out.event.turn
    found = [one.event for one in case.of_deal if isinstance(one.event, e.TurnStarted) and one.event.turn == turn]
    return found[-1]
