"""Every alert is shown firing and silent; promtool plays the cases where the machine has it."""

import subprocess
from collections import Counter

import pytest
import yaml

from poolrummy.dealer.watched_packs import ABNORMAL_SIGMAS
from poolrummy.runtime.settings import Settings

from .promtool import PROMTOOL, needs_promtool
from .queries import DEPLOY, RULES, numbers, rules, selectors

PROMETHEUS = DEPLOY / "prometheus"
CASES = sorted((PROMETHEUS / "cases").glob("*.yml"))
ALERTS = [rule for rule in rules() if rule.alerts]


def promtool(*words: object) -> subprocess.CompletedProcess[str]:
    assert PROMTOOL is not None, "the test is skipped without it"
    return subprocess.run([PROMTOOL, *map(str, words)], capture_output=True, text=True, check=False, timeout=240)


@needs_promtool
def test_promtool_takes_the_rules_and_the_configuration() -> None:
    checked = promtool("check", "rules", *RULES), promtool("check", "config", PROMETHEUS / "prometheus.yml")

    assert [done.returncode for done in checked] == [0, 0], [done.stdout + done.stderr for done in checked]


@needs_promtool
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_the_alerts_fire_and_are_silent_as_the_cases_say(case) -> None:
    done = promtool("test", "rules", case)

    assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_has_a_case_in_which_it_fires_and_one_in_which_it_is_silent() -> None:
    firing: Counter[tuple[str, str]] = Counter()
    silent: Counter[str] = Counter()
    for case in CASES:
        for test in yaml.safe_load(case.read_text("utf-8"))["tests"]:
            for check in test["alert_rule_test"]:
                for expected in check["exp_alerts"]:
                    firing[check["alertname"], expected["exp_labels"].get("window", "")] += 1
                silent[check["alertname"]] += not check["exp_alerts"]

    assert set(firing) == {(alert.name, alert.labels.get("window", "")) for alert in ALERTS}
    assert {name for name, times in silent.items() if times} == {alert.name for alert in ALERTS}


def test_a_case_feeds_only_metrics_that_its_alert_asks_for_at_first_or_second_hand() -> None:
    asked: dict[str, set[str]] = {}
    for rule in rules():
        asked.setdefault(rule.name, set()).update(one.metric for one in selectors(rule.expr))
    for case in CASES:
        for test in yaml.safe_load(case.read_text("utf-8"))["tests"]:
            wanted = set().union(*(asked[check["alertname"]] for check in test["alert_rule_test"]))
            wanted |= set().union(*(asked.get(metric, set()) for metric in wanted))
            fed = {selectors(series["series"])[0].metric for series in test["input_series"]}
            assert fed <= wanted, test["name"]


def test_the_numbers_of_the_alerts_are_those_of_the_code() -> None:
    said = {alert.name: list(numbers(alert.expr)) for alert in ALERTS}

    assert said["PacksUneven"] == [ABNORMAL_SIGMAS]
    assert said["ServerMemoryFull"][-1] * 100 == Settings().memory_high_percent
    assert said["ServerMemoryHigh"][-1] < said["ServerMemoryFull"][-1]
    assert said["InboxLate"][-1] * 1000 < Settings().inbox_age_ms_max
    assert said["FeedLag"][-1] < Settings().lag_entries_max


def test_what_an_alert_needs_is_recorded_in_its_own_group_before_it() -> None:
    """Groups run side by side: a value of another group may be that of the evaluation before."""
    recorded: set[str] = {rule.name for rule in rules() if not rule.alerts}
    before: dict[str, set[str]] = {}
    for rule in rules():
        known = before.setdefault(rule.group, set())
        if rule.alerts:
            needed = {one.metric for one in selectors(rule.expr)} & recorded
            assert needed <= known, (rule.name, needed - known)
        else:
            known.add(rule.name)
