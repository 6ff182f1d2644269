"""Arithmetic between deals, line by line in minor units: eliminations, rejoins, splits, prizes (9 to 12)."""

from collections.abc import Iterator

from poolrummy.audit.dossier.coming_back import rejoin_sums
from poolrummy.audit.dossier.content import Statement, Sum
from poolrummy.audit.dossier.names import Who, joined
from poolrummy.audit.dossier.splits import split_sums
from poolrummy.audit.dossier.totals import standings_of
from poolrummy.audit.history import Moment, Moments
from poolrummy.audit.wording import money
from poolrummy.rules import prizes
from poolrummy.rules.standings import highest_in
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Terms


def sums_of(of_deal: Moments, who: Who) -> tuple[Sum, ...]:
    """Everything that is computed in the break after a deal."""
    return (
        *_eliminations(of_deal, who),
        *rejoin_sums(of_deal, who),
        *split_sums(of_deal, who),
        *(found for one in of_deal if (found := _end(one, who)) is not None),
    )


def _eliminations(of_deal: Moments, who: Who) -> Iterator[Sum]:
    out = [one for one in of_deal if isinstance(one.event, e.SeatEliminated)]
    if not out:
        return
    lines = [_line_of_elimination(one, who) for one in out]
    yield Sum(title="Elimination", lines=tuple(lines), v=out[0].event.v)


def _line_of_elimination(one: Moment, who: Who) -> Statement:
    event, terms = one.event, one.after.terms
    assert isinstance(event, e.SeatEliminated), "a seat went out here"
    sign = "≥" if terms.elimination_cmp == "gte" else ">"
    highest = highest_in(terms)
    text = (
        f"{who.first(event.seat)} has {event.total}: {event.total} {sign} {terms.limit}, it is out of the match. "
        f"The highest total that is still in is {highest}."
    )
    return Statement(text=text, rules=("9.2",))


def _end(one: Moment, who: Who) -> Sum | None:
    match one.event:
        case e.MatchEnded():
            return _prizes(one, one.event, who)
        case e.MatchVoided():
            return _refunds(one, one.event, who)
        case _:
            return None


def _prizes(one: Moment, event: e.MatchEnded, who: Who) -> Sum:
    terms, pool = one.after.terms, standings_of(one).prize_pool
    lines = [_pool(one, terms)]
    if event.how not in ("split", "auto-split"):
        shares = ", ".join(f"{share / 100:g} %" for share in terms.prize_shares_bp)
        lines.append(
            Statement(
                text=f"Shares of the places: {shares}; each share but the winner's is rounded down.", rules=("11.2",)
            )
        )
    for place in event.places:
        text = f"Place {place.place}: {who.of(place.seat)}, total {place.total}: {money(place.prize, terms.currency)}."
        lines.append(Statement(text=text, rules=("11.3",)))
    paid = [place.prize for place in event.places if place.prize]
    lines.append(
        Statement(text=f"Sum of the prizes: {' + '.join(map(str, paid)) or '0'} = {sum(paid)}; the pool is {pool}.")
    )
    return Sum(title="Prizes", lines=tuple(lines), v=event.v)


def _pool(one: Moment, terms: Terms) -> Statement:
    standings = standings_of(one)
    into = [owed.amount for owed in standings.obligations if owed.kind in ("entry", "rejoin")]
    rejoins = sum(owed.kind == "rejoin" for owed in standings.obligations)
    rake = prizes.rake(terms.entry_fee, terms)
    entry = f"{terms.entry_fee} - rake {rake} = {terms.entry_fee - rake}"
    parts = joined([f"{len(into) - rejoins} entries at {entry}", *([f"{rejoins} rejoins"] if rejoins else [])])
    return Statement(text=f"Prize pool: {parts}; together {sum(into)}.", rules=("11.1",))


def _refunds(one: Moment, event: e.MatchVoided, who: Who) -> Sum:
    currency = one.after.terms.currency
    lines = [
        Statement(
            text=f"{who.first(owed.seat)} gets back {money(owed.amount, currency)}: the larger of stake and winnings.",
            rules=("13.3",),
        )
        for owed in event.obligations
    ]
    return Sum(title="Refunds of the void match", lines=tuple(lines), v=event.v)
