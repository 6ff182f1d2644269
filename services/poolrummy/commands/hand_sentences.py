"""Why a hand can be shown or not, and why a show is valid or not, as one player tells another (chapters 5, 6 and 8)."""

from collections.abc import Sequence
from typing import Final

from poolrummy.audit.wording import face, faces
from poolrummy.rules.arranger import Arrangement
from poolrummy.rules.declaration import Judgement
from poolrummy.rules.meld_rules import MeldRules, wild_rank
from poolrummy_contracts.cards import PRINTED_JOKER, Card, card_points
from poolrummy_contracts.verdicts import Group

KINDS: Final = {"pure_sequence": "pure sequence", "sequence": "sequence", "set": "set", "none": "no group"}
PURE: Final = "a pure sequence (three or more neighbours of one suit, no joker standing in)"


def of_hand(found: Arrangement, rules: MeldRules) -> str:
    """Whether the hand can be shown, and why not (rules 6.2 and 8.2)."""
    kinds = [group.kind for group in found.groups]
    if found.declarable:
        pure = next(group for group in found.groups if group.kind == "pure_sequence")
        return (
            f"This hand can be shown: all 13 cards are in groups, {faces(pure.cards)} is a pure sequence, and there is "
            "a second sequence."
        )
    say = "This hand cannot be shown: "
    if not kinds and rules.loser_count == "all_unless_two_sequences":
        return f"{say}two sequences, one of them pure, cannot be formed, so no group counts and all cards are charged."
    if "pure_sequence" not in kinds:
        counted = "the groups count all the same" if kinds else "no group counts and all cards are charged"
        return f"{say}it holds nothing to lay down as {PURE}; {counted}."
    if len(kinds) - kinds.count("set") < 2:
        only = " and only the pure one counts" if rules.loser_count == "tiered" else ""
        return f"{say}beside the pure sequence there is no second sequence{only}."
    if not found.raw:
        return f"{say}no points are left, but these jokers fit into no group that the rules allow: {_and(found)}."
    return f"{say}{_and(found)} {'fits' if len(found.leftover) == 1 else 'fit'} into no group."


def of_points(found: Arrangement, wild: str) -> str:
    """The count, card by card (rules 8.1 and 8.4)."""
    rank = wild_rank(wild)
    worth = [(face(card), card_points(card, rank)) for card in found.leftover]
    if not worth:
        return "0 points: no card is left over"
    total = " + ".join(f"{name} {points}" for name, points in worth)
    said = f"{found.points} point{'' if found.points == 1 else 's'}: {total}"
    if len(worth) > 1:
        said += f" = {found.raw}"
    return said if found.points == found.raw else f"{said}, counted as {found.points}"


def of_jokers(group: Group) -> tuple[str, ...]:
    """What each joker of a group stands for (rule 5.3).

    >>> of_jokers(Group("sequence", (Card("9S"), Card("4C"), Card("JS")), (Card("9S"), Card("TS"), Card("JS"))))
    ('4♣ stands for 10♠',)
    """
    return tuple(
        f"{face(card)} stands for {'no card in particular' if name == PRINTED_JOKER else face(name)}"
        for card, name in zip(group.cards, group.stands_for, strict=True)
        if card != name or card == PRINTED_JOKER
    )


def of_show(judged: Judgement, placed: Sequence[Sequence[Card]], rules: MeldRules) -> str:
    """Whether a show is valid, and the first reason against it (rule 6.3)."""
    if judged.valid:
        by_itself = " in another arrangement of the same cards" if judged.arrangement is not None else ""
        return f"The show is valid{by_itself}: every card is in a group, and two sequences are there, one of them pure."
    where = "" if judged.group is None else f"group {judged.group + 1} ({faces(placed[judged.group])})"
    why = {
        "wrong_hand_size": "the hand does not have 13 cards",
        "cards_mismatch": "the groups do not hold exactly the cards of the hand",
        "group_too_small": f"{where} has fewer than three cards",
        "invalid_group": f"{where} is neither a sequence nor a set",
        "no_pure_sequence": f"no group is {PURE}",
        "too_few_sequences": "only one group is a sequence, and two are needed",
        "extra_group_too_large": f"{where} is larger than the {rules.max_extra_group_size} cards that are allowed "
        "beyond the two required sequences",
    }
    said = f"The show is not valid: {why[judged.reason]}."
    return said if judged.arrangement is None else f"{said} The same cards could have been shown:"


def _and(found: Arrangement) -> str:
    names = [face(card) for card in found.leftover]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
