"""The least points a hand can be counted at, and the groups that show it (rules 6.4, 8.2 to 8.4).

ARRANGER.md beside this file explains the search and why it is exact.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import msgspec

from poolrummy.rules.cover import cover
from poolrummy.rules.meld_rules import HOUSE, MeldRules, is_joker, wild_rank
from poolrummy.rules.melds import read
from poolrummy.rules.placed import first_too_large
from poolrummy_contracts.cards import PRINTED_JOKER, RANKS, SUITS, Card, card_points
from poolrummy_contracts.verdicts import Group

NOTHING: Final = -1


class Arrangement(msgspec.Struct, frozen=True, kw_only=True):
    """Groups, cards left over, and what they count: ``raw`` before the cap, ``points`` after it (rule 8.2)."""

    groups: tuple[Group, ...]
    leftover: tuple[Card, ...]
    raw: int
    points: int
    declarable: bool


def arrange(hand: Sequence[Card], wild: str, rules: MeldRules = HOUSE) -> Arrangement:
    """The arrangement of a hand that counts least; where the hand can be shown, one that can be declared (rule 6.4)."""
    rank = wild_rank(wild)
    total = sum(card_points(card, rank) for card in hand)
    shown = _best(tuple(hand), rank, rules, 3)
    if shown is not None and shown.saved == total and len(hand) == 13:
        groups = _cards_of(shown, hand, rank, rules)
        if sum(len(group.cards) for group in groups) < 13 or first_too_large(groups, rules) is not None:
            found = cover(tuple(hand), rank, rules)
            groups = () if found is None else found
        if groups:
            return Arrangement(groups=groups, leftover=(), raw=0, points=0, declarable=True)
    best = _counted(hand, rank, rules, shown)
    if best is None:
        flat = rules.no_pure_count == "flat_full"
        points = rules.full_count_cap if flat else min(total, rules.full_count_cap)
        return Arrangement(groups=(), leftover=_in_order(hand), raw=total, points=points, declarable=False)
    groups = _cards_of(best, hand, rank, rules)
    left = list(hand)
    for group in groups:
        for card in group.cards:
            left.remove(card)
    raw = total - best.saved
    return Arrangement(
        groups=groups,
        leftover=_in_order(left),
        raw=raw,
        points=min(raw, rules.full_count_cap),
        declarable=False,
    )


def count(hand: Sequence[Card], wild: str, rules: MeldRules = HOUSE) -> int:
    """The points a losing hand counts, after the cap (rules 8.2 to 8.4)."""
    return arrange(hand, wild, rules).points


class _Plan(NamedTuple):
    saved: int
    groups: tuple[tuple[str, int], ...]  # the natural cards, run together as text, and how many jokers join them


def _counted(hand: Sequence[Card], rank: str, rules: MeldRules, shown: _Plan | None) -> _Plan | None:
    """The best plan under the way a loser is counted; None where every card counts (rule 8.2)."""
    if rules.loser_count == "unmatched_always":
        return _best(tuple(hand), rank, rules, 0)
    if rules.loser_count == "unmatched_if_pure":
        return _best(tuple(hand), rank, rules, 2)
    pure = _heaviest_pure(hand, rank, rules)
    if pure is None:
        return None
    if rules.loser_count == "all_unless_two_sequences":
        return shown if shown is not None else _Plan(0, ())
    return pure if shown is None or pure.saved > shown.saved else shown


def _heaviest_pure(hand: Sequence[Card], rank: str, rules: MeldRules) -> _Plan | None:
    """The pure sequence of most points (rule 8.2)."""
    best: _Plan | None = None
    held = set(hand)
    for suit in SUITS:
        line = [Card(r + suit) for r in RANKS + "A"]
        for size in range(3, min(13, rules.max_sequence_length) + 1):
            for first in range(15 - size):
                run = line[first : first + size]
                if not held.issuperset(run) or (not rules.wild_natural_pure and any(c[0] == rank for c in run)):
                    continue
                saved = sum(card_points(card, rank) for card in run)
                if best is None or saved > best.saved:
                    best = _Plan(saved, (("".join(run), 0),))
    return best


def _best(hand: tuple[Card, ...], rank: str, rules: MeldRules, need: int) -> _Plan | None:
    """The plan that saves most: need 0 any groups, 2 a pure sequence, 3 a pure sequence and a second one."""
    best: _Plan | None = None
    wilds = [sum(card == rank + suit for card in hand) for suit in SUITS]
    printed = hand.count(PRINTED_JOKER)
    plain = [card for card in hand if not is_joker(card, rank)]
    for natural in product(*(range(number + 1) for number in wilds)):
        cards = plain + [Card(rank + suit) for suit, times in zip(SUITS, natural, strict=True) for _ in range(times)]
        jokers = printed + sum(wilds) - sum(natural)
        for sets, rest, spare in _sets(tuple(sorted(cards)), jokers, rank, 0):
            plan = _sequences(rest, spare, rank, rules, need)
            if plan is None:
                continue
            saved = plan.saved + sum(
                card_points(Card(rank_suit), rank) for cards_, _ in sets for rank_suit in _pairs(cards_)
            )
            if best is None or saved > best.saved:
                best = _Plan(saved, sets + plan.groups)
    return best


def _pairs(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def _sets(
    cards: tuple[Card, ...], jokers: int, rank: str, start: int
) -> Iterator[tuple[tuple[tuple[str, int], ...], tuple[Card, ...], int]]:
    yield (), cards, jokers
    for index in range(start, 13 * 16):
        r, mask = RANKS[index // 16], index % 16
        if r == rank or mask.bit_count() < 2 or (mask.bit_count() == 2 and not jokers):
            continue
        wanted = [Card(r + suit) for bit, suit in enumerate(SUITS) if mask >> bit & 1]
        if all(card in cards for card in wanted):
            left = list(cards)
            for card in wanted:
                left.remove(card)
            used = int(mask.bit_count() == 2)
            for sets, rest, spare in _sets(tuple(left), jokers - used, rank, index):
                yield ((("".join(wanted), used), *sets), rest, spare)


def _sequences(cards: tuple[Card, ...], jokers: int, rank: str, rules: MeldRules, need: int) -> _Plan | None:
    """The sequences that save most of these cards; the state is (pure seen, sequences up to 2)."""
    table: dict[tuple[int, int, int], _Plan] = {(0, 0, 0): _Plan(0, ())}
    for suit in SUITS:
        held = [0] * 14
        for card in cards:
            if card[1] == suit:
                held[RANKS.index(card[0])] += 1
        held[13] = held[0]
        options = _suit(tuple(held), jokers, RANKS.index(rank), suit, rules)
        following: dict[tuple[int, int, int], _Plan] = {}
        for (used, pure, number), plan in table.items():
            for (used2, pure2, number2), plan2 in options.items():
                if used + used2 <= jokers:
                    state = (used + used2, pure | pure2, min(2, number + number2))
                    saved = plan.saved + plan2.saved
                    if state not in following or following[state].saved < saved:
                        following[state] = _Plan(saved, plan.groups + plan2.groups)
        table = following
    best: _Plan | None = None
    for (used, pure, number), plan in sorted(table.items()):
        done = plan
        if need == 3 and number == 1 and jokers - used >= 3 and _jokers_alone(rules):
            done = _Plan(plan.saved, (*plan.groups, ("", 3)))
            number = 2
        if (need == 0 or pure) and (need < 3 or number == 2) and (best is None or done.saved > best.saved):
            best = done
    return best


def _jokers_alone(rules: MeldRules) -> bool:
    return rules.joker_only_group == "allowed" and rules.max_jokers_per_group >= 3


@lru_cache(100_000)
def _suit(
    held: tuple[int, ...], jokers: int, wild: int, suit: str, rules: MeldRules
) -> dict[tuple[int, int, int], _Plan]:
    low = next((place for place in range(14) if held[place]), None)
    if low is None:
        return {(0, 0, 0): _Plan(0, ())}
    less = list(held)
    less[low] -= 1
    out = dict(_suit(tuple(less), jokers, wild, suit, rules))
    for middle in range(16):
        places = [low] + [low + 1 + bit for bit in range(4) if middle >> bit & 1]
        if places[-1] > 13 or not all(held[place] for place in places):
            continue
        length = max(3, places[-1] - low + 1)
        used = length - len(places)
        wild_inside = any(place % 13 == wild for place in places)
        if (
            length > rules.max_sequence_length
            or used > min(jokers, rules.max_jokers_per_group)
            or (used and rules.joker_only_group == "refused" and all(place % 13 == wild for place in places))
        ):
            continue
        rest = list(held)
        for place in places:
            rest[place] -= 1
        if low == 0:
            rest[13] -= 1
        cards = "".join((RANKS + "A")[place] + suit for place in places)
        worth = sum(card_points(Card(text), RANKS[wild]) for text in _pairs(cards))
        pure = int(used == 0 and (rules.wild_natural_pure or not wild_inside))
        for (used2, pure2, number), plan in _suit(tuple(rest), jokers - used, wild, suit, rules).items():
            state = (used + used2, pure | pure2, min(2, number + 1))
            if state not in out or out[state].saved < plan.saved + worth:
                out[state] = _Plan(plan.saved + worth, ((cards, used), *plan.groups))
    return out


def _cards_of(plan: _Plan, hand: Sequence[Card], rank: str, rules: MeldRules) -> tuple[Group, ...]:
    """The plan as groups of real cards; spare jokers join where they do no harm (rule 6.4)."""
    left = list(hand)
    naturals = [[Card(text) for text in _pairs(cards)] for cards, _ in plan.groups]
    for group in naturals:
        for card in group:
            left.remove(card)
    spare = [card for card in left if is_joker(card, rank)]
    groups: list[Group] = []
    for (_, used), group in zip(plan.groups, naturals, strict=True):
        groups.append(read((*group, *spare[:used]), rank, rules))
        del spare[:used]
    groups.sort(key=lambda group: (("pure_sequence", "sequence", "set").index(group.kind), group.stands_for))
    for joker in spare:
        for index, group in enumerate(groups):
            wider = read((*group.cards, joker), rank, rules)
            if index and wider.kind == group.kind.replace("pure_", ""):
                groups[index] = wider
                break
    return tuple(groups)


def _in_order(cards: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=lambda card: (SUITS + "K").index(card[1]) * 14 + (RANKS).index(card[0])))
