"""Where the rule profiles lie: in the package, and in a folder of the operator's own (rule 1.1)."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType

from poolrummy.identity import profiles_folder
from poolrummy_contracts.profiles import Finding, Profile, inherited, parse


class ProfilesInvalid(Exception):
    """A profile file cannot be used; every finding at once, by the file's name."""

    def __init__(self, findings: Mapping[str, tuple[Finding, ...]]) -> None:
        lines = [f"{name}.toml: {finding.sentence}" for name, found in findings.items() for finding in found]
        super().__init__("rule profiles cannot be used:\n" + "\n".join(lines))
        self.findings = findings


class NoProfileFolder(ProfilesInvalid):
    """The folder of the operator's own profiles is not there."""

    def __init__(self, folder: Path) -> None:
        super().__init__({})
        self.args = (f"rule profiles: there is no such folder as {folder}; name one that is there, or none",)


@lru_cache(maxsize=8)
def load_all(extra_folder: Path | None = None) -> Mapping[str, Profile]:
    """Every profile by its name: those of the package, then those of the folder; read once."""
    built_in = read_profiles(_texts(profiles_folder()), {})
    if extra_folder is None:
        return MappingProxyType(built_in)
    if not extra_folder.is_dir():
        raise NoProfileFolder(extra_folder)
    return MappingProxyType(built_in | read_profiles(_texts(extra_folder), built_in))


def read_profiles(texts: Mapping[str, str], parents: Mapping[str, Profile]) -> dict[str, Profile]:
    """The profiles of these texts, each after the one that it inherits."""
    read: dict[str, Profile] = {}
    wrong: dict[str, tuple[Finding, ...]] = {}
    for name in texts:
        if name in parents:
            why = "a profile of this name comes with the package"
            wrong[name] = (Finding("file", name, why, "give the file another name"),)
    waiting = {name: text for name, text in texts.items() if name not in parents}
    while waiting:
        ready = [name for name, text in waiting.items() if inherited(text) not in waiting] or list(waiting)
        for name in ready:
            outcome = parse(waiting.pop(name), name, {**parents, **read})
            if isinstance(outcome, Profile):
                read[name] = outcome
            else:
                wrong[name] = outcome
    if wrong:
        raise ProfilesInvalid(wrong)
    return read


def _texts(folder: Traversable) -> dict[str, str]:
    found = sorted((each for each in folder.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name)
    return {each.name.removesuffix(".toml"): each.read_text(encoding="utf-8") for each in found}
