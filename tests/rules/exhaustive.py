"""An exhaustive search for the arranger to be held against: another method, no shared code, slow on purpose.

Every way to say which wild cards stand for themselves is tried in turn; the other jokers then are a mere number. Every
subset of a suit or a rank that can be a group with some jokers is listed. A depth-first search takes the first card and
leaves it, or puts it into each listed group. Nothing is assumed about which groups are worth trying: long sequences,
jokers beside cards that would fit, wasteful sets, all of it.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

from poolrummy.rules.meld_rules import MeldRules

RANKS = "A23456789TJQK"
SUITS = "SHDC"
POINTS = {rank: 10 if rank in "ATJQK" else int(rank) for rank in RANKS}


class Listed(NamedTuple):
    """Cards that can be a group with from ``least`` to ``most`` jokers; pure only with none."""

    mask: int
    size: int
    least: int
    most: int
    sequence: bool
    pure: bool


class Table(NamedTuple):
    """A hand in which it is settled which wild cards stand for themselves."""

    cards: tuple[str, ...]
    worth: tuple[int, ...]
    jokers: int
    by_lowest: tuple[tuple[Listed, ...], ...]


def least_points(hand: tuple[str, ...], wild: str, rules: MeldRules, below: int = 1000) -> int | None:
    """The least the hand counts before the cap, if that is below the number given."""
    wild = "A" if wild == "JK" else wild
    total = sum(_worth(card, wild) for card in hand)
    best = below
    if rules.loser_count != "unmatched_always" and total < best:
        best = total
    for table in _tables(hand, wild, rules):
        groups = [group for listed in table.by_lowest for group in listed]
        pure = [group for group in groups if group.pure]
        if rules.loser_count != "unmatched_always" and not pure:
            continue
        if rules.loser_count == "tiered":
            best = min([best, *(total - _points(group, table) for group in pure)])
        best = _search(table, rules, best)
    return best if best < below else None


def declarable(hand: tuple[str, ...], wild: str, rules: MeldRules) -> bool:
    """Whether all 13 cards can be laid down in groups that are a valid show."""
    wild = "A" if wild == "JK" else wild
    return any(_covers(table, rules, (1 << len(table.cards)) - 1, ()) for table in _tables(hand, wild, rules))


def _search(table: Table, rules: MeldRules, best: int) -> int:
    """The least points of cards left over in this table, if below the best so far."""
    need_pure = rules.loser_count != "unmatched_always"
    need_second = rules.loser_count in ("tiered", "all_unless_two_sequences")
    alone = rules.joker_only_group == "allowed" and rules.max_jokers_per_group >= 3
    seen: dict[tuple[int, int, bool, int], int] = {}

    def go(left: int, jokers: int, pure: bool, sequences: int, points: int) -> None:
        nonlocal best
        state = (left, jokers, pure, sequences)
        if points >= best or seen.get(state, 1000) <= points:
            return
        seen[state] = points
        if not left:
            if need_second and sequences == 1 and alone and jokers >= 3:
                sequences = 2
            if (pure or not need_pure) and (sequences >= 2 or not need_second):
                best = points
            return
        lowest = (left & -left).bit_length() - 1
        for group in table.by_lowest[lowest]:
            if group.mask & left == group.mask and group.least <= jokers:
                rest = left ^ group.mask
                go(rest, jokers - group.least, pure or group.pure, min(2, sequences + group.sequence), points)
        go(left & (left - 1), jokers, pure, sequences, points + table.worth[lowest])

    go((1 << len(table.cards)) - 1, table.jokers, False, 0, 0)
    return best


def _covers(table: Table, rules: MeldRules, left: int, groups: tuple[Listed, ...]) -> bool:
    """Whether the cards left can go into groups, and then all jokers too, so that the whole is a valid show."""
    if sum(group.least for group in groups) > table.jokers or len(groups) > 4:
        return False
    if not left:
        return _all_jokers_fit(groups, table.jokers, rules)
    lowest = (left & -left).bit_length() - 1
    return any(
        group.mask & left == group.mask and _covers(table, rules, left ^ group.mask, (*groups, group))
        for group in table.by_lowest[lowest]
    )


def _all_jokers_fit(groups: tuple[Listed, ...], jokers: int, rules: MeldRules) -> bool:
    """Whether exactly so many jokers can be shared out among the groups, and groups of jokers only."""
    if not groups:
        return False
    most_alone = min(13, rules.max_jokers_per_group, rules.max_sequence_length)
    alone = range(3, min(jokers, most_alone) + 1) if rules.joker_only_group == "allowed" else range(0)
    for extra_groups in range(3):
        for extra in product(alone, repeat=extra_groups):
            shares = product(*(range(group.least, min(group.most, jokers) + 1) for group in groups))
            for share in shares:
                if sum(share) + sum(extra) == jokers and _is_show(groups, share, extra, rules):
                    return True
    return False


def _is_show(groups: tuple[Listed, ...], share: tuple[int, ...], extra: tuple[int, ...], rules: MeldRules) -> bool:
    sizes = [group.size + jokers for group, jokers in zip(groups, share, strict=True)] + list(extra)
    sequence = [group.sequence for group in groups] + [True] * len(extra)
    pure = [group.pure and not jokers for group, jokers in zip(groups, share, strict=True)] + [False] * len(extra)
    for first, second in combinations(range(len(sizes)), 2):
        others = [size for index, size in enumerate(sizes) if index not in (first, second)]
        required = sequence[first] and sequence[second] and (pure[first] or pure[second])
        if required and max(others, default=0) <= rules.max_extra_group_size:
            return True
    return False


def _tables(hand: tuple[str, ...], wild: str, rules: MeldRules) -> Iterator[Table]:
    """The hand for every choice of wild cards that stand for themselves."""
    wilds = Counter(card for card in hand if card != "JK" and card[0] == wild)
    printed = hand.count("JK")
    plain = [card for card in hand if card != "JK" and card[0] != wild]
    for chosen in product(*(range(wilds[wild + suit] + 1) for suit in SUITS)):
        own = [wild + suit for suit, number in zip(SUITS, chosen, strict=True) for _ in range(number)]
        jokers = printed + wilds.total() - len(own)
        cards = tuple(sorted(plain + own))
        listed: list[list[Listed]] = [[] for _ in cards]
        for group in _groups(cards, wild, jokers, rules):
            listed[(group.mask & -group.mask).bit_length() - 1].append(group)
        yield Table(cards, tuple(_worth(card, wild) for card in cards), jokers, tuple(map(tuple, listed)))


def _groups(cards: tuple[str, ...], wild: str, jokers: int, rules: MeldRules) -> Iterator[Listed]:
    """Every group that holds at least one card standing for itself."""
    for kind in SUITS + RANKS:
        inside = [index for index, card in enumerate(cards) if kind in card]
        for size in range(1, len(inside) + 1):
            for chosen in combinations(inside, size):
                group = _listed([cards[index] for index in chosen], kind in SUITS, wild, jokers, rules)
                if group is not None:
                    yield group._replace(mask=sum(1 << index for index in chosen))


def _listed(cards: list[str], in_suit: bool, wild: str, jokers: int, rules: MeldRules) -> Listed | None:
    size = len(cards)
    if len(set(cards)) < size:
        return None
    if in_suit:
        places = [RANKS.index(card[0]) for card in cards]
        high = [place or 13 for place in places]
        span = min(max(places) - min(places), max(high) - min(high)) + 1
        largest = min(13, rules.max_sequence_length)
    else:
        span = size
        largest = rules.max_set_size
    least = max(span, 3) - size
    most = min(largest - size, rules.max_jokers_per_group, jokers)
    if all(card[0] == wild for card in cards) and rules.joker_only_group == "refused":
        most = 0 if not in_suit else -1
    if least > most:
        return None
    pure = in_suit and least == 0 and (rules.wild_natural_pure or all(card[0] != wild for card in cards))
    return Listed(0, size, least, most, in_suit, pure)


def _worth(card: str, wild: str) -> int:
    return 0 if card == "JK" or card[0] == wild else POINTS[card[0]]


def _points(group: Listed, table: Table) -> int:
    return sum(worth for index, worth in enumerate(table.worth) if group.mask >> index & 1)


def has_pure(hand: tuple[str, ...], wild: str, rules: MeldRules) -> bool:
    """Whether some cards of the hand are a pure sequence."""
    wild = "A" if wild == "JK" else wild
    return any(group.pure for table in _tables(hand, wild, rules) for listed in table.by_lowest for group in listed)


def legal_kinds(cards: tuple[str, ...], wild: str, rules: MeldRules) -> set[str]:
    """What these cards are when laid together: every kind of group they can be read as."""
    found: set[str] = set()
    for table in _tables(cards, wild, rules):
        whole = (1 << len(table.cards)) - 1
        for group in table.by_lowest[0] if table.cards else ():
            if group.mask == whole and group.least <= table.jokers <= group.most:
                found.add("sequence" if group.sequence else "set")
                if group.pure and not table.jokers:
                    found.add("pure_sequence")
        alone = rules.joker_only_group == "allowed" and table.jokers <= rules.max_jokers_per_group
        if not table.cards and alone and 3 <= table.jokers <= min(13, rules.max_sequence_length):
            found.add("sequence")
    return found
