"""Every query of a rule or a panel asks for what real processes tell, with the labels and values that they have."""

import json
import re
import subprocess
import sys

import promql_parser as promql
import pytest

from .queries import BOARD, DEPLOY, OF_PROMETHEUS, OF_THE_TARGET, Scrape, board_queries, grouped_by, rules, selectors

pytestmark = pytest.mark.xdist_group("scrape")  # one scrape for all

RECORDED = {rule.name: rule for rule in rules() if not rule.alerts}
QUERIES = [(" ".join((rule.name, *rule.labels.values())), rule.expr) for rule in rules()]
QUERIES += [(title, expr) for title, expr in board_queries()]
COUNTED = re.compile(r"(?:rate|increase)\((\w+)")
MATCHES = {
    "=": lambda value, wanted: value == wanted,
    "!=": lambda value, wanted: value != wanted,
    "=~": lambda value, wanted: re.fullmatch(wanted, value) is not None,
    "!~": lambda value, wanted: re.fullmatch(wanted, value) is None,
}


def known_labels(scrape: Scrape, metric: str) -> set[str]:
    """The labels that a series has, whoever made it: a process, a recording rule, Prometheus."""
    if metric in OF_PROMETHEUS:
        return OF_PROMETHEUS[metric]
    if metric in RECORDED:
        rule = RECORDED[metric]
        return grouped_by(rule.expr) | set(rule.labels)
    return scrape.labels(metric) | OF_THE_TARGET


@pytest.mark.parametrize(("name", "expr"), QUERIES, ids=[name for name, _ in QUERIES])
def test_a_query_asks_for_series_that_exist_with_these_labels(name: str, expr: str, scrape: Scrape) -> None:
    asked = selectors(expr)

    assert asked or "vector(" in expr, "a query without a series"
    for metric, matchers in asked:
        assert metric in {*OF_PROMETHEUS, *RECORDED, *scrape.series}, f"{metric} is told by nobody"
        for label, _, _ in matchers:
            assert label in known_labels(scrape, metric), f"{metric} has no label {label}"
        fitting = [labels for labels in scrape.series.get(metric, []) if fits(labels, matchers)]
        assert fitting or metric not in scrape.series, f"no series of {metric} fits {matchers}: it would never be found"
    said = {label for metric, _ in asked for label in known_labels(scrape, metric)}
    assert grouped_by(expr) <= said | OF_THE_TARGET, f"grouped by labels that nobody has: {grouped_by(expr) - said}"


def fits(labels: dict[str, str], matchers: tuple[tuple[str, str, str], ...]) -> bool:
    """Whether a series is one of those that are asked for."""
    return all(MATCHES[how](labels.get(label, ""), wanted) for label, how, wanted in matchers)


@pytest.mark.parametrize(("name", "expr"), QUERIES, ids=[name for name, _ in QUERIES])
def test_only_what_counts_up_is_asked_for_its_rate(name: str, expr: str, scrape: Scrape) -> None:
    for metric in COUNTED.findall(expr):
        assert scrape.kinds[metric] in {"counter", "histogram"}, f"{metric} is a {scrape.kinds[metric]}"


def test_a_query_is_written_as_its_parser_reads_it() -> None:
    for name, expr in QUERIES:
        assert promql.parse(promql.parse(expr).prettify()).prettify() == promql.parse(expr).prettify(), name


def test_no_series_names_a_table_a_player_or_a_card(scrape: Scrape) -> None:
    labels = {label for found in scrape.series.values() for one in found for label in one}
    values = {value for found in scrape.series.values() for one in found for value in one.values()}

    assert not labels & {"table", "player", "seat", "card", "command"}
    assert not [value for value in values if re.search(r"p\d\d-|player-\d", value)]
    assert sum(map(len, scrape.series.values())) < 1500, "two partitions and five processes"


@pytest.mark.parametrize(
    "script", ["prometheus/write_objectives.py", "grafana/write_dashboard.py", "redis/write_acl.py"]
)
def test_what_is_generated_is_what_its_script_writes(script: str) -> None:
    done = subprocess.run([sys.executable, DEPLOY / script, "--check"], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr


def test_every_panel_has_a_title_of_its_own_and_a_place_of_its_own() -> None:
    panels = json.loads(BOARD.read_text("utf-8"))["panels"]
    titles = [(panel["type"], panel["title"]) for panel in panels]
    cells = [
        (x, y)
        for panel in panels
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]

    assert len(set(titles)) == len(titles)
    assert len(set(cells)) == len(cells), "two panels overlap"
    assert max(x for x, _ in cells) < 24


def test_what_operators_watch_stands_on_the_board() -> None:
    asked = {asked.metric for _, expr in board_queries() for asked in selectors(expr)}
    needed = {
        "rummy_deals_total",
        "rummy_moves_total",
        "poolrummy_ack_seconds_bucket",
        "rummy_drops_total",
        "rummy_declarations_total",
        "rummy_rejoins_total",
        "rummy_splits_total",
        "rummy_fee_minor_total",
        "poolrummy_feed_lag_events",
        "poolrummy_effect_age_seconds_bucket",
        "poolrummy_parked_total",
        "rummy_checkpoint_age_seconds",
        "rummy_pack_unevenness_sigmas",
    }

    assert needed <= asked | {one.metric for rule in RECORDED.values() for one in selectors(rule.expr)}
