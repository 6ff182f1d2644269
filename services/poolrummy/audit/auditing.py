"""The audit of one table: everything that its log claims, checked, and told in one line a check."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

import msgspec

from poolrummy.audit.derivation import Derivation, Derived, Difference, Progress
from poolrummy.audit.evidence import Evidence
from poolrummy.audit.exhaustive import least_count_wrong, no_show_wrong
from poolrummy.audit.findings import Check, Finding, Line, Result, Verdict, first_of
from poolrummy.audit.oracle import Oracle
from poolrummy.audit.packs import Seeds
from poolrummy.audit.plain_checks import Proven, author_findings, money_findings, openings, terms_findings
from poolrummy.audit.reading import ReadLog, read_log
from poolrummy.audit.readings import Limits
from poolrummy.audit.signed import Trust, check_signed
from poolrummy.audit.software_named import software_note
from poolrummy.audit.verdicts import count_wrong, show_wrong
from poolrummy.fairness.sealing import Sealer
from poolrummy_contracts import events as e

Ask = TypeVar("Ask")
Judged = TypeVar("Judged")

CARD_EVENTS: Final = (
    "card-drawn",
    "card-discarded",
    "card-returned",
    "show-declared",
    "hand-laid-open",
    "finish-called",
)

OF_KIND: Final[dict[str, Check]] = {
    "table-opened": Check.TERMS,
    "match-started": Check.MONEY,
    "seeds-committed": Check.COMMITMENTS,
    "seat-seed-committed": Check.COMMITMENTS,
    "seat-seed-revealed": Check.COMMITMENTS,
    "batch-closed": Check.COMMITMENTS,
    "seed-revealed": Check.COMMITMENTS,
    "toss-drawn": Check.PACKS,
    "deal-started": Check.PACKS,
    "stock-reshuffled": Check.PACKS,
    "show-judged": Check.POINTS,
    "show-forfeited": Check.POINTS,
    "hand-counted": Check.POINTS,
    "deal-scored": Check.POINTS,
    "seat-dropped": Check.POINTS,
    "seat-eliminated": Check.ELIMINATIONS,
    "rejoin-offered": Check.REJOINS,
    "rejoin-asked": Check.REJOINS,
    "rejoin-queued": Check.REJOINS,
    "rejoin-granted": Check.REJOINS,
    "rejoin-declined": Check.REJOINS,
    "rejoin-closed": Check.REJOINS,
    "split-offered": Check.SPLITS,
    "split-requested": Check.SPLITS,
    "split-asked": Check.SPLITS,
    "split-voted": Check.SPLITS,
    "split-closed": Check.SPLITS,
    "split-agreed": Check.SPLITS,
    "match-ended": Check.PRIZES,
    "match-voided": Check.PRIZES,
} | dict.fromkeys(CARD_EVENTS, Check.CARDS)
"""Which check an event belongs to that is not what the rules give; a command where none is named."""


class Means(msgspec.Struct, frozen=True, kw_only=True):
    """What the auditor has: keys, trust, and patience."""

    sealer: Sealer | None = None
    trust: Trust = Trust()
    exhaustive: bool = False


def audited(evidence: Evidence, means: Means, progress: Progress | None = None) -> Result:
    """Check everything that this log claims."""
    began_s = time.perf_counter()
    read = read_log(evidence)
    events = read.events
    seeds = Seeds(events, means.sealer, evidence.seeds)
    oracle = Oracle(events, seeds)
    derived = Derivation(events, oracle).run(progress)
    opened, closed_cards = openings(events)
    judged, verdict_findings, exhaustive_s = _verdicts(events, exhaustive=means.exhaustive)
    proven = Proven(events, evidence.openings, whole=len(events) == len(evidence.lines))
    findings = [*evidence.faults, *read.findings, *closed_cards, *proven.findings, *verdict_findings, *_plain(events)]
    findings.extend(_broken_promise(events[v - 1], what) for v, what in oracle.wrong)
    findings.extend(_of_difference(one) for one in (derived.difference, *derived.beside) if one is not None)
    lines = _Lines(events, read, derived, findings, oracle, judged, proven, opened + proven.counted)
    closed = bool(events) and isinstance(events[-1], e.TableClosed)
    signed = check_signed(evidence, means.trust, closed=closed)
    return Result(
        source=evidence.source,
        table=evidence.table,
        events=len(evidence.lines),
        deals=sum(isinstance(event, e.DealStarted) for event in events),
        chain=read.chain.hex(),
        lines=lines.told(signed),
        took_ms=round((time.perf_counter() - began_s - exhaustive_s) * 1000),
        exhaustive_ms=round(exhaustive_s * 1000),
        mend=_mend(seeds, read),
    )


def _plain(events: Sequence[e.TableEvent]) -> Iterator[Finding]:
    for event in events[:1]:
        if isinstance(event, e.TableOpened):
            yield from terms_findings(event)
    yield from author_findings(events)
    yield from money_findings(events)


def _verdicts(events: Sequence[e.TableEvent], *, exhaustive: bool) -> tuple[Counter[Check], list[Finding], float]:
    """Every verdict against its ask; how many there were, what is wrong, and the time of the full searches."""
    counted: Counter[Check] = Counter()
    findings: list[Finding] = []
    took_s = 0.0
    if not events or not isinstance(events[0], e.TableOpened):
        return counted, findings, took_s
    limits = Limits(events[0].terms)
    for event in events:
        if not isinstance(event, e.ShowJudged | e.HandCounted):
            continue
        ask = events[event.ask - 1] if 1 <= event.ask <= len(events) else None
        began_s = time.perf_counter()
        match event, ask:
            case e.ShowJudged(), e.ShowDeclared():
                check, wrong = Check.SHOWS, _told(show_wrong, ask, event, limits)
                if exhaustive and wrong is None:
                    wrong = no_show_wrong(ask, event, limits)
                    took_s += time.perf_counter() - began_s
            case e.HandCounted(), e.HandLaidOpen():
                check, wrong = Check.COUNTS, _told(count_wrong, ask, event, limits)
                if exhaustive and wrong is None:
                    wrong = least_count_wrong(ask, event, limits)
                    took_s += time.perf_counter() - began_s
            case _:
                check, wrong = Check.SHOWS, f"version {event.ask} asked for no such verdict"
        counted[check] += 1
        if wrong is not None:
            kind = str(event.__struct_config__.tag)
            findings.append(Finding(check=check, v=event.v, what=wrong, rule=event.rule, kind=kind))
    return counted, findings, took_s


def _told(judge: Callable[[Ask, Judged, Limits], str | None], ask: Ask, verdict: Judged, limits: Limits) -> str | None:
    """What is wrong with a verdict; a text in it that is no card is wrong as well, and no card can be read from it."""
    try:
        return judge(ask, verdict, limits)
    except (LookupError, ValueError):
        return "it names a card that there is not"


def _broken_promise(event: e.TableEvent, what: str) -> Finding:
    kind = str(event.__struct_config__.tag)
    return Finding(check=Check.COMMITMENTS, v=event.v, what=what, rule=event.rule, kind=kind)


def _of_difference(difference: Difference) -> Finding:
    check = Check.CLOCKS if difference.clock else OF_KIND.get(difference.kind, Check.COMMANDS)
    return Finding(check=check, v=difference.v, what=difference.what, rule=difference.rule, kind=difference.kind)


def _mend(seeds: Seeds, read: ReadLog) -> str:
    mends: list[str] = []
    if seeds.missing_keys:
        named = " or ".join(seeds.missing_keys)
        mends.append(f"packs are sealed to the keys {named}: name the folder of one of them with --keys")
    if read.newer:
        mends.append(f"{read.newer}; use a newer release")
    return "; ".join(mends)


class _Lines:
    """From counts and findings to one line a check."""

    def __init__(
        self,
        events: Sequence[e.TableEvent],
        read: ReadLog,
        derived: Derived,
        findings: Iterable[Finding],
        oracle: Oracle,
        judged: Counter[Check],
        proven: Proven,
        opened: int,
    ) -> None:
        self._events, self._read, self._derived, self._oracle = events, read, derived, oracle
        self._findings = list(findings)
        self._judged, self._proven, self._opened = judged, proven, opened
        reached = events[: derived.reached]
        self._kinds = Counter(str(event.__struct_config__.tag) for event in reached)

    def told(self, signed: Line) -> tuple[Line, ...]:
        """The lines, in the order of the checks."""
        derived, oracle = self._derived, self._oracle
        private = f"{oracle.taken} private acts taken from the events that they led to" if oracle.taken else ""
        log_note = f"from version {len(self._events) + 1} on: {self._read.newer}" if self._read.newer else ""
        return (
            self._line(Check.LOG, len(self._events), "events", note=log_note, unchecked=bool(self._read.newer)),
            self._line(Check.CHAIN, len(self._events), "links"),
            signed,
            self._line(Check.TERMS, int(bool(self._events)), "sets of terms", note=software_note(self._events)),
            self._line(Check.AUTHORS, len(self._events), "events"),
            self._commitments(),
            self._packs(),
            self._line(Check.OPENINGS, self._opened, "openings"),
            self._cards(),
            self._step(Check.COMMANDS, derived.by_player + derived.by_operator, "commands", note=private),
            self._step(Check.CLOCKS, derived.by_clock, "deadlines"),
            self._line(Check.SHOWS, self._judged[Check.SHOWS], "verdicts"),
            self._line(Check.COUNTS, self._judged[Check.COUNTS], "hands"),
            self._step(Check.POINTS, self._kinds["deal-scored"], "deals"),
            self._step(Check.ELIMINATIONS, self._kinds["seat-eliminated"], "eliminations"),
            self._step(Check.REJOINS, self._kinds["rejoin-granted"] + self._kinds["rejoin-declined"], "answers"),
            self._step(Check.SPLITS, self._kinds["split-asked"] + self._kinds["split-agreed"], "splits"),
            self._step(Check.PRIZES, self._kinds["match-ended"] + self._kinds["match-voided"], "ends"),
            self._line(Check.MONEY, self._kinds["match-started"] + self._kinds["rejoin-granted"], "payments"),
        )

    def _commitments(self) -> Line:
        unknown = self._oracle.unknown
        note = f"{unknown} seeds not looked at: only that their hashes were promised" if unknown else ""
        kinds = ("seeds-committed", "seat-seed-committed", "toss-drawn", "deal-started", "batch-closed")
        counted = sum(self._kinds[kind] for kind in kinds)
        return self._step(Check.COMMITMENTS, counted, "promises", note=note, unchecked=bool(unknown))

    def _packs(self) -> Line:
        unknown, known = self._oracle.unknown, self._oracle.known
        note = f"{unknown} packs not checked: their seeds are sealed" if unknown else ""
        return self._step(Check.PACKS, known + self._kinds["toss-drawn"], "packs", note=note, unchecked=bool(unknown))

    def _cards(self) -> Line:
        unknown = self._oracle.unknown
        note = f"positions only, faces against themselves, in {unknown} deals without a seed" if unknown else ""
        if unknown and self._proven.all_shown:
            note, unknown = "every face by its opening", 0
        counted = sum(self._kinds[kind] for kind in CARD_EVENTS)
        return self._step(Check.CARDS, counted, "cards and hands", note=note, unchecked=bool(unknown))

    def _step(self, check: Check, counted: int, unit: str, *, note: str = "", unchecked: bool = False) -> Line:
        """A line of what is decided again: it reaches as far as the steps do."""
        stopped = self._derived.difference is not None
        if stopped:
            until = f"up to version {self._derived.reached}"
            note = f"{until}; {note}" if note else until
        return self._line(check, counted, unit, note=note, unchecked=unchecked or stopped)

    def _line(self, check: Check, counted: int, unit: str, *, note: str = "", unchecked: bool = False) -> Line:
        finding = first_of(self._findings, check)
        verdict: Verdict = "unchecked" if unchecked else "ok" if counted else "none"
        if finding is not None:
            verdict = "wrong"
        return Line(check=check, verdict=verdict, counted=counted, unit=unit, note=note, finding=finding)
