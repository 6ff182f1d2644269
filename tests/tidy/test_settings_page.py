"""Every setting stands in services/README.md with the value that it has where nobody says otherwise."""

import re
from pathlib import Path

import msgspec

from poolrummy.runtime.settings import Settings

PAGE = Path(__file__).parents[2] / "services" / "README.md"


def told() -> dict[str, str]:
    section = PAGE.read_text("utf-8").partition("\n## Settings\n")[2].partition("\n## ")[0]
    rows = (row.split(" | ") for row in re.findall(r"^\| (`.*) \|$", section, re.MULTILINE))
    pairs = [
        (name.strip("`").lower(), value)
        for names, values, _ in rows
        for name, value in zip(names.split(", "), values.split(", "), strict=True)
    ]
    assert len(dict(pairs)) == len(pairs), "a setting stands there twice"
    return dict(pairs[1:]) if pairs[0][0] == "poolrummy_…" else dict(pairs)


def test_every_setting_stands_there_with_its_default() -> None:
    defaults = {
        field.name: "none"
        if field.default is None
        else f"{field.default:g}"
        if isinstance(field.default, float)
        else str(field.default)
        for field in msgspec.structs.fields(Settings)
    }

    assert told() == defaults
