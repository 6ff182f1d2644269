"""What a validator's answer must be for a table to take it over (rules 5, 6.2, 6.3, 8.2 to 8.4).

Whoever can write into an inbox can write an answer. So its outcome is worked out again, and where more than one
arrangement gives that outcome, the one that is named is held to the rules. Two releases may arrange differently; they
may not judge or count differently.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final, assert_never

import msgspec

from poolrummy.rules import declaration, melds, witness
from poolrummy.rules.arranger import Arrangement, arrange
from poolrummy.rules.meld_rules import MeldRules
from poolrummy.rules.placed import declares, points_of_placed
from poolrummy_contracts.cards import Card
from poolrummy_contracts.codec import INTEGER_MAX
from poolrummy_contracts.events import HandLaidOpen, ShowDeclared, ShownCard
from poolrummy_contracts.terms import Terms
from poolrummy_contracts.verdicts import Group, HandVerdict, ShowVerdict

CARDS_COUNT_LESS: Final = 1000
"""More than 13 cards can count: a cap that caps nothing."""


def objection(ask: ShowDeclared | HandLaidOpen, answer: ShowVerdict | HandVerdict, terms: Terms) -> str | None:
    """Why this answer does not fit what was asked; None where it does."""
    if answer.edition > INTEGER_MAX:
        return "its edition is no integer that a log can hold"
    match ask, answer:
        case ShowDeclared(), ShowVerdict():
            return _show_wrong(ask, answer, terms)
        case HandLaidOpen(), HandVerdict():
            return _count_wrong(ask, answer, MeldRules.of(terms))
        case _:
            return "it answers another kind of question"


def show_rules(ask: ShowDeclared, terms: Terms) -> MeldRules:
    """The rules that a show is judged by: after a timeout the terms may let the best arrangement count (rule 6.8)."""
    rules = MeldRules.of(terms)
    if ask.timed_out and terms.finish_timeout == "best_arrangement":
        return msgspec.structs.replace(rules, best_arrangement=True)
    return rules


def arranged(ask: HandLaidOpen, rules: MeldRules) -> Arrangement:
    """The hand as its holder is counted: in the best arrangement, or as it was placed (rule 8.2)."""
    hand = faces(ask.hand)
    match ask.basis:
        case "placed":
            return _as_placed(tuple(map(faces, ask.groups)), hand, ask.wild_rank, rules)
        case "best":
            return arrange(hand, ask.wild_rank, rules)
        case _:
            assert_never(ask.basis)


def faces(cards: Sequence[ShownCard]) -> tuple[Card, ...]:
    """The faces of cards that lie open."""
    return tuple([shown.card for shown in cards])


def _show_wrong(ask: ShowDeclared, answer: ShowVerdict, terms: Terms) -> str | None:
    rules, hand, wild = show_rules(ask, terms), faces(ask.hand), ask.wild_rank
    right = declaration.judge(tuple(map(faces, ask.groups)), hand, wild, rules)
    if (answer.valid, answer.reason, answer.group) != (right.valid, right.reason, right.group):
        said, found = (f"{one.reason} ({one.valid}, group {one.group})" for one in (answer, right))
        return f"it says {said}, the show is {found}"
    if _kinds_and_cards(answer.groups) != _kinds_and_cards(right.groups):
        return "its groups are not those that were placed"
    if wrong := witness.first_wrong([group for group in answer.groups if group.kind != "none"], wild, rules):
        return wrong
    if (answer.arrangement is None) != (right.arrangement is None):
        return "it names a valid arrangement where there is none, or none where there is one"
    return None if answer.arrangement is None else witness.objection_to_show(answer.arrangement, hand, wild, rules)


def _count_wrong(ask: HandLaidOpen, answer: HandVerdict, rules: MeldRules) -> str | None:
    right = arranged(ask, rules)
    said, found = (answer.raw, answer.points, answer.complete), (right.raw, right.points, right.declarable)
    if said != found:
        return f"it counts {said[1]} (raw {said[0]}, complete {said[2]}), the hand counts {found[1]} (raw {found[0]})"
    if (answer.groups, answer.leftover) == (right.groups, right.leftover):
        return None
    if ask.basis == "placed":
        return _placed_wrong(ask, answer, right, rules)
    if answer.complete:
        return witness.objection_to_show(answer.groups, faces(ask.hand), ask.wild_rank, rules)
    return witness.objection(answer.groups, answer.leftover, faces(ask.hand), ask.wild_rank, rules, answer.raw)


def _placed_wrong(ask: HandLaidOpen, answer: HandVerdict, right: Arrangement, rules: MeldRules) -> str | None:
    if _kinds_and_cards(answer.groups) != _kinds_and_cards(right.groups):
        return "its groups are not those that were placed"
    if Counter(answer.leftover) != Counter(right.leftover):
        return "its leftover cards are not those that lie in no group"
    return witness.first_wrong(answer.groups, ask.wild_rank, rules)


def _kinds_and_cards(groups: Sequence[Group]) -> list[tuple[str, list[Card]]]:
    return [(group.kind, sorted(group.cards)) for group in groups]


def _as_placed(
    groups: tuple[tuple[Card, ...], ...], hand: tuple[Card, ...], wild: str, rules: MeldRules
) -> Arrangement:
    """The hand by its groups as they lie: those that are legal, and every other card left over (rule 8.2)."""
    legal = tuple(reading for group in groups if (reading := melds.read(group, wild, rules)).kind != "none")
    leftover = Counter(hand) - Counter(card for group in legal for card in group.cards)
    uncapped = msgspec.structs.replace(rules, full_count_cap=CARDS_COUNT_LESS, no_pure_count="sum_capped")
    points = points_of_placed(groups, hand, wild, rules)
    return Arrangement(
        groups=legal,
        leftover=tuple(leftover.elements()),
        raw=points_of_placed(groups, hand, wild, uncapped),
        points=points,
        declarable=not leftover and declares(legal, rules),
    )
