"""Values of settings as people read them: a sentence, a cell of a table, whether a setting plays a part at all."""

from collections.abc import Callable, Mapping
from typing import Final, cast

from poolrummy.commands.rule_sentences import SENTENCES
from poolrummy_contracts.profiles import BySeats, Profile, written
from poolrummy_contracts.setting_sheet import wire_form, word_of
from poolrummy_contracts.terms import Terms, Variant, WordWithNumber


def sentence(key: str, terms: Terms) -> str:
    """What the setting says at this table."""
    value: object = getattr(terms, key)
    known = SENTENCES[key]
    match value:
        case bool():
            return known["true" if value else "false"]
        case int() if key == "rejoin_threshold" and terms.rejoin_cmp == "lt":
            return known["lt"].format(n=value)
        case int():
            number = duration(value) if key.endswith("_ms") else str(value)
            return known.get(str(value), known.get("n", "")).format(n=number)
        case WordWithNumber():
            return known[word_of(value)].format(n=value.n)
        case tuple():
            return _of_list(key, known, cast("tuple[int, ...]", value))
        case _:
            return known[str(value)]


def duration(ms: int) -> str:
    """Milliseconds in words.

    >>> duration(30_000), duration(600_000), duration(250)
    ('30 s', '10 min', '250 ms')
    """
    if ms and ms % 60_000 == 0:
        return f"{ms // 60_000} min"
    return f"{ms} ms" if ms % 1000 else f"{ms // 1000} s"


def cell(profile: Profile, key: str, variants: tuple[Variant, ...] | None = None) -> str:
    """The value of a setting in these variants of a profile, in all of them where none are named.

    The value for all variants comes first, then those of the variants that differ.
    """
    chosen = variants or profile.variants
    found = {variant: in_words(key, profile.value(key, variant)) for variant in chosen}
    if len(set(found.values())) == 1:
        return found[chosen[0]]
    common = in_words(key, profile.values[key]) if key in profile.values else None
    return "; ".join(
        [*([common] if common else []), *(f"{variant}: {each}" for variant, each in found.items() if each != common)]
    )


def in_words(key: str, value: object) -> str:
    """A value as the sheet writes it: ``none``, ``79``, ``+1``, ``points(40)``, ``1 at 2 seats, 2 at 6 seats``."""
    if key == "rejoin_offset" and isinstance(value, int):
        return f"{value:+d}"
    if isinstance(value, BySeats):
        return ", ".join(f"{written(each)} at {size} seats" for size, each in value.by_seats.items())
    return written(wire_form(value))


def idle(key: str, terms: Terms) -> bool:
    """The setting plays no part at this table, because another one switches it off."""
    return any(key in keys and off(terms) for keys, off in _IDLE)


def _of_list(key: str, known: Mapping[str, str], numbers: tuple[int, ...]) -> str:
    if key == "prize_shares_bp":
        shares = ", ".join(f"{number // 100} %" if number % 100 == 0 else f"{number} bp" for number in numbers)
        return known["1"] if len(numbers) == 1 else known["list"].format(list=shares)
    *others, last = [str(number) for number in numbers]
    return known["list"].format(list=f"{', '.join(others)} or {last}" if others else last)


_DROPS: Final = frozenset({"first_drop_basis", "drop_window", "drop_in_advance"})
_REJOIN: Final = frozenset(
    {
        "rejoin_max_per_player",
        "rejoin_threshold",
        "rejoin_cmp",
        "rejoin_population",
        "rejoin_offset",
        "rejoin_sequencing",
        "rejoin_recheck_threshold",
        "rejoin_when_one_survivor",
        "rejoin_window_ms",
        "rejoin_fee",
        "rejoin_adds_to_pool",
        "rake_on_rejoin",
    }
)
_SPLIT_BY_DROPS: Final = frozenset({"split_rest_cmp", "split_drop_value"})
_SPLIT_ASKED: Final = frozenset({"split_ask_ms", "split_vote_ms"}) | _SPLIT_BY_DROPS
_SPLIT_AT_ALL: Final = frozenset({"split_min_started", "split_max_left", "split_three_left_needs_started"})

_IDLE: Final[tuple[tuple[frozenset[str], Callable[[Terms], bool]], ...]] = (
    (_DROPS, lambda terms: terms.voluntary_drop == "none"),
    (frozenset({"no_pure_count"}), lambda terms: terms.loser_count == "unmatched_always"),
    (frozenset({"time_bank_scope"}), lambda terms: terms.time_bank_ms == 0),
    (frozenset({"auto_drop_points"}), lambda terms: terms.auto_drop_after_misses == "off"),
    (_REJOIN, lambda terms: not terms.rejoin_enabled),
    (
        frozenset({"rejoin_cmp", "rejoin_population", "rejoin_recheck_threshold"}),
        lambda t: t.rejoin_threshold == "none",
    ),
    (frozenset({"elimination_cmp"}), lambda terms: terms.limit == "none"),
    (frozenset({"prize_shares_by"}), lambda terms: len(terms.prize_shares_bp) == 1),
    (_SPLIT_ASKED, lambda terms: terms.split_formula == "off"),
    (_SPLIT_BY_DROPS, lambda terms: terms.split_formula != "drops"),
    (frozenset({"split_residue"}), lambda t: t.split_formula in {"off", "agreed"} and t.auto_split == "off"),
    (_SPLIT_AT_ALL, lambda terms: terms.split_formula == "off" and terms.auto_split == "off"),
    (frozenset({"split_three_left_needs_started"}), lambda terms: terms.split_max_left == 2),
    (frozenset({"deals", "early_end_lead"}), lambda terms: terms.limit != "none"),
)
"""Which settings play no part, and when."""
