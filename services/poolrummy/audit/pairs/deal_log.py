"""One deal as the log tells it: who laid what before whom, who took it, dropped, won, and which hands are known.

A hand that is laid open at the end makes the whole past of its seat known: every card that it ever held was either
discarded, or lies open now; but for the card with which the winner finished, which stays closed. With the auditor's
key that card and the hands of those who dropped are known as well.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec

from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Card, Position
from poolrummy_contracts.terms import Seat

Faces = Callable[[int, Position], Card | None]
"""The face of a hidden card by deal and position, as far as somebody opened the pack."""


Hands = Mapping[Seat, tuple[Position, ...]]
"""What the other seats held that were still in the deal, by seat."""


class Laid(NamedTuple):
    """A discard: the cards that stayed in the hand, and the hands of the others."""

    v: int
    seat: Seat
    card: Card
    rest: tuple[Position, ...]
    others: Hands


class Turn(NamedTuple):
    """A draw or a drop, in view of the hands of the others; ``drew`` if the seat had drawn before."""

    v: int
    seat: Seat
    drew: bool
    dropped: bool
    others: Hands


class Finished(NamedTuple):
    """A card laid on the finish slot, and the hands of the others."""

    v: int
    seat: Seat
    others: Hands


class Looked(NamedTuple):
    """A draw with another seat's discard on top of the open pile: taken or not, and the hand before it."""

    v: int
    seat: Seat
    draws: int
    laid: Laid
    taken: bool
    hand: tuple[Position, ...]


class Dropped(NamedTuple):
    """A drop and its kind: ``first`` and ``middle`` are the player's own will."""

    v: int
    seat: Seat
    kind: e.DropKind


class DealLog(msgspec.Struct, kw_only=True):
    """A deal that was scored."""

    number: int
    wild: str
    seats: tuple[Seat, ...]
    begins: int
    ends: int = 0
    how: e.DealEnd = "show"
    winner: Seat | None = None
    points: dict[Seat, int] = {}
    laid: list[Laid] = []
    looked: list[Looked] = []
    dropped: list[Dropped] = []
    turns: list[Turn] = []
    finished: list[Finished] = []
    """Shows that were valid."""
    drawn: set[Seat] = set()
    """Seats that drew a card themselves."""
    faces: dict[Position, Card] = {}

    def known(self, hand: tuple[Position, ...], *, but: int = 0) -> tuple[Card, ...] | None:
        """The faces of these cards, if all are known, or all but so many.

        The card that a valid show laid on the finish slot stays closed: the winner's hand is known but for this one.
        """
        found = [self.faces[where] for where in hand if where in self.faces]
        return tuple(found) if len(found) >= len(hand) - but else None


class DealReader:
    """Follows one deal from its start."""

    def __init__(self, event: e.DealStarted, faces: Faces) -> None:
        assert event.deal is not None, "a deal has a number"
        seats = tuple(event.order)
        self.log = DealLog(number=event.deal, wild=event.wild_rank, seats=seats, begins=event.v)
        self._learn_all(faces, [where for hand in event.hands for where in hand.positions])
        self._faces = faces
        self._hands = {hand.seat: list(hand.positions) for hand in event.hands}
        self._playing = list(seats)
        self._draws = dict.fromkeys(seats, 0)
        self._top: list[Laid | None] = [None]
        self._finish: Finished | None = None

    def take(self, event: e.TableEvent) -> DealLog | None:
        """Follow the next event; the deal, once it is scored."""
        match event:
            case e.CardDrawn():
                self._drawn(event)
            case e.CardDiscarded():
                self._laid(event)
            case e.CardReturned():
                self._hands[event.seat].remove(event.position)
                self._top.append(None)
            case e.StockReshuffled():
                self._top = self._top[-1:]
            case e.FinishCalled():
                self._hands[event.seat].remove(event.position)
                self._finish = Finished(event.v, event.seat, self._others(event.seat))
            case e.SeatDropped():
                self._dropped(event)
            case e.ShowDeclared() | e.HandLaidOpen():
                self.log.faces.update({shown.position: shown.card for shown in event.hand})
            case e.ShowJudged() | e.ShowForfeited():
                self._judged(event)
            case e.DealScored():
                return self._scored(event)
            case _:
                pass
        return None

    def _drawn(self, event: e.CardDrawn) -> None:
        top, hand = self._top[-1] if self._top else None, self._hands[event.seat]
        self._turn(event.v, event.seat, dropped=False)
        self._draws[event.seat] += 1
        self.log.drawn.add(event.seat)
        if top is not None and top.seat != event.seat:
            looked = Looked(event.v, event.seat, self._draws[event.seat], top, event.source == "open", tuple(hand))
            self.log.looked.append(looked)
        if event.source == "open" and self._top:
            self._top.pop()
        if event.card is not None:
            self.log.faces[event.position] = event.card
        self._learn_all(self._faces, [event.position])
        hand.append(event.position)

    def _laid(self, event: e.CardDiscarded) -> None:
        hand = self._hands[event.seat]
        hand.remove(event.position)
        self.log.faces[event.position] = event.card
        laid = Laid(event.v, event.seat, event.card, tuple(hand), self._others(event.seat))
        self.log.laid.append(laid)
        self._top.append(laid)

    def _judged(self, event: e.ShowJudged | e.ShowForfeited) -> None:
        if event.finish_card is not None:
            self.log.faces[event.finish_card.position] = event.finish_card.card
        if isinstance(event, e.ShowForfeited) or not event.valid:
            self._out(event.seat)
        elif self._finish is not None:
            self.log.finished.append(self._finish)

    def _dropped(self, event: e.SeatDropped) -> None:
        self.log.dropped.append(Dropped(event.v, event.seat, event.kind))
        if event.kind in {"first", "middle"}:
            self._turn(event.v, event.seat, dropped=True)
        self._out(event.seat)

    def _turn(self, v: int, seat: Seat, *, dropped: bool) -> None:
        drew = seat in self.log.drawn
        self.log.turns.append(Turn(v, seat, drew, dropped, self._others(seat)))

    def _others(self, seat: Seat) -> Hands:
        return {other: tuple(self._hands[other]) for other in self._playing if other != seat}

    def _out(self, seat: Seat) -> None:
        if seat in self._playing:
            self._playing.remove(seat)

    def _scored(self, event: e.DealScored) -> DealLog:
        self.log.ends, self.log.how, self.log.winner = event.v, event.how, event.winner
        self.log.points = {score.seat: score.points for score in event.scores}
        return self.log

    def _learn_all(self, faces: Faces, positions: list[Position]) -> None:
        for where in positions:
            face = faces(self.log.number, where)
            if face is not None:
                self.log.faces[where] = face
