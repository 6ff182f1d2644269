"""How a story names seats, cards, groups and time."""

from collections.abc import Iterable, Mapping

from poolrummy_contracts import events as e
from poolrummy_contracts.cards import PRINTED_JOKER, Card
from poolrummy_contracts.terms import Seat
from poolrummy_contracts.verdicts import Group

_SUITS = str.maketrans({"S": "♠", "H": "♥", "D": "♦", "C": "♣"})


class Names:
    """Who sits where, as a story says it."""

    def __init__(self, players: Mapping[Seat, str], currency: str) -> None:
        self._players = players
        self._currency = currency

    def money(self, amount: int) -> str:
        """An amount in the currency of the table."""
        return money(amount, self._currency)

    def of(self, seat: Seat) -> str:
        """A seat with its player."""
        return f"{self._players[seat]} ({seat})" if seat in self._players else f"seat {seat}"

    def all(self, seats: Iterable[Seat]) -> str:
        """Several seats."""
        return ", ".join(self.of(seat) for seat in seats) or "nobody"


def money(amount: int, currency: str) -> str:
    """An amount of minor units, as people read it.

    >>> money(4167, "INR"), money(-5, "practice")
    ('41.67 INR', '-0.05 practice')
    """
    sign, units = ("-" if amount < 0 else ""), abs(amount)
    return f"{sign}{units // 100}.{units % 100:02d} {currency}".rstrip()


def face(card: Card) -> str:
    """A card as people write it.

    >>> face(Card("TD")), face(Card("JK"))
    ('10♦', 'JK')
    """
    if card == PRINTED_JOKER:
        return "JK"
    return card[0].replace("T", "10") + card[1].translate(_SUITS)


def faces(cards: Iterable[Card]) -> str:
    """Cards in a row."""
    return " ".join(face(card) for card in cards)


def by(operator: str | None) -> str:
    """The operator, where there was one."""
    return "" if operator is None else f" by {operator}"


def seconds(ms: int) -> str:
    """A time span.

    >>> seconds(30_000), seconds(1_250)
    ('30 s', '1.25 s')
    """
    whole, rest = divmod(ms, 1000)
    return f"{whole} s" if not rest else f"{ms / 1000:.3f}".rstrip("0") + " s"


def shown(groups: Iterable[Iterable[e.ShownCard]]) -> str:
    """Groups as they were laid."""
    return " | ".join(faces(card.card for card in group) for group in groups)


def read(groups: Iterable[Group]) -> str:
    """Groups as they were read."""
    return " | ".join(f"{faces(group.cards)} ({group.kind.replace('_', ' ')})" for group in groups)
