"""A profile file, read: its sections, variants, options, what it inherits, and the comment behind each value.

Every finding at once. What the file does not say it takes from the profile that it inherits; a value for a variant goes
before a value for all of them.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeGuard, cast, get_args

import msgspec

from poolrummy_contracts.commands import SettingValue
from poolrummy_contracts.findings import Finding, nearest
from poolrummy_contracts.profile_terms import BySeats, Profile, Source, Value, practice_terms
from poolrummy_contracts.setting_sheet import GIVEN, SECTION_OF, SECTIONS, SETTINGS, written
from poolrummy_contracts.terms import Terms, Variant

_ROOT: Final = ("title", "inherits", "variants", "options", *SECTIONS)
_VARIANTS: Final[tuple[Variant, ...]] = get_args(Variant)
_SIZES: Final = ("2", "3", "4", "5", "6")
_HEADING: Final = re.compile(r"\[([\w.-]+)\]")
_COMMENTED: Final = re.compile(r"([\w-]+)\s*=.*?\s#\s*(.*)")


class _Reading(msgspec.Struct):
    """What was read so far."""

    name: str
    parent: Profile | None
    findings: list[Finding]
    values: dict[str, Value]
    by_variant: dict[str, dict[str, Value]]
    options: dict[str, dict[str, Value]]
    variants: tuple[Variant, ...] = ()


def parse(text: str, name: str, parents: Mapping[str, Profile]) -> Profile | tuple[Finding, ...]:
    """The profile that the text describes, or everything that is wrong with it."""
    try:
        raw = cast("dict[str, object]", tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        return (Finding("file", name, f"this is no TOML: {error}", "mend that line"),)
    reading = _Reading(name, None, [], {}, {}, {})
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", name):
        reading.findings.append(
            Finding("file", name, "this is no name of a profile", "use up to 64 of a-z 0-9 _ -, a letter first")
        )
    _read_inheritance(reading, raw, parents)
    _read_root(reading, raw)
    profile = _inherit(reading, raw, text)
    found = (*reading.findings, *_shadowed(reading, profile), *_tried(profile, reading))
    return found or profile


def inherited(text: str) -> str | None:
    """The profile that must be read before this one; None also where the text cannot be read."""
    try:
        named = tomllib.loads(text).get("inherits")
    except tomllib.TOMLDecodeError:
        return None
    return named if isinstance(named, str) else None


def _read_inheritance(reading: _Reading, raw: Mapping[str, object], parents: Mapping[str, Profile]) -> None:
    named = raw.get("inherits")
    if named is None:
        return
    reading.parent = parents.get(named) if isinstance(named, str) else None
    if reading.parent is None:
        why = "there is no profile of this name to inherit from"
        reading.findings.append(Finding("inherits", written(named), why, nearest(str(named), parents)))


def _read_root(reading: _Reading, raw: Mapping[str, object]) -> None:
    for key, content in raw.items():
        if key == "title" and not isinstance(content, str):
            reading.findings.append(Finding("title", written(content), "a title is a text", "write it in quotes"))
        elif key in SECTIONS:
            reading.values |= _read_section(reading, key, content)
        elif key == "variants":
            reading.by_variant = _read_groups(reading, "variants", content, known=_VARIANTS)
        elif key == "options":
            reading.options = _read_groups(reading, "options", content, known=None)
        elif key not in _ROOT:
            section = SECTION_OF.get(key)
            mend = f"write it in [{section}]" if section else nearest(key, _ROOT)
            reading.findings.append(Finding(key, written(content), "a profile has no such section", mend))


def _read_section(reading: _Reading, section: str, content: object) -> dict[str, Value]:
    if not _is_table(content):
        reading.findings.append(Finding(section, written(content), "this is a section", f"write [{section}]"))
        return {}
    if section == "pack_and_start" and "variants" in content:
        _read_variants(reading, content["variants"])
    others = {key: value for key, value in content.items() if (section, key) != ("pack_and_start", "variants")}
    for key, value in others.items():
        right = SECTION_OF.get(key, section)
        if right != section:
            mend = f"write it in [{right}]"
            reading.findings.append(Finding(key, written(value), f"it does not belong in [{section}]", mend))
    return dict(_read_settings(reading, others, section))


def _read_variants(reading: _Reading, content: object) -> None:
    listed = isinstance(content, list)
    named = cast("list[object]", content if listed else [content])
    reading.variants = tuple(each for each in _VARIANTS if each in named)
    for each in named:
        if each not in _VARIANTS:
            mend = nearest(str(each), _VARIANTS)
            reading.findings.append(Finding("variants", written(each), "there is no such variant", mend))
    if not listed or not named:
        mend = 'use ["101", "201"]'
        reading.findings.append(Finding("variants", written(named), "this is a list of variants", mend))


def _read_groups(
    reading: _Reading, group: str, content: object, *, known: Iterable[str] | None
) -> dict[str, dict[str, Value]]:
    if not _is_table(content):
        reading.findings.append(Finding(group, written(content), "this is a section", f"write [{group}.…]"))
        return {}
    found: dict[str, dict[str, Value]] = {}
    for name, values in content.items():
        place = f"{group}.{name}"
        if known is not None and name not in known:
            reading.findings.append(Finding(place, "section", "there is no such variant", nearest(name, known)))
        elif not _is_table(values):
            reading.findings.append(Finding(place, written(values), "this is a section", f"write [{place}]"))
        elif known is None and (name in SETTINGS or name in GIVEN):
            why = "an option needs a name that no setting has"
            reading.findings.append(Finding(place, "section", why, "choose another name"))
        else:
            found[name] = dict(_read_settings(reading, values, place))
    return found


def _read_settings(reading: _Reading, content: Mapping[str, object], place: str) -> Iterator[tuple[str, Value]]:
    for key, raw in content.items():
        if key in GIVEN:
            why = "it is given when a table is opened, no profile holds it"
            reading.findings.append(Finding(key, written(raw), why, "leave it out", where=place))
        elif key not in SETTINGS:
            mend = nearest(key, SETTINGS)
            reading.findings.append(Finding(key, written(raw), "there is no such setting", mend, where=place))
        elif _is_table(raw) and "by_seats" in raw:
            sizes = raw["by_seats"]
            if len(raw) == 1 and _is_table(sizes) and sizes and all(size in _SIZES for size in sizes):
                yield key, BySeats(cast("dict[str, SettingValue]", sizes))
            else:
                mend = "use { by_seats = { 2 = …, 6 = … } } with sizes from 2 to 6"
                reading.findings.append(Finding(key, written(raw), "this names no table sizes", mend, where=place))
        else:
            yield key, cast("SettingValue", raw)


def _inherit(reading: _Reading, raw: Mapping[str, object], text: str) -> Profile:
    parent = reading.parent
    given = "variants" in cast("dict[str, object]", raw.get("pack_and_start") or {})
    variants = reading.variants if given or parent is None else parent.variants
    if not given and parent is None:
        mend = 'add variants = ["101", "201"] to [pack_and_start]'
        reading.findings.append(Finding("variants", "missing", "a profile says which variants it offers", mend))
    for name in reading.by_variant:
        if name not in variants:
            mend = f"add it to variants, or remove [variants.{name}]"
            reading.findings.append(Finding(f"variants.{name}", "section", "the profile does not offer it", mend))
    by_variant: dict[str, dict[str, Value]] = {
        name: (parent.by_variant.get(name, {}) if parent else {}) | reading.by_variant.get(name, {})
        for name in variants
    }
    title = raw.get("title")
    return Profile(
        name=reading.name,
        title=title if isinstance(title, str) else "",
        inherits=parent.name if parent else None,
        variants=variants,
        values=(parent.values if parent else {}) | reading.values,
        by_variant=by_variant,
        options=(parent.options if parent else {}) | reading.options,
        sources=(parent.sources if parent else {}) | dict(_sources(reading.name, text)),
    )


def _sources(name: str, text: str) -> Iterator[tuple[str, Source]]:
    """The comment behind each value: it names the source."""
    section = ""
    for line in text.splitlines():
        if heading := _HEADING.match(line):
            section = heading[1]
        elif "=" in line and not line.startswith("#"):
            key = line.split("=")[0].strip()
            commented = _COMMENTED.match(line)
            place = f"{section}.{key}" if section.startswith(("variants.", "options.")) else key
            yield place, Source(name, commented[2].strip() if commented else "")


def _shadowed(reading: _Reading, profile: Profile) -> Iterator[Finding]:
    for key, value in reading.values.items():
        if profile.variants and all(key in profile.by_variant[name] for name in profile.variants):
            raw = value.by_seats if isinstance(value, BySeats) else value
            mend = f"write it in [variants.{profile.variants[0]}] and so on"
            yield Finding(key, written(raw), "it is never used: every variant has a value of its own", mend)


def _tried(profile: Profile, reading: _Reading) -> Iterator[Finding]:
    """What is wrong at a table of any allowed size, in any variant, with any option."""
    known = {finding.key for finding in reading.findings}
    lost_parent = "inherits" in known
    found: dict[Finding, list[str]] = {}
    for variant in profile.variants:
        for size in _sizes(profile, variant):
            for finding in _findings(practice_terms(profile, variant, size)):
                _note(found, finding, f"variant {variant}")
            for option in profile.options:
                for finding in _findings(practice_terms(profile, variant, size, {option: True})):
                    if finding not in found:
                        _note(found, finding, f"option {option}")
        for finding in _without_size(profile, variant):
            _note(found, finding, f"variant {variant}")
    for finding, places in found.items():
        if finding.key not in known and not (lost_parent and finding.value == "missing"):
            everywhere = len([place for place in places if place.startswith("variant")]) == len(profile.variants)
            yield finding if everywhere else msgspec.structs.replace(finding, where=", ".join(places))


def _findings(outcome: Terms | tuple[Finding, ...]) -> tuple[Finding, ...]:
    return () if isinstance(outcome, Terms) else outcome


def _note(found: dict[Finding, list[str]], finding: Finding, place: str) -> None:
    places = found.setdefault(finding, [])
    if place not in places:
        places.append(place)


def _without_size(profile: Profile, variant: str) -> Iterator[Finding]:
    for key in SETTINGS:
        value = profile.value(key, variant)
        if isinstance(value, BySeats):
            lacking = [str(size) for size in _sizes(profile, variant) if str(size) not in value.by_seats]
            if lacking:
                why = f"there is no value for tables of {', '.join(lacking)} seats"
                mend = f"add {lacking[0]} = … to by_seats, or change seats_allowed"
                yield Finding(key, f"by_seats({', '.join(value.by_seats)})", why, mend)


def _sizes(profile: Profile, variant: str) -> tuple[int, ...]:
    """The allowed table sizes; one of them where the file does not give them rightly."""
    named = profile.value("seats_allowed", variant)
    if isinstance(named, list) and named and all(str(each) in _SIZES for each in named):
        return tuple(named)
    return (2,)


def _is_table(content: object) -> TypeGuard[dict[str, object]]:
    return isinstance(content, dict)
