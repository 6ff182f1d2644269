"""Packs and cards as far as the log lays them open, where no seed is known."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Card, Position, position

COSTLY: Final = Card("KS")
"""A face that is surely counted, where a hand is not known."""


NO_PROOF: Final = e.SeedProof(batch=0, index=0, leaf="", path=())
NO_PACK: Final = e.PackCommitment(cards=0, root="", transcript="")
"""What is said of a pack that the log does not name where it has to: nothing that is recorded equals it."""


class LaidOpenPack:
    """A pack whose seed is not known: its commitment as recorded, and the cards that were laid open at once.

    The cards that nobody has seen are put where there is room: a decision that looked at one could not be told apart.
    Where more is laid open than the decks hold, what comes of the pack is not what is recorded.
    """

    def __init__(
        self, commitment: e.PackCommitment, proof: e.SeedProof, opened: Sequence[e.OpenedCard], cards: Sequence[str]
    ) -> None:
        self._opened = {one.position: one for one in opened}
        hidden = Counter[str](cards) - Counter[str](one.card for one in opened)
        if hidden.total() + len(opened) != len(cards):
            self._opened, hidden = {}, Counter[str](cards)
        unseen = hidden.elements()
        self.faces = tuple(
            self._opened[where].card if (where := position(0, place)) in self._opened else Card(next(unseen, COSTLY))
            for place in range(len(cards))
        )
        self.commitment = commitment
        self.proof = proof

    def opened(self, place: int) -> e.OpenedCard:
        """The card that was laid open at this place."""
        where = position(0, place)
        return self._opened.get(where) or e.OpenedCard(self.faces[place], where, "", ())


def faces_of_deal(events: Iterable[e.TableEvent]) -> dict[Position, Card]:
    """Every card that these events lay open, up to the next deal; the first word about a card counts."""
    faces: dict[Position, Card] = {}
    for number, event in enumerate(events):
        if number and isinstance(event, e.DealStarted):
            break
        for where, card in laid_open(event):
            faces.setdefault(where, card)
    return faces


def laid_open(event: e.TableEvent) -> Iterator[tuple[Position, Card]]:
    """The cards that an event lays open."""
    match event:
        case e.DealStarted():
            yield from ((one.position, one.card) for one in (event.wild, event.open, *event.set_aside))
        case e.CardDiscarded() | e.CardReturned():
            yield event.position, event.card
        case e.ShowDeclared() | e.HandLaidOpen():
            yield from ((one.position, one.card) for one in event.hand)
        case e.ShowJudged() | e.ShowForfeited():
            if event.finish_card is not None:
                yield event.finish_card.position, event.finish_card.card
        case _:
            return
