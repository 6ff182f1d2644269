"""Why a deal cost a seat what it did, in one sentence (chapters 6, 7 and 8)."""

from collections.abc import Mapping
from typing import Final, assert_never

from poolrummy.audit.dossier.case import Case, Reply, score_of
from poolrummy.audit.dossier.names import joined, ordinal_times, span
from poolrummy.audit.dossier.readings import counting_cards, sum_of
from poolrummy.audit.dossier.shows import REASON_RULE, why_counted, why_wrong
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat, Terms

_WON: Final[Mapping[e.DealEnd, str]] = {
    "show": "it won the deal with a valid show.",
    "last-seat": "it won the deal: all other seats were out of it.",
    "lowest-count": "the stock was used up and its hand counted least.",
}

Because = tuple[str, tuple[str, ...], int | None]
"""What follows "because", the paragraphs, and the version at which it was decided."""


def charge(case: Case, seat: Seat) -> Reply | None:
    """The sentence about this seat in this deal; None where the deal was not scored, or not dealt to it."""
    found = score_of(case, seat)
    if found is None:
        return None
    event, score = found
    why, rules, at_v = _because(case, event, score)
    cost = "paid nothing" if not score.points else f"was charged {score.points}"
    question = f"Why was {case.who.of(seat)} charged {score.points} in deal {event.deal}?"
    sentence = f"{case.who.first(seat)} {cost} in deal {event.deal} because {why}"
    return Reply(question=question, sentence=sentence, rules=rules, at_v=at_v or event.v)


def _because(case: Case, event: e.DealScored, score: e.SeatScore) -> Because:
    match score.reason:
        case "won":
            return _WON[event.how], (event.rule,), event.v
        case "wrong-show":
            return _wrong_show(case, score.seat)
        case "dropped" | "left":
            return _dropped(case, score.seat) or _counted(case, score)
        case "late":
            return _late(case, score)
        case "no-turn":
            why = f"its first turn had not begun when somebody showed; such a seat pays {score.points}."
            return why, ("8.6",), event.v
        case "counted":
            return _counted(case, score)
        case _:
            assert_never(score.reason)


def _wrong_show(case: Case, seat: Seat) -> Because:
    wild_rank = ""
    for one in case.of_deal:
        match one.event:
            case e.DealStarted():
                wild_rank = one.event.wild_rank
            case e.ShowJudged(valid=False) if one.event.seat == seat:
                why = why_wrong(one.event, wild_rank, case.terms)
                return f"its show was not valid: {why}.", (REASON_RULE, "6.5"), one.event.v
            case e.ShowForfeited() if one.event.seat == seat:
                time = span(case.terms.declare_ms)
                return f"it called finish and laid nothing out within {time}.", ("6.8", "6.5"), one.event.v
            case _:
                pass
    return "its show was not valid.", (REASON_RULE,), None


def _dropped(case: Case, seat: Seat) -> Because | None:
    missed: list[e.TurnMissed] = []
    for one in case.of_deal:
        dealt_in = None if one.before is None or one.before.deal is None else one.before.deal.of(seat)
        match one.event:
            case e.TurnMissed() if one.event.seat == seat:
                missed = [*missed, one.event] if one.event.misses > 1 else [one.event]
            case e.SeatDropped() if one.event.seat == seat:
                price = _price(case.terms, drawn=dealt_in is not None and dealt_in.drawn)
                return _drop_words(one.event, missed, price), (_drop_rule(one.event),), one.event.v
            case _:
                pass
    return None


def _drop_words(event: e.SeatDropped, missed: list[e.TurnMissed], price: str) -> str:
    advance = ", as it had asked in advance" if event.rule == "7.6" else ""
    match event.kind:
        case "first":
            return f"it dropped before it had drawn a card{advance}: a first drop costs {event.points}."
        case "middle":
            return f"it dropped after it had drawn a card{advance}: a middle drop costs {event.points}."
        case "misses":
            turns = joined([str(one.turn) for one in missed])
            times = ordinal_times(len(missed))
            return (
                f"its time ran out {times} in a row (turns {turns}), and the table then drops a seat "
                f"automatically: {event.points} points, {price}."
            )
        case "policy":
            return f"it was away and its automatic turns were used up: {event.points} points."
        case "left":
            return f"its player left the match in the middle of the deal: {event.points} points."


def _price(terms: Terms, *, drawn: bool) -> str:
    """Where the price of an automatic drop comes from (rule 7.4)."""
    match terms.auto_drop_points:
        case "as_drop":
            return "the price of a middle drop, for it had drawn a card" if drawn else "the price of a first drop"
        case "middle_drop":
            return "the price of a middle drop"
        case "full_count":
            return "the full count"
        case fixed:
            return f"the fixed price of {fixed.n}"


def _drop_rule(event: e.SeatDropped) -> str:
    if event.rule in ("7.1", "7.6"):
        return "7.2" if event.kind == "first" else "7.3"
    return event.rule


def _late(case: Case, score: e.SeatScore) -> Because:
    counted = _count_of(case, score.seat)
    if counted is None:
        why = f"it laid nothing out in time after the valid show; at this table that costs {score.points}."
        return why, ("8.7",), None
    why = f"it did not lay out its hand in time, though all of it could be declared: that costs {score.points}."
    return why, ("8.8",), counted.v


def _counted(case: Case, score: e.SeatScore) -> Because:
    event = _count_of(case, score.seat)
    wild = next(one.event.wild_rank for one in case.of_deal if isinstance(one.event, e.DealStarted))
    if event is None:
        return "its points were fixed before its hand was counted.", ("8.5",), None
    terms = case.terms
    added = sum_of(
        counting_cards(event.groups, event.leftover, wild, terms), event.raw, event.counted, terms.full_count_cap
    )
    why = why_counted(event, terms)
    if not event.points:
        return f"its hand counts nothing against a valid show. {why}", ("8.2",), event.v
    said = f"its hand counts {event.counted} against a valid show: {added}. {why}"
    return said, ("8.2", "8.4") if event.counted < event.raw else ("8.2",), event.v


def _count_of(case: Case, seat: Seat) -> e.HandCounted | None:
    found = (one.event for one in case.of_deal if isinstance(one.event, e.HandCounted) and one.event.seat == seat)
    return next(found, None)
