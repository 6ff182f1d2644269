"""Who reads, and which cards that reader may see: everybody, one seat, or the auditor.

What lies open stands in the log for all. A seat sees beside it the cards that it was dealt and drew itself, also after
it dropped; the auditor sees every card of a pack that could be dealt again.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from poolrummy.audit.history import Moments, deals_of
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Card, Position
from poolrummy_contracts.terms import Seat

Kind = Literal["public", "seat", "auditor"]
Pack = Mapping[Position, e.OpenedCard]
Packs = Mapping[int, Pack]
"""Cards with their openings, by deal and position: whatever the maker of a view could find out."""


class View(msgspec.Struct, frozen=True):
    """A reader; ``seat`` only for the view of a seat."""

    kind: Kind
    seat: Seat | None = None

    @property
    def name(self) -> str:
        """How a title says it."""
        return {"public": "public view", "seat": f"view of seat {self.seat}", "auditor": "auditor's view"}[self.kind]


def seen_packs(view: View, moments: Moments, packs: Packs) -> dict[int, dict[Position, e.OpenedCard]]:
    """Of these packs the cards that the reader may see though they do not lie open."""
    if view.kind == "public":
        return {}
    if view.kind == "auditor":
        return {deal: dict(pack) for deal, pack in packs.items()}
    assert view.seat is not None, "the view of a seat names it"
    proved = moments[0].after.terms.reveal_policy != "auditor"
    seen: dict[int, dict[Position, e.OpenedCard]] = {}
    for deal, of_deal in deals_of(moments):
        pack = packs.get(deal, {})
        own = own_positions(view.seat, of_deal)
        seen[deal] = {where: pack[where] if proved else _closed(pack[where]) for where in own if where in pack}
    return seen


def _closed(card: e.OpenedCard) -> e.OpenedCard:
    """The card without its opening: where only the auditor may prove cards, a seat has none (rule 3.9)."""
    return e.OpenedCard(card=card.card, position=card.position, salt="", path=())


def own_positions(seat: Seat, moments: Moments) -> tuple[Position, ...]:
    """The positions that a seat was dealt and drew from the stock, in that order."""
    own: list[Position] = []
    for one in moments:
        match one.event:
            case e.DealStarted():
                own.extend(where for hand in one.event.hands if hand.seat == seat for where in hand.positions)
            case e.CardDrawn(seat=drawer, source="stock") if drawer == seat:
                own.append(one.event.position)
            case _:
                pass
    return tuple(own)


class Faces:
    """The faces of one deal that a reader knows: what was opened to it, and what has come to lie open so far."""

    def __init__(self, seen: Pack) -> None:
        self._faces: dict[Position, Card] = {where: card.card for where, card in seen.items()}

    def learn(self, event: e.TableEvent) -> None:
        """Everybody sees what this event lays open."""
        match event:
            case e.DealStarted():
                opened = (event.wild, event.open, *event.set_aside)
                self._faces.update({card.position: card.card for card in opened})
            case e.CardDrawn(card=str(card)) | e.CardDiscarded(card=card) | e.CardReturned(card=card):
                self._faces[event.position] = card
            case e.ShowDeclared() | e.HandLaidOpen():
                self._faces.update({card.position: card.card for card in event.hand})
            case e.ShowJudged() | e.ShowForfeited() if event.finish_card is not None:
                self._faces[event.finish_card.position] = event.finish_card.card
            case _:
                pass

    def of(self, where: Position) -> Card | None:
        """The face, if the reader knows it by now."""
        return self._faces.get(where)
