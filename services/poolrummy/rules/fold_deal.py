"""Folding a deal: cards, turns, drops, the show, and the hands that are counted (chapters 3, 4, 6 and 7)."""

from msgspec.structs import replace

from poolrummy.rules import standings
from poolrummy.rules.fold_start import batches_after, full_banks
from poolrummy.rules.order import turned_to
from poolrummy.rules.state import Ask, Count, Deal, DealSeat, DeclaredHand, Drawn, RunningClock, RunOut, Table
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Position
from poolrummy_contracts.terms import Seat

Banks = tuple[tuple[Seat, int], ...]


def dealt(table: Table, event: e.DealStarted) -> Table:
    """A pack was dealt (rule 3.1); breaks and windows of the time before it are over."""
    assert event.deal is not None, "a deal has a number"
    hands = {hand.seat: hand.positions for hand in event.hands}
    deal = Deal(
        number=event.deal,
        order=event.order,
        dealer=event.dealer,
        cards=event.pack.cards,
        wild=e.ShownCard(event.wild.card, event.wild.position),
        wild_rank=event.wild_rank,
        seats=tuple(DealSeat(seat=seat, hand=hands[seat]) for seat in event.order),
        stock=event.stock,
        pile=(e.ShownCard(event.open.card, event.open.position),),
        aside=(event.wild.position, *(card.position for card in event.set_aside)),
    )
    fills = table.terms.time_bank_scope == "deal"
    return replace(
        table,
        v=event.v,
        at=event.at,
        phase="turn",
        standings=standings.evolve(table.standings, event, table.terms),
        order=turned_to(table.order, event.order[0]),
        deal_number=event.deal,
        deal=deal,
        batches=batches_after(table, event.proof),
        banks=full_banks(event.order, table.terms) if fills else table.banks,
        clock=None,
        wish=None,
        software=event.software or table.software,
    )


def turn_started(table: Table, event: e.TurnStarted) -> Table:
    """A seat is on turn (rule 4.1)."""
    deal = running(table)
    assert event.turn is not None, "a turn has a number"
    seat = seat_of(deal, event.seat)
    seats = _with(deal, replace(seat, turns=seat.turns + 1))
    clock = RunningClock(what="turn", armed_by=event.v, armed_at=event.at, ends_at=event.ends_at, bank_ms=event.bank_ms)
    deal = replace(deal, seats=seats, turn=event.turn, on_turn=event.seat, turn_of=event.seat, drawn=None)
    return replace(table, v=event.v, at=event.at, deal=deal, clock=clock)


def drawn(table: Table, event: e.CardDrawn) -> Table:
    """The seat on turn holds a 14th card (rule 4.2)."""
    deal = running(table)
    seat = seat_of(deal, event.seat)
    seats = _with(deal, replace(seat, hand=(*seat.hand, event.position), drawn=True))
    if event.source == "stock":
        card = Drawn(source="stock", position=event.position)
        deal = replace(deal, seats=seats, stock=deal.stock[1:], drawn=card)
    else:
        card = Drawn(source="open", position=event.position, card=deal.pile[-1])
        deal = replace(deal, seats=seats, pile=deal.pile[:-1], drawn=card)
    return replace(table, v=event.v, at=event.at, deal=deal)


def discarded(table: Table, event: e.CardDiscarded) -> Table:
    """A card covers the open pile, and the turn is over; a player who played it has missed nothing (rule 4.4)."""
    deal = running(table)
    seat = seat_of(deal, event.seat)
    misses = 0 if event.actor == "player" else seat.misses
    seats = _with(deal, replace(seat, hand=without(seat.hand, event.position), misses=misses))
    pile = (*deal.pile, e.ShownCard(event.card, event.position))
    deal = replace(deal, seats=seats, pile=pile, uncovered=False, on_turn=None, drawn=None)
    return replace(table, v=event.v, at=event.at, deal=deal, banks=_banks(table, event), clock=None)


def returned(table: Table, event: e.CardReturned) -> Table:
    """A card goes back to the open pile as it was: a first open card is still the first (rule 4.5)."""
    deal = running(table)
    seat = seat_of(deal, event.seat)
    seats = _with(deal, replace(seat, hand=without(seat.hand, event.position)))
    pile = (*deal.pile, e.ShownCard(event.card, event.position))
    deal = replace(deal, seats=seats, pile=pile, on_turn=None, drawn=None)
    return replace(table, v=event.v, at=event.at, deal=deal, banks=_banks(table, event), clock=None)


def missed(table: Table, event: e.TurnMissed) -> Table:
    """A turn ran out (rule 4.5)."""
    deal = running(table)
    seat = seat_of(deal, event.seat)
    seats = _with(deal, replace(seat, misses=event.misses))
    run_out = RunOut(seat=event.seat, turn=deal.turn, v=event.v)
    deal = replace(deal, seats=seats, on_turn=None, drawn=None, run_out=run_out)
    return replace(table, v=event.v, at=event.at, deal=deal, banks=_banks(table, event), clock=None)


def dropped(table: Table, event: e.SeatDropped) -> Table:
    """A seat is out of the deal at a price (chapter 7); its hand stays closed, a finish card leaves play."""
    deal = running(table)
    seat = seat_of(deal, event.seat)
    seats = _with(deal, replace(seat, standing="dropped", kind=event.kind, points=event.points))
    if event.seat == deal.finisher and deal.finish is not None:
        aside = (*deal.aside, deal.finish)
        deal = replace(deal, seats=seats, aside=aside, finisher=None, finish=None, ask=None, on_turn=None)
        return replace(table, v=event.v, at=event.at, phase="turn", deal=deal, clock=None)
    if event.seat != deal.on_turn:
        return replace(table, v=event.v, at=event.at, deal=replace(deal, seats=seats))
    deal = replace(deal, seats=seats, on_turn=None, drawn=None)
    return replace(table, v=event.v, at=event.at, deal=deal, banks=_banks(table, event), clock=None)


def reshuffled(table: Table, event: e.StockReshuffled) -> Table:
    """Open cards became a new stock, and so did dropped hands where the terms say so (rule 4.6)."""
    deal = running(table)
    taken = frozenset(event.taken)
    pile = tuple(card for card in deal.pile if card.position not in taken)
    seats = tuple(
        one if one.standing == "playing" else replace(one, hand=tuple(card for card in one.hand if card not in taken))
        for one in deal.seats
    )
    deal = replace(deal, seats=seats, stock=event.stock, pile=pile, generation=event.generation)
    return replace(table, v=event.v, at=event.at, deal=deal)


def finish_called(table: Table, event: e.FinishCalled) -> Table:
    """A seat claims a show and has time to lay it out (rule 6.1)."""
    deal = running(table)
    seat = seat_of(deal, event.seat)
    seats = _with(deal, replace(seat, hand=without(seat.hand, event.position), misses=0))
    deal = replace(deal, seats=seats, finisher=event.seat, finish=event.position, on_turn=None, drawn=None)
    clock = RunningClock(what="finish", armed_by=event.v, armed_at=event.at, ends_at=event.ends_at)
    banks = _banks(table, event)
    return replace(table, v=event.v, at=event.at, phase="finishing", deal=deal, banks=banks, clock=clock)


def show_declared(table: Table, event: e.ShowDeclared) -> Table:
    """A show lies open and is judged; no clock runs (rule 6.2)."""
    deal = replace(running(table), ask=event.v, timed_out=event.timed_out)
    return replace(table, v=event.v, at=event.at, phase="judging", deal=deal, clock=None)


def show_judged(table: Table, event: e.ShowJudged) -> Table:
    """A valid show wins the deal, a wrong one puts its seat out of it (rules 6.2 and 6.5)."""
    deal = running(table)
    if event.valid:
        aside = deal.aside if deal.finish is None else (*deal.aside, deal.finish)
        deal = replace(deal, winner=event.seat, ask=None, finish=None, aside=aside)
        return replace(table, v=event.v, at=event.at, phase="declaring", deal=deal, clock=None)
    deal = _wrong_show(deal, event.seat, event.points, event.finish_card)
    return replace(table, v=event.v, at=event.at, phase="turn", deal=deal, clock=None)


def show_forfeited(table: Table, event: e.ShowForfeited) -> Table:
    """The finisher's time ran out, and the terms call that a wrong show (rule 6.8)."""
    deal = _wrong_show(running(table), event.seat, event.points, event.finish_card)
    return replace(table, v=event.v, at=event.at, phase="turn", deal=deal, clock=None)


def window_opened(table: Table, event: e.DeclareWindowOpened) -> Table:
    """The others arrange their hands (rule 6.6)."""
    deal = replace(running(table), waiting=event.seats)
    clock = RunningClock(what="declare", armed_by=event.v, armed_at=event.at, ends_at=event.ends_at)
    return replace(table, v=event.v, at=event.at, phase="declaring", deal=deal, clock=clock)


def hand_declared(table: Table, event: e.HandDeclared) -> Table:
    """A loser has grouped its hand (rule 6.6)."""
    deal = running(table)
    waiting = tuple(seat for seat in deal.waiting if seat != event.seat)
    declared = (*deal.declared, DeclaredHand(seat=event.seat, groups=event.groups))
    deal = replace(deal, waiting=waiting, declared=declared)
    return replace(table, v=event.v, at=event.at, deal=deal)


def laid_open(table: Table, event: e.HandLaidOpen) -> Table:
    """A hand lies open and its count is awaited; no clock runs (rule 8.2)."""
    deal = running(table)
    deal = replace(deal, asks=(*deal.asks, Ask(v=event.v, seat=event.seat)))
    return replace(table, v=event.v, at=event.at, phase="counting", deal=deal, clock=None)


def counted(table: Table, event: e.HandCounted) -> Table:
    """A hand is counted (rule 8.2)."""
    deal = running(table)
    asks = tuple(ask for ask in deal.asks if ask.v != event.ask)
    count = Count(seat=event.seat, counted=event.counted, complete=event.complete, points=event.points)
    deal = replace(deal, asks=asks, counts=(*deal.counts, count))
    return replace(table, v=event.v, at=event.at, deal=deal)


def running(table: Table) -> Deal:
    """The deal that is played."""
    assert table.deal is not None, f"no deal is played at version {table.v} of {table.id}"
    return table.deal


def seat_of(deal: Deal, seat: Seat) -> DealSeat:
    """A seat that was dealt in."""
    found = deal.of(seat)
    assert found is not None, f"seat {seat} was not dealt in"
    return found


def without(hand: tuple[Position, ...], where: Position) -> tuple[Position, ...]:
    """The hand without this one card: by its position, never by its face, of which there may be two."""
    place = hand.index(where)
    return hand[:place] + hand[place + 1 :]


def _wrong_show(deal: Deal, seat: Seat, points: int, finish_card: e.ShownCard | None) -> Deal:
    """The seat is out of the deal, its hand leaves play; so does the finish card, or it goes on the open pile."""
    loser = seat_of(deal, seat)
    seats = _with(deal, replace(loser, standing="wrong-show", points=points, hand=()))
    aside = (*deal.aside, *loser.hand)
    if finish_card is None:
        aside = aside if deal.finish is None else (*aside, deal.finish)
        deal = replace(deal, aside=aside)
    else:
        deal = replace(deal, aside=aside, pile=(*deal.pile, finish_card), uncovered=False)
    return replace(deal, seats=seats, on_turn=None, finisher=None, finish=None, ask=None)


def _with(deal: Deal, changed: DealSeat) -> tuple[DealSeat, ...]:
    return tuple([changed if one.seat == changed.seat else one for one in deal.seats])


def _banks(table: Table, event: e.TableEvent) -> Banks:
    """The time banks at the end of a turn: what it took beyond its time is gone (rule 4.7)."""
    clock, deal = table.clock, table.deal
    if clock is None or clock.what != "turn" or event.at <= clock.ends_at or deal is None:
        return table.banks
    over_ms = event.at - clock.ends_at
    return tuple((seat, max(left - over_ms, 0) if seat == deal.on_turn else left) for seat, left in table.banks)
