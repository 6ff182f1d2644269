"""Entries, the prize pool, places and prizes, and what is given back (rules 11.1 to 11.3 and 13.3).

An obligation of kind ``entry`` or ``rejoin`` is what goes into the prize pool, ``entry-fee`` or ``rejoin-fee`` what the
house keeps of the same payment; both together are the price. Amounts of 0 are not written down.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final, Literal

from poolrummy.rules.standings import SeatStanding, Standings
from poolrummy_contracts.commands import SplitAmount
from poolrummy_contracts.events import MatchEnd, Obligation, Place, SeatedPlayer
from poolrummy_contracts.terms import Seat, Terms

WHOLE_BP: Final = 10_000
_STAKES: Final = frozenset({"entry", "entry-fee", "rejoin", "rejoin-fee"})
_POOL: Final = frozenset({"entry", "rejoin"})


def entries(terms: Terms, seats: Sequence[SeatedPlayer]) -> tuple[tuple[Obligation, ...], int]:
    """What every seat owes at the start, and the prize pool that it makes (rule 11.1)."""
    kept = rake(terms.entry_fee, terms)
    owed = [
        obligation
        for one in seats
        for obligation in payment(one.seat, one.player, "entry", price=terms.entry_fee, kept=kept)
    ]
    return tuple(owed), pool(owed)


def payment(
    seat: Seat, player: str, kind: Literal["entry", "rejoin"], *, price: int, kept: int
) -> tuple[Obligation, ...]:
    """A price, as the part for the pool and the part that the house keeps (rule 11.1)."""
    assert 0 <= kept <= price, f"{kept} cannot be kept of {price}"
    fee: Literal["entry-fee", "rejoin-fee"] = "entry-fee" if kind == "entry" else "rejoin-fee"
    parts = (Obligation(seat, player, kind, price - kept), Obligation(seat, player, fee, kept))
    return tuple(part for part in parts if part.amount)


def rake(price: int, terms: Terms) -> int:
    """What is kept of a price, rounded down to the minor unit (rule 11.1)."""
    return price * terms.rake_bp // WHOLE_BP


def pool(obligations: Iterable[Obligation]) -> int:
    """The prize pool: what all entries and rejoins put into it, whoever has left since (rule 11.1)."""
    return sum(one.amount for one in obligations if one.kind in _POOL)


def places_and_prizes(
    standings: Standings, how: MatchEnd, amounts: Sequence[SplitAmount] = ()
) -> tuple[tuple[Place, ...], tuple[Obligation, ...]]:
    """Where every seat ended and what it is owed; the prizes sum to the prize pool (rules 11.2 and 11.3)."""
    ranked = _ranked(standings)
    if how in ("split", "auto-split"):
        prizes = {one.seat: one.amount for one in amounts}
    else:
        prizes = _shared_out([[one.seat for one in tied] for _, tied in ranked], _by_place(standings))
    assert sum(prizes.values()) == standings.prize_pool, "the prizes are not the prize pool"
    places = tuple(
        Place(place=place, seat=one.seat, player=one.player, total=one.total, prize=prizes.get(one.seat, 0))
        for place, tied in ranked
        for one in tied
    )
    owed = tuple(Obligation(one.seat, one.player, "prize", one.prize) for one in places if one.prize)
    return places, owed


def refunds(standings: Standings) -> tuple[Obligation, ...]:
    """What a void match gives back: the larger of a seat's stake and what it had won (rule 13.3)."""
    owed: list[Obligation] = []
    for one in standings.seats:
        mine = [obligation for obligation in standings.obligations if obligation.seat == one.seat]
        stake = sum(obligation.amount for obligation in mine if obligation.kind in _STAKES)
        won = sum(obligation.amount for obligation in mine if obligation.kind == "prize")
        owed.append(Obligation(one.seat, one.player, "refund", max(stake, won)))
    return tuple(obligation for obligation in owed if obligation.amount)


def _ranked(standings: Standings) -> list[tuple[int, list[SeatStanding]]]:
    """Places from 1, each with who shares it: who is in before who is out, the last out first, then the lower total."""

    def rank(one: SeatStanding) -> tuple[int, int, int]:
        stands_first = one.state == "playing" or one.seat == standings.last_in
        return (0 if stands_first else 1, -(one.out_in_deal or 0), one.total)

    ranked: list[tuple[int, list[SeatStanding]]] = []
    place = 1
    for _, tied in groupby(sorted(standings.seats, key=rank), key=rank):
        together = list(tied)
        ranked.append((place, together))
        place += len(together)
    return ranked


def _by_place(standings: Standings) -> list[int]:
    """The prize of each place; shares are rounded down, what is left over goes to the winner (rule 11.2)."""
    terms = standings.terms
    alone = terms.prize_shares_by == "started" and standings.started < 3
    shares = terms.prize_shares_bp[1 : 1 if alone else standings.started]
    others = [standings.prize_pool * share // WHOLE_BP for share in shares]
    return [standings.prize_pool - sum(others), *others]


def _shared_out(tied: Sequence[Sequence[Seat]], by_place: Sequence[int]) -> dict[Seat, int]:
    """Seats on one place share the prizes of the places they take up; odd units to the earlier seats (rule 11.3)."""
    prizes: dict[Seat, int] = {}
    left = list(by_place)
    for seats in tied:
        each, odd = divmod(sum(left[: len(seats)]), len(seats))
        prizes |= {seat: each + (1 if number < odd else 0) for number, seat in enumerate(sorted(seats))}
        left = left[len(seats) :]
    return prizes
