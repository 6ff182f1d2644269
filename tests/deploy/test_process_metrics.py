"""What processes tell of themselves when something is the matter: the metrics behind the alerts."""

import time
from pathlib import Path

import pytest

from poolrummy.audit.findings import Check, Line, Result
from poolrummy.audit.many import Failed
from poolrummy.commands import audit_textfile
from poolrummy.runtime.embedded import embedded_server
from poolrummy.testing.live_platform import LivePlatform
from poolrummy_contracts import codec, streams
from poolrummy_contracts.commands import OpenTable

from .queries import Scrape

OPENING = OpenTable(
    id="open",
    table="p00-metrics",
    profile="house",
    variant="101",
    seats=2,
    entry_fee=0,
    currency="practice",
    rake_bp=0,
    rejoin_payment="none",
)


def value(platform: LivePlatform, name: str) -> float:
    return max(Scrape([platform.processes[0].metrics()]).values[name])


def test_a_process_is_not_ready_in_its_metrics_either_while_the_server_is_away(tmp_path: Path) -> None:
    with embedded_server(tmp_path / "server") as server:
        platform = LivePlatform(server.url, tmp_path)
        platform.start("dealer")
        before = value(platform, "poolrummy_ready")
    try:
        platform.until(lambda: not value(platform, "poolrummy_ready") or None, "ready to fall")
        owned = value(platform, "poolrummy_partitions_owned")
    finally:
        platform.processes[0].handle.kill()
        platform.processes[0].handle.wait(10)
        platform.client.close()

    assert before == 1
    assert owned == 0, "what it held may be taken over meanwhile"


def test_a_command_stamped_with_tomorrow_is_seen(redis_url: str, tmp_path: Path) -> None:
    with LivePlatform(redis_url, tmp_path) as platform:
        platform.start("dealer")
        platform.ask(OPENING)
        assert value(platform, "poolrummy_inbox_ahead_seconds") < 1
        tomorrow = f"{int(time.time() * 1000) + 86_400_000}-0"
        platform.client.execute_command("XADD", streams.inbox(0), tomorrow, "e", codec.encode(OPENING))

        platform.until(lambda: value(platform, "poolrummy_inbox_ahead_seconds") > 86_000 or None, "it to be told")


@pytest.mark.xdist_group("scrape")
def test_every_accepted_command_is_timed_and_every_event_that_was_followed(scrape: Scrape) -> None:
    events = sum(scrape.values["poolrummy_events_total"])
    followed = [
        count
        for count, labels in zip(
            scrape.values["poolrummy_effect_age_seconds_count"],
            scrape.series["poolrummy_effect_age_seconds_count"],
            strict=True,
        )
        if labels["role"] == "validator"
    ]

    assert 500 < sum(scrape.values["poolrummy_ack_seconds_count"]) <= events
    assert 0 < sum(followed) <= events


def test_an_audit_leaves_its_outcome_as_metrics(tmp_path: Path) -> None:
    def line(check: Check, verdict: str) -> Line:
        return Line(check=check, verdict=verdict, counted=1, unit="events")

    def result(*lines: Line) -> Result:
        return Result(source="s", table="p00-t", events=1, deals=1, chain="", lines=lines, took_ms=1)

    found = [
        result(line(Check.CHAIN, "ok")),
        result(line(Check.CHAIN, "wrong"), line(Check.MONEY, "wrong")),
        result(line(Check.PACKS, "unchecked")),
        Failed(source="s", why="unreadable"),
    ]
    audit_textfile.write(found, tmp_path / "audit.prom")
    text = (tmp_path / "audit.prom").read_text()
    scrape = Scrape([text])
    tables = {
        one["outcome"]: scrape.values["rummy_audited_tables"][at]
        for at, one in enumerate(scrape.series["rummy_audited_tables"])
    }
    checks = {
        one["check"]: scrape.values["rummy_audit_failures"][at]
        for at, one in enumerate(scrape.series["rummy_audit_failures"])
    }

    assert tables == {"right": 1, "wrong": 1, "unchecked": 2}
    assert {check for check, failing in checks.items() if failing} == {"chain", "money"}
    assert set(checks) == set(Check), "a check that never failed is told as 0"
    assert abs(scrape.values["rummy_audit_last_run_timestamp_seconds"][0] - time.time()) < 60
    assert "p00-t" not in text
