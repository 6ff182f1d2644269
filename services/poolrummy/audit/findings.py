"""What an audit says: one line a check, the first event that fails it, and one verdict over all."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, Literal

import msgspec

Verdict = Literal["ok", "wrong", "unchecked", "none"]
"""``unchecked``: could not be checked, and why. ``none``: there is nothing of the kind in this log."""


class Check(StrEnum):
    """What is checked, in the order in which it is told."""

    LOG = "log"
    CHAIN = "chain"
    CHECKPOINTS = "checkpoints"
    TERMS = "terms"
    AUTHORS = "authors"
    COMMITMENTS = "commitments"
    PACKS = "packs"
    OPENINGS = "openings"
    CARDS = "cards"
    COMMANDS = "commands"
    CLOCKS = "clocks"
    SHOWS = "shows"
    COUNTS = "counts"
    POINTS = "points"
    ELIMINATIONS = "eliminations"
    REJOINS = "rejoins"
    SPLITS = "splits"
    PRIZES = "prizes"
    MONEY = "money"


TITLES: Final[dict[Check, str]] = {
    Check.LOG: "readable, canonical, in order",
    Check.CHAIN: "each line is the one that was chained",
    Check.CHECKPOINTS: "signed outside the server",
    Check.TERMS: "complete, without contradictions",
    Check.AUTHORS: "with author and rule, no robot for money",
    Check.COMMITMENTS: "made before, kept, accounted for",
    Check.PACKS: "as seed and transcript give them",
    Check.OPENINGS: "lead to the root of their pack",
    Check.CARDS: "drawn, laid, shown from where they lay",
    Check.COMMANDS: "allowed at their moment, once, none left out",
    Check.CLOCKS: "neither early nor late, pauses fit",
    Check.SHOWS: "judged by the definitions of groups",
    Check.COUNTS: "carried by the groups that they name",
    Check.POINTS: "points and totals",
    Check.ELIMINATIONS: "at the limit",
    Check.REJOINS: "offers, scores, prices",
    Check.SPLITS: "shares and votes",
    Check.PRIZES: "places and prizes",
    Check.MONEY: "what is owed sums to the pool",
}


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is wrong, at which event, by which paragraph of the rulebook."""

    check: Check
    v: int
    what: str
    rule: str = ""
    kind: str = ""
    until: int = 0
    """Where the first bad event is only known to lie among several: the last of them."""

    @property
    def sentence(self) -> str:
        """What a person reads."""
        where = f"version {self.v}" if not self.until or self.until == self.v else f"versions {self.v} to {self.until}"
        kind = f" ({self.kind})" if self.kind else ""
        rule = f", rule §{self.rule}" if self.rule else ""
        return f"{where}{kind}{rule}: {self.what}"


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One check: its verdict, how many things it looked at, what a person should know, the first failure."""

    check: Check
    verdict: Verdict
    counted: int
    unit: str
    note: str = ""
    finding: Finding | None = None


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The audit of one table."""

    source: str
    table: str
    events: int
    deals: int
    chain: str
    """The chain hash after the last line, as computed."""
    lines: tuple[Line, ...]
    took_ms: int
    exhaustive_ms: int = 0
    mend: str = ""
    """What to do so that what is unchecked can be checked."""

    @property
    def first(self) -> Finding | None:
        """The first event that fails a check."""
        found = [line.finding for line in self.lines if line.finding is not None]
        # An event that is pointed at says more than a stretch of the log in which one must lie.
        return min(found, key=lambda one: (bool(one.until), one.v, list(Check).index(one.check)), default=None)

    @property
    def exit_code(self) -> int:
        """0: everything was checked and is right, 1: something is wrong, 2: something could not be checked."""
        verdicts = {line.verdict for line in self.lines}
        return 1 if "wrong" in verdicts else 2 if "unchecked" in verdicts else 0


class Unauditable(Exception):
    """Nothing can be said about it: no such table, no readable file; the message names the mend."""


def first_of(findings: Iterable[Finding], check: Check) -> Finding | None:
    """The first finding of a check."""
    return min((one for one in findings if one.check is check), key=lambda one: one.v, default=None)
