"""What became of a seat after the deal, of the prize, and of the match, each in one sentence (chapters 9 to 12)."""

from poolrummy.audit.dossier.case import Case, Reply
from poolrummy.audit.dossier.coming_back import rejoin_sums, why_not
from poolrummy.audit.dossier.content import Statement
from poolrummy.audit.dossier.names import joined
from poolrummy.audit.dossier.totals import standings_of
from poolrummy.audit.history import Moment
from poolrummy.audit.wording import money
from poolrummy.rules.standings import of
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat

_STILL_OPEN = Statement(text="its offer was still open at the end of this log.", rules=("10.7",))
ENDS = {
    "last-seat": "every other seat was out",
    "split": "all seats that were in agreed to a split",
    "auto-split": "no seat that was in could take one more drop, and the prize was split without asking",
    "lead": "the lead was too large to be caught up",
    "deals": "the last deal was played",
}


def elimination(case: Case, seat: Seat) -> Reply | None:
    """Why the seat went out in this deal, if it did."""
    for one in case.of_deal:
        if isinstance(one.event, e.SeatEliminated) and one.event.seat == seat:
            return _elimination(case, one, one.event)
    return None


def rejoin(case: Case, seat: Seat) -> Reply | None:
    """Whether the seat came back after this deal, and why not."""
    for found in rejoin_sums(case.of_deal, case.who):
        if found.seat != seat:
            continue
        back = _granted(case, seat)
        if back is not None:
            why = f"{case.who.first(seat)} came back on {back.score} after deal {back.deal}"
            score = f"{_next_to(case, back)}, for {_paid(case, back)}"
            return Reply(
                question=f"On which score did {case.who.of(seat)} come back?",
                sentence=f"{why}: {score}.",
                rules=("10.3", "10.5"),
                at_v=back.v,
            )
        reason = why_not(case.of_deal, seat, case.who) or _STILL_OPEN
        return Reply(
            question=f"Why did {case.who.of(seat)} not come back after deal {case.deal}?",
            sentence=f"{case.who.first(seat)} did not come back after deal {case.deal} because {reason.text}",
            rules=reason.rules,
            at_v=found.v,
        )
    return None


def split(case: Case) -> Reply | None:
    """What came of a split in the break after this deal."""
    asked = next((one for one in case.of_deal if isinstance(one.event, e.SplitAsked)), None)
    ended = next((one for one in case.of_deal if isinstance(one.event, e.MatchEnded)), None)
    if ended is not None and isinstance(ended.event, e.MatchEnded) and ended.event.how in ("split", "auto-split"):
        got = joined(
            [
                f"{case.who.of(place.seat)} {money(place.prize, case.terms.currency)}"
                for place in ended.event.places
                if place.prize
            ]
        )
        pool = money(standings_of(ended).prize_pool, case.terms.currency)
        sentence = f"The prize of {pool} was split after deal {case.deal}, because {ENDS[ended.event.how]}: {got}."
        rules = ("11.5", "11.6") if ended.event.how == "split" else ("11.8",)
        return Reply(question="How was the prize split?", sentence=sentence, rules=rules, at_v=ended.v)
    if asked is None or not isinstance(asked.event, e.SplitAsked):
        return None
    closed = next((one for one in case.of_deal if isinstance(one.event, e.SplitClosed)), None)
    why = "nobody has closed the vote yet"
    if closed is not None and isinstance(closed.event, e.SplitClosed):
        why = "somebody refused" if closed.event.why == "refused" else "somebody did not vote in time"
    sentence = f"{case.who.first(asked.event.seat)} asked for a split after deal {case.deal}, and there is none: {why}."
    return Reply(question="Why was the prize not split?", sentence=sentence, rules=("11.5",), at_v=asked.v)


def match(case: Case) -> Reply:
    """How the match ended, or where it stands."""
    question = "How did the match end?"
    last = case.moments[-1]
    for one in reversed(case.moments):
        match one.event:
            case e.MatchEnded():
                return _ended(case, one, one.event, question)
            case e.MatchVoided():
                sentence = f"The match is void and counts for nobody: {one.event.reason}"
                return Reply(question=question, sentence=sentence, rules=("13.3",), at_v=one.v)
            case _:
                pass
    sentence = f"The match is not over: deal {last.after.deal_number} is the last one in this log of {last.v} events."
    return Reply(question=question, sentence=sentence, rules=(), at_v=last.v)


def _elimination(case: Case, one: Moment, event: e.SeatEliminated) -> Reply:
    terms = one.after.terms
    scored = next(
        (
            score
            for moment in case.of_deal
            if isinstance(moment.event, e.DealScored)
            for score in moment.event.scores
            if score.seat == event.seat
        ),
        None,
    )
    added = f"{event.total}" if scored is None else f"{scored.total - scored.points} + {scored.points} = {event.total}"
    word = "reaches" if terms.elimination_cmp == "gte" else "passes"
    sign = "≥" if terms.elimination_cmp == "gte" else ">"
    return Reply(
        question=f"Why is {case.who.of(event.seat)} out of the match?",
        sentence=(
            f"{case.who.first(event.seat)} went out in deal {event.deal} because its total {word} the limit: "
            f"{added}, and {event.total} {sign} {terms.limit}."
        ),
        rules=(event.rule,),
        at_v=event.v,
    )


def _granted(case: Case, seat: Seat) -> e.RejoinGranted | None:
    found = (one.event for one in case.of_deal if isinstance(one.event, e.RejoinGranted) and one.event.seat == seat)
    return next(found, None)


def _next_to(case: Case, back: e.RejoinGranted) -> str:
    offset = case.terms.rejoin_offset
    done = "added" if offset >= 0 else "taken off"
    return f"the highest score that was in was {back.score - offset}, and {abs(offset)} is {done}"


def _paid(case: Case, back: e.RejoinGranted) -> str:
    return money(back.price, case.terms.currency)


def _ended(case: Case, one: Moment, event: e.MatchEnded, question: str) -> Reply:
    currency = case.terms.currency
    got = joined([f"{case.who.of(place.seat)} {money(place.prize, currency)}" for place in event.places if place.prize])
    if event.how in ("split", "auto-split"):
        sentence = f"The match ended after deal {one.after.deal_number} because {ENDS[event.how]}: {got}."
        return Reply(question=question, sentence=sentence, rules=("11.5", "11.6"), at_v=one.v)
    first = event.places[0]
    total = of(standings_of(one), first.seat).total
    sentence = (
        f"{case.who.first(first.seat)} won the match in deal {one.after.deal_number} with a total of {total}, because "
        f"{ENDS[event.how]}. Prizes: {got or 'none'}."
    )
    return Reply(question=question, sentence=sentence, rules=(event.rule, "11.2"), at_v=one.v)
