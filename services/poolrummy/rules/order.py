"""Who plays first in the next deal, and who after whom (rules 2.5 to 2.8).

The order is kept as the full circle of the seats that started, out or not, turned so that its first seat is the one
that plays first: a seat that comes back finds its old place in it. :func:`in_play` gives who is dealt in.
"""

from poolrummy.rules.standings import Standings, playing
from poolrummy_contracts.terms import Seat


def next_order(order: tuple[Seat, ...], standings: Standings) -> tuple[Seat, ...]:
    """The circle of the next deal: who played first deals and plays last, the next that is in begins (rule 2.6)."""
    return same_order(order[1:] + order[:1], standings)


def same_order(order: tuple[Seat, ...], standings: Standings) -> tuple[Seat, ...]:
    """The circle as it was, for the deal after a void one; a first seat that is out is passed over (rule 2.8)."""
    left = playing(standings)
    first = next((seat for seat in order if seat in left), None)
    assert first is not None, "no seat is in: there is no next deal"
    assert set(left) <= set(order), "the order has lost a seat that is in: keep the full circle, not who was dealt in"
    return turned_to(order, first)


def turned_to(order: tuple[Seat, ...], first: Seat) -> tuple[Seat, ...]:
    """The same circle with this seat first: how a fold follows the recorded deals.

    >>> turned_to((Seat(1), Seat(2), Seat(3)), Seat(3))
    (3, 1, 2)
    """
    place = order.index(first)
    return order[place:] + order[:place]


def in_play(order: tuple[Seat, ...], standings: Standings) -> tuple[Seat, ...]:
    """The order of play of a deal: the seats of the circle that are in, the last of them deals (rule 2.5)."""
    left = playing(standings)
    return tuple(seat for seat in order if seat in left)
