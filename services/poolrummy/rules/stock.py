"""The stock runs out: the open pile becomes a new one, or the deal cannot go on (rule 4.6)."""

from poolrummy.rules import losers, voids
from poolrummy.rules.recorder import Recorder
from poolrummy_contracts.cards import Position, position
from poolrummy_contracts.events import StockReshuffled


def has_card(rec: Recorder) -> bool:
    """Whether a card can be drawn from the stock; an empty one is filled from the open pile, if that may be."""
    if rec.deal.stock:
        return True
    taken = _taken(rec)
    limit = rec.table.terms.max_reshuffles
    if not taken or (isinstance(limit, int) and rec.deal.reshuffles >= limit):
        return False
    generation = rec.deal.generation + 1
    pack = rec.hidden.reshuffled(rec.deal.number, generation, taken)
    stock = tuple(position(generation, place) for place in range(len(taken)))
    rec.record(
        StockReshuffled(**rec.follow("4.6"), pack=pack.commitment, generation=generation, taken=taken, stock=stock)
    )
    return True


def exhausted(rec: Recorder) -> None:
    """The deal cannot go on: it is void, or the lowest count wins it (rule 4.6)."""
    if rec.table.terms.on_stock_exhausted == "void_deal":
        voids.record_void_deal(rec, rec.follow("4.6"), "the stock ran out and may not be reshuffled", None)
    else:
        losers.lay_open_all(rec)


def _taken(rec: Recorder) -> tuple[Position, ...]:
    """The open cards but the top, and where the terms say so the hands of seats that dropped."""
    taken = tuple(card.position for card in rec.deal.pile[:-1])
    if rec.table.terms.reshuffle_dropped_hands:
        taken += tuple(card for one in rec.deal.seats if one.standing == "dropped" for card in one.hand)
    return taken
