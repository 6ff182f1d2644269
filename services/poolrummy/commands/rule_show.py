"""The rows of a profile's sheet: setting, value, what it means, where it comes from."""

import msgspec

from poolrummy.commands.rule_diff import table_sizes, terms_of
from poolrummy.commands.rule_values import cell, idle, in_words, sentence
from poolrummy_contracts.profiles import Profile
from poolrummy_contracts.setting_sheet import SECTION_OF, SETTINGS
from poolrummy_contracts.terms import Variant


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One setting of a profile; without a variant its value in each of them, and no sentence."""

    section: str
    setting: str
    value: str
    sentence: str
    idle: bool
    """Another setting switches it off."""
    source: str
    stated_by: str
    inherited: bool


def rows(profile: Profile, variant: Variant | None, seats: int | None) -> list[Row]:
    """Every setting, in the order of the sheet."""
    terms = None if variant is None else terms_of(profile, variant, seats or table_sizes(profile, variant)[0])
    found: list[Row] = []
    for key in SETTINGS:
        source = profile.source(key, variant or ("" if key in profile.values else profile.variants[0]))
        exact = terms is not None and seats is not None
        found.append(
            Row(
                section=SECTION_OF[key],
                setting=key,
                value=in_words(key, getattr(terms, key)) if exact else cell(profile, key, variant and (variant,)),
                sentence=sentence(key, terms) if terms else "",
                idle=terms is not None and idle(key, terms),
                source=source.text,
                stated_by=source.profile,
                inherited=source.profile != profile.name,
            )
        )
    return found
