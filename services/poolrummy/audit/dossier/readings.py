"""What a group is, card by card, and why it is none; what counts in a hand, and the sum of it (chapters 5 and 8)."""

from collections import Counter
from collections.abc import Sequence

from poolrummy.audit.dossier.content import CardSeen, GroupSeen
from poolrummy.audit.dossier.names import joined
from poolrummy.audit.wording import face, faces
from poolrummy_contracts.cards import PRINTED_JOKER, RANKS, SUITS, Card, card_points
from poolrummy_contracts.terms import Terms
from poolrummy_contracts.verdicts import Group

SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
RANK_NAMES = {"A": "aces", "T": "tens", "J": "jacks", "Q": "queens", "K": "kings"}
_KINDS = {"pure_sequence": "pure sequence", "sequence": "sequence", "set": "set", "none": "no group"}


def is_wild(card: Card | None, wild_rank: str) -> bool:
    """Whether a card with a face can stand for another (rule 5.3)."""
    return card is not None and (card == PRINTED_JOKER or card[0] == wild_rank)


def group_seen(group: Group, wild_rank: str, *, fault: bool = False) -> GroupSeen:
    """A group as it was read, each joker with the card that it stands for."""
    cards = tuple(
        CardSeen(
            card=card,
            wild=is_wild(card, wild_rank),
            stands_for=None if stands == card or group.kind == "none" else stands,
        )
        for card, stands in _paired(group)
    )
    why = why_none(group.cards, wild_rank) if group.kind == "none" or fault else None
    return GroupSeen(kind=group.kind, cards=cards, reading=reading(group, wild_rank), fault=why)


def reading(group: Group, wild_rank: str) -> str:
    """The group in words: its kind, and what its jokers stand for."""
    said = _KINDS[group.kind]
    if group.kind == "none":
        return "neither a sequence nor a set"
    jokers = [
        f"{face(card)} stands for {face(stands) if stands != PRINTED_JOKER else 'no card in particular'}"
        for card, stands in _paired(group)
        if card != stands
    ]
    if jokers:
        return f"{said}: {joined(jokers)}"
    at_face = [face(card) for card, stands in _paired(group) if card == stands and is_wild(card, wild_rank)]
    return f"{said}; {joined(at_face)} counts as itself" if at_face and group.kind != "set" else said


def why_none(cards: Sequence[Card], wild_rank: str) -> str:
    """Why these cards are no group, as a player would say it (chapter 5)."""
    if len(cards) < 3:
        return f"it has only {len(cards)} card{'s' if len(cards) != 1 else ''}, and a group has at least three"
    plain = [card for card in cards if not is_wild(card, wild_rank)]
    jokers = len(cards) - len(plain)
    filled = f"only {jokers} joker{'s' if jokers != 1 else ''} to fill" if jokers else "no joker to fill"
    ranks, suits = {card[0] for card in plain}, {card[1] for card in plain}
    twice = [card for card, number in Counter(plain).items() if number > 1]
    if len(ranks) == 1 and twice:
        return f"a set has each suit once, and {face(twice[0])} is there {_times(Counter(plain)[twice[0]])}"
    if len(suits) == 1 and twice:
        return f"a sequence has each card once, and {face(twice[0])} is there {_times(Counter(plain)[twice[0]])}"
    if len(suits) == 1 and len(plain) > 1:
        gaps = _gaps(plain)
        return f"{faces(gaps)} {'is' if len(gaps) == 1 else 'are'} missing, and there is {filled} the gap"
    if len(ranks) == 1:
        return "it has more cards than a set may have at this table"
    kinds = joined([SUIT_NAMES[suit] for suit in SUITS if suit in suits])
    return f"it mixes {kinds}, so it is no sequence, and its ranks differ, so it is no set"


def counting_cards(
    groups: Sequence[Group], leftover: Sequence[Card], wild_rank: str, terms: Terms
) -> tuple[CardSeen, ...]:
    """The cards that count, each with its points: what lies in no group, and in groups that free nothing (rule 8.2)."""
    pure = [group for group in groups if group.kind == "pure_sequence"]
    sequences = sum(group.kind in ("pure_sequence", "sequence") for group in groups)
    free = [group for group in groups if group.kind != "none"]
    if not pure and terms.loser_count != "unmatched_always":
        free = []
    elif sequences < 2 and terms.loser_count == "tiered":
        free = pure[:1]
    elif sequences < 2 and terms.loser_count == "all_unless_two_sequences":
        free = []
    counted = [card for group in groups if group not in free for card in group.cards]
    return tuple(
        CardSeen(card=card, wild=is_wild(card, wild_rank), points=card_points(card, wild_rank))
        for card in sorted((*leftover, *counted), key=lambda card: (-card_points(card, wild_rank), card))
    )


def sum_of(counting: Sequence[CardSeen], raw: int, counted: int, cap: int) -> str:
    """The sum card by card, and the cap where it bites (rule 8.4)."""
    parts = [f"{one.points} ({face(one.card)})" for one in counting if one.card is not None]
    total = sum(one.points or 0 for one in counting)
    said = f"{' + '.join(parts)} = {total}" if parts else "no card counts: 0"
    if total != raw:
        said = f"{said}; counted as {raw}"
    return f"{said}, capped at the full count of {cap}: {counted}" if counted < raw else said


def in_hand_order(cards: Sequence[CardSeen]) -> tuple[CardSeen, ...]:
    """Cards as a player holds them: by suit and rank, jokers behind, cards without a face last."""

    def place(one: CardSeen) -> tuple[int, int]:
        if one.card is None:
            return 9, 0
        return (8, 0) if one.card == PRINTED_JOKER else (SUITS.index(one.card[1]), RANKS.index(one.card[0]))

    return tuple(sorted(cards, key=place))


def wild_ones(wild_rank: str) -> str:
    """The cards of the wild rank, in words.

    >>> wild_ones("A"), wild_ones("7")
    ('aces', '7s')
    """
    return RANK_NAMES.get(wild_rank, f"{wild_rank}s")


def _paired(group: Group) -> list[tuple[Card, Card]]:
    """Each card with what it stands for; a group that is none stands for nothing."""
    stands = group.stands_for if len(group.stands_for) == len(group.cards) else group.cards
    return list(zip(group.cards, stands, strict=True))


def _gaps(plain: Sequence[Card]) -> list[Card]:
    """The cards between the lowest and the highest, with the ace where it leaves fewer gaps."""
    suit = plain[0][1]

    def missing(ace: int) -> list[Card]:
        held = {ace if card[0] == "A" else RANKS.index(card[0]) for card in plain}
        line = RANKS + "A"
        return [Card(line[place] + suit) for place in range(min(held), max(held)) if place not in held]

    return min(missing(0), missing(13), key=len)


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"
