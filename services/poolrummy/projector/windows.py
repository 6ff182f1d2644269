"""What runs between deals, as everybody may see it: offers of a rejoin, a split that is asked or voted on."""

import msgspec

from poolrummy.rules import rejoin
from poolrummy.rules.standings import playing
from poolrummy.rules.state import Table
from poolrummy_contracts.events import RejoinOffer, SplitShare
from poolrummy_contracts.terms import Seat


class RejoinNow(msgspec.Struct, frozen=True, kw_only=True):
    """A rejoin window: what each seat that has not answered is offered now, and whose ask is being settled."""

    window: int
    offers: tuple[RejoinOffer, ...]
    paying: Seat | None
    """The seat whose payment is awaited."""
    queue: tuple[Seat, ...]
    """Seats whose ask waits for the one before it."""


class SplitNow(msgspec.Struct, frozen=True, kw_only=True):
    """A split that may be asked (no asker yet), or that is voted on."""

    window: int
    asker: Seat | None
    shares: tuple[SplitShare, ...]
    accepted: tuple[Seat, ...]


def rejoin_now(table: Table) -> RejoinNow | None:
    """The rejoin window that is open."""
    window = table.rejoin
    if table.phase != "rejoining" or window is None:
        return None
    return RejoinNow(
        window=window.number,
        offers=rejoin_offers(table),
        paying=None if window.payment is None else window.payment.seat,
        queue=window.queue,
    )


def rejoin_offers(table: Table) -> tuple[RejoinOffer, ...]:
    """What each seat is offered that has not answered: the score moves with every seat that comes back (rule 10.4)."""
    window, standings = table.rejoin, table.standings
    if table.phase != "rejoining" or window is None or standings is None or not playing(standings):
        return ()
    score, price = rejoin.score(standings, window.totals), rejoin.price(standings.terms)
    return tuple(RejoinOffer(seat=seat, score=score, price=price) for seat in sorted(window.offered))


def split_now(table: Table) -> SplitNow | None:
    """The split window that is open."""
    window = table.split
    if table.phase not in ("splitting", "voting") or window is None:
        return None
    return SplitNow(window=window.number, asker=window.asker, shares=window.shares, accepted=window.accepted)
