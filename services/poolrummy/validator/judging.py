"""From an ask in the feed to the verdict: pure, so that the audit can ask the same question again."""

from collections import Counter
from typing import Final

import msgspec

from poolrummy.rules import declaration, melds
from poolrummy.rules.arranger import Arrangement, arrange
from poolrummy.rules.meld_rules import MeldRules
from poolrummy.rules.placed import declares, points_of_placed
from poolrummy_contracts.cards import Card
from poolrummy_contracts.events import HandLaidOpen, ShowDeclared, ShownCard
from poolrummy_contracts.terms import EDITION, Terms
from poolrummy_contracts.verdicts import HandVerdict, ShowVerdict, verdict_id

CARDS_COUNT_LESS: Final = 1000
"""More than 13 cards can count: a cap that caps nothing."""


def judge_show(ask: ShowDeclared, terms: Terms) -> ShowVerdict:
    """Whether the show is valid, and if not, the first reason (rules 6.2, 6.3 and 6.8)."""
    groups = tuple(_faces(group) for group in ask.groups)
    rules = MeldRules.of(terms)
    if ask.timed_out and terms.finish_timeout == "best_arrangement":
        rules = msgspec.structs.replace(rules, best_arrangement=True)
    found = declaration.judge(groups, _faces(ask.hand), ask.wild_rank, rules)
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
        found = _as_placed(tuple(_faces(group) for group in ask.groups), hand, ask.wild_rank, rules)
    else:
        found = arrange(hand, ask.wild_rank, rules)
    return HandVerdict(
        id=verdict_id(ask.table, ask.v),
        table=ask.table,
        ask=ask.v,
        edition=EDITION,
        groups=found.groups,
        leftover=found.leftover,
        raw=found.raw,
        points=found.points,
        complete=found.declarable,
    )


def _as_placed(
    groups: tuple[tuple[Card, ...], ...], hand: tuple[Card, ...], wild: str, rules: MeldRules
) -> Arrangement:
    """The hand by its groups as they lie: those that are legal, and every other card left over (rule 8.2)."""
    legal = tuple(reading for group in groups if (reading := melds.read(group, wild, rules)).kind != "none")
    leftover = Counter(hand) - Counter(card for group in legal for card in group.cards)
    uncapped = msgspec.structs.replace(rules, full_count_cap=CARDS_COUNT_LESS)
    points = points_of_placed(groups, hand, wild, rules)
    return Arrangement(
        groups=legal,
        leftover=tuple(leftover.elements()),
        raw=points if rules.no_pure_count == "flat_full" else points_of_placed(groups, hand, wild, uncapped),
        points=points,
        declarable=not leftover and declares(legal, rules),
    )


def _faces(cards: tuple[ShownCard, ...]) -> tuple[Card, ...]:
    return tuple(shown.card for shown in cards)
