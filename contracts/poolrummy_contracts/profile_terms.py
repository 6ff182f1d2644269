"""From a profile to the terms of one table: the variant, the size of the table, options and overrides (rule 1.1)."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Final, cast

import msgspec

from poolrummy_contracts.commands import OpenTable, SettingValue
from poolrummy_contracts.findings import Finding, nearest
from poolrummy_contracts.setting_sheet import GIVEN, SETTINGS, convert, placeholder, written
from poolrummy_contracts.term_checks import check
from poolrummy_contracts.terms import Terms, Variant

_PRACTICE: Final[Mapping[str, object]] = {
    "entry_fee": 0,
    "currency": "practice",
    "rake_bp": 0,
    "rejoin_payment": "none",
}


class BySeats(msgspec.Struct, frozen=True):
    """A value that depends on the size of the table, which is written as text (a key of TOML and JSON)."""

    by_seats: dict[str, SettingValue]


Value = SettingValue | BySeats


class Source(msgspec.Struct, frozen=True):
    """Where a value comes from: the profile that states it, and what its comment says."""

    profile: str
    text: str


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """A set of rules that somebody wrote down under a name; what it inherits is in it already."""

    name: str
    title: str
    inherits: str | None
    variants: tuple[Variant, ...]
    values: dict[str, Value]
    by_variant: dict[str, dict[str, Value]]
    options: dict[str, dict[str, Value]]
    """Named overrides: a table asks for one with ``{"cap_60": true}`` among its overrides."""
    sources: dict[str, Source]
    """By setting, and by ``variants.<variant>.<setting>`` and ``options.<option>.<setting>``."""

    @property
    def hash(self) -> str:
        """SHA-256 (hex) of what the profile says, without its title, comments and name."""
        content = (self.variants, self.values, self.by_variant, self.options)
        return sha256(msgspec.json.encode(content, order="sorted")).hexdigest()

    def value(self, key: str, variant: str) -> Value | None:
        """What the profile says of a setting in a variant."""
        own = self.by_variant.get(variant, {})
        return own[key] if key in own else self.values.get(key)

    def source(self, key: str, variant: str) -> Source:
        """Where that comes from."""
        place = f"variants.{variant}.{key}" if key in self.by_variant.get(variant, {}) else key
        return self.sources.get(place, Source(self.name, ""))


class UnknownProfile(msgspec.Struct, frozen=True):
    """There is no profile of this name."""

    name: str
    mend: str

    @property
    def sentence(self) -> str:
        """What a person reads."""
        return f"There is no rule profile {self.name!r}; {self.mend}"

    def __str__(self) -> str:
        return self.sentence


class _Sheet(msgspec.Struct):
    """The values of one table while they are gathered, and what was found wrong on the way."""

    raw: dict[str, object]
    findings: list[Finding]
    spoiled: set[str]

    def wrong(self, finding: Finding) -> None:
        self.findings.append(finding)
        self.spoiled.add(finding.key)


def resolve(
    profile: Profile,
    *,
    variant: str,
    seats: int,
    entry_fee: int,
    currency: str,
    rake_bp: int,
    rejoin_payment: str,
    overrides: Mapping[str, SettingValue] | None = None,
) -> Terms | tuple[Finding, ...]:
    """The complete terms, or everything that is wrong with what was asked for."""
    given: dict[str, object] = {
        "variant": variant,
        "seats": seats,
        "entry_fee": entry_fee,
        "currency": currency,
        "rake_bp": rake_bp,
        "rejoin_payment": rejoin_payment,
    }
    return _resolve(profile, given, overrides or {})


def resolve_command(
    command: OpenTable, profiles: Mapping[str, Profile]
) -> Terms | tuple[Finding, ...] | UnknownProfile:
    """The terms of the table that the command opens: of a profile with overrides, or complete ones of its own."""
    given: dict[str, object] = {key: getattr(command, key) for key in GIVEN}
    if command.terms is not None:
        beside = [key for key in ("profile", *GIVEN, "overrides") if getattr(command, key) not in (None, {})]
        mend = "leave it out, or leave the terms out"
        twice = tuple(Finding(key, written(getattr(command, key)), "the terms say it already", mend) for key in beside)
        return twice + check(command.terms) or command.terms
    if command.profile is None:
        return (Finding("profile", "missing", "a table needs rules", "name a profile, or bring complete terms"),)
    profile = profiles.get(command.profile)
    if profile is None:
        return UnknownProfile(command.profile, nearest(command.profile, profiles))
    return _resolve(profile, given, command.overrides)


def practice_terms(
    profile: Profile, variant: str, seats: int, overrides: Mapping[str, SettingValue] | None = None
) -> Terms | tuple[Finding, ...]:
    """The terms of a practice table without a fee: what the rules of a profile are, apart from money."""
    return _resolve(profile, {**_PRACTICE, "variant": variant, "seats": seats}, overrides or {})


def _resolve(
    profile: Profile, given: Mapping[str, object], overrides: Mapping[str, SettingValue]
) -> Terms | tuple[Finding, ...]:
    sheet = _Sheet({"profile": profile.name}, [], set())
    for key in GIVEN:
        if given[key] is None:
            mend = "give it with the command"
            sheet.wrong(Finding(key, "missing", "it is given when the table is opened, no profile holds it", mend))
        else:
            sheet.raw[key] = given[key]
    variant = str(given["variant"])
    if given["variant"] is not None and variant not in profile.variants:
        why = f"the profile {profile.name} does not offer this variant"
        sheet.wrong(Finding("variant", variant, why, f"use one of: {', '.join(profile.variants)}"))
    _values(sheet, profile, variant=variant, seats=given["seats"])
    _overrides(sheet, profile, overrides)
    return _terms(sheet)


def _values(sheet: _Sheet, profile: Profile, *, variant: str, seats: object) -> None:
    known = variant in profile.variants
    for key in SETTINGS:
        value = profile.value(key, variant if known else profile.variants[0])
        if isinstance(value, BySeats):
            if str(seats) in value.by_seats:
                value = value.by_seats[str(seats)]
            else:
                sheet.spoiled.add(key)
                value = next(iter(value.by_seats.values()))
        if value is not None:
            sheet.raw[key] = value
    if not known:
        sheet.spoiled.update(*profile.by_variant.values())


def _overrides(sheet: _Sheet, profile: Profile, overrides: Mapping[str, SettingValue]) -> None:
    for key, value in overrides.items():
        if key in profile.options:
            if value is True:
                sheet.raw.update(cast("dict[str, object]", profile.options[key]))
            elif value is not False:
                sheet.wrong(Finding(key, written(value), "an option is on or off", "use true or false"))
    for key, value in overrides.items():
        if key in SETTINGS:
            sheet.spoiled.discard(key)
            sheet.raw[key] = value
        elif key in GIVEN or key == "profile":
            sheet.wrong(Finding(key, written(value), "it is no setting of a profile", f"give {key} with the command"))
        elif key not in profile.options:
            mend = nearest(key, (*SETTINGS, *profile.options))
            sheet.wrong(Finding(key, written(value), f"the profile {profile.name} knows no such setting", mend))


def _terms(sheet: _Sheet) -> Terms | tuple[Finding, ...]:
    ready: dict[str, object] = {}
    for key, value in _converted(sheet):
        if isinstance(value, Finding):
            if key not in sheet.spoiled:
                sheet.wrong(value)
            ready[key] = placeholder(key)
        else:
            ready[key] = value
    terms = Terms(**ready)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType] -- each was converted to its type
    findings = (*sheet.findings, *check(terms, spoiled=frozenset(sheet.spoiled)))
    return findings or terms


def _converted(sheet: _Sheet) -> Iterator[tuple[str, object]]:
    for key in Terms.__struct_fields__:
        if key in sheet.raw:
            yield key, convert(key, sheet.raw[key])
        elif key in sheet.spoiled:
            yield key, placeholder(key)
        else:
            yield key, Finding(key, "missing", "the rules say nothing of it", f"add {key} = … to the profile")
