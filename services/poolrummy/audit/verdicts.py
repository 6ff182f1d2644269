"""Every verdict and count again, by code that shares nothing with the arranger (rules 5, 6.2, 6.3, 8.2 to 8.4).

A show is judged anew from its groups. A count is held against the groups that it names, its *witness*: they are
groups, they hold the cards of the hand, and they count what was written. That no other arrangement counts less is what
``exhaustive`` shows.
"""

from collections import Counter
from collections.abc import Sequence

from poolrummy.audit.readings import Limits, claims_wrongly, kind_of, same_cards, worth
from poolrummy_contracts.cards import Card
from poolrummy_contracts.events import HandCounted, HandLaidOpen, ShowDeclared, ShowJudged, ShownCard
from poolrummy_contracts.verdicts import Group, GroupKind, ShowReason


def show_wrong(ask: ShowDeclared, verdict: ShowJudged, limits: Limits) -> str | None:
    """What is wrong with the verdict on a show; None where it is right."""
    hand, placed = faces(ask.hand), [faces(group) for group in ask.groups]
    kinds: list[GroupKind] = [kind_of(group, ask.wild_rank, limits) for group in placed]
    reason, index = first_reason(placed, kinds, hand, limits)
    rearranged = limits.terms.declare_validation == "best_arrangement" and reason not in (
        "ok",
        "wrong_hand_size",
        "cards_mismatch",
    )
    if verdict.arrangement is not None:
        wrong = show_of_groups_wrong(verdict.arrangement, hand, ask.wild_rank, limits)
        if wrong is not None:
            return f"the arrangement that it names is no show: {wrong}"
        if reason == "ok":
            return "it names another arrangement for a show that is valid as it lies"
        if rearranged:
            reason, index = "ok", None
    if (verdict.valid, verdict.reason, verdict.group) != (reason == "ok", reason, index):
        return f"judged {_told(verdict.reason, verdict.group)}, it is {_told(reason, index)}"
    return _readings_wrong(verdict.groups, placed, kinds, ask.wild_rank, limits)


def count_wrong(ask: HandLaidOpen, verdict: HandCounted, limits: Limits) -> str | None:
    """What is wrong with the count of a hand; None where its witness carries it."""
    hand, wild = faces(ask.hand), ask.wild_rank
    for group in verdict.groups:
        if group.kind == "none":
            return f"{' '.join(group.cards)} is no group"
        wrong = claims_wrongly(group, wild, limits)
        if wrong is not None:
            return wrong
    grouped = [card for group in verdict.groups for card in group.cards]
    if not same_cards((*grouped, *verdict.leftover), hand):
        return "groups and cards left over are not the hand"
    if ask.basis == "placed":
        placed = [faces(group) for group in ask.groups]
        legal = [group for group in placed if kind_of(group, wild, limits) != "none"]
        if sorted(map(sorted, legal)) != sorted(sorted(group.cards) for group in verdict.groups):
            return "the groups are not those that were placed"
    raw, counted = points_of(verdict.groups, hand, wild, limits)
    complete = (
        len(hand) == 13 and not verdict.leftover and shows([one.kind for one in verdict.groups], verdict.groups, limits)
    )
    if (raw, counted, complete) != (verdict.raw, verdict.counted, verdict.complete):
        return (
            f"its groups count {counted} ({raw} before the cap, {'' if complete else 'not '}complete), written are "
            f"{verdict.counted} ({verdict.raw}, {'' if verdict.complete else 'not '}complete)"
        )
    return None


def first_reason(  # noqa: PLR0911 - one return a reason
    placed: Sequence[Sequence[Card]], kinds: Sequence[GroupKind], hand: Sequence[Card], limits: Limits
) -> tuple[ShowReason, int | None]:
    """The first reason against a show, and the group it concerns (rule 6.3)."""
    if len(hand) != 13:
        return "wrong_hand_size", None
    if not same_cards([card for group in placed for card in group], hand):
        return "cards_mismatch", None
    short = next((number for number, group in enumerate(placed) if len(group) < 3), None)
    if short is not None:
        return "group_too_small", short
    if "none" in kinds:
        return "invalid_group", kinds.index("none")
    if "pure_sequence" not in kinds:
        return "no_pure_sequence", None
    if sum(kind != "set" for kind in kinds) < 2:
        return "too_few_sequences", None
    large = _too_large(kinds, [len(group) for group in placed], limits)
    return ("ok", None) if large is None else ("extra_group_too_large", large)


def show_of_groups_wrong(groups: Sequence[Group], hand: Sequence[Card], wild: str, limits: Limits) -> str | None:
    """What keeps these groups from being a valid show of this hand (rule 6.2)."""
    for group in groups:
        wrong = claims_wrongly(group, wild, limits)
        if wrong is not None:
            return wrong
    reason, index = first_reason([one.cards for one in groups], [one.kind for one in groups], hand, limits)
    return None if reason == "ok" else _told(reason, index)


def points_of(groups: Sequence[Group], hand: Sequence[Card], wild: str, limits: Limits) -> tuple[int, int]:
    """What a hand counts by these groups, before the cap and after it (rules 8.2 to 8.4)."""
    terms, total = limits.terms, worth(hand, wild)
    pure = [group for group in groups if group.kind == "pure_sequence"]
    sequences = sum(group.kind != "set" for group in groups)
    saved = sum(worth(group.cards, wild) for group in groups)
    if terms.loser_count != "unmatched_always":
        if not pure:
            flat = terms.no_pure_count == "flat_full"
            return total, terms.full_count_cap if flat else min(total, terms.full_count_cap)
        if sequences < 2 and terms.loser_count == "tiered":
            saved = max(worth(group.cards, wild) for group in pure)
        if sequences < 2 and terms.loser_count == "all_unless_two_sequences":
            saved = 0
    return total - saved, min(total - saved, terms.full_count_cap)


def shows(kinds: Sequence[GroupKind], groups: Sequence[Group], limits: Limits) -> bool:
    """Whether groups that hold a whole hand may be declared (rule 6.2)."""
    enough = "pure_sequence" in kinds and sum(kind != "set" for kind in kinds) >= 2
    return enough and "none" not in kinds and _too_large(kinds, [len(one.cards) for one in groups], limits) is None


def faces(cards: Sequence[ShownCard]) -> tuple[Card, ...]:
    """The faces of cards that lie open."""
    return tuple(one.card for one in cards)


def _too_large(kinds: Sequence[GroupKind], sizes: Sequence[int], limits: Limits) -> int | None:
    """The first group over the size of extra groups; a pure sequence and one more are not extra (rule 5.8)."""
    pure_left, any_left = 2, 1
    for number, (kind, size) in enumerate(zip(kinds, sizes, strict=True)):
        if size <= limits.extra:
            continue
        if kind == "pure_sequence" and pure_left:
            pure_left -= 1
        elif kind == "sequence" and any_left and pure_left:
            any_left -= 1
            pure_left -= 1
        else:
            return number
    return None


def _readings_wrong(
    read: Sequence[Group], placed: Sequence[Sequence[Card]], kinds: Sequence[GroupKind], wild: str, limits: Limits
) -> str | None:
    if len(read) != len(placed):
        return "it reads another number of groups than were placed"
    for number, (group, cards, kind) in enumerate(zip(read, placed, kinds, strict=True)):
        if Counter(group.cards) != Counter(cards):
            return f"group {number + 1} is not the one that was placed"
        if group.kind != kind:
            return f"group {number + 1} is read as {group.kind}, it is {kind}"
        wrong = claims_wrongly(group, wild, limits)
        if wrong is not None:
            return wrong
    return None


def _told(reason: str, group: int | None) -> str:
    return ("valid" if reason == "ok" else reason) + ("" if group is None else f" (group {group + 1})")
