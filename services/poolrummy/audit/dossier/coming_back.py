"""Why a seat may come back or not, and on which score: the numbers that the rules compare (chapter 10)."""

from collections.abc import Iterator, Sequence

from poolrummy.audit.dossier.content import Statement, Sum
from poolrummy.audit.dossier.names import Who, joined, ordinal_times
from poolrummy.audit.history import Moment, Moments
from poolrummy.audit.wording import money
from poolrummy.rules import prizes, rejoin
from poolrummy.rules.standings import Standings, of, playing, reaches_limit
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat

Totals = Sequence[tuple[Seat, int]]


def rejoin_sums(of_deal: Moments, who: Who) -> Iterator[Sum]:
    """One sum for each seat that went out in the deal: offered or not and why, then how its ask was settled."""
    out = [one for one in of_deal if isinstance(one.event, e.SeatEliminated)]
    offered = {
        offer.seat: one for one in of_deal if isinstance(one.event, e.RejoinOffered) for offer in one.event.offers
    }
    for one in out:
        assert isinstance(one.event, e.SeatEliminated), "a seat went out here"
        seat = one.event.seat
        asked = _settled(of_deal, seat, who)
        if seat in offered:
            yield Sum(title=f"Rejoin of {who.of(seat)}", lines=(_offer(offered[seat], seat), *asked), seat=seat)
        elif (why := why_not_offered(of_deal, seat, who)) is not None:
            yield Sum(title=f"No rejoin for {who.of(seat)}", lines=why, seat=seat, v=one.event.v)


def why_not_offered(of_deal: Moments, seat: Seat, who: Who) -> tuple[Statement, ...] | None:
    """The first reason why a seat that went out was offered no rejoin; None where the break is not over yet."""
    out = [one for one in of_deal if isinstance(one.event, e.SeatEliminated)]
    standings = None if not out else out[-1].after.standings
    if standings is None:
        return None
    snapshot = rejoin.totals(standings)
    if rejoin.refusal(standings, seat, snapshot) is None:
        return None
    return tuple(_reasons(standings, seat, snapshot, who))


def _reasons(standings: Standings, seat: Seat, snapshot: Totals, who: Who) -> Iterator[Statement]:
    terms, standing = standings.terms, of(standings, seat)
    if not terms.rejoin_enabled:
        yield Statement(text="This table has no rejoin.", rules=("10.1",))
        return
    limit = terms.rejoin_max_per_player
    if isinstance(limit, int) and standing.rejoins >= limit:
        text = f"The seat has come back {ordinal_times(standing.rejoins)} already; at most {limit} are allowed."
        yield Statement(text=text, rules=("10.9",))
        return
    left = playing(standings)
    if len(left) < 2:
        text = f"Only {who.all(left)} is in: the match is over, and no rejoin is offered."
        yield Statement(text=text, rules=("10.8", "12.1"))
        return
    yield from threshold_lines(standings, seat, snapshot, who)


def why_not(of_deal: Moments, seat: Seat, who: Who) -> Statement | None:
    """Why a seat is not back, in words that follow "because"; None where its offer is still open."""
    for one in of_deal:
        match one.event:
            case e.RejoinDeclined(why="player") if one.event.seat == seat:
                return Statement(text="its player refused the offer.", rules=("10.7",))
            case e.RejoinDeclined(why="threshold") if one.event.seat == seat:
                standings = None if one.before is None else one.before.standings
                return None if standings is None else _too_high(standings, seat, _looked_at(one), who)
            case e.RejoinClosed() if seat in _open_offers(one):
                return Statement(text="it did not ask before the window closed.", rules=("10.7",))
            case _:
                pass
    out = [one for one in of_deal if isinstance(one.event, e.SeatEliminated)]
    standings = None if not out else out[-1].after.standings
    if standings is None or why_not_offered(of_deal, seat, who) is None:
        return None
    reasons = tuple(_reasons(standings, seat, rejoin.totals(standings), who))
    if reasons[0].rules == ("10.2",):
        return _too_high(standings, seat, rejoin.totals(standings), who)
    return Statement(text=reasons[0].text[0].lower() + reasons[0].text[1:], rules=reasons[0].rules)


def _too_high(standings: Standings, seat: Seat, looked_at: Totals, who: Who) -> Statement:
    terms = standings.terms
    seen = _population(standings, seat, looked_at)
    highest_seat, highest = max(seen, key=lambda pair: (pair[1], -pair[0]))
    among = "among the seats that are in" if terms.rejoin_population == "survivors" else "among the other seats"
    allowed = f"; a rejoin is allowed up to {terms.rejoin_threshold}" if terms.rejoin_cmp == "lte" else ""
    if terms.rejoin_cmp == "lt":
        allowed = f"; a rejoin is allowed below {terms.rejoin_threshold}"
    return Statement(
        text=f"the highest score {among} is {highest}, that of {who.of(highest_seat)}{allowed}.", rules=("10.2",)
    )


def _population(standings: Standings, seat: Seat, looked_at: Totals) -> Totals:
    """The scores that are looked at (rule 10.2)."""
    terms = standings.terms
    others = [(one, total) for one, total in looked_at if one != seat]
    only_in = terms.rejoin_population == "survivors"
    return [(one, total) for one, total in others if not only_in or not reaches_limit(total, terms)]


def threshold_lines(standings: Standings, seat: Seat, looked_at: Totals, who: Who) -> Iterator[Statement]:
    """The scores that are looked at, against the threshold (rule 10.2)."""
    terms = standings.terms
    only_in = terms.rejoin_population == "survivors"
    seen = _population(standings, seat, looked_at)
    if not seen:
        return
    listed = joined([f"{who.of(one)} {total}" for one, total in seen])
    highest_seat, highest = max(seen, key=lambda pair: (pair[1], -pair[0]))
    population = "seats that are in" if only_in else "other seats"
    yield Statement(
        text=f"Scores of the {population}: {listed}. The highest is {highest} (seat {highest_seat}).", rules=("10.2",)
    )
    threshold = terms.rejoin_threshold
    if isinstance(threshold, int):
        fits = highest <= threshold if terms.rejoin_cmp == "lte" else highest < threshold
        sign = ("≤" if terms.rejoin_cmp == "lte" else "<") if fits else (">" if terms.rejoin_cmp == "lte" else "≥")
        verdict = "a rejoin is allowed" if fits else "no rejoin is allowed"
        yield Statement(text=f"{highest} {sign} {threshold}, the threshold: {verdict}.", rules=("10.2",))
        if not fits:
            return
    score = rejoin.score(standings, looked_at)
    if reaches_limit(score, terms):
        text = f"The score of a rejoin would be {score}, which is at the limit of {terms.limit}: it is never given."
        yield Statement(text=text, rules=("10.2",))


def _offer(one: Moment, seat: Seat) -> Statement:
    event = one.event
    assert isinstance(event, e.RejoinOffered), "rejoins are offered here"
    offer = next(offer for offer in event.offers if offer.seat == seat)
    price = money(offer.price, one.after.terms.currency)
    text = f"Offered at version {event.v}: back on {offer.score} for {price}."
    return Statement(text=text, rules=("10.1",))


def _settled(of_deal: Moments, seat: Seat, who: Who) -> Iterator[Statement]:
    for one in of_deal:
        match one.event:
            case e.RejoinGranted() if one.event.seat == seat:
                yield from _granted(one, one.event, who)
            case e.RejoinDeclined() if one.event.seat == seat:
                yield from _declined(one, one.event, who)
            case e.RejoinClosed() if seat in _open_offers(one):
                text = "The seat did not ask before the window closed: it stays out."
                yield Statement(text=text, rules=("10.7",))
            case _:
                pass


def _open_offers(one: Moment) -> tuple[Seat, ...]:
    window = None if one.before is None else one.before.rejoin
    return () if window is None else window.offered


def _granted(one: Moment, event: e.RejoinGranted, who: Who) -> Iterator[Statement]:
    assert one.before is not None, "a rejoin is granted in a running match"
    assert one.before.standings is not None, "a rejoin is granted in a running match"
    standings, terms = one.before.standings, one.after.terms
    looked_at = _looked_at(one)
    yield from threshold_lines(standings, event.seat, looked_at, who)
    highest = event.score - terms.rejoin_offset
    sign = "+" if terms.rejoin_offset >= 0 else "-"
    text = f"Score of the rejoin: {highest} {sign} {abs(terms.rejoin_offset)} = {event.score}."
    yield Statement(text=text, rules=("10.3", "10.4"))
    kept = event.price - (event.prize_pool - standings.prize_pool)
    rake = prizes.rake(event.price, terms) if terms.rake_on_rejoin else 0
    said = f"rake {kept}" if kept == rake else f"kept {kept}"
    text = (
        f"Price {event.price}, {said}: the prize pool goes from {standings.prize_pool} "
        f"by {event.price - kept} to {event.prize_pool}."
    )
    yield Statement(text=text, rules=("10.5",))


def _declined(one: Moment, event: e.RejoinDeclined, who: Who) -> Iterator[Statement]:
    match event.why:
        case "player":
            yield Statement(text="The player refused the offer.", rules=("10.7",))
        case "payment":
            reason = f": {event.detail}" if event.detail else ""
            yield Statement(
                text=f"The payment was declined{reason}. The offer stood until the window closed.", rules=("10.6",)
            )
        case "threshold":
            yield Statement(text="The offer ended, for the scores no longer allowed it.", rules=("10.2", "10.4"))
            if one.before is not None and one.before.standings is not None:
                yield from threshold_lines(one.before.standings, event.seat, _looked_at(one), who)


def _looked_at(one: Moment) -> Totals:
    """The scores as they count for this ask: now, or at the end of the deal (rule 10.4)."""
    before = one.before
    assert before is not None, "a rejoin is settled in a running match"
    assert before.standings is not None, "a rejoin is settled in a running match"
    if one.after.terms.rejoin_sequencing == "snapshot" and before.rejoin is not None:
        return before.rejoin.totals
    return rejoin.totals(before.standings)
