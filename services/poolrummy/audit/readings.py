"""What cards laid together are, by the definitions of rulebook chapter 5 alone: no code of the arranger's.

The dealer's side reads a group by building it up; here a group is held against every line of a suit and every rank that
it could be.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from poolrummy_contracts.cards import PRINTED_JOKER, Card
from poolrummy_contracts.terms import Terms
from poolrummy_contracts.verdicts import Group, GroupKind

LINE: Final = "A23456789TJQKA"
SUITS: Final = "SHDC"
NO_LIMIT: Final = 99
_WORTH: Final = {rank: min(number, 10) for number, rank in enumerate("23456789T", start=2)} | dict.fromkeys("AJQK", 10)


class Limits:
    """The settings of the terms that say what a group may be, and how a hand counts."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.jokers = _number(terms.max_jokers_per_group)
        self.set_size = _number(terms.max_set_size)
        self.line = min(13, _number(terms.max_sequence_length))
        self.extra = _number(terms.max_extra_group_size)
        self.wild_pure = terms.wild_natural_pure
        self.jokers_alone = terms.joker_only_group


def worth(cards: Sequence[Card], wild: str) -> int:
    """The points of these cards where no group holds them (rule 8.1)."""
    return sum(0 if is_joker(card, wild) else _WORTH[card[0]] for card in cards)


def is_joker(card: Card, wild: str) -> bool:
    """Whether the card can act as a joker (rule 5.3)."""
    return card == PRINTED_JOKER or card[0] == wild


def kind_of(cards: Sequence[Card], wild: str, limits: Limits) -> GroupKind:
    """The kind that helps most: a pure sequence, else a sequence, else a set, else no group (rule 5.5)."""
    found = _in_a_line(cards, wild, limits)
    if found is not None:
        return found
    return "set" if _is_set(cards, wild, limits) else "none"


def claims_wrongly(group: Group, wild: str, limits: Limits) -> str | None:
    """What is wrong with the reading that a verdict gives of a group: each card is what it stands for, or a joker."""
    if len(group.cards) != len(group.stands_for):
        return "a card of a group stands for nothing"
    if group.kind == "none":
        return None
    acting = 0
    for card, named in zip(group.cards, group.stands_for, strict=True):
        if card != named or card == PRINTED_JOKER:
            acting += 1
            if not is_joker(card, wild):
                return f"{card} cannot stand for {named}"
    free = sum(named == PRINTED_JOKER for named in group.stands_for)
    if group.kind == "set":
        return _set_claim(group, acting, free, wild, limits)
    return _line_claim(group, acting, free, wild, limits)


def _in_a_line(cards: Sequence[Card], wild: str, limits: Limits) -> GroupKind | None:
    """A run of one suit, with jokers in its gaps (rules 5.1 to 5.3 and 5.6 to 5.8)."""
    size = len(cards)
    if not 3 <= size <= limits.line:
        return None
    fixed = [card for card in cards if not is_joker(card, wild)]
    wilds = {card for card in cards if card != PRINTED_JOKER and card[0] == wild}
    if not fixed and limits.jokers_alone == "refused":
        return None
    best: GroupKind | None = None
    for suit in SUITS:
        for first in range(15 - size):
            places = {LINE[place] + suit for place in range(first, first + size)}
            if not places.issuperset(fixed) or len(set(fixed)) < len(fixed):
                continue
            own = wilds & places
            acting = size - len(fixed) - len(own)
            if acting > limits.jokers or not (fixed or own):
                continue
            if acting == 0 and (limits.wild_pure or not own):
                return "pure_sequence"
            best = "sequence"
    if best is None and not fixed and limits.jokers_alone == "allowed" and size <= limits.jokers:
        return "sequence"
    return best


def _is_set(cards: Sequence[Card], wild: str, limits: Limits) -> bool:
    """Cards of one rank in different suits, jokers for suits that are missing (rules 5.4 and 5.6 to 5.8)."""
    size = len(cards)
    if not 3 <= size <= limits.set_size:
        return False
    fixed = [card for card in cards if not is_joker(card, wild)]
    if fixed:
        one_rank = len({card[0] for card in fixed}) == 1
        return one_rank and len(set(fixed)) == len(fixed) and size - len(fixed) <= limits.jokers
    own = {card for card in cards if card != PRINTED_JOKER}
    acting = size - len(own)
    return bool(own) and acting <= limits.jokers and not (acting and limits.jokers_alone == "refused")


def _set_claim(group: Group, acting: int, free: int, wild: str, limits: Limits) -> str | None:
    named = [card for card in group.stands_for if card != PRINTED_JOKER]
    if not named or len({card[0] for card in named}) != 1 or len(set(named)) != len(named):
        return f"{_text(group.stands_for)} is no set"
    if len(group.cards) > 4 and free == 0:
        return f"{_text(group.stands_for)} is no set"
    if not 3 <= len(group.cards) <= limits.set_size or acting > limits.jokers or acting == len(group.cards):
        return f"{_text(group.cards)} is a larger set, or holds more jokers, than the terms allow"
    alone = all(is_joker(card, wild) for card in group.cards)
    if alone and acting and limits.jokers_alone == "refused":
        return f"{_text(group.cards)} is a group of jokers, which the terms refuse"
    return None


def _line_claim(group: Group, acting: int, free: int, wild: str, limits: Limits) -> str | None:  # noqa: PLR0911 - one answer a fault
    size = len(group.cards)
    if not 3 <= size <= limits.line or acting > limits.jokers:
        return f"{_text(group.cards)} is a longer sequence, or holds more jokers, than the terms allow"
    alone = all(is_joker(card, wild) for card in group.cards)
    if alone and limits.jokers_alone == "refused":
        return f"{_text(group.cards)} is a group of jokers, which the terms refuse"
    if free:
        lawful = free == size and alone and limits.jokers_alone == "allowed" and group.kind == "sequence"
        return None if lawful else f"{_text(group.stands_for)} is no sequence"
    ranks = "".join(card[0] for card in group.stands_for)
    if len({card[1] for card in group.stands_for}) != 1 or ranks not in LINE:
        return f"{_text(group.stands_for)} is no sequence"
    if acting == size:
        return f"{_text(group.cards)} holds no card that stands for itself"
    natural_wild = any(
        card[0] == wild for card, named in zip(group.cards, group.stands_for, strict=True) if card == named
    )
    pure = acting == 0 and (limits.wild_pure or not natural_wild)
    if (group.kind == "pure_sequence") != pure:
        return f"{_text(group.cards)} is {'' if pure else 'not '}pure"
    return None


def same_cards(one: Sequence[Card], other: Sequence[Card]) -> bool:
    """Whether these are the same cards, in any order."""
    return Counter(one) == Counter(other)


def _number(setting: int | str) -> int:
    return setting if isinstance(setting, int) else NO_LIMIT


def _text(cards: Sequence[Card]) -> str:
    return " ".join(cards)
