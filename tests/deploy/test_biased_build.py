"""R7: a dealer that shuffles unevenly raises the alarm by itself: in its metrics, in its journal, and in Prometheus."""

import json
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Self

import pytest
import yaml

from poolrummy.dealer.watched_packs import ABNORMAL_SIGMAS
from poolrummy.runtime.embedded import free_port
from poolrummy.testing.live_platform import LivePlatform

from .promtool import PROMETHEUS, needs_prometheus
from .queries import DEPLOY, Scrape
from .quick_deals import QuickDeals

BIASED = Path(__file__).with_name("biased_dealer.py")
SIGMAS = "rummy_pack_unevenness_sigmas"
PACKS_MAX = 3_000


def sigmas(platform: LivePlatform) -> float:
    """How uneven the dealer says that its packs are; 0 until it says anything."""
    return max(Scrape([platform.processes[0].metrics()]).values.get(SIGMAS, [0.0]))


def test_a_biased_build_trips_the_alarm_within_some_thousand_packs(redis_url: str, tmp_path: Path) -> None:
    with LivePlatform(redis_url, tmp_path) as platform:
        (dealer,) = platform.start("dealer", program=BIASED)
        deals = QuickDeals(platform, tables=16)
        deals.play_until(lambda: sigmas(platform) > ABNORMAL_SIGMAS or deals.deals >= PACKS_MAX)
        told = sigmas(platform)

        assert told > ABNORMAL_SIGMAS, f"{told} after {deals.deals} deals"
        lines = [json.loads(line) for line in dealer.log.read_text().splitlines() if "packs uneven" in line]
        assert lines
        assert lines[0]["level"] == "critical"
        assert lines[0]["sigmas"] > ABNORMAL_SIGMAS


def test_a_sound_build_stays_within_chance(scrape: Scrape) -> None:
    assert scrape.values["rummy_watched_packs"][0] >= 500
    assert abs(scrape.values[SIGMAS][0]) < ABNORMAL_SIGMAS


@needs_prometheus
def test_prometheus_itself_scrapes_evaluates_and_pages(redis_url: str, tmp_path: Path) -> None:
    with LivePlatform(redis_url, tmp_path) as platform:
        platform.start("dealer", program=BIASED)
        platform.start("validator", "projector")
        deals = QuickDeals(platform, tables=16)
        deals.play_until(lambda: sigmas(platform) > ABNORMAL_SIGMAS or deals.deals >= PACKS_MAX)
        with Prometheus(tmp_path, [process.port for process in platform.processes]) as prometheus:
            platform.until(lambda: "PacksUneven" in prometheus.firing() or None, "the page", 60)
            health = prometheus.rules()

    assert set(health.values()) == {"ok"}, {name: how for name, how in health.items() if how != "ok"}


class Prometheus:
    """A Prometheus with our configuration, looking each second at processes on these ports."""

    def __init__(self, folder: Path, ports: list[int]) -> None:
        config = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text("utf-8"))
        config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
        config["rule_files"] = [str(DEPLOY / "prometheus" / "rules" / "*.yml")]
        del config["alerting"]
        config["scrape_configs"] = [
            {**job, "static_configs": [{"targets": [f"127.0.0.1:{port}" for port in ports]}]}
            for job in config["scrape_configs"]
            if job["job_name"] == "poolrummy"
        ]
        file = folder / "prometheus.yml"
        file.write_text(yaml.safe_dump(config))
        self.address = f"127.0.0.1:{free_port()}"
        self.words = [
            f"--config.file={file}",
            f"--storage.tsdb.path={folder / 'tsdb'}",
            f"--web.listen-address={self.address}",
        ]
        self.log = folder / "prometheus.log"

    def __enter__(self) -> Self:
        assert PROMETHEUS is not None, "the test is skipped without it"
        with self.log.open("wb") as out:
            self.handle = subprocess.Popen([PROMETHEUS, *self.words], stdout=out, stderr=out)
        return self

    def __exit__(self, *_: object) -> None:
        self.handle.terminate()
        self.handle.wait(20)

    def firing(self) -> set[str]:
        """The alerts that fire now; none while it starts."""
        found = self._ask("alerts")
        return {one["labels"]["alertname"] for one in found.get("alerts", []) if one["state"] == "firing"}

    def rules(self) -> dict[str, str]:
        """Every rule and whether its last evaluation went well."""
        groups = self._ask("rules")["groups"]
        return {
            rule["name"]: rule["health"] for group in groups for rule in group["rules"] if rule["health"] != "unknown"
        }

    def _ask(self, what: str) -> dict:
        if self.handle.poll() is not None:
            pytest.fail(self.log.read_text()[-2000:])
        try:
            with urllib.request.urlopen(f"http://{self.address}/api/v1/{what}", timeout=5) as answer:
                return json.load(answer)["data"]
        except OSError:
            time.sleep(0.2)
            return {}
