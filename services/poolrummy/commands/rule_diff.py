"""In what two profiles differ, setting by setting, for tables that both of them offer."""

from collections.abc import Iterator

import msgspec

from poolrummy.commands.rule_values import idle, in_words, sentence
from poolrummy_contracts.profiles import Profile, practice_terms
from poolrummy_contracts.setting_sheet import SECTION_OF, SETTINGS
from poolrummy_contracts.terms import Terms


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One setting that has another value in another profile."""

    section: str
    setting: str
    where: str
    """The variants and table sizes where they differ; empty: everywhere."""
    left: str
    right: str
    left_sentence: str
    right_sentence: str


def differences(left: Profile, right: Profile) -> tuple[Difference, ...]:
    """Every difference that plays a part on both sides, in the order of the sheet; first the variants they offer."""
    tables = {table: pair for table, *pair in _shared_tables(left, right)}
    found: list[Difference] = [*_of_variants(left, right)]
    for key in SETTINGS:
        by_values: dict[tuple[str, str], list[tuple[str, int]]] = {}
        for table, (ours, theirs) in tables.items():
            values = (in_words(key, getattr(ours, key)), in_words(key, getattr(theirs, key)))
            if values[0] != values[1] and not idle(key, ours) and not idle(key, theirs):
                by_values.setdefault(values, []).append(table)
        for values, places in by_values.items():
            ours, theirs = tables[places[0]]
            found.append(
                Difference(
                    section=SECTION_OF[key],
                    setting=key,
                    where=_where(places, tuple(tables)),
                    left=values[0],
                    right=values[1],
                    left_sentence=sentence(key, ours),
                    right_sentence=sentence(key, theirs),
                )
            )
    return tuple(found)


def table_sizes(profile: Profile, variant: str) -> tuple[int, ...]:
    """The table sizes that a profile offers in a variant."""
    named = profile.value("seats_allowed", variant)
    assert isinstance(named, list), f"{profile.name}: {named}"
    return tuple(named)


def terms_of(profile: Profile, variant: str, seats: int) -> Terms:
    """The rules of a table that the profile offers: a profile that was read has terms for each of them."""
    terms = practice_terms(profile, variant, seats)
    assert isinstance(terms, Terms), f"{profile.name} {variant} {seats}: {terms}"
    return terms


def _shared_tables(left: Profile, right: Profile) -> Iterator[tuple[tuple[str, int], Terms, Terms]]:
    for variant in left.variants:
        if variant in right.variants:
            for seats in sorted({*table_sizes(left, variant)} & {*table_sizes(right, variant)}):
                yield (variant, seats), terms_of(left, variant, seats), terms_of(right, variant, seats)


def _of_variants(left: Profile, right: Profile) -> Iterator[Difference]:
    if left.variants != right.variants:
        ours, theirs = ", ".join(left.variants), ", ".join(right.variants)
        yield Difference(
            section="pack_and_start",
            setting="variants",
            where="",
            left=ours,
            right=theirs,
            left_sentence=f"The variants are {ours}.",
            right_sentence=f"The variants are {theirs}.",
        )


def _where(places: list[tuple[str, int]], tables: tuple[tuple[str, int], ...]) -> str:
    """The shortest true name of these tables."""
    variants = list(dict.fromkeys(variant for variant, _ in places))
    sizes = list(dict.fromkeys(size for _, size in places))
    all_variants = len(variants) == len({variant for variant, _ in tables})
    all_sizes = len(places) == len([table for table in tables if table[0] in variants])
    parts = [] if all_variants else [", ".join(variants)]
    if not all_sizes:
        parts.append(f"{', '.join(map(str, sizes))} seats")
    return " · ".join(parts)
