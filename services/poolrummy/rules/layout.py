"""From what the search has found to groups of real cards, with what each joker stands for (rules 5.1 to 5.5, 6.4)."""

from collections.abc import Sequence
from typing import Final

from poolrummy.rules.meld_rules import MeldRules, is_joker
from poolrummy.rules.melds import PLACES, read
from poolrummy.rules.packed import Wild
from poolrummy.rules.saving import Plan, Tables, vector_of
from poolrummy.rules.sequences_found import Line, Ways, heaviest_line, lines_of, lines_with_pure
from poolrummy.rules.set_choices import SetChoice, sets_taken
from poolrummy_contracts.cards import PRINTED_JOKER, RANKS, SUITS, Card
from poolrummy_contracts.verdicts import Group

ORDER: Final = {Card(rank + suit): index for index, (suit, rank) in enumerate((s, r) for s in SUITS for r in RANKS)} | {
    PRINTED_JOKER: 52
}
"""The order in which cards are listed: by suit, then by rank, printed jokers last."""

CARDS: Final = tuple(tuple(Card(rank + suit) for rank in PLACES) for suit in SUITS)
KINDS: Final = {"pure_sequence": 0, "sequence": 1, "set": 2, "none": 3}


def groups_of(plan: Plan, hand: Sequence[Card], wild: Wild, rules: MeldRules, tables: Tables) -> tuple[Group, ...]:
    """The groups of a plan, pure sequences first; spare jokers join where they do no harm."""
    lines, sets, three_jokers = _pieces(plan, tables)
    pool = sorted((card for card in hand if is_joker(card, wild.rank)), key=ORDER.__getitem__)
    groups: list[Group] = []
    if plan.wild_in_group is not None:
        pool.remove(plan.wild_in_group)
        groups.append(_joker_group([plan.wild_in_group, *pool[:2]], wild, rules))
        del pool[:2]
    # First the wild cards that have to stand for themselves, so that no other group takes them as jokers.
    own = [_own_wild(line, wild, rules, pool, must=True) for line in lines]
    groups.extend(_sequence(line, card, pool, wild, rules) for line, card in zip(lines, own, strict=True))
    for place, choice in sets:
        groups.extend(_sets(place, choice, pool))
    if three_jokers:
        groups.append(_joker_group(pool[:3], wild, rules))
        del pool[:3]
    if pool and plan.node is not None:
        _lay_down(pool, groups, wild, rules)
    return tuple(sorted(groups, key=lambda group: (KINDS[group.kind], ORDER[group.stands_for[0]], group.stands_for)))


def _pieces(plan: Plan, tables: Tables) -> tuple[list[Line], tuple[tuple[int, SetChoice], ...], bool]:
    """The sequences and sets of a plan, and whether three jokers by themselves are its second sequence."""
    if plan.node is None:
        return [heaviest_line(tables.suits, plan.keys)], (), False
    keys, jokers, sets = plan.node
    target = plan.saved - sum(choice.points for _, choice in sets)
    ways = Ways(lambda key: vector_of(plan, tables, key), tables.suits)
    if plan.need == "any":
        return lines_of(ways, keys, jokers, target), sets, False
    lines, three_jokers = lines_with_pure(
        ways, keys, jokers, target, second=plan.need == "second", joker_group=tables.joker_group
    )
    return lines, sets, three_jokers


def _own_wild(line: Line, wild: Wild, rules: MeldRules, pool: list[Card], *, must: bool) -> Card | None:
    """The wild card that stands for itself in a sequence, taken out of the pool; with ``must`` only where it has to.

    It has to in a pure sequence, and where otherwise too many cards would act as jokers (rule 5.7).
    """
    names = CARDS[line.suit][line.first : line.first + line.length]
    name = next((name for name in names if name[0] == wild.rank), None)
    if name is None or name not in pool:
        return None
    jokers = sum(not line.cards >> 2 * place & 3 for place in range(line.first, line.first + line.length))
    if must and not line.pure and jokers <= rules.max_jokers_per_group:
        return None
    pool.remove(name)
    return name


def _sequence(line: Line, own: Card | None, pool: list[Card], wild: Wild, rules: MeldRules) -> Group:
    """A sequence as cards; a wild card goes into its own place if there is one, jokers into the rest."""
    names = CARDS[line.suit][line.first : line.first + line.length]
    own = own or _own_wild(line, wild, rules, pool, must=False)
    held = tuple(
        name if line.cards >> 2 * place & 3 or name == own else pool.pop(0)
        for place, name in enumerate(names, line.first)
    )
    pure = held == names and (rules.wild_natural_pure or own is None)
    return Group(kind="pure_sequence" if pure else "sequence", cards=held, stands_for=names)


def _sets(place: int, choice: SetChoice, pool: list[Card]) -> list[Group]:
    """The sets of one rank as cards; a joker stands for the first suit that is missing."""
    numbers = [cards >> 2 * place & 3 for cards in choice[2:]]
    pattern = sum(number << 2 * suit for suit, number in enumerate(numbers))
    groups: list[Group] = []
    for suits in sets_taken(pattern, choice.jokers):
        names = tuple(CARDS[suit][place] for suit in range(4) if suits >> suit & 1)
        if len(names) == 2:
            missing = next(CARDS[suit][place] for suit in range(4) if not suits >> suit & 1)
            groups.append(Group(kind="set", cards=(*names, pool.pop(0)), stands_for=(*names, missing)))
        else:
            groups.append(Group(kind="set", cards=names, stands_for=names))
    return groups


def _joker_group(cards: Sequence[Card], wild: Wild, rules: MeldRules) -> Group:
    """Three jokers by themselves (rule 5.6)."""
    return read(cards, wild.rank, rules)


def _lay_down(pool: list[Card], groups: list[Group], wild: Wild, rules: MeldRules) -> None:
    """Put spare jokers into groups, all into one if it takes them: impure sequences first, then pure ones, then sets.

    One pure sequence stays as it is.
    """
    kept = next((index for index, group in enumerate(groups) if group.kind == "pure_sequence"), None)
    order = [index for index in range(len(groups)) if index != kept]
    order.sort(key=lambda index: (("sequence", "pure_sequence", "set").index(groups[index].kind), index))
    for index in order:
        for number in range(len(pool), 0, -1):
            group = groups[index]
            wider = read((*group.cards, *pool[:number]), wild.rank, rules)
            if wider.kind != "none" and (group.kind == "set") == (wider.kind == "set"):
                groups[index] = wider
                del pool[:number]
                break
        if not pool:
            return
