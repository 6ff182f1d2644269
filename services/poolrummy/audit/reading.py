"""From stored lines to events: readable, canonical, in order, of one table, and chained (R46)."""

import re
from typing import Final

import msgspec

from poolrummy.audit.evidence import Evidence
from poolrummy.audit.findings import Check, Finding
from poolrummy_contracts import codec
from poolrummy_contracts.envelope import chain_next, chain_start
from poolrummy_contracts.events import TableEvent
from poolrummy_contracts.upcasts import UPCASTS

LONG_NUMBER: Final = re.compile(rb"[0-9]{16}")
"""What may be beyond 2^53 - 1; only then an event is looked at value by value."""


class ReadLog(msgspec.Struct, frozen=True, kw_only=True):
    """The events up to the first line that is none, and what is wrong with the lines."""

    events: tuple[TableEvent, ...]
    chain: bytes
    """The chain hash over all lines, as computed."""
    findings: tuple[Finding, ...]
    newer: str = ""
    """Why only a newer release can read the rest; the chain says that it was written so."""


def read_log(evidence: Evidence) -> ReadLog:
    """Read every line. The chain is followed to the end, events are read up to the first that is none."""
    chain = chain_start(evidence.table)
    broken: Finding | None = None
    wrong: Finding | None = None
    newer = ""
    events: list[TableEvent] = []
    at = 0
    for version, line in enumerate(evidence.lines, start=1):
        chain = chain_next(chain, line.payload)
        if broken is None and chain != line.chain:
            broken = Finding(check=Check.CHAIN, v=version, what="the chain hash beside it is not the one that follows")
        if wrong is not None or newer:
            continue
        try:
            event = _event(line.payload)
        except codec.UnknownType as unknown:
            newer = f"version {version}: {unknown}"
            continue
        except codec.WireError as unreadable:
            wrong = Finding(check=Check.LOG, v=version, what=str(unreadable))
            continue
        wrong = _misplaced(event, evidence.table, version, at)
        at = event.at
        if wrong is None:
            events.append(event)
    if newer and broken is not None:
        wrong, newer = wrong or Finding(check=Check.LOG, v=len(events) + 1, what=newer), ""
    found = [one for one in (wrong, broken, *_ends(evidence, chain)) if one is not None]
    return ReadLog(events=tuple(events), chain=chain, findings=tuple(found), newer=newer)


def _event(stored: bytes) -> TableEvent:
    event = codec.decode_event(stored)
    if not UPCASTS and codec.encode(event) != stored:
        codec.canonical(stored)
        raise codec.NotCanonical("it holds a field that this version does not know, or writes out a default")
    if UPCASTS or LONG_NUMBER.search(stored) is not None:
        codec.canonical(stored)
    return event


def _misplaced(event: TableEvent, table: str, version: int, at: int) -> Finding | None:
    if event.table != table:
        return Finding(check=Check.LOG, v=version, what=f"it is an event of {event.table}", rule=event.rule)
    if event.v != version:
        return Finding(check=Check.LOG, v=version, what=f"version {event.v} stands in its place", rule=event.rule)
    if event.at < at:
        return Finding(check=Check.LOG, v=version, what=f"time goes back by {at - event.at} ms", rule=event.rule)
    return None


def _ends(evidence: Evidence, chain: bytes) -> tuple[Finding | None, Finding | None]:
    """The log has to reach its head."""
    length = len(evidence.lines)
    if length == 0:
        return Finding(check=Check.LOG, v=1, what="there is no event"), None
    if evidence.head_version is None:
        return None, None
    if length != evidence.head_version:
        what = f"the head of the store says version {evidence.head_version}, the log ends at {length}"
        return Finding(check=Check.LOG, v=min(length, evidence.head_version) + 1, what=what), None
    if evidence.head_chain != chain:
        what = "the head of the store has another chain hash than the log"
        return None, Finding(check=Check.CHAIN, v=length, what=what)
    return None, None
