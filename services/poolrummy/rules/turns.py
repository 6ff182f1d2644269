"""Whose turn it is, drawing and discarding (chapter 4)."""

from poolrummy.rules import drops, stock
from poolrummy.rules.permits import on_turn, place
from poolrummy.rules.recorder import Recorder
from poolrummy.rules.state import Deal
from poolrummy_contracts.cards import PRINTED_JOKER, Card
from poolrummy_contracts.commands import Discard, Draw
from poolrummy_contracts.events import CardDiscarded, CardDrawn, TurnStarted
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.terms import Seat, Terms


def next_turn(rec: Recorder) -> None:
    """The next seat that plays is on turn (rule 4.1); a drop that it noted acts at once (rule 7.6)."""
    deal = rec.deal
    seat = _next_seat(deal)
    ends_at = rec.at + rec.table.terms.turn_ms
    stamp = rec.follow("4.1", turn=deal.turn + 1)
    rec.record(TurnStarted(**stamp, seat=seat, ends_at=ends_at, bank_ms=rec.table.bank_ms(seat)))
    drops.carry_out_noted(rec, seat)


def draw(rec: Recorder, command: Draw) -> Refused | None:
    """Draw the top card of the stock, or take the top card of the open pile (rules 4.2 and 4.3)."""
    refused = on_turn(rec.table, command, rec.at)
    if refused is not None:
        return refused
    if rec.deal.drawn is not None:
        return Refused(Refusal.ALREADY_DRAWN)
    if command.source == "open":
        return _take(rec, command.seat)
    if stock.has_card(rec):
        draw_from_stock(rec, command.seat, "4.2")
    else:
        stock.exhausted(rec)
    return None


def discard(rec: Recorder, command: Discard) -> Refused | None:
    """Lay a card on the open pile; the turn is over (rule 4.4)."""
    refused = on_turn(rec.table, command, rec.at)
    if refused is not None:
        return refused
    if rec.deal.drawn is None:
        return Refused(Refusal.NOT_DRAWN_YET)
    if command.position not in place(rec.table, command.seat).hand:
        return Refused(Refusal.CARD_NOT_HELD)
    card = rec.hidden.face(command.position)
    rec.record(CardDiscarded(**rec.own("4.4"), seat=command.seat, position=command.position, card=card))
    return None


def draw_from_stock(rec: Recorder, seat: Seat, rule: str) -> None:
    """The top card of the stock goes to this seat; nobody else learns which it is."""
    rec.record(CardDrawn(**rec.own(rule), seat=seat, source="stock", position=rec.deal.stock[0]))


def open_joker_allowed(terms: Terms, deal: Deal) -> bool:
    """Whether a joker on top of the open pile may be taken now (rule 4.3)."""
    match terms.open_joker_pick:
        case "first_open_card":
            return deal.uncovered
        case "first_open_card_first_turn":
            return deal.uncovered and deal.turn == 1
        case "never":
            return False
        case "always":
            return True


def _take(rec: Recorder, seat: Seat) -> Refused | None:
    deal = rec.deal
    if not deal.pile:
        return Refused(Refusal.OPEN_PILE_EMPTY)
    top = deal.pile[-1]
    if _is_joker(top.card, deal.wild_rank) and not open_joker_allowed(rec.table.terms, deal):
        return Refused(Refusal.OPEN_JOKER)
    rec.record(CardDrawn(**rec.own("4.2"), seat=seat, source="open", position=top.position, card=top.card))
    return None


def _is_joker(card: Card, wild_rank: str) -> bool:
    return card == PRINTED_JOKER or card[0] == wild_rank


def _next_seat(deal: Deal) -> Seat:
    playing = deal.playing()
    start = 0 if deal.turn_of is None else deal.order.index(deal.turn_of) + 1
    circle = deal.order[start:] + deal.order[:start]
    return next(seat for seat in circle if seat in playing)
