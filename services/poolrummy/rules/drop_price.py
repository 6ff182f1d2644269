"""What it costs to be out of a deal without a show, and who may choose to be (chapter 7, rules 4.8 and 13.1)."""

from typing import Literal

from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.terms import NoneWord, Terms


def drop_kind(terms: Terms, *, has_drawn: bool, first_turn: bool) -> Literal["first", "middle"]:
    """Whether a drop at this moment is a first or a middle drop (rule 7.2).

    ``has_drawn``: the seat has drawn a card in this deal. ``first_turn``: its first turn in this deal is not over yet.
    """
    is_first = first_turn if terms.first_drop_basis == "first_turn" else not has_drawn
    return "first" if is_first else "middle"


def drop_points(terms: Terms, *, has_drawn: bool, first_turn: bool) -> int:
    """What a drop costs at this moment; the full count where there are no drop points (rules 7.2 and 7.3)."""
    if drop_kind(terms, has_drawn=has_drawn, first_turn=first_turn) == "first":
        return _or_full_count(terms.first_drop_points, terms)
    return _or_full_count(terms.middle_drop_points, terms)


def may_drop(
    terms: Terms, *, on_turn: bool, drawn_this_turn: bool, has_drawn: bool, first_turn: bool
) -> Refusal | None:
    """Why a player may not drop, or ask for it in advance, at this moment (rules 7.1, 7.5 and 7.6)."""
    if terms.voluntary_drop == "none":
        return Refusal.DROP_NOT_ALLOWED
    kind = drop_kind(terms, has_drawn=has_drawn, first_turn=first_turn)
    if terms.voluntary_drop == "first_only" and kind == "middle":
        return Refusal.MIDDLE_DROP_NOT_ALLOWED
    if on_turn and drawn_this_turn and terms.drop_window == "before_draw_only":
        return Refusal.DROP_AFTER_DRAW
    if not on_turn and not terms.drop_in_advance:
        return Refusal.DROP_IN_ADVANCE_NOT_ALLOWED
    return None


def missed_points(terms: Terms, *, has_drawn: bool, first_turn: bool) -> int:
    """What too many missed turns in a row cost (rule 7.4)."""
    match terms.auto_drop_points:
        case "as_drop":
            return drop_points(terms, has_drawn=has_drawn, first_turn=first_turn)
        case "middle_drop":
            return _or_full_count(terms.middle_drop_points, terms)
        case "full_count":
            return terms.full_count_cap
        case fixed:
            return fixed.n


def policy_points(terms: Terms, *, has_drawn: bool) -> int:
    """What the drop at the end of a disconnection policy costs: the first drop only if nothing was drawn (rule 4.8)."""
    return _or_full_count(terms.middle_drop_points if has_drawn else terms.first_drop_points, terms)


def leaving_points(terms: Terms, *, has_drawn: bool, first_turn: bool) -> int:
    """What leaving in the middle of a deal costs: a drop, banned or not; in best of 3 the full count (rule 13.1)."""
    return drop_points(terms, has_drawn=has_drawn, first_turn=first_turn)


def _or_full_count(points: int | NoneWord, terms: Terms) -> int:
    return points if isinstance(points, int) and terms.limit != "none" else terms.full_count_cap
