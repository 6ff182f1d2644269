"""Rule profiles: parse a file, resolve the terms of a table, check terms that somebody brings (rule 1.1).

Pure: who calls it reads the files. ``parse`` a text into a :class:`Profile`, ``resolve`` a profile into
:class:`~poolrummy_contracts.terms.Terms`, ``check`` complete terms. What is wrong comes back as findings, all at once.
"""

from poolrummy_contracts.findings import Finding
from poolrummy_contracts.profile_terms import (
    BySeats,
    Profile,
    Source,
    UnknownProfile,
    practice_terms,
    resolve,
    resolve_command,
)
from poolrummy_contracts.profile_text import inherited, parse
from poolrummy_contracts.setting_sheet import written
from poolrummy_contracts.term_checks import check

__all__ = [
    "BySeats",
    "Finding",
    "Profile",
    "Source",
    "UnknownProfile",
    "check",
    "inherited",
    "parse",
    "practice_terms",
    "resolve",
    "resolve_command",
    "written",
]
