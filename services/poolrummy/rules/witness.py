"""A second look at an answer of the arranger: is each group what it says, and do the points add up (rules 5, 6.2, 8.2)?

It shares no code with the arranger and takes one pass over the cards. What it accepts is a proof of "valid", and of "at
most so many points". That no arrangement counts less is the matter of the exhaustive search under ``tests/rules``.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final, Protocol

PLACE: Final = {rank: place for place, rank in enumerate("A23456789TJQK", start=1)}


class Claimed(Protocol):
    """A group with its reading."""

    @property
    def kind(self) -> str: ...
    @property
    def cards(self) -> Sequence[str]: ...
    @property
    def stands_for(self) -> Sequence[str]: ...


class Limits(Protocol):
    """The settings that decide whether a group is one, and how a loser is counted (``MeldRules`` has them)."""

    @property
    def wild_natural_pure(self) -> bool: ...
    @property
    def joker_only_group(self) -> str: ...
    @property
    def max_jokers_per_group(self) -> int: ...
    @property
    def max_set_size(self) -> int: ...
    @property
    def max_sequence_length(self) -> int: ...
    @property
    def max_extra_group_size(self) -> int: ...
    @property
    def loser_count(self) -> str: ...


def objection(
    groups: Sequence[Claimed], leftover: Sequence[str], hand: Sequence[str], wild: str, limits: Limits, raw: int
) -> str | None:
    """Why groups and leftover cards do not show that the hand counts at most ``raw``; None where they do."""
    held = [card for group in groups for card in group.cards]
    if Counter(held) + Counter(leftover) != Counter(hand):
        return "groups and leftover cards are not the hand"
    for group in groups:
        if (wrong := _wrong(group, wild, limits)) is not None:
            return f"{' '.join(group.cards)} is no {group.kind}: {wrong}"
    if sum(10 if card[0] in "ATJQK" else int(card[0]) for card in leftover if card != "JK" and card[0] != wild) != raw:
        return "the leftover cards do not count what is said"
    kinds = Counter(group.kind for group in groups)
    sequences = kinds["pure_sequence"] + kinds["sequence"]
    pure, second = kinds["pure_sequence"] >= 1, sequences >= 2
    alone = len(groups) == 1 and pure and limits.loser_count == "tiered"
    needed = {"unmatched_always": True, "unmatched_if_pure": pure}.get(limits.loser_count, (pure and second) or alone)
    return None if needed or not groups else "without the sequences that are required no group counts"


def objection_to_show(groups: Sequence[Claimed], hand: Sequence[str], wild: str, limits: Limits) -> str | None:
    """Why these groups are no valid show of the hand (rule 6.2); None where they are one."""
    if len(hand) != 13 or Counter(card for group in groups for card in group.cards) != Counter(hand):
        return "the groups do not hold exactly the 13 cards"
    for group in groups:
        if (wrong := _wrong(group, wild, limits)) is not None:
            return f"{' '.join(group.cards)} is no {group.kind}: {wrong}"
    sequences = [group for group in groups if group.kind != "set"]
    pure = [group for group in sequences if group.kind == "pure_sequence"]
    if not pure or len(sequences) < 2:
        return "two sequences are required, one of them pure"
    large = [group for group in groups if len(group.cards) > limits.max_extra_group_size]
    if (
        any(group.kind == "set" for group in large)
        or len(large) > 2
        or (len(large) == 2 and not set(pure) & set(large))
    ):
        return "a group beyond the two required sequences is too large"
    return None


def _wrong(group: Claimed, wild: str, limits: Limits) -> str | None:
    """What is wrong with a group in its stated reading."""
    cards, names, size = group.cards, group.stands_for, len(group.cards)
    acting = [card for card, name in zip(cards, names, strict=True) if card != name or card == "JK"]
    jokers_only = all(card == "JK" or card[0] == wild for card in cards)
    checks = {
        "a card acts as a joker that is none": all(card == "JK" or card[0] == wild for card in acting),
        "too many jokers": len(acting) <= limits.max_jokers_per_group,
        "too few cards": size >= 3,
    }
    if jokers_only and (acting or group.kind == "sequence"):
        checks["jokers only"] = limits.joker_only_group != "refused"
        printed = all(card == "JK" for card in cards)
        checks["printed jokers only"] = limits.joker_only_group == "allowed" or not printed
    if group.kind == "set":
        real = [name for name in names if name != "JK"]
        checks["too large"] = size <= limits.max_set_size and size - len(real) <= max(0, size - 4)
        checks["not one rank in different suits"] = len({n[0] for n in real}) == 1 and len(set(real)) == len(real)
        checks["no card stands for itself"] = len(acting) < size
    elif len(acting) == size and set(names) == {"JK"}:
        checks["jokers only"] = limits.joker_only_group == "allowed" and group.kind == "sequence"
        checks["too large"] = size <= min(13, limits.max_sequence_length)
    else:
        places = [PLACE[name[0]] if name != "JK" else 0 for name in names]
        if places[-1] == 1:
            places[-1] = 14
        checks["not in line"] = places == list(range(places[0], places[0] + size)) and places[0] >= 1
        checks["not of one suit"] = len({name[-1] for name in names}) == 1
        checks["too large"] = size <= min(13, limits.max_sequence_length)
        checks["no card stands for itself"] = len(acting) < size
        if group.kind == "pure_sequence":
            own = limits.wild_natural_pure or all(card[0] != wild for card in cards)
            checks["not pure"] = not acting and own
    return next((text for text, right in checks.items() if not right), None)
