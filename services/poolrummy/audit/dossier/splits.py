"""How a split comes about, in minor units line by line: drops left, what they are worth, the rest, odd units (11)."""

from collections.abc import Iterator, Sequence

from poolrummy.audit.dossier.content import Statement, Sum
from poolrummy.audit.dossier.names import Who, joined, minor
from poolrummy.audit.dossier.totals import standings_of
from poolrummy.audit.history import Moment, Moments
from poolrummy.audit.wording import money
from poolrummy.rules import prizes
from poolrummy.rules.standings import Standings, highest_in, of
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat, Terms

RESIDUE = {
    "fewest_drops_first": "to the seats with the fewest drops left",
    "lowest_payout_first": "to the lowest payouts",
    "last_seat_first": "to the last seats",
    "leader_absorbs": "the leader takes the difference",
}


def split_sums(of_deal: Moments, who: Who) -> Iterator[Sum]:
    """Every split that was proposed in the break, and the one that was made without asking."""
    for one in of_deal:
        match one.event:
            case e.SplitAsked():
                yield _proposed(one, one.event, of_deal, who)
            case e.MatchEnded(how="auto-split"):
                yield _auto(one, one.event, who)
            case _:
                pass


def _proposed(one: Moment, event: e.SplitAsked, of_deal: Moments, who: Who) -> Sum:
    terms = one.after.terms
    lines = [*_lines(standings_of(one), event.shares, terms, who), *_votes(of_deal, event, who)]
    return Sum(title=f"Split asked by {who.of(event.seat)}", lines=tuple(lines), seat=event.seat, v=event.v)


def _lines(standings: Standings, shares: Sequence[e.SplitShare], terms: Terms, who: Who) -> Iterator[Statement]:
    unit, pool = minor(terms.currency), standings.prize_pool
    yield Statement(text=f"Prize pool: {pool} {unit} ({money(pool, terms.currency)}).", rules=("11.1",))
    if terms.split_formula == "drops":
        yield from _by_drops(standings, shares, terms, who)
    else:
        named = "agreed amounts" if terms.split_formula == "agreed" else "equal parts"
        yield Statement(text=f"The pool goes in {named}.", rules=("11.7" if named[0] == "a" else "11.9",))
    for share in shares:
        parts = f"{share.bonus} + {share.share}" if share.bonus else f"{share.share}"
        text = f"{who.first(share.seat)}: {parts} = {share.amount} {unit} ({money(share.amount, terms.currency)})."
        yield Statement(text=text, rules=("11.6",) if terms.split_formula == "drops" else ())
    amounts = [share.amount for share in shares]
    total = sum(amounts)
    same = "exactly the pool" if total == pool else f"NOT the pool of {pool}"
    yield Statement(text=f"Check: {' + '.join(map(str, amounts))} = {total}, {same}.")


def _by_drops(standings: Standings, shares: Sequence[e.SplitShare], terms: Terms, who: Who) -> Iterator[Statement]:
    unit, highest, drop = minor(terms.currency), highest_in(terms), terms.first_drop_points
    for share in shares:
        total = of(standings, share.seat).total
        room = 0 if highest is None else highest - total
        division = f"({highest} - {total}) ÷ {drop} = {room} ÷ {drop} = {share.drops_left}"
        text = f"Drops left of {who.of(share.seat)}: {division}, rounded down."
        yield Statement(text=text, rules=("9.4",))
    fewest = min(share.drops_left for share in shares)
    value = terms.entry_fee - (prizes.rake(terms.entry_fee, terms) if terms.split_drop_value == "net_entry" else 0)
    yield Statement(text=f"The fewest drops left are {fewest}; a drop is worth {value} {unit}.", rules=("11.6",))
    for share in shares:
        if share.bonus:
            text = (
                f"{who.first(share.seat)} gets {share.drops_left} - {fewest} = {share.drops_left - fewest} drops: "
                f"{share.drops_left - fewest} * {value} = {share.bonus} {unit}."
            )
            yield Statement(text=text, rules=("11.6",))
    paid = sum(share.bonus for share in shares)
    rest = standings.prize_pool - paid
    sign = "≥" if terms.split_rest_cmp == "gte" else ">"
    yield Statement(
        text=(
            f"Rest: {standings.prize_pool} - {paid} = {rest} {unit}; {rest} {sign} {terms.entry_fee}, one entry fee: "
            "a split is possible."
        ),
        rules=("11.6",),
    )
    yield from _division(rest, shares, terms, who)


def _division(rest: int, shares: Sequence[e.SplitShare], terms: Terms, who: Who) -> Iterator[Statement]:
    unit = minor(terms.currency)
    each, odd = divmod(rest, len(shares))
    text = f"The rest in equal parts: {rest} ÷ {len(shares)} = {each} {unit} each"
    if odd:
        more = [share.seat for share in shares if share.share > each]
        text += f", {odd} {unit} left over, {RESIDUE[terms.split_residue]}: {who.all(more)}"
    yield Statement(text=text + ".", rules=("11.6",))


def _votes(of_deal: Moments, asked: e.SplitAsked, who: Who) -> Iterator[Statement]:
    votes = [one.event for one in of_deal if isinstance(one.event, e.SplitVoted) and one.event.window == asked.window]
    said = joined([f"{who.of(vote.seat)} {'accepts' if vote.accept else 'refuses'}" for vote in votes])
    if said:
        yield Statement(text=f"Votes: {who.of(asked.seat)} asked; {said}.", rules=("11.5",))
    for one in of_deal:
        match one.event:
            case e.SplitAgreed(window=asked.window):
                yield Statement(
                    text="All seats that are in have accepted: the match ends with this split.", rules=("11.5",)
                )
            case e.SplitClosed(window=asked.window):
                why = {"refused": "somebody refused", "silence": "somebody kept silent", "not-asked": "nobody asked"}
                yield Statement(text=f"No split: {why[one.event.why]}.", rules=("11.5",))
            case _:
                pass


def _auto(one: Moment, event: e.MatchEnded, who: Who) -> Sum:
    terms, standings = one.after.terms, standings_of(one)
    unit, pool = minor(terms.currency), standings.prize_pool
    got: list[tuple[Seat, int]] = [(place.seat, place.prize) for place in event.places if place.prize]
    rooms = joined([f"{who.of(seat)} {of(standings, seat).total}" for seat, _ in got])
    lines = [
        Statement(text=f"No seat that is in could take one more drop: {rooms}.", rules=("11.8",)),
        Statement(
            text=f"Prize pool: {pool} {unit} ÷ {len(got)} = {pool // len(got)} {unit} each, {pool % len(got)} over.",
            rules=("11.8",),
        ),
        *(
            Statement(text=f"{who.first(seat)}: {amount} {unit} ({money(amount, terms.currency)}).")
            for seat, amount in got
        ),
    ]
    return Sum(title="Split without asking", lines=tuple(lines), v=event.v)
