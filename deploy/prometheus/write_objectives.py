"""Writes ``rules/objectives.yml``: the three objectives as error ratios over seven windows, and their burn-rate alerts.

The windows and factors are those of the SRE workbook, as sloth writes them: two pages (2 % of the budget of 30 days
in an hour, 5 % in six), two tickets (10 % in a day, 10 % in three). An alert needs both its windows, so that it comes
late enough to be true and goes away soon after the fault does. It also needs some bad events, so that one bad
deal at four in the morning, one of three, wakes nobody.
"""

import sys
from pathlib import Path
from typing import Final, NamedTuple

FILE: Final = Path(__file__).parent / "rules" / "objectives.yml"
WINDOWS: Final = ("5m", "30m", "1h", "2h", "6h", "1d", "3d")
BUDGET: Final = "0.001"
"""What may go wrong: 99.9 % of everything counted has to be right."""
BAD_EVENTS_MIN: Final = 5


class Objective(NamedTuple):
    """What is promised, and how the bad and all events of a window are counted; ``W`` stands for the window."""

    slo: str
    alert: str
    promise: str
    bad: str
    total: str


class Burn(NamedTuple):
    """How fast the budget may go: over a short and a long window, as a multiple of what lasts 30 days."""

    severity: str
    short: str
    long: str
    factor: str
    spent: str


OBJECTIVES: Final = (
    Objective(
        slo="moves-acknowledged",
        alert="MovesAcknowledgedLate",
        promise="an accepted command is answered within 100 ms",
        bad='sum(FUNC(poolrummy_ack_seconds_count[W])) - sum(FUNC(poolrummy_ack_seconds_bucket{le="0.1"}[W]))',
        total="sum(FUNC(poolrummy_ack_seconds_count[W]))",
    ),
    Objective(
        slo="deals-finished",
        alert="DealsVoided",
        promise="a deal ends without being voided",
        bad='sum(FUNC(rummy_deals_total{end="void"}[W]))',
        total="sum(FUNC(rummy_deals_total[W]))",
    ),
    Objective(
        slo="standings-fresh",
        alert="StandingsStale",
        promise="an event is in the standings within a second",
        bad='sum(FUNC(poolrummy_effect_age_seconds_count{role="projector"}[W]))'
        ' - sum(FUNC(poolrummy_effect_age_seconds_bucket{le="1.0",role="projector"}[W]))',
        total='sum(FUNC(poolrummy_effect_age_seconds_count{role="projector"}[W]))',
    ),
)
BURNS: Final = (
    Burn(severity="page", short="5m", long="1h", factor="14.4", spent="2 % of the budget of 30 days in an hour"),
    Burn(severity="page", short="30m", long="6h", factor="6", spent="5 % of the budget of 30 days in six hours"),
    Burn(severity="ticket", short="2h", long="1d", factor="3", spent="10 % of the budget of 30 days in a day"),
    Burn(severity="ticket", short="6h", long="3d", factor="1", spent="10 % of the budget of 30 days in three days"),
)


def text() -> str:
    """The whole file."""
    lines = ["# Written by ../write_objectives.py (make fix): change that, not this.", "groups:"]
    for objective in OBJECTIVES:
        lines += ["", f"  - name: {objective.slo}", "    rules:"]
        for window in WINDOWS:
            ratio = f"({counted(objective.bad, 'rate', window)}) / {counted(objective.total, 'rate', window)}"
            lines += recording(f"slo:sli_error:ratio_rate{window}", ratio, objective.slo)
        for window in (burn.long for burn in BURNS):
            bad = counted(objective.bad, "increase", window)
            lines += recording(f"slo:bad_events:increase{window}", bad, objective.slo)
        for burn in BURNS:
            lines += alert(objective, burn)
    return "\n".join(lines) + "\n"


def counted(expression: str, function: str, window: str) -> str:
    """An expression over this window."""
    return expression.replace("FUNC", function).replace("[W]", f"[{window}]")


def recording(name: str, expression: str, slo: str) -> list[str]:
    """One recording rule."""
    return [
        f"      - record: {name}",
        f"        expr: {expression}",
        "        labels:",
        f"          slo: {slo}",
    ]


def alert(objective: Objective, burn: Burn) -> list[str]:
    """One alert: both windows burn, and it is more than a handful of events."""
    where = f'{{slo="{objective.slo}"}}'
    burning = " and ".join(
        f"slo:sli_error:ratio_rate{window}{where} > {burn.factor} * {BUDGET}" for window in (burn.short, burn.long)
    )
    summary = (
        f"{{{{ $value | humanizePercentage }}}} of the last {burn.short} broke the promise that {objective.promise}; "
        f"this pace spends {burn.spent}."
    )
    return [
        f"      - alert: {objective.alert}",
        "        expr: >-",
        f"          {burning}",
        f"          and slo:bad_events:increase{burn.long}{where} >= {BAD_EVENTS_MIN}",
        "        labels:",
        f"          severity: {burn.severity}",
        f"          window: {burn.long}",
        "        annotations:",
        "          summary: >-",
        f"            {summary}",
        f"          runbook: deploy/RUNBOOK.md#{objective.alert.lower()}",
        "          dashboard: /d/poolrummy-throughput",
    ]


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if FILE.read_text("utf-8") == text() else f"{FILE} is not what {__file__} writes: make fix")
    FILE.write_text(text(), "utf-8")
