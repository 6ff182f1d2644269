"""Cards as they are written on the wire: rank, then suit; ``JK`` for a printed joker.

Ranks ``A 2 … 9 T J Q K``, suits ``S H D C``. Input is tolerant (``10s``, ``td``, ``♥``), output never is.
A card *in play* is more than its face: two decks hold two nines of hearts, so a card of a deal is named by
its :data:`Position`, its place in the pack.
"""

from typing import Final, NewType

Card = NewType("Card", str)
"""A face in canonical notation: ``TD`` is the ten of diamonds, ``JK`` a printed joker."""

Position = NewType("Position", str)
"""A place in the pack of a deal: ``<generation>-<place>``, counted from 0. A reshuffle begins a generation."""

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
PRINTED_JOKER: Final = Card("JK")
FACES: Final = frozenset(Card(rank + suit) for rank in RANKS for suit in SUITS) | {PRINTED_JOKER}

POINTS: Final = {**dict.fromkeys("ATJQK", 10), **{str(number): number for number in range(2, 10)}}
"""Points of a rank that is not wild; printed jokers and cards of the wild rank count 0."""

_SYMBOLS: Final = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "\N{VARIATION SELECTOR-16}": ""})
_JOKERS: Final = frozenset({"JK", "JOKER", "PJ", "\N{PLAYING CARD BLACK JOKER}"})


def parse_card(text: str) -> Card:
    """The card a person meant; ``ValueError`` that names the text where there is none.

    >>> parse_card("10s"), parse_card("q♥"), parse_card("jk")
    ('TS', 'QH', 'JK')
    """
    folded = text.strip().upper().translate(_SYMBOLS)
    if folded in _JOKERS:
        return PRINTED_JOKER
    card = Card(folded.replace("10", "T") if folded.startswith("10") else folded)
    if card not in FACES:
        raise ValueError(f"{text!r} is no card: write rank then suit, such as 9H, TD or 10D, and JK for a joker")
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards in a line of text, separated by blanks or commas."""
    return tuple(parse_card(word) for word in text.replace(",", " ").split())


def position(generation: int, place: int) -> Position:
    """The name of a place in the pack.

    >>> position(0, 41)
    '0-41'
    """
    return Position(f"{generation}-{place}")


def place_of(where: Position) -> tuple[int, int]:
    """Generation and place that a position names."""
    generation, _, place = where.partition("-")
    return int(generation), int(place)


def wild_rank_of(turned_up: Card) -> str:
    """The rank that is wild when this card is turned up: aces for a printed joker (rule 3.4)."""
    return "A" if turned_up == PRINTED_JOKER else turned_up[0]


def card_points(card: Card, wild_rank: str) -> int:
    """Points of one card that lies in no group (rule 8.1).

    >>> card_points(Card("QD"), "4"), card_points(Card("4S"), "4"), card_points(Card("JK"), "4")
    (10, 0, 0)
    """
    if card == PRINTED_JOKER or card[0] == wild_rank:
        return 0
    return POINTS[card[0]]
