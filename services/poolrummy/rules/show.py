"""The verdict on a show, and the window in which the others arrange their hands (rules 6.2, 6.5 and 6.6)."""

from poolrummy.rules.finish import finish_card
from poolrummy.rules.losers import may_still_gain
from poolrummy.rules.recorder import Recorder
from poolrummy_contracts.events import DeclareWindowOpened, ShowJudged
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.terms import Seat
from poolrummy_contracts.verdicts import ShowVerdict


def judged(rec: Recorder, verdict: ShowVerdict) -> Refused | None:
    """Take the verdict over: a valid show wins the deal, a wrong one puts its seat out of it (rules 6.2 and 6.5)."""
    deal = rec.table.deal
    if rec.table.phase != "judging" or deal is None or deal.ask != verdict.ask or deal.finisher is None:
        return Refused(Refusal.ANSWER_NOT_AWAITED)
    if verdict.edition < rec.table.edition:
        return Refused(Refusal.EDITION_TOO_OLD, f"The table plays edition {rec.table.edition}.")
    finisher = deal.finisher
    rec.record(
        ShowJudged(
            **rec.own("6.2" if verdict.valid else "6.5"),
            seat=finisher,
            ask=verdict.ask,
            edition=verdict.edition,
            valid=verdict.valid,
            reason=verdict.reason,
            points=0 if verdict.valid else rec.table.terms.wrong_show_points,
            groups=verdict.groups,
            group=verdict.group,
            arrangement=verdict.arrangement,
            finish_card=None if verdict.valid else finish_card(rec),
        )
    )
    if verdict.valid:
        _open_window(rec, finisher)
    return None


def _open_window(rec: Recorder, winner: Seat) -> None:
    """The others arrange their hands, but for seats whose points nothing can change (rule 6.6)."""
    seats = tuple(seat for seat in rec.deal.playing() if seat != winner and may_still_gain(rec, seat))
    if seats:
        ends_at = rec.at + rec.table.terms.others_declare_ms
        rec.record(DeclareWindowOpened(**rec.follow("6.6"), winner=winner, seats=seats, ends_at=ends_at))
