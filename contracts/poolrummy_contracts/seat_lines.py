"""What only one seat may see: its cards with their openings, its saved grouping, its noted drop.

Written to the seat's own channel in the same step as the event they belong to (``v``), removed when the deal ends.
"""

from typing import dataclass_transform

import msgspec

from poolrummy_contracts.cards import Position
from poolrummy_contracts.events import OpenedCard
from poolrummy_contracts.terms import Seat


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class SeatLine(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of the lines; ``v`` is the version of the table log in force when the line was written."""

    table: str
    seat: Seat
    deal: int
    v: int


class CardsDealt(SeatLine, tag="cards-dealt"):
    """The seat's 13 cards, each with the opening that proves it against the root in ``deal-started``."""

    cards: tuple[OpenedCard, ...]


class CardReceived(SeatLine, tag="card-received"):
    """The card that the seat drew from the stock, with its opening."""

    card: OpenedCard


class GroupingSaved(SeatLine, tag="grouping-saved"):
    """The grouping that the player keeps; the last one counts (rule 6.7)."""

    groups: tuple[tuple[Position, ...], ...]


class DropNoted(SeatLine, tag="drop-noted"):
    """A drop asked before the own turn (rule 7.6); ``command`` is the id of the ask."""

    command: str


class DropWithdrawn(SeatLine, tag="drop-withdrawn"):
    """The noted drop was taken back."""


class SealedLine(SeatLine, tag="sealed-line"):
    """Any other line, sealed to the seat's channel key (rule 3.10): the blob is an age file around its bytes.

    What the dealer must find again after a takeover (groupings, noted drops) is sealed to the dealer's key as well.
    """

    keys: tuple[str, ...]
    blob: str


PlainLine = CardsDealt | CardReceived | GroupingSaved | DropNoted | DropWithdrawn
SeatMessage = PlainLine | SealedLine
