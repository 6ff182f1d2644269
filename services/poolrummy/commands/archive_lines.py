"""How a pass of the archiver, and a check of its archive, look in a terminal and as JSON."""

from typing import Final

import msgspec
from rich.console import Console
from rich.text import Text

from poolrummy.archive.checking import Checked
from poolrummy.archive.choosing import reasons
from poolrummy.archive.passing import Pass, Wrong
from poolrummy.runtime.errors import RuntimeFault

TOLD_MAX: Final = 20


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """A pass, however it ended."""

    passing: Pass
    took_ms: int
    fault: RuntimeFault | None = None
    interrupted: bool = False


def show_pass(console: Console, ended: Ended, place: str, *, dry_run: bool) -> None:
    """What has left, what stays and why, and what is wrong."""
    passing = ended.passing
    tables, events = len(passing.gone), sum(one.events for one in passing.gone)
    log_bytes, file_bytes = (sum(getattr(one, size) for one in passing.gone) for size in ("log_bytes", "file_bytes"))
    if dry_run:
        told = f"would archive {tables:,} tables: {events:,} events, {log_bytes:,} bytes of log"
    else:
        each = f", {file_bytes / events:.0f} an event" if events else ""
        took = f" ({ended.took_ms / 1000:.1f} s)"
        told = f"archived {tables:,} tables in {place}: {events:,} events, {file_bytes:,} bytes{each}{took}"
    console.print(told, soft_wrap=True)
    for why, count in reasons(passing.left):
        console.print(f"{count:,} stay: {why}", soft_wrap=True)
    if ended.interrupted:
        console.print("interrupted: nothing is lost, the next run goes on here")
    _show_wrong(console, passing.wrong)


def show_checked(console: Console, found: Checked, place: str) -> None:
    """Whether the archive holds what left."""
    verdict = Text("WRONG", "bold red") if found.wrong else Text("OK", "bold green")
    told = f"{found.tables:,} archived tables, {found.events:,} events in {place}: "
    console.print(Text.assemble(told, verdict), soft_wrap=True)
    _show_wrong(console, found.wrong)


def told_pass(ended: Ended, place: str, *, dry_run: bool) -> str:
    """The pass as JSON, table by table."""
    passing = ended.passing
    told = {
        "archive": place,
        "dry_run": dry_run,
        "gone": passing.gone,
        "left": passing.left,
        "wrong": passing.wrong,
        "took_ms": ended.took_ms,
        "interrupted": ended.interrupted,
        "fault": None if ended.fault is None else str(ended.fault),
    }
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode()


def told_checked(found: Checked, place: str) -> str:
    """The check as JSON."""
    told = {"archive": place, "tables": found.tables, "events": found.events, "wrong": found.wrong}
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode()


def _show_wrong(console: Console, wrong: "list[Wrong] | tuple[Wrong, ...]") -> None:
    for one in wrong[:TOLD_MAX]:
        console.print(Text(f"WRONG {one.table}: {one.what}", "red"), soft_wrap=True)
    if len(wrong) > TOLD_MAX:
        console.print(f"and {len(wrong) - TOLD_MAX} more; --json tells them all")
