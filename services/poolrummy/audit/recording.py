"""From a log to the record of one deal, from a record back to the table, and from one view to a narrower one."""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from poolrummy.audit.deal_record import FORMAT, Batch, DealRecord, Move, Outcome, Reader, Unrecorded
from poolrummy.audit.history import Moment, Moments, before_deals, deals_of
from poolrummy.audit.record_borders import border_of, standings_of, table_at
from poolrummy.audit.time_left import time_left
from poolrummy.audit.views import Faces, View, own_positions
from poolrummy.rules import fold
from poolrummy.rules.state import Table
from poolrummy_contracts import codec
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Position, place_of
from poolrummy_contracts.envelope import chain_next
from poolrummy_contracts.terms import Seat

Cards = Mapping[Position, e.OpenedCard]


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """A deal cut out of a log: the table before it, its events as they were stored, and the cards that are known."""

    opened: bytes
    match: tuple[bytes, ...]
    before: Table
    chain_before: bytes
    events: tuple[bytes, ...]
    cards: Cards
    seed: str | None = None
    checkpoints: tuple[str, ...] = ()


class NotInLog(ValueError):
    """The log has no such deal."""


def cut(
    moments: Moments,
    deal: int,
    *,
    cards: Cards,
    seed: str | None = None,
    checkpoints: tuple[str, ...] = (),
) -> Stretch:
    """The stretch of a deal; ``NotInLog`` where there is no such deal."""
    found = dict(deals_of(moments)).get(deal)
    if found is None:
        raise NotInLog(f"there is no deal {deal}; the last one is {moments[-1].after.deal_number}")
    begins = found[0]
    assert begins.before is not None, "a deal begins at an open table"
    wanted = (e.MatchStarted, e.TossDrawn)
    return Stretch(
        opened=moments[0].stored,
        match=tuple(one.stored for one in before_deals(moments) if isinstance(one.event, wanted)),
        before=begins.before,
        chain_before=moments[begins.v - 2].chain,
        events=tuple(one.stored for one in found),
        cards=cards,
        seed=seed,
        checkpoints=checkpoints,
    )


def record_of(stretch: Stretch, view: View) -> DealRecord:
    """The record of a deal for this reader."""
    moments = _moments(stretch)
    start = moments[0].event
    assert isinstance(start, e.DealStarted), "a deal begins with its start"
    before, after = stretch.before, moments[-1].after
    seen = _seen(stretch.cards, view, moments)
    return DealRecord(
        format=FORMAT,
        table=before.id,
        deal=start.deal or 0,
        view=Reader(kind=view.kind, seat=view.seat),
        edition=before.edition,
        software=moments[0].after.software,
        terms_hash=_opened(stretch.opened).terms_hash,
        started=standings_of(before).started,
        opened=msgspec.Raw(stretch.opened),
        match=tuple(map(msgspec.Raw, stretch.match)),
        batches=tuple(Batch(batch=one.number, count=one.count, root=one.root, used=one.used) for one in before.batches),
        seat_seeds=before.seat_seeds,
        before=border_of(before, stretch.chain_before),
        moves=tuple(_moves(moments, seen)),
        outcome=_outcome(moments),
        after=border_of(after, moments[-1].chain),
        cards=tuple(seen[where] for where in sorted(seen, key=place_of)),
        seed=stretch.seed if view.kind == "auditor" else None,
        checkpoints=stretch.checkpoints,
    )


def stretch_of(record: DealRecord) -> Stretch:
    """The deal that a record tells; ``Unrecorded`` where its events do not follow one another."""
    opened = _opened(bytes(record.opened))
    return Stretch(
        opened=bytes(record.opened),
        match=tuple(map(bytes, record.match)),
        before=table_at(record, opened),
        chain_before=_hex(record.before.chain),
        events=tuple(bytes(move.event) for move in record.moves),
        cards={card.position: card for card in record.cards},
        seed=record.seed,
        checkpoints=record.checkpoints,
    )


def rebuilt(record: DealRecord) -> DealRecord:
    """The record made again from what it tells: equal, byte for byte, or it contradicts itself."""
    return record_of(stretch_of(record), View(record.view.kind, record.view.seat))


def projected(record: DealRecord, view: View) -> DealRecord:
    """The same deal for a reader who may see less; ``Unrecorded`` where the record does not hold that view."""
    own = record.view
    narrower = own.kind == "auditor" or view.kind == "public" or (own.kind == "seat" and view.seat == own.seat)
    if not narrower or (view.kind == "auditor" and own.kind != "auditor"):
        raise Unrecorded(f"a record in the {View(own.kind, own.seat).name} does not hold the {view.name}")
    return record_of(stretch_of(record), view)


def states(record: DealRecord) -> tuple[Table, ...]:
    """The table after each event of the record."""
    return tuple(one.after for one in _moments(stretch_of(record)))


def _moments(stretch: Stretch) -> tuple[Moment, ...]:
    """The events folded one after the other from the table before; each has to be the next one of that table."""
    state, chain = stretch.before, stretch.chain_before
    found: list[Moment] = []
    for stored in stretch.events:
        event = _event(stored)
        if event.table != state.id or event.v != state.v + 1:
            raise Unrecorded(f"version {event.v} of {event.table} stands behind version {state.v} of {state.id}")
        try:
            after = fold.evolve(state, event)
        except (AssertionError, ValueError, KeyError, IndexError) as broken:
            raise Unrecorded(f"version {event.v} cannot follow on what is before it: {broken}") from broken
        chain = chain_next(chain, stored)
        found.append(Moment(event=event, before=state, after=after, stored=stored, chain=chain))
        state = after
    if not found or not isinstance(found[0].event, e.DealStarted):
        raise Unrecorded("the first event of a record is the start of its deal")
    return tuple(found)


def _seen(cards: Cards, view: View, moments: Moments) -> Cards:
    """The closed cards that the reader may see."""
    if view.kind == "public":
        return {}
    if view.kind == "auditor":
        return cards
    assert view.seat is not None, "the view of a seat names it"
    own = {where: cards[where] for where in own_positions(view.seat, moments) if where in cards}
    if moments[0].after.terms.reveal_policy == "auditor":
        return {where: e.OpenedCard(card.card, where, "", ()) for where, card in own.items()}
    return own


def _moves(moments: Moments, seen: Cards) -> Iterator[Move]:
    faces = Faces(seen)
    for one in moments:
        faces.learn(one.event)
        left = time_left(one.before, one.event)
        deal, seat = one.after.deal, getattr(one.event, "seat", None)
        dealt_in = None if deal is None or seat is None else deal.of(seat)
        closed = isinstance(one.event, e.FinishCalled) or (isinstance(one.event, e.CardDrawn) and not one.event.card)
        yield Move(
            event=msgspec.Raw(one.stored),
            left_ms=None if left is None else left.left_ms,
            bank_left_ms=None if left is None else left.bank_left_ms,
            cards_left=None if dealt_in is None else len(dealt_in.hand),
            stock_left=None if deal is None or dealt_in is None else len(deal.stock),
            card=faces.of(_position(one.event)) if closed else None,
        )


def _position(event: e.TableEvent) -> Position:
    assert isinstance(event, e.CardDrawn | e.FinishCalled), "only these name a closed card"
    return event.position


def _outcome(moments: Moments) -> Outcome:
    how: Literal["show", "last-seat", "lowest-count", "void", "open"] = "open"
    winner: Seat | None = None
    ended: e.MatchEnd | Literal["void"] | None = None
    postings: list[e.Obligation] = []
    for one in moments:
        match one.event:
            case e.DealScored():
                how, winner = one.event.how, one.event.winner
            case e.DealVoided():
                how = "void"
            case e.RejoinGranted():
                postings.extend(one.event.obligations)
            case e.MatchEnded():
                ended = one.event.how
                postings.extend(one.event.obligations)
            case e.MatchVoided():
                ended = "void"
                postings.extend(one.event.obligations)
            case _:
                pass
    return Outcome(
        how=how,
        winner=winner,
        eliminated=tuple(one.event.seat for one in moments if isinstance(one.event, e.SeatEliminated)),
        rejoined=tuple(one.event.seat for one in moments if isinstance(one.event, e.RejoinGranted)),
        postings=tuple(postings),
        match_ended=ended,
    )


def _opened(stored: bytes) -> e.TableOpened:
    event = _event(stored)
    if not isinstance(event, e.TableOpened):
        raise Unrecorded("`opened` of a record is the event table-opened")
    return event


def _event(stored: bytes) -> e.TableEvent:
    try:
        return codec.decode_event(stored)
    except codec.WireError as broken:
        raise Unrecorded(f"an event of the record is unreadable: {broken}") from broken


def _hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise Unrecorded(f"{text[:24]!r} is no chain hash in hex") from None
