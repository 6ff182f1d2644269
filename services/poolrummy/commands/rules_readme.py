"""The table rule x profile for the README, generated from the profile files."""

from collections.abc import Mapping

from poolrummy.commands.rule_values import cell
from poolrummy.profile_files import load_all
from poolrummy_contracts.profiles import Profile
from poolrummy_contracts.setting_sheet import SECTIONS, TITLES
from poolrummy_contracts.terms import Variant


def readme_table(profiles: Mapping[str, Profile] | None = None) -> str:
    """The Markdown table: house in full, the others where they differ from it."""
    known = dict(profiles or load_all())
    house = known.pop("house")
    others = [*known.values()]
    lines = [
        f"| setting | {' | '.join(f'`{name}`' for name in ('house', *known))} |",
        f"| --- |{' --- |' * (len(known) + 1)}",
        f"| `variants` | {' | '.join(', '.join(profile.variants) for profile in (house, *others))} |",
    ]
    for section, keys in SECTIONS.items():
        lines.append(f"| **{TITLES[section]}** |{' |' * (len(known) + 1)}")
        lines.extend(_row(key, house, others) for key in keys)
    return "\n".join([*lines, "", "`=`: as in `house`. Several values: the common one, then those of single variants."])


def _row(key: str, house: Profile, others: list[Profile]) -> str:
    """One setting; ``=`` where a profile says in its variants what house says in them."""
    cells = [cell(house, key)]
    for profile in others:
        own = cell(profile, key)
        shared: tuple[Variant, ...] = tuple(variant for variant in profile.variants if variant in house.variants)
        cells.append("=" if shared and own == cell(house, key, shared) else own)
    return f"| `{key}` | {' | '.join(cells)} |"
