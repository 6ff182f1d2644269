"""How the jokers of a hand are shared out among the groups of a show, and among groups of jokers only (rule 6.2)."""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from poolrummy.rules.meld_rules import MeldRules
from poolrummy_contracts.cards import PRINTED_JOKER, Card


class Part(NamedTuple):
    """Cards of a group to be: with from ``least`` to ``most`` cards that act as jokers it is one.

    ``own`` is a wild card in it that stands for itself. It can be pure only if no card acts as a joker.
    """

    mask: int
    cards: tuple[Card, ...]
    own: Card | None
    least: int
    most: int
    sequence: bool
    pure: bool


def share_jokers(
    parts: Sequence[Part], wilds: Sequence[Card], printed: int, rules: MeldRules
) -> list[tuple[Card, ...]] | None:
    """The groups as cards, every joker in one of them, so that they make a valid show; None where there is no way."""
    pool = list(wilds)
    for part in parts:
        if part.own is not None:
            pool.remove(part.own)
    pool += [PRINTED_JOKER] * printed
    for groups in _with_joker_groups(tuple(parts), pool, rules):
        left = list(pool)
        for group in groups[len(parts) :]:
            for card in group.cards:
                left.remove(card)
        acting = _acting(groups, len(left), rules)
        if acting is not None:
            dealt: list[tuple[Card, ...]] = []
            for group, number in zip(groups, acting, strict=True):
                own = () if group.own is None else (group.own,)
                dealt.append((*group.cards, *own, *left[:number]))
                del left[:number]
            return dealt
    return None


def _with_joker_groups(parts: tuple[Part, ...], pool: list[Card], rules: MeldRules) -> Iterator[tuple[Part, ...]]:
    """The groups as they are; then with one more group that begins with jokers only; and so on."""
    yield parts
    if len(parts) == 4 or len(pool) < 3:
        return
    most, longest = rules.max_jokers_per_group, min(13, rules.max_sequence_length)
    starts: list[Part] = []
    wilds = [card for card in pool if card != PRINTED_JOKER]
    if rules.joker_only_group == "allowed":
        starts.append(Part(0, (), None, 3, min(most, longest), sequence=True, pure=False))
    if wilds and rules.joker_only_group != "refused":
        starts.append(Part(0, (wilds[0],), None, 2, min(most, longest - 1), sequence=True, pure=False))
    different = tuple(dict.fromkeys(wilds))
    for size in range(1, len(different) + 1):
        # Which suits does not matter, except that a suit with two cards is best used first.
        chosen = tuple(sorted(different, key=lambda card: -wilds.count(card))[:size])
        room = min(most, rules.max_set_size - size) if rules.joker_only_group != "refused" else 0
        starts.append(Part(0, chosen, None, max(0, 3 - size), room, sequence=False, pure=False))
    for start in starts:
        if start.least <= start.most and len(start.cards) + start.least <= len(pool):
            left = list(pool)
            for card in start.cards:
                left.remove(card)
            yield from _with_joker_groups((*parts, start), left, rules)


def _acting(parts: Sequence[Part], jokers: int, rules: MeldRules) -> list[int] | None:
    """How many cards act as jokers in each group, so that all do and the two required sequences are there."""
    sequences = [index for index, part in enumerate(parts) if part.sequence]
    for pure, second in permutations(sequences, 2):
        if not parts[pure].pure:
            continue
        least = [part.least for part in parts]
        most = [
            0
            if index == pure
            else part.most
            if index == second
            else min(part.most, rules.max_extra_group_size - len(part.cards) - (part.own is not None))
            for index, part in enumerate(parts)
        ]
        if all(low <= high for low, high in zip(least, most, strict=True)) and sum(least) <= jokers <= sum(most):
            spare = jokers - sum(least)
            for index, low in enumerate(least):
                more = min(spare, most[index] - low)
                least[index] += more
                spare -= more
            return least
    return None
