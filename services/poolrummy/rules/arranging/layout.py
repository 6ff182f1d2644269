"""From what the search has found to groups of real cards, with what each joker stands for (rules 5.1 to 5.5, 6.4).

Joker cards are handed out in a fixed order: wild cards as S H D C, then printed jokers; but first each wild card that
has to stand for itself. Jokers that no group needs are laid down where they do no harm.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from poolrummy.rules.arranging.packed import Wild
from poolrummy.rules.arranging.saving import Plan, Tables, kept
from poolrummy.rules.arranging.search import Sets
from poolrummy.rules.arranging.sequences_found import Line
from poolrummy.rules.arranging.set_choices import SetChoice, sets_taken
from poolrummy.rules.meld_rules import UNLIMITED, MeldRules
from poolrummy.rules.melds import PLACES, read
from poolrummy_contracts.cards import PRINTED_JOKER, RANKS, SUITS, Card
from poolrummy_contracts.verdicts import Group

ORDER: Final = {Card(rank + suit): index for index, (suit, rank) in enumerate((s, r) for s in SUITS for r in RANKS)} | {
    PRINTED_JOKER: 52
}
"""The order in which cards are listed: by suit, then by rank, printed jokers last."""

CARDS: Final = tuple(tuple(Card(rank + suit) for rank in PLACES) for suit in SUITS)
Placed = tuple[int, Line]
"""A suit, as its index in S H D C, and a sequence in it."""
_KINDS: Final = {"pure_sequence": 0, "sequence": 1, "set": 2, "none": 3}


def groups_of(plan: Plan, hand: Sequence[Card], wild: Wild, rules: MeldRules, tables: Tables) -> tuple[Group, ...]:
    """The groups of a plan, pure sequences first, then other sequences, then sets."""
    lines, sets, three_jokers = _pieces(plan, tables)
    rank = wild.rank
    pool = [card for card in hand if card[0] == rank or card == PRINTED_JOKER]
    groups: list[Group] = []
    if pool:
        pool.sort(key=ORDER.__getitem__)
        if plan.wild_in_group is not None:
            pool.remove(plan.wild_in_group)
            groups.append(read([plan.wild_in_group, *pool[:2]], rank, rules))
            del pool[:2]
        if rules.max_jokers_per_group == rules.max_sequence_length == UNLIMITED:
            lines = _with_spare_jokers(lines, sets, len(pool) - 3 * three_jokers)
        groups.extend(_sequences(lines, pool, wild, rules))
    else:
        groups.extend(_whole(suit, line.first, line.length) for suit, line in lines)
    for place, choice in sets:
        groups.extend(_sets(place, choice, pool))
    if three_jokers:
        groups.append(read(pool[:3], rank, rules))
        del pool[:3]
    if pool and plan.node is not None:
        _lay_down(pool, groups, rank, rules)
    groups.sort(key=_kind)
    return tuple(groups)


def _pieces(plan: Plan, tables: Tables) -> tuple[list[Placed], Sets, bool]:
    """The sequences and sets of a plan, and whether three jokers by themselves are its second sequence."""
    ways = tables.ways
    sets: Sets = ()
    three_jokers = False
    if plan.node is None:
        found = ways.heaviest(kept(plan, tables), plan.keys)
    else:
        keys, jokers, sets = plan.node
        target = plan.saved
        for _, choice in sets:
            target -= choice.points
        if plan.need == "any":
            found = ways.any_lines(kept(plan, tables), keys, jokers, target)
        else:
            second = plan.need == "second"
            found, three_jokers = ways.with_pure(
                kept(plan, tables), keys, jokers, target, second=second, joker_group=tables.joker_group
            )
    return [(suit, line) for suit, lines in enumerate(found) for line in lines], sets, three_jokers


def _with_spare_jokers(lines: list[Placed], sets: Sets, jokers: int) -> list[Placed]:
    """The sequences, of which one is made longer by all jokers that no group needs, if there are two.

    The first impure one; else the second one, since the first has to stay pure.
    """
    for _, line in lines:
        jokers -= line.jokers
    for _, choice in sets:
        jokers -= choice.jokers
    if jokers <= 0 or len(lines) < 2:
        return lines
    index = next((at for at, (_, line) in enumerate(lines) if not line.pure), 1)
    suit, line = lines[index]
    length = min(13, line.length + jokers)
    first = min(line.first, len(PLACES) - length)
    longer = Line(first, length, line.cards, line.jokers + length - line.length, pure=False)
    return [*lines[:index], (suit, longer), *lines[index + 1 :]]


def _sequences(lines: list[Placed], pool: list[Card], wild: Wild, rules: MeldRules) -> list[Group]:
    """The sequences as cards, where the hand has jokers.

    First the wild cards that have to stand for themselves, so that no other group takes them as jokers: in a pure
    sequence (rule 5.2), and where otherwise too many cards would act as jokers (rule 5.7).
    """
    most = rules.max_jokers_per_group
    must = [line.jokers > 0 and (line.pure or line.jokers > most) for _, line in lines]
    own = [
        _own_wild(suit, line, wild, pool) if needed else None for (suit, line), needed in zip(lines, must, strict=True)
    ]
    groups: list[Group] = []
    for (suit, line), card in zip(lines, own, strict=True):
        if not line.jokers:
            groups.append(_whole(suit, line.first, line.length))
        else:
            held = card or _own_wild(suit, line, wild, pool)
            groups.append(_sequence(suit, line, held, pool, rules))
    return groups


def _own_wild(suit: int, line: Line, wild: Wild, pool: list[Card]) -> Card | None:
    """The wild card that stands for itself in a sequence, taken out of the pool; None where there is none."""
    place, last = wild.place, line.first + line.length - 1
    if line.first <= place <= last or (place == 0 and last == len(PLACES) - 1):
        card = CARDS[suit][place]
        if card in pool:
            pool.remove(card)
            return card
    return None


def _sequence(suit: int, line: Line, own: Card | None, pool: list[Card], rules: MeldRules) -> Group:
    """A sequence with jokers of the pool in the places that no card of the hand takes."""
    first, length, cards = line.first, line.length, line.cards
    names = CARDS[suit][first : first + length]
    held = tuple(
        [name if cards >> 2 * place & 3 or name == own else pool.pop(0) for place, name in enumerate(names, first)]
    )
    pure = held == names and (own is None or rules.wild_natural_pure)
    return Group(kind="pure_sequence" if pure else "sequence", cards=held, stands_for=names)


@cache
def _whole(suit: int, first: int, length: int) -> Group:
    """A pure sequence of cards that are no jokers; there are some 300 of them."""
    names = CARDS[suit][first : first + length]
    return Group(kind="pure_sequence", cards=names, stands_for=names)


@cache
def _whole_set(place: int, suits: int) -> Group:
    """A set of cards that are no jokers."""
    names = tuple(CARDS[suit][place] for suit in range(4) if suits >> suit & 1)
    return Group(kind="set", cards=names, stands_for=names)


def _sets(place: int, choice: SetChoice, pool: list[Card]) -> list[Group]:
    """The sets of one rank as cards; a joker stands for the first suit that is missing."""
    pattern = 0
    for suit, cards in enumerate(choice[2:]):
        pattern |= (cards >> 2 * place & 3) << 2 * suit
    groups: list[Group] = []
    for suits in sets_taken(pattern, choice.jokers):
        group = _whole_set(place, suits)
        if len(group.cards) == 2:
            missing = next(CARDS[suit][place] for suit in range(4) if not suits >> suit & 1)
            group = Group(kind="set", cards=(*group.cards, pool.pop(0)), stands_for=(*group.cards, missing))
        groups.append(group)
    return groups


def _lay_down(pool: list[Card], groups: list[Group], rank: str, rules: MeldRules) -> None:
    """Put spare jokers into groups, as many into one as it takes: impure sequences first, then pure ones, then sets.

    The first pure sequence stays as it is.
    """
    kept = next((index for index, group in enumerate(groups) if group.kind == "pure_sequence"), None)
    order = [index for index in range(len(groups)) if index != kept]
    order.sort(key=lambda index: (("sequence", "pure_sequence", "set").index(groups[index].kind), index))
    for index in order:
        for number in range(len(pool), 0, -1):
            group = groups[index]
            wider = read((*group.cards, *pool[:number]), rank, rules)
            if wider.kind != "none" and (group.kind == "set") == (wider.kind == "set"):
                groups[index] = wider
                del pool[:number]
                break
        if not pool:
            return


def _kind(group: Group) -> int:
    return _KINDS[group.kind]
