"""The first screen: which question a dossier answers, its sentence, and what else happened to the seat."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import msgspec

from poolrummy.audit.dossier import outcomes
from poolrummy.audit.dossier.case import Case, Reply
from poolrummy.audit.dossier.charges import charge
from poolrummy.audit.dossier.content import About, Answer
from poolrummy.audit.dossier.lateness import late_move
from poolrummy.audit.dossier.names import visible
from poolrummy.audit.dossier.totals import ending_of, scored_in
from poolrummy.audit.history import deals_of
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat

OfSeat = Callable[[Case, Seat], Reply | None]
ABOUT_A_SEAT: Final[Mapping[About, OfSeat]] = {
    "charge": charge,
    "move": late_move,
    "elimination": outcomes.elimination,
    "rejoin": outcomes.rejoin,
}


def answer_of(case: Case) -> Answer:
    """The answer to what was asked; without a question, to the first that the deal raises."""
    case = _with_deal(case)
    replies = dict(_replies(case))
    about = _chosen(case, replies)
    reply = replies.pop(about)
    ended = case.deal is not None and case.deal == case.moments[-1].after.deal_number
    told = about == "split" or "split" in replies
    also = tuple(one.statement for name, one in replies.items() if name != "match" or (ended and not told))
    if case.deal is not None and case.seat is None:
        also = tuple(one.statement for seat in _seats(case) if (one := charge(case, seat)) is not None)
    return Answer(
        about=about,
        question=reply.question,
        sentence=visible(reply.sentence),
        rules=reply.rules,
        also=also,
        at_v=reply.at_v,
    )


def _replies(case: Case) -> Iterator[tuple[About, Reply]]:
    if case.deal is not None and case.seat is not None:
        for about, answers in ABOUT_A_SEAT.items():
            reply = answers(case, case.seat)
            if reply is not None:
                yield about, reply
    elif case.deal is not None:
        yield "charge", _of_deal(case)
    if case.deal is not None and (reply := outcomes.split(case)) is not None:
        yield "split", reply
    yield "match", outcomes.match(case)


def _chosen(case: Case, replies: dict[About, Reply]) -> About:
    """What was asked, if there is an answer; else the charge of the deal, else the match."""
    if case.about in replies:
        return case.about
    if case.whole and "elimination" in replies:
        return "elimination"
    return "charge" if "charge" in replies else "match"


def _with_deal(case: Case) -> Case:
    """A seat that is asked about without a deal: the deal that put it out is looked at, if there is one."""
    if case.deal is not None or case.seat is None:
        return case
    out = {
        deal: of_deal
        for deal, of_deal in deals_of(case.moments)
        if any(isinstance(one.event, e.SeatEliminated) and one.event.seat == case.seat for one in of_deal)
    }
    if not out:
        return case
    return msgspec.structs.replace(case, deal=max(out), of_deal=out[max(out)], whole=True)


def _of_deal(case: Case) -> Reply:
    """How the deal ended, where no seat is asked about."""
    one = scored_in(case.of_deal)
    rules = ("13.2",) if one is None else (one.event.rule,)
    return Reply(
        question=f"What happened in deal {case.deal}?",
        sentence=f"Deal {case.deal}: {ending_of(case.of_deal, case.who)}",
        rules=rules,
        at_v=None if one is None else one.v,
    )


def _seats(case: Case) -> list[Seat]:
    one = scored_in(case.of_deal)
    if one is None or not isinstance(one.event, e.DealScored):
        return []
    return sorted(score.seat for score in one.event.scores)
