"""The sheet of settings: the section of a profile file where each stands, its legal values, how they are written.

Types come from :class:`~poolrummy_contracts.terms.Terms`; what a type cannot say (ranges) stands here.
"""

from collections.abc import Mapping
from typing import Final, cast

import msgspec
from msgspec import inspect

from poolrummy_contracts.findings import Finding, nearest
from poolrummy_contracts.terms import Terms, WordWithNumber

GIVEN: Final = ("variant", "seats", "entry_fee", "currency", "rake_bp", "rejoin_payment")
"""Given when a table is opened: no profile holds them, opening without one of them is refused."""

TITLES: Final[Mapping[str, str]] = {
    "pack_and_start": "Pack and start",
    "groups_and_show": "Groups and the show",
    "turns_clocks_piles": "Turns, clocks, piles",
    "drops": "Drops",
    "points": "Points of a deal",
    "rejoin": "Elimination and rejoin",
    "prize_and_split": "Prize and split",
    "best_of_3": "Best of 3",
}
_FIRST_OF: Final = {
    "seats_allowed": "pack_and_start",
    "declare_validation": "groups_and_show",
    "turn_ms": "turns_clocks_piles",
    "voluntary_drop": "drops",
    "loser_count": "points",
    "limit": "rejoin",
    "prize_shares_bp": "prize_and_split",
    "deals": "best_of_3",
}


def _sections() -> dict[str, tuple[str, ...]]:
    """The sections, in the order of the terms."""
    found: dict[str, list[str]] = {}
    section = ""
    for name in Terms.__struct_fields__:
        section = _FIRST_OF.get(name, section)
        if section:
            found.setdefault(section, []).append(name)
    return {name: tuple(keys) for name, keys in found.items()}


SECTIONS: Final[Mapping[str, tuple[str, ...]]] = _sections()
SECTION_OF: Final[Mapping[str, str]] = {key: section for section, keys in SECTIONS.items() for key in keys}
SETTINGS: Final = tuple(SECTION_OF)
"""Every setting that a profile holds, in the order of the terms."""

_TYPES: Final = {field.name: field.type for field in msgspec.structs.fields(Terms)}

_MS_MAX: Final = 7 * 86_400_000
_POINTS_MAX: Final = 100_000
_MONEY_MAX: Final = 10**12
_DURATION: Final = (1, _MS_MAX)
_DURATION_OR_NONE: Final = (0, _MS_MAX)
_POINTS: Final = (0, _POINTS_MAX)
_POINTS_NOT_ZERO: Final = (1, _POINTS_MAX)

RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "seats": (2, 6),
    "entry_fee": (0, _MONEY_MAX),
    "rake_bp": (0, 10_000),
    "decks": (1, 3),
    "printed_jokers_per_deck": (1, 2),
    "min_to_start": (2, 6),
    "start_countdown_ms": _DURATION_OR_NONE,
    "fill_timeout_ms": _DURATION,
    "seat_seed_ms": (0, 60_000),
    "max_jokers_per_group": (1, 13),
    "max_set_size": (4, 13),
    "max_sequence_length": (3, 13),
    "max_extra_group_size": (3, 13),
    "turn_ms": _DURATION,
    "time_bank_ms": _DURATION_OR_NONE,
    "declare_ms": _DURATION,
    "others_declare_ms": _DURATION,
    "late_grace_ms": _DURATION_OR_NONE,
    "max_reshuffles": (0, 1000),
    "auto_drop_after_misses": (1, 1000),
    "first_drop_points": _POINTS_NOT_ZERO,
    "middle_drop_points": _POINTS_NOT_ZERO,
    "full_count_cap": _POINTS_NOT_ZERO,
    "wrong_show_points": _POINTS_NOT_ZERO,
    "complete_undeclared_points": _POINTS,
    "limit": _POINTS_NOT_ZERO,
    "rejoin_max_per_player": (1, 1000),
    "rejoin_threshold": _POINTS,
    "rejoin_offset": (-1, 1),
    "rejoin_window_ms": _DURATION,
    "split_min_started": (2, 6),
    "split_max_left": (2, 3),
    "split_three_left_needs_started": (3, 4),
    "split_ask_ms": _DURATION_OR_NONE,
    "split_vote_ms": _DURATION,
    "deals": (1, 1000),
    "early_end_lead": _POINTS,
}
WORD_RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "points": _POINTS,
    "at_most": _POINTS,
    "auto_turns": (1, 1000),
    "smaller_of_saved_groups_and_middle_drop": (1, 1000),
    "amount": (0, _MONEY_MAX),
}


def word_of(value: WordWithNumber) -> str:
    """The word that carries the number."""
    return str(value.__struct_config__.tag)


def written(value: object) -> str:
    """A value as people read it: ``word``, ``40``, ``points(40)``, ``[7000, 3000]``, ``true``."""
    match value:
        case bool():
            return "true" if value else "false"
        case WordWithNumber():
            return f"{word_of(value)}({value.n})"
        case list() | tuple():
            return f"[{', '.join(written(each) for each in cast('list[object]', value))}]"
        case dict():
            parts = cast("dict[str, object]", value)
            if set(parts) == {"n", "word"}:
                return f"{parts['word']}({parts['n']})"
            return f"{{ {', '.join(f'{key} = {written(each)}' for key, each in parts.items())} }}"
        case _:
            return str(value)


def wire_form(raw: object) -> object:
    """``{ points = 40 }`` of a profile file as ``{"n":40,"word":"points"}`` of the wire; all else as it is."""
    if isinstance(raw, dict):
        parts = cast("dict[str, object]", raw)
        if len(parts) == 1:
            ((word, number),) = parts.items()
            return {"n": number, "word": word}
        return parts
    return raw


def legal(key: str) -> str:
    """The values a setting may have, in words."""
    kind = inspect.type_info(_TYPES[key])
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    low, high = RANGES.get(key, (0, 0))
    parts: list[str] = []
    for each in kinds:
        match each:
            case inspect.LiteralType():
                parts.extend(str(word) for word in sorted(each.values, key=str))
            case inspect.IntType() if key == "rejoin_offset":
                parts.append("+1, -1")
            case inspect.IntType():
                parts.append(f"a whole number from {low} to {high}")
            case inspect.BoolType():
                parts.append("true, false")
            case inspect.StructType():
                parts.append(f"{{ {each.tag} = n }}")
            case inspect.VarTupleType():
                parts.append("a list of whole numbers")
            case _:
                parts.append("a text")
    return ", ".join(parts)


def convert(key: str, raw: object) -> object | Finding:
    """The value of a setting in the type of the terms, or what is wrong with it."""
    ready = wire_form(raw)
    if not isinstance(ready, float):
        try:
            return cast("object", msgspec.convert(ready, _TYPES[key]))
        except msgspec.ValidationError:
            pass
    words = legal(key)
    guess = nearest(raw, words.split(", ")) if isinstance(raw, str) else ""
    mend = guess if guess.startswith("did you mean") else f"use {words}"
    return Finding(key, written(raw)[:80], "this is no value of this setting", mend)


def placeholder(key: str) -> object:
    """Any legal value: it stands for one that is wrong, so that the other settings can still be looked at."""
    kind = inspect.type_info(_TYPES[key])
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    match kinds[0]:
        case inspect.LiteralType():
            return kinds[0].values[0]
        case inspect.IntType():
            return RANGES[key][1]
        case inspect.BoolType():
            return False
        case inspect.VarTupleType():
            return (10_000,) if key == "prize_shares_bp" else (2, 3, 4, 5, 6)
        case _:
            return "practice"
