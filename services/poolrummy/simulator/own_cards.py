"""What a seat has been told of its own cards: faces by position, and whether its drop is noted."""

from collections.abc import Iterable, Sequence

from poolrummy_contracts.cards import Card, Position
from poolrummy_contracts.events import CardDrawn
from poolrummy_contracts.seat_lines import CardReceived, CardsDealt, DropNoted, DropWithdrawn, SeatMessage
from poolrummy_contracts.verdicts import Group


class OwnCards:
    """The memory of one seat for one deal. Nothing of another hand ever gets in."""

    def __init__(self) -> None:
        self._deal: int = 0
        self._faces: dict[Position, Card] = {}
        self.drop_noted = False

    def told(self, line: SeatMessage) -> None:
        """Take in a line of the seat's own channel; the first line of a new deal ends the memory of the last."""
        self._begin(line.deal)
        match line:
            case CardsDealt():
                self._faces |= {card.position: card.card for card in line.cards}
            case CardReceived():
                self._faces[line.card.position] = line.card.card
            case DropNoted() | DropWithdrawn():
                self.drop_noted = isinstance(line, DropNoted)
            case _:
                return

    def took(self, event: CardDrawn) -> None:
        """Remember a card that the seat took from the open pile, where everybody saw it."""
        if event.card is not None and event.deal is not None:
            self._begin(event.deal)
            self._faces[event.position] = event.card

    def _begin(self, deal: int) -> None:
        if deal != self._deal:
            self._deal, self._faces, self.drop_noted = deal, {}, False

    def knows(self, hand: Iterable[Position]) -> bool:
        """Whether the seat has been told all of these."""
        return all(where in self._faces for where in hand)

    def faces(self, hand: Iterable[Position]) -> tuple[Card, ...]:
        """The faces of these, in the same order."""
        return tuple(self._faces[where] for where in hand)

    def placed(self, groups: Sequence[Group], hand: Sequence[Position]) -> tuple[tuple[Position, ...], ...]:
        """These groups of faces as positions of the hand; what no group holds makes a group of its own."""
        left = list(hand)
        placed: list[tuple[Position, ...]] = []
        for group in groups:
            row: list[Position] = []
            for card in group.cards:
                where = next(one for one in left if self._faces[one] == card)
                left.remove(where)
                row.append(where)
            placed.append(tuple(row))
        return (*placed, tuple(left)) if left else tuple(placed)
