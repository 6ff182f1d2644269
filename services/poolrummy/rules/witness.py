"""A second look at an answer of the arranger: is each group what it says, do the points add up (rules 5, 6.2, 8.2)?

Shares no code with the arranger, only the shapes of terms and groups; takes one pass over the cards. What it lets pass
is a proof of "valid", and of "at most so many points". That no arrangement counts less is shown by the exhaustive
search under ``tests/rules``.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from poolrummy.rules.meld_rules import MeldRules
from poolrummy_contracts.cards import FACES, Card
from poolrummy_contracts.verdicts import Group

PLACE: Final = {rank: place for place, rank in enumerate("A23456789TJQK", start=1)}


def objection(
    groups: Sequence[Group], leftover: Sequence[Card], hand: Sequence[Card], wild: str, rules: MeldRules, raw: int
) -> str | None:
    """Why these groups and leftover cards do not show that the hand counts at most ``raw``; None where they do."""
    held = Counter(card for group in groups for card in group.cards)
    if held + Counter(leftover) != Counter(hand):
        return "groups and leftover cards are not the hand"
    if wrong := first_wrong(groups, wild, rules):
        return wrong
    loose = [card for card in leftover if card != "JK" and card[0] != wild]
    if sum(10 if card[0] in "ATJQK" else int(card[0]) for card in loose) != raw:
        return "the leftover cards do not count what is said"
    pure, second = _sequences(groups)
    alone = len(groups) == 1 and pure and rules.loser_count == "tiered"
    enough = {"unmatched_always": True, "unmatched_if_pure": pure}.get(rules.loser_count, second or alone)
    return None if enough or not groups else "without the sequences that are required no group counts"


def objection_to_show(groups: Sequence[Group], hand: Sequence[Card], wild: str, rules: MeldRules) -> str | None:
    """Why these groups are no valid show of the hand (rule 6.2); None where they are one."""
    if len(hand) != 13 or Counter(card for group in groups for card in group.cards) != Counter(hand):
        return "the groups do not hold exactly the 13 cards"
    if wrong := first_wrong(groups, wild, rules):
        return wrong
    if not _sequences(groups)[1]:
        return "two sequences are required, one of them pure"
    large = [group.kind for group in groups if len(group.cards) > rules.max_extra_group_size]
    if "set" in large or len(large) > 2 or large.count("sequence") > 1:
        return "a group beyond the two required sequences is too large"
    return None


def _sequences(groups: Sequence[Group]) -> tuple[bool, bool]:
    """Whether there is a pure sequence, and whether there is a second one beside it."""
    pure = any(group.kind == "pure_sequence" for group in groups)
    return pure, pure and sum(group.kind != "set" for group in groups) >= 2


def first_wrong(groups: Sequence[Group], wild: str, rules: MeldRules) -> str | None:
    """The first group that is not what it says, and why; None where all of them are (rule 5)."""
    for group in groups:
        if group.kind == "none" or len(group.cards) != len(group.stands_for) or not set(group.stands_for) <= FACES:
            return f"{' '.join(group.cards)} has no reading"
        if len(group.cards) < 3:
            return f"{' '.join(group.cards)} is no {group.kind}: three cards or more"
        for text, right in _checks(group, wild, rules).items():
            if not right:
                return f"{' '.join(group.cards)} is no {group.kind}: {text}"
    return None


def _checks(group: Group, wild: str, rules: MeldRules) -> dict[str, bool]:
    """What a group in its stated reading has to be."""
    cards, names, size = group.cards, group.stands_for, len(group.cards)
    acting = [card for card, name in zip(cards, names, strict=True) if card != name or card == "JK"]
    jokers_only = all(card == "JK" or card[0] == wild for card in cards)
    nameless = group.kind == "sequence" and set(names) == {"JK"}
    largest = rules.max_set_size if group.kind == "set" else min(13, rules.max_sequence_length)
    checks = {
        "only jokers act as other cards": all(card == "JK" or card[0] == wild for card in acting),
        "not too many jokers": len(acting) <= rules.max_jokers_per_group,
        "three cards or more, and not too many": 3 <= size <= largest,
        "a card stands for itself": len(acting) < size or (nameless and rules.joker_only_group == "allowed"),
    }
    if jokers_only and not (group.kind == "set" and not acting):
        checks["not jokers only"] = rules.joker_only_group != "refused"
    if group.kind == "set":
        named = [name for name in names if name != "JK"]
        checks["one rank"] = len({name[0] for name in named}) == 1
        checks["different suits"] = len(set(named)) == len(named) and size - len(named) <= max(0, size - 4)
    elif not nameless:
        places = [PLACE.get(name[0], 0) for name in names]
        places[-1] = 14 if names[-1][0] == "A" else places[-1]
        checks["one suit"] = len({name[1] for name in names}) == 1
        checks["in line"] = "JK" not in names and places == list(range(places[0], places[0] + size))
        own = rules.wild_natural_pure or all(card[0] != wild for card in cards)
        checks["pure"] = group.kind != "pure_sequence" or (not acting and own)
    return checks
