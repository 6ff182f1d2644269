"""What a loser is charged after a valid show (rules 8.5 to 8.9).

Points fixed by a drop or a wrong show stay as they are. Of the others, first the rule for a seat without a turn, then
automatic play, then lateness, then the count.
"""

from typing import Literal

import msgspec

from poolrummy.rules.drop_price import policy_points
from poolrummy_contracts.events import CountBasis, ScoreReason
from poolrummy_contracts.terms import AtMost, Points, SavedOrMiddleDrop, Terms


class Loser(msgspec.Struct, frozen=True, kw_only=True):
    """How a loser came to the end of the deal."""

    had_turn: bool
    """Its first turn had begun when somebody showed."""
    declared: bool
    """It declared in time."""
    automatic: bool = False
    """It was in automatic play, and is protected by its saved groups."""


class Charge(msgspec.Struct, frozen=True):
    """Points for a loser, and why."""

    points: int
    reason: ScoreReason


def without_count(terms: Terms, loser: Loser) -> Charge | None:
    """The charge that no count can change, if there is one: such a hand stays closed (rules 8.6 and 8.7)."""
    if not loser.had_turn:
        match terms.no_turn_points:
            case Points(n=n):
                return Charge(n, "no-turn")
            case "first_drop":
                return Charge(policy_points(terms, has_drawn=False), "no-turn")
            case "half_count" | AtMost():
                return None
            case "count":
                pass
    late = not loser.declared and not _protected(terms, loser)
    return Charge(terms.full_count_cap, "late") if late and terms.late_loser == "full_count" else None


def count_basis(terms: Terms, loser: Loser) -> CountBasis:
    """Which arrangement of the hand is counted: the best one, or the groups as placed (rules 8.5 to 8.9)."""
    setting: Literal["count_best", "saved_groups", "full_count", "as_placed"]
    if not loser.had_turn and terms.no_turn_points != "count":
        setting = "count_best"
    elif _protected(terms, loser):
        setting = "saved_groups"
    else:
        setting = terms.loser_hand if loser.declared else terms.late_loser
    return "placed" if setting in ("as_placed", "saved_groups") else "best"


def charge(terms: Terms, loser: Loser, *, counted: int, complete: bool) -> Charge:
    """What the loser pays for a hand that counts ``counted`` points; ``complete`` if it could have been shown.

    The figures are those of the verdict on the arrangement that :func:`count_basis` names (rule 8.5).
    """
    fixed = without_count(terms, loser)
    if fixed is not None:
        return fixed
    points = min(counted, terms.full_count_cap)
    if not loser.had_turn:
        match terms.no_turn_points:
            case "half_count":
                return Charge(points // 2, "no-turn")
            case AtMost(n=n):
                return Charge(min(points, n), "no-turn")
            case _:
                pass
    if _protected(terms, loser):
        return Charge(min(points, policy_points(terms, has_drawn=True)), "counted")
    if not loser.declared and complete and points == 0:
        return Charge(terms.complete_undeclared_points, "late")
    return Charge(points, "counted")


def _protected(terms: Terms, loser: Loser) -> bool:
    """Whether the saved groups of a seat in automatic play protect it (rule 8.9)."""
    return loser.automatic and not loser.declared and isinstance(terms.disconnection_policy, SavedOrMiddleDrop)
