"""Matches written down by hand: terms of a profile, and standings as a list of totals."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from poolrummy.profile_files import load_all
from poolrummy.rules import prizes
from poolrummy.rules.standings import SeatStanding, SeatState, Standings, reaches_limit
from poolrummy_contracts.events import SeatedPlayer
from poolrummy_contracts.profiles import resolve
from poolrummy_contracts.terms import Seat, Terms

PROFILES = ("house", "rummypassion", "classic", "deccan", "scorekeeper")


def terms_of(profile: str = "house", variant: str = "101", *, seats: int = 6, **settings: object) -> Terms:
    """The terms of a profile for practice chips; ``settings`` are put in as they are, after loading."""
    seats = 2 if variant == "best_of_3" else seats
    terms = resolve(
        load_all()[profile],
        variant=variant,
        seats=seats,
        entry_fee=2500,
        currency="practice",
        rake_bp=0,
        rejoin_payment="none",
    )
    assert isinstance(terms, Terms), terms
    return replace(terms, **settings)


def standings_of(
    terms: Terms,
    totals: Sequence[int],
    *,
    deal: int = 3,
    out: Mapping[int, int] = {},
    left: Mapping[int, int] = {},
    pool: int | None = None,
) -> Standings:
    """Seats 1, 2, … with these totals; who is at the limit is out in this deal, or in the deal that ``out`` names.

    ``left`` names the seats that left, with the deal in which they did. All started, and paid one entry.
    """
    numbers = range(1, len(totals) + 1)
    seated = tuple(SeatedPlayer(seat=Seat(n), player=f"p{n}", kind="person") for n in numbers)
    owed, paid = prizes.entries(terms, seated)
    seats: list[SeatStanding] = []
    for one, total in zip(seated, totals, strict=True):
        state: SeatState = "eliminated" if reaches_limit(total, terms) else "playing"
        state = "left" if one.seat in left else state
        gone = left.get(one.seat, out.get(one.seat, deal))
        seats.append(
            SeatStanding(
                seat=one.seat,
                player=one.player,
                kind=one.kind,
                total=total,
                state=state,
                out_in_deal=None if state == "playing" else gone,
            )
        )
    return Standings(
        terms=terms,
        seats=tuple(seats),
        started=len(seats),
        deal=deal,
        scored=deal,
        prize_pool=paid if pool is None else pool,
        obligations=owed,
    )
