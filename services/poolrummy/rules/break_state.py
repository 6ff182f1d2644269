"""What is open between two deals: offers of a rejoin and their payments, a split and its votes (chapters 10 and 11)."""

import msgspec

from poolrummy_contracts.commands import SplitAmount
from poolrummy_contracts.events import SplitShare
from poolrummy_contracts.terms import Seat


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """A rejoin whose payment is awaited; ``v`` is the version of the ask (rule 10.6)."""

    v: int
    seat: Seat
    price: int


class RejoinWindow(msgspec.Struct, frozen=True, kw_only=True):
    """The offers of the last break between deals that had any (chapter 10)."""

    number: int
    invited: tuple[Seat, ...]
    """Seats that had an offer when the window opened."""
    offered: tuple[Seat, ...]
    """Seats that may still ask."""
    too_high: tuple[Seat, ...] = ()
    """Seats whose offer ended because the highest score in play has risen above the threshold."""
    payment: Payment | None = None
    queue: tuple[Seat, ...] = ()
    """Seats whose ask waits for the one before it, in order of arrival."""
    totals: tuple[tuple[Seat, int], ...] = ()
    """Totals at the end of the deal: what ``snapshot`` looks at (rule 10.4)."""


class SplitWindow(msgspec.Struct, frozen=True, kw_only=True):
    """A split that may be asked, or that is voted on (chapter 11)."""

    number: int
    asker: Seat | None = None
    shares: tuple[SplitShare, ...] = ()
    accepted: tuple[Seat, ...] = ()


class SplitWish(msgspec.Struct, frozen=True, kw_only=True):
    """A split that was asked while the rejoin window was open: it waits for the close (rule 11.4)."""

    seat: Seat
    amounts: tuple[SplitAmount, ...]
