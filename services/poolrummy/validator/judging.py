"""From an ask in the feed to the verdict: pure, so that the audit can ask the same question again."""

from collections import Counter
from typing import Final

import msgspec

from poolrummy.rules import declaration, melds
from poolrummy.rules.arranger import arrange
from poolrummy.rules.meld_rules import MeldRules
from poolrummy.rules.placed import declares, points_of_placed
from poolrummy_contracts.cards import Card
from poolrummy_contracts.events import HandLaidOpen, ShowDeclared, ShownCard
from poolrummy_contracts.terms import EDITION, Terms
from poolrummy_contracts.verdicts import Group, HandVerdict, ShowVerdict, verdict_id

CARDS_COUNT_LESS: Final = 1000
"""More than 13 cards can count: a cap that caps nothing."""


def judge_show(ask: ShowDeclared, terms: Terms) -> ShowVerdict:
    """Whether the show is valid, and if not, the first reason (rules 6.2 and 6.3)."""
    groups = tuple(_faces(group) for group in ask.groups)
    hand = tuple(card for group in groups for card in group)
    found = declaration.judge(groups, hand, ask.wild_rank, MeldRules.of(terms))
    return ShowVerdict(
        id=verdict_id(ask.table, ask.v),
        table=ask.table,
        ask=ask.v,
        edition=EDITION,
        valid=found.valid,
        reason=found.reason,
        group=found.group,
        groups=found.groups,
        arrangement=found.arrangement,
    )


def count_hand(ask: HandLaidOpen, terms: Terms) -> HandVerdict:
    """What the hand counts, as its holder is counted: in the best arrangement, or as it was placed (rule 8.2)."""
    hand, rules = _faces(ask.hand), MeldRules.of(terms)
    if ask.basis == "placed":
        return _verdict(ask, *_as_placed(tuple(_faces(group) for group in ask.groups), hand, ask.wild_rank, rules))
    best = arrange(hand, ask.wild_rank, rules)
    return _verdict(ask, best.groups, best.leftover, best.raw, best.points, best.declarable)


def _as_placed(
    groups: tuple[tuple[Card, ...], ...], hand: tuple[Card, ...], wild: str, rules: MeldRules
) -> tuple[tuple[Group, ...], tuple[Card, ...], int, int, bool]:
    """Groups that are legal as they lie, cards left over, points before and after the cap, whether it is complete."""
    legal = tuple(reading for group in groups if (reading := melds.read(group, wild, rules)).kind != "none")
    leftover = Counter(hand) - Counter(card for group in legal for card in group.cards)
    uncapped = msgspec.structs.replace(rules, full_count_cap=CARDS_COUNT_LESS)
    points = points_of_placed(groups, hand, wild, rules)
    raw = points if rules.no_pure_count == "flat_full" else points_of_placed(groups, hand, wild, uncapped)
    return legal, tuple(leftover.elements()), raw, points, not leftover and declares(legal, rules)


def _verdict(
    ask: HandLaidOpen, groups: tuple[Group, ...], leftover: tuple[Card, ...], raw: int, points: int, complete: bool
) -> HandVerdict:
    return HandVerdict(
        id=verdict_id(ask.table, ask.v),
        table=ask.table,
        ask=ask.v,
        edition=EDITION,
        groups=groups,
        leftover=leftover,
        raw=raw,
        points=points,
        complete=complete,
    )


def _faces(cards: tuple[ShownCard, ...]) -> tuple[Card, ...]:
    return tuple(shown.card for shown in cards)
