"""Whether some cards laid together are a group, and how they are read (rulebook chapter 5).

``read`` answers for one group: a pure sequence, a sequence, a set or nothing, and what each card stands for. A group
with two readings takes the one that helps more: pure before impure, sequence before set (rule 5.5).
"""

from collections.abc import Iterator, Sequence
from typing import Final

from poolrummy.rules.meld_rules import MeldRules, is_joker
from poolrummy_contracts.cards import PRINTED_JOKER, RANKS, SUITS, Card
from poolrummy_contracts.verdicts import Group

PLACES: Final = RANKS + "A"
"""The fourteen places of a suit in order: the ace stands at both ends (rule 5.1)."""


def read(cards: Sequence[Card], wild: str, rules: MeldRules) -> Group:
    """The most helpful reading of a group; kind ``none`` where it is no group at all (rule 5.5).

    ``wild`` is the wild rank.

    >>> read((Card("7H"), Card("JK"), Card("8H")), "2", MeldRules()).stands_for
    ('7H', '8H', '9H')
    """
    return (
        _sequence(cards, wild, rules)
        or _set(cards, wild, rules)
        or Group(kind="none", cards=tuple(cards), stands_for=tuple(cards))
    )


def _splits(cards: Sequence[Card], wild: str) -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """The ways to say which cards stand for themselves and which act as jokers, fewest jokers first."""
    plain = tuple(card for card in cards if not is_joker(card, wild))
    printed = tuple(card for card in cards if card == PRINTED_JOKER)
    wilds = sorted((card for card in cards if card != PRINTED_JOKER and card[0] == wild), key=_suit)
    # A sequence holds the wild rank once at most, a set holds each suit once at most; so each suit is tried once.
    distinct = tuple(dict.fromkeys(wilds))
    for size in range(len(distinct), -1, -1):
        for chosen in _combinations(distinct, size):
            acting = list(wilds)
            for card in chosen:
                acting.remove(card)
            yield plain + chosen, (*acting, *printed)


def _combinations(cards: tuple[Card, ...], size: int) -> Iterator[tuple[Card, ...]]:
    if size == 0:
        yield ()
        return
    for index in range(len(cards) - size + 1):
        for rest in _combinations(cards[index + 1 :], size - 1):
            yield (cards[index], *rest)


def _sequence(cards: Sequence[Card], wild: str, rules: MeldRules) -> Group | None:
    """The cards as a sequence, pure if they can be (rules 5.1 to 5.3, 5.6 to 5.8)."""
    if not 3 <= len(cards) <= min(13, rules.max_sequence_length):
        return None
    only_jokers = all(is_joker(card, wild) for card in cards)
    if only_jokers and rules.joker_only_group == "refused":
        return None
    for naturals, jokers in _splits(cards, wild):
        if len(jokers) <= rules.max_jokers_per_group and naturals:
            group = _in_line(naturals, jokers, wild, rules)
            if group is not None:
                return group
    if only_jokers and rules.joker_only_group == "allowed" and len(cards) <= rules.max_jokers_per_group:
        return Group(kind="sequence", cards=tuple(sorted(cards)), stands_for=(PRINTED_JOKER,) * len(cards))
    return None


def _in_line(naturals: tuple[Card, ...], jokers: tuple[Card, ...], wild: str, rules: MeldRules) -> Group | None:
    """The naturals in their places of one suit, the jokers in the gaps, then above, then below (rule 5.3)."""
    suit = naturals[0][1]
    if any(card[1] != suit for card in naturals):
        return None
    size = len(naturals) + len(jokers)
    for ace in (0, 13):
        by_place = {ace if card[0] == "A" else RANKS.index(card[0]): card for card in naturals}
        low, high = min(by_place), max(by_place)
        if len(by_place) < len(naturals) or high - low >= size:
            continue
        first = min(low, 14 - size)
        spare = iter(jokers)
        held = tuple(by_place[place] if place in by_place else next(spare) for place in range(first, first + size))
        named = tuple(Card(PLACES[place] + suit) for place in range(first, first + size))
        pure = not jokers and (rules.wild_natural_pure or all(card[0] != wild for card in naturals))
        return Group(kind="pure_sequence" if pure else "sequence", cards=held, stands_for=named)
    return None


def _set(cards: Sequence[Card], wild: str, rules: MeldRules) -> Group | None:
    """The cards as a set: one rank, different suits, jokers for missing suits (rules 5.4, 5.6 to 5.8)."""
    if not 3 <= len(cards) <= rules.max_set_size:
        return None
    refused = rules.joker_only_group == "refused" and all(is_joker(card, wild) for card in cards)
    for naturals, jokers in _splits(cards, wild):
        if not naturals or len(jokers) > rules.max_jokers_per_group or (refused and jokers):
            continue
        suits = {card[1] for card in naturals}
        if len({card[0] for card in naturals}) == 1 and len(suits) == len(naturals):
            rank = naturals[0][0]
            missing = [Card(rank + suit) for suit in SUITS if suit not in suits]
            # Beyond four cards (rule 5.8) a joker stands for no card in particular.
            stands = [*missing, *([PRINTED_JOKER] * len(jokers))][: len(jokers)]
            inside = tuple(sorted(naturals, key=_suit))
            return Group(kind="set", cards=inside + jokers, stands_for=(*inside, *stands))
    return None


def _suit(card: Card) -> int:
    return SUITS.index(card[1])
