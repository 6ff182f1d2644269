"""What all tests of the deployment look at: the rules, and one scrape of real processes that have played."""

import subprocess
import sys
from pathlib import Path

import pytest
import redis

from poolrummy.testing.live_platform import LivePlatform

from .queries import Scrape
from .quick_deals import QuickDeals

DEALS = 520
"""More than the 500 packs after which the statistic of packs is told."""


@pytest.fixture(scope="session")
def scrape(redis_server, tmp_path_factory) -> Scrape:
    """Everything that a dealer, a validator, a projector, a notary and an audit tell, after some hundred deals."""
    with redis.Redis.from_url(redis_server.url) as client:
        client.flushdb()
    folder = tmp_path_factory.mktemp("scraped")
    with LivePlatform(redis_server.url, folder, housekeeping_ms=200) as platform:
        processes = platform.start("dealer", "validator", "projector", "audit")
        deals = QuickDeals(platform)
        deals.play_until(lambda: deals.deals >= DEALS)
        outcome = audited(redis_server.url, deals.over[0], folder / "audit.prom")
        platform.until(lambda: "rummy_fee_minor_total{" in processes[2].metrics() or None, "the projector to catch up")
        platform.until(lambda: 'lag_events{role="notary"}' in processes[0].metrics() or None, "the first housekeeping")
        told = [process.metrics() for process in processes]
    return Scrape([*told, outcome])


def audited(url: str, table: str, file: Path) -> str:
    """What an audit of a closed table leaves for the node exporter; without keys it cannot check everything."""
    words = [sys.executable, "-m", "poolrummy.cli", "audit", table, "--url", url, "--textfile", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2, done.stderr
    return file.read_text()
