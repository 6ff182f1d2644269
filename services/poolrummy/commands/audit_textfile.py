"""The last audit as metrics, for the textfile collector of a node exporter: an audit is a job, nobody scrapes it."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Gauge, write_to_textfile

from poolrummy.audit.findings import Check, Result
from poolrummy.audit.many import Failed

OUTCOMES: Final = ("right", "wrong", "unchecked")
"""By the exit code of an audit."""


def write(found: Sequence[Result | Failed], file: Path) -> None:
    """Replace the file in one step; ``OSError`` where that cannot be done. No table is named in it."""
    registry = CollectorRegistry()
    tables = Gauge("rummy_audited_tables", "Tables of the last audit, by outcome", ["outcome"], registry=registry)
    checks = Gauge("rummy_audit_failures", "Tables that fail a check in the last audit", ["check"], registry=registry)
    when = Gauge("rummy_audit_last_run_timestamp_seconds", "When the last audit ended", registry=registry)
    for outcome in OUTCOMES:
        tables.labels(outcome)
    for check in Check:
        checks.labels(check.value)
    for one in found:
        code = 2 if isinstance(one, Failed) else one.exit_code
        tables.labels(OUTCOMES[code]).inc()
        for line in () if isinstance(one, Failed) else one.lines:
            checks.labels(line.check.value).inc(line.verdict == "wrong")
    when.set(int(time.time()))
    write_to_textfile(str(file), registry)
