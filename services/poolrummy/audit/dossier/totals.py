"""Totals: the score sheet of the match, and each seat against the limit at the end of a deal (chapter 9)."""

from collections.abc import Iterator, Mapping

from poolrummy.audit.dossier.content import ScoreCell, SheetRow, TotalBar
from poolrummy.audit.dossier.names import Who
from poolrummy.audit.history import Moment, Moments, deals_of
from poolrummy.rules.standings import Standings, drops_left, headroom, highest_in, of
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat, Terms

ENDINGS: Mapping[str, str] = {
    "show": "a valid show",
    "last-seat": "all other seats were out of the deal",
    "lowest-count": "the stock was used up, the lowest count won",
}
REASONS: Mapping[str, str] = {
    "won": "won",
    "dropped": "drop",
    "wrong-show": "wrong show",
    "no-turn": "no turn",
    "late": "late",
    "counted": "count",
    "left": "left",
}


def sheet_of(moments: Moments) -> tuple[SheetRow, ...]:
    """One row a deal: what it cost each seat, who went out, who came back."""
    return tuple(_row(deal, of_deal) for deal, of_deal in deals_of(moments))


def bars_of(of_deal: Moments, who: Who) -> tuple[TotalBar, ...]:
    """Each seat that was dealt in, against the limit; nothing for a deal that was not scored."""
    one = scored_in(of_deal)
    if one is None or one.before is None or one.before.standings is None:
        return ()
    event, terms = _score(one), one.after.terms
    return tuple(_bar(score, terms, who) for score in sorted(event.scores, key=lambda score: score.seat))


def scored_in(of_deal: Moments) -> Moment | None:
    """Where the deal was scored, if it was."""
    return next((one for one in of_deal if isinstance(one.event, e.DealScored)), None)


def ending_of(of_deal: Moments, who: Who) -> str:
    """How the deal ended, in a sentence."""
    for one in of_deal:
        match one.event:
            case e.DealScored():
                return f"Won by {who.of(one.event.winner)}: {ENDINGS[one.event.how]}."
            case e.DealVoided():
                return f"Void, it counts for nobody: {one.event.reason}"
            case _:
                pass
    return "Not over at the end of this log."


def limit_line(terms: Terms) -> str:
    """The limit as the terms have it, in words."""
    if not isinstance(terms.limit, int):
        return "there is no limit"
    word = "reached" if terms.elimination_cmp == "gte" else "passed"
    return f"a seat is out when {terms.limit} is {word}"


def standings_of(one: Moment) -> Standings:
    """The standings after this moment of a match."""
    assert one.after.standings is not None, "the match has begun"
    return one.after.standings


def _row(deal: int, of_deal: Moments) -> SheetRow:
    one = scored_in(of_deal)
    if one is None:
        voided = any(isinstance(moment.event, e.DealVoided) for moment in of_deal)
        return SheetRow(deal=deal, how="void" if voided else "open")
    event = _score(one)
    out = {moment.event.seat for moment in of_deal if isinstance(moment.event, e.SeatEliminated)}
    back = {moment.event.seat: moment.event.score for moment in of_deal if isinstance(moment.event, e.RejoinGranted)}
    cells = tuple(
        ScoreCell(
            seat=score.seat,
            points=score.points,
            reason=REASONS[score.reason],
            total=score.total,
            out=score.seat in out,
            rejoined_on=back.get(score.seat),
        )
        for score in event.scores
    )
    return SheetRow(deal=deal, how=event.how, cells=cells)


def _bar(score: e.SeatScore, terms: Terms, who: Who) -> TotalBar:
    before = score.total - score.points
    room = headroom(score.total, terms)
    highest = highest_in(terms)
    is_out = highest is not None and score.total > highest
    return TotalBar(
        seat=score.seat,
        player=who.players.get(score.seat, ""),
        before=before,
        points=score.points,
        total=score.total,
        reason=REASONS[score.reason],
        headroom=room,
        drops_left=drops_left(score.total, terms),
        state="out" if is_out else "in",
        arithmetic="; ".join(_arithmetic(score, terms)),
    )


def _arithmetic(score: e.SeatScore, terms: Terms) -> Iterator[str]:
    before = score.total - score.points
    yield f"{before} + {score.points} = {score.total}"
    highest = highest_in(terms)
    if highest is None:
        return
    sign = "≥" if terms.elimination_cmp == "gte" else ">"
    if score.total > highest:
        yield f"{score.total} {sign} {terms.limit}: out"
        return
    yield f"headroom {highest} - {score.total} = {highest - score.total}"
    if isinstance(terms.first_drop_points, int):
        drops = drops_left(score.total, terms)
        yield f"drops left {highest - score.total} ÷ {terms.first_drop_points} = {drops}"


def _score(one: Moment) -> e.DealScored:
    assert isinstance(one.event, e.DealScored), "the deal is scored here"
    return one.event


def total_at(one: Moment, seat: Seat) -> int:
    """The total of a seat after this moment."""
    return of(standings_of(one), seat).total
