"""The least points a hand can be counted at, and the groups that show it (rules 6.4, 8.2 to 8.4).

ARRANGER.md beside this file explains the search and why it is exact.
"""

from collections.abc import Sequence

import msgspec

from poolrummy.rules.arranging.cover import cover
from poolrummy.rules.arranging.layout import ORDER, groups_of
from poolrummy.rules.arranging.packed import POINTS_MASK, POINTS_SHIFT, WILDS_BY_NAME, Wild
from poolrummy.rules.arranging.saving import Plan, Tables, plan, question, tables_for
from poolrummy.rules.arranging.search import most_saved
from poolrummy.rules.meld_rules import HOUSE, UNLIMITED, MeldRules
from poolrummy.rules.placed import first_too_large
from poolrummy_contracts.cards import Card
from poolrummy_contracts.verdicts import Group


class Arrangement(msgspec.Struct, frozen=True, kw_only=True):
    """Groups, cards left over, and what they count: ``raw`` before the cap, ``points`` after it (rule 8.2)."""

    groups: tuple[Group, ...]
    leftover: tuple[Card, ...]
    raw: int
    points: int
    declarable: bool


def arrange(hand: Sequence[Card], wild: str, rules: MeldRules = HOUSE) -> Arrangement:
    """The arrangement of a hand that counts least; where the hand can be shown, one that can be declared (rule 6.4)."""
    joker = WILDS_BY_NAME[wild]
    tables = tables_for(rules)
    code = sum(map(joker.code, hand))
    total = code >> POINTS_SHIFT & POINTS_MASK
    counted = _counted(code, joker, rules, tables)
    if counted is not None and counted.saved == total and len(hand) == 13:
        groups = _declared(counted, code, hand, joker, rules, tables)
        if groups is not None:
            return Arrangement(groups=groups, leftover=(), raw=0, points=0, declarable=True)
    if counted is None:
        points = _of_all(code, total, joker, rules, tables)
        return Arrangement(groups=(), leftover=_in_order(hand), raw=total, points=points, declarable=False)
    groups = groups_of(counted, hand, joker, rules, tables)
    left = list(hand)
    for group in groups:
        for card in group.cards:
            left.remove(card)
    raw = total - counted.saved
    return Arrangement(
        groups=groups, leftover=_in_order(left), raw=raw, points=min(raw, rules.full_count_cap), declarable=False
    )


def count(hand: Sequence[Card], wild: str, rules: MeldRules = HOUSE) -> int:
    """The points a losing hand counts, after the cap (rules 8.2 to 8.4)."""
    joker = WILDS_BY_NAME[wild]
    tables = tables_for(rules)
    code = sum(map(joker.code, hand))
    if rules.loser_count != "tiered" or not tables.joker_group:
        return outcome(code, hand, joker, rules)[1]
    # The usual terms, without a plan to lay out.
    total = code >> POINTS_SHIFT & POINTS_MASK
    asked = question(code, joker, tables, "second")
    if asked is None:
        return _of_all(code, total, joker, rules, tables)
    engine, keys, jokers, held = asked
    raw = total - most_saved(engine, keys, jokers, held, total, alone=True)[0]
    return raw if raw < rules.full_count_cap else rules.full_count_cap  # noqa: FURB136 -- min() costs three times that


def outcome(code: int, hand: Sequence[Card], wild: Wild, rules: MeldRules) -> tuple[int, int, bool]:
    """Points before and after the cap, and whether the hand can be declared; no groups are laid out.

    ``code`` is the hand as one number.
    """
    tables = tables_for(rules)
    total = code >> POINTS_SHIFT & POINTS_MASK
    counted = _counted(code, wild, rules, tables)
    if counted is None:
        return total, _of_all(code, total, wild, rules, tables), False
    raw = total - counted.saved
    if raw or len(hand) != 13:
        return raw, min(raw, rules.full_count_cap), False
    if rules.any_number_fits:
        shown = counted if counted.need == "second" or counted.wild_in_group else plan(code, wild, tables, "second")
        return 0, 0, shown is not None and shown.node is not None and shown.saved == total
    return 0, 0, _declared(counted, code, hand, wild, rules, tables) is not None


def _counted(code: int, wild: Wild, rules: MeldRules, tables: Tables) -> Plan | None:
    """The plan that a loser is counted by; None where every card counts (rule 8.2)."""
    if rules.loser_count == "unmatched_always":
        return plan(code, wild, tables, "any")
    if rules.loser_count == "unmatched_if_pure":
        return plan(code, wild, tables, "pure")
    return plan(code, wild, tables, "second", alone=rules.loser_count == "tiered")


def _declared(
    counted: Plan, code: int, hand: Sequence[Card], wild: Wild, rules: MeldRules, tables: Tables
) -> tuple[Group, ...] | None:
    """All 13 cards in groups that can be declared, where all points can be saved; None where they cannot (rule 6.2)."""
    shown = counted if counted.need == "second" or counted.wild_in_group else plan(code, wild, tables, "second")
    if shown is None or shown.node is None or shown.saved < counted.saved:
        return None
    groups = groups_of(shown, hand, wild, rules, tables)
    placed = sum([len(group.cards) for group in groups])
    if placed == 13 and (rules.max_extra_group_size == UNLIMITED or first_too_large(groups, rules) is None):
        return groups
    # The terms limit the groups, so that jokers may be left over: ask whether they can be placed in any way at all.
    return cover(tuple(hand), wild.rank, rules)


def _of_all(code: int, total: int, wild: Wild, rules: MeldRules, tables: Tables) -> int:
    """The points of a hand of which every card counts (rules 8.3 and 8.4)."""
    if rules.no_pure_count == "flat_full" and question(code, wild, tables, "pure") is None:
        return rules.full_count_cap
    return min(total, rules.full_count_cap)


def _in_order(cards: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=ORDER.__getitem__))
