"""How an audit looks in a terminal: one line a check, the first failing event, one verdict."""

from collections.abc import Sequence
from typing import Final

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from poolrummy.audit.findings import TITLES, Line, Result, Verdict
from poolrummy.audit.many import Failed, exit_code

MARKS: Final[dict[Verdict, tuple[str, str]]] = {
    "ok": ("OK", "green"),
    "wrong": ("WRONG", "bold red"),
    "unchecked": ("not checked", "yellow"),
    "none": ("none", "dim"),
}
TOLD_MAX: Final = 20


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Several audits in figures."""

    tables: int
    events: int
    right: int
    wrong: int
    not_checked: int
    took_ms: int
    """Summed over processes, without full searches."""
    exhaustive_ms: int


def summary(found: Sequence[Result | Failed]) -> Summary:
    """The figures of these audits."""
    results = [one for one in found if isinstance(one, Result)]
    codes = [one.exit_code for one in results]
    return Summary(
        tables=len(found),
        events=sum(one.events for one in results),
        right=codes.count(0),
        wrong=codes.count(1),
        not_checked=codes.count(2) + len(found) - len(results),
        took_ms=sum(one.took_ms for one in results),
        exhaustive_ms=sum(one.exhaustive_ms for one in results),
    )


def show(console: Console, found: Sequence[Result | Failed]) -> None:
    """One table in full; of several, those that are not right."""
    if len(found) == 1 and isinstance(found[0], Result):
        _show_table(console, found[0])
        return
    odd = [one for one in found if isinstance(one, Failed) or one.exit_code]
    for one in odd[:TOLD_MAX]:
        if isinstance(one, Failed):
            console.print(Text(f"{one.source}: {one.why}", "yellow"))
        else:
            console.print(_short(one))
    if len(odd) > TOLD_MAX:
        console.print(f"and {len(odd) - TOLD_MAX} more; --json tells them all")
    _show_summary(console, summary(found), exit_code(found))


def _show_table(console: Console, result: Result) -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column()
    for line in result.lines:
        mark, style = MARKS[line.verdict]
        table.add_row(Text(line.check.value), Text(mark, style), _what(line))
    console.print(Text(f"{result.table}: {result.events:,} events, {result.deals} deals", "bold"))
    console.print(table)
    console.print(_verdict(result), soft_wrap=True)


def _what(line: Line) -> Text:
    told = Text(f"{line.counted:,} {line.unit}: " if line.counted else "")
    told.append(TITLES[line.check], "" if line.counted else "dim")
    if line.note:
        told.append(f"\n{line.note}", "yellow" if line.verdict == "unchecked" else "dim")
    if line.finding is not None:
        told.append(f"\n{line.finding.sentence}", "red")
    return told


def _verdict(result: Result) -> Text:
    slow = f"; full searches took {result.exhaustive_ms / 1000:.1f} s more" if result.exhaustive_ms else ""
    took = f" ({result.took_ms / 1000:.2f} s{slow})"
    first = result.first
    if first is not None:
        return Text(f"WRONG, first at {first.sentence}{took}", "bold red")
    if result.exit_code:
        mend = f": {result.mend}" if result.mend else ""
        return Text(f"right as far as it could be checked{mend}{took}", "yellow")
    return Text(f"OK: the log is what the rules give, chain {result.chain[:16]}…{took}", "bold green")


def _short(result: Result) -> Text:
    if result.first is not None:
        return Text(f"{result.source}: WRONG, {result.first.check}, {result.first.sentence}", "red")
    unchecked = ", ".join(line.check for line in result.lines if line.verdict == "unchecked")
    return Text(f"{result.source}: not checked: {unchecked}" + (f"; {result.mend}" if result.mend else ""), "yellow")


def _show_summary(console: Console, figures: Summary, code: int) -> None:
    style = {0: "bold green", 1: "bold red"}.get(code, "yellow")
    slow = f", full searches {figures.exhaustive_ms / 1000:.1f} s" if figures.exhaustive_ms else ""
    console.print(
        Text(
            f"{figures.tables:,} tables, {figures.events:,} events: {figures.right:,} right, {figures.wrong:,} wrong, "
            f"{figures.not_checked:,} not fully checked ({figures.took_ms / 1000:.1f} s of work{slow})",
            style,
        )
    )
