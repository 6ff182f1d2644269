"""Opening a table: from the profile, variant and overrides that a command names to complete terms."""

from collections.abc import Mapping

from poolrummy_contracts.commands import OpenTable
from poolrummy_contracts.profiles import Profile, UnknownProfile, resolve_command
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.terms import Terms


class Opening:
    """The profiles that this dealer offers."""

    def __init__(self, profiles: Mapping[str, Profile], *, money: bool) -> None:
        self._profiles = profiles
        self._money = money
        """Whether this dealer has keys that somebody gave it; keys made on the spot are for practice."""

    def terms_of(self, command: OpenTable) -> Terms | Refused:
        """The terms that the command asks for, or every finding against them in one refusal (rule 1.1)."""
        match resolve_command(command, self._profiles):
            case Terms(currency=currency) if currency != "practice" and not self._money:
                return Refused(Refusal.TERMS_REFUSED, "Money needs keys: set POOLRUMMY_KEYS_DIR for the dealer.")
            case Terms() as terms:
                return terms
            case UnknownProfile(name=name, mend=mend):
                return Refused(Refusal.PROFILE_UNKNOWN, f"{name}: {mend}")
            case findings:
                return Refused(Refusal.TERMS_REFUSED, " ".join(f"{finding.sentence}." for finding in findings))
