"""Coming back after elimination: who may, on which score, at what price (chapter 10).

``standings`` is what holds now, ``snapshot`` the totals at the end of the deal, before anybody came back.
"""

from collections.abc import Sequence

import msgspec

from poolrummy.rules import prizes
from poolrummy.rules.standings import Standings, of, playing, reaches_limit
from poolrummy_contracts.events import DeclineReason, Obligation, RejoinOffer
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.terms import Seat, Terms

Totals = Sequence[tuple[Seat, int]]
"""Totals by seat. Who is out stands at the limit or above it, so that the totals alone say who is in."""


class Granted(msgspec.Struct, frozen=True, kw_only=True):
    """A rejoin: the score it gives, the price, who owes what for it, and the prize pool after it."""

    score: int
    price: int
    obligations: tuple[Obligation, ...]
    prize_pool: int


def totals(standings: Standings) -> tuple[tuple[Seat, int], ...]:
    """The totals of all seats that have not left: taken when the window opens, this is the snapshot (rule 10.4)."""
    return tuple((one.seat, one.total) for one in standings.seats if one.state != "left")


def offers(standings: Standings, snapshot: Totals) -> tuple[RejoinOffer, ...]:
    """What every seat that may come back is offered now, in seat order (rule 10.1)."""
    return tuple(
        RejoinOffer(seat=one.seat, score=score(standings, snapshot), price=price(standings.terms))
        for one in standings.seats
        if refusal(standings, one.seat, snapshot) is None
    )


def refusal(standings: Standings, seat: Seat, snapshot: Totals) -> Refusal | None:
    """Why this seat may not come back now, if it may not (rules 10.1, 10.2, 10.8 and 10.9)."""
    terms = standings.terms
    standing = of(standings, seat)
    just_out = standing.state == "eliminated" and standing.out_in_deal == standings.deal
    limit = terms.rejoin_max_per_player
    spent = isinstance(limit, int) and standing.rejoins >= limit
    if not terms.rejoin_enabled or not just_out or spent or not _against_somebody(standings):
        return Refusal.REJOIN_NOT_OFFERED
    looked_at = totals(standings) if terms.rejoin_recheck_threshold == "each" else snapshot
    if not _below_threshold(looked_at, seat, terms) or reaches_limit(score(standings, snapshot), terms):
        return Refusal.REJOIN_THRESHOLD_PASSED
    return None


def settle(standings: Standings, seat: Seat, snapshot: Totals) -> Granted | DeclineReason:
    """Let this seat come back, or say that the scores do not allow it any more (rules 10.3 to 10.5)."""
    if refusal(standings, seat, snapshot) is not None:
        return "threshold"
    terms = standings.terms
    cost = price(terms)
    owed = prizes.payment(seat, of(standings, seat).player, "rejoin", price=cost, kept=_kept(cost, terms))
    return Granted(
        score=score(standings, snapshot),
        price=cost,
        obligations=owed,
        prize_pool=standings.prize_pool + prizes.pool(owed),
    )


def score(standings: Standings, snapshot: Totals) -> int:
    """The score a seat comes back on: next to the highest score that is in, never below 0 (rules 10.3 and 10.4)."""
    terms = standings.terms
    looked_at = totals(standings) if terms.rejoin_sequencing == "by_acceptance" else snapshot
    return max(_highest_surviving(looked_at, terms) + terms.rejoin_offset, 0)


def price(terms: Terms) -> int:
    """What a rejoin costs (rule 10.5)."""
    return terms.entry_fee if terms.rejoin_fee == "entry_fee" else terms.rejoin_fee.n


def _against_somebody(standings: Standings) -> bool:
    """Whether enough seats are in for anybody to come back (rule 10.8)."""
    needed = 2 if standings.terms.rejoin_when_one_survivor == "match_over" else 1
    return len(playing(standings)) >= needed


def _highest_surviving(looked_at: Totals, terms: Terms) -> int:
    return max(total for _, total in looked_at if not reaches_limit(total, terms))


def _below_threshold(looked_at: Totals, seat: Seat, terms: Terms) -> bool:
    """Whether the scores that are looked at still allow a rejoin (rule 10.2)."""
    threshold = terms.rejoin_threshold
    if not isinstance(threshold, int):
        return True
    if terms.rejoin_population == "survivors":
        highest = _highest_surviving(looked_at, terms)
    else:
        highest = max(total for other, total in looked_at if other != seat)
    return highest <= threshold if terms.rejoin_cmp == "lte" else highest < threshold


def _kept(cost: int, terms: Terms) -> int:
    """What of the price does not go into the prize pool (rule 10.5)."""
    if not terms.rejoin_adds_to_pool:
        return cost
    return prizes.rake(cost, terms) if terms.rake_on_rejoin else 0
