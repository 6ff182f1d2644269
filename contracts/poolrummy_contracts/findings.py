"""What is wrong with a set of rules, said so that it can be mended: the key, its value, why, and the mend."""

from collections.abc import Iterable
from difflib import get_close_matches

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """One thing that is wrong."""

    key: str
    value: str
    why: str
    mend: str
    where: str = ""
    """Which part of a profile, where it is not the whole: a variant, an option."""

    @property
    def sentence(self) -> str:
        """What a person reads."""
        place = f" ({self.where})" if self.where else ""
        return f"{self.key} = {self.value}{place}: {self.why}; {self.mend}"

    def __str__(self) -> str:
        return self.sentence


def nearest(word: str, known: Iterable[str]) -> str:
    """The mend for a word that nobody knows: the nearest known one, or the whole choice where it is small."""
    choice = sorted(known)
    near = get_close_matches(word, choice, n=1, cutoff=0.6)
    if near:
        return f"did you mean {near[0]}?"
    if not choice:
        return "leave it out"
    return f"use one of: {', '.join(choice)}" if len(choice) <= 12 else "leave it out"
