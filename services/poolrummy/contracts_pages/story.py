"""The small match that the examples tell: a table of three, house rules, 101 pool, practice chips.

Asha (seat 1), Bhaskar (seat 2) and the robot Chitra (seat 3) play six deals. The pack of deal 1 is laid out by hand so
that the story is short: every opening proves its card against the root, but no seed gives this order.
"""

from hashlib import sha256
from typing import Final

from poolrummy.fairness import merkle
from poolrummy.fairness.batch import SEEDS_PER_BATCH, batch_of
from poolrummy_contracts.cards import Card, Position, parse_cards, place_of, position
from poolrummy_contracts.events import DealtHand, OpenedCard, PackCommitment, Sealed, SeedProof, ShownCard
from poolrummy_contracts.openings import seat_seed_commitment
from poolrummy_contracts.terms import Seat
from poolrummy_contracts.verdicts import Group, GroupKind

TABLE: Final = "p07-9f2c"
OTHER_TABLE: Final = "p07-b81e"
"""A second table, for what cannot happen in the same match."""

OPENED_AT: Final = 1_764_450_000_000
ASHA, BHASKAR, CHITRA = Seat(1), Seat(2), Seat(3)
ENTRY: Final = 1000
ORDER: Final = (BHASKAR, ASHA, CHITRA)
OPERATOR: Final = "meera"

_DEALT: Final = {
    BHASKAR: parse_cards("5H 6H 7H 9C TC JC 8S 8D 8C QD KD JK 2S"),
    ASHA: parse_cards("AH 2H 3H 6S 7S JK KD KC 9D 9H QH 5D 2D"),
    CHITRA: parse_cards("AS 3C 5S 7D 9S JH KS 2C 4C 6D TH QS 8H"),
}
_WILD_OPEN_AND_STOCK: Final = parse_cards("4D 9S KS 8H")
"""Turned up: the wild card and the first open card; then what lies on top of the stock."""

_REST: Final = parse_cards(
    "AD AC AS 2H 2C 3S 3D 3C 3S 4S 4H 4C 4S 5C 5D 5S 6C 6S 6H 7C 7S 7H 8D 8S 8C 9H 9D 9C TS TD TC TH TS TD JS JD JC JS"
    " JH JD QC QS QH QC QD KH KC KH AD AC AH 2S 2D 3H 3D 4H 4D 5H 5C 6C 6D 7C 7D"
)
_WHICH_SEAT: Final = (*ORDER,) * 13
PACK_FACES: Final = (
    tuple(_DEALT[seat][place // len(ORDER)] for place, seat in enumerate(_WHICH_SEAT)) + _WILD_OPEN_AND_STOCK + _REST
)
"""The 106 cards of deal 1, dealt one by one in the order of play."""

_SALTS: Final = tuple(sha256(f"example salt {place}".encode()).digest() for place in range(len(PACK_FACES)))
_TREE: Final = merkle.levels(
    [
        merkle.leaf_hash(generation=0, position=place, face=face, salt=_SALTS[place])
        for place, face in enumerate(PACK_FACES)
    ]
)
PACK: Final = PackCommitment(
    cards=len(PACK_FACES), root=merkle.root(_TREE), transcript=sha256(b"example transcript").hexdigest()
)
WILD, FIRST_OPEN, FIRST_STOCK, SECOND_STOCK = (position(0, place) for place in range(39, 43))
STOCK: Final = tuple(position(0, place) for place in range(41, len(PACK_FACES)))
_SEEDS: Final = batch_of(
    TABLE,
    1,
    tuple(
        b"example seed %02d, eighty bytes long as the seeds of two decks are; nobody deals from it"[:81] % number
        for number in range(SEEDS_PER_BATCH)
    ),
)
BATCH_ROOT: Final = _SEEDS.root

SOFTWARE: Final = sha256(b"example manifest").hexdigest()
BATCH_COUNT: Final = SEEDS_PER_BATCH
SEAT_SEED: Final = sha256(b"example seed of a seat")
SEAT_COMMITMENT: Final = seat_seed_commitment(table=TABLE, seat=ASHA, player="asha", seed=SEAT_SEED.digest())
SEALED: Final = Sealed(
    keys=("ce9450dfdff59e9d", "41d0a7c6b2f83e15"),
    blob="YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBleGFtcGxlCg==",
)


def seed(index: int) -> str:
    """A seed of the only batch, in hex: 0 is that of the toss, then deal by deal."""
    return _SEEDS.seeds[index].hex()


def proof(index: int) -> SeedProof:
    """That this seed was promised."""
    return _SEEDS.proof(index)


def face_of(where: Position) -> Card:
    """The card that lies there in the pack of deal 1."""
    return PACK_FACES[place_of(where)[1]]


def opened(where: Position) -> OpenedCard:
    """The card with its opening."""
    place = place_of(where)[1]
    return OpenedCard(
        card=face_of(where), position=where, salt=_SALTS[place].hex(), path=tuple(merkle.path(_TREE, place))
    )


def hand_positions(seat: Seat) -> tuple[Position, ...]:
    """Where the 13 cards of this seat lie, in the order in which they were dealt."""
    return tuple(position(0, place) for place, owner in enumerate(_WHICH_SEAT) if owner == seat)


def hands() -> tuple[DealtHand, ...]:
    """What each seat was dealt, in the order of play."""
    return tuple(DealtHand(seat=seat, positions=hand_positions(seat)) for seat in ORDER)


def in_groups(seat: Seat, *sizes: int, with_drawn: Position | None = None) -> tuple[tuple[Position, ...], ...]:
    """The hand of this seat cut into groups of these sizes; the drawn card, if any, joins the third."""
    left = list(hand_positions(seat))
    cut = [tuple(left.pop(0) for _ in range(size)) for size in sizes]
    if with_drawn is not None:
        cut[2] = (*cut[2], with_drawn)
    return tuple(cut)


def shown(groups: tuple[tuple[Position, ...], ...]) -> tuple[tuple[ShownCard, ...], ...]:
    """The same groups laid open."""
    return tuple(tuple(ShownCard(card=face_of(where), position=where) for where in group) for group in groups)


def group(kind: GroupKind, cards: str, stands_for: str) -> Group:
    """A group as a validator reads it."""
    return Group(kind=kind, cards=parse_cards(cards), stands_for=parse_cards(stands_for))


SHOWN_GROUPS: Final = in_groups(BHASKAR, 3, 3, 3, 3, with_drawn=SECOND_STOCK)
SHOWN_HAND: Final = (*hand_positions(BHASKAR)[:12], SECOND_STOCK)
FINISH_CARD: Final = hand_positions(BHASKAR)[12]
LOSING_GROUPS: Final = in_groups(ASHA, 3, 3, 2, 2, 1, 1, 1)
JUDGED_GROUPS: Final = (
    group("pure_sequence", "5H 6H 7H", "5H 6H 7H"),
    group("pure_sequence", "9C TC JC", "9C TC JC"),
    group("set", "8S 8H 8D 8C", "8S 8H 8D 8C"),
    group("sequence", "QD KD JK", "QD KD AD"),
)
COUNTED_GROUPS: Final = (
    group("pure_sequence", "AH 2H 3H", "AH 2H 3H"),
    group("sequence", "6S 7S JK", "6S 7S 8S"),
)
LEFTOVER: Final = parse_cards("9H QH 2D 5D 9D KD KC")
LEFTOVER_POINTS: Final = 55
