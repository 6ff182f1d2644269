"""The queries of rules and panels, taken apart by a parser, and a scrape to hold them against."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import promql_parser as promql
import yaml
from prometheus_client.parser import text_string_to_metric_families

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
RULES = sorted((DEPLOY / "prometheus" / "rules").glob("*.yml"))
BOARD = DEPLOY / "grafana" / "poolrummy.json"
OF_PROMETHEUS = {"up": {"job", "instance"}, "ALERTS": {"alertname", "alertstate", "severity", "job", "instance"}}
"""Series that Prometheus makes by itself."""
HOW = {
    str(promql.MatchOp.Equal): "=",
    str(promql.MatchOp.NotEqual): "!=",
    str(promql.MatchOp.Re): "=~",
    str(promql.MatchOp.NotRe): "!~",
}
OF_THE_TARGET = {"job", "instance"}


class Rule(NamedTuple):
    """A rule as it stands in its file."""

    file: str
    group: str
    name: str
    alerts: bool
    expr: str
    labels: dict[str, str]
    annotations: dict[str, str]


class Asked(NamedTuple):
    """One selector of a query: the metric, and what its labels must be."""

    metric: str
    matchers: tuple[tuple[str, str, str], ...]


class Scrape:
    """The series that were found, with their labels and values."""

    def __init__(self, told: Sequence[str]) -> None:
        self.series: dict[str, list[dict[str, str]]] = {}
        self.kinds: dict[str, str] = {}
        self.values: dict[str, list[float]] = {}
        for text in told:
            for family in text_string_to_metric_families(text):
                for sample in family.samples:
                    self.series.setdefault(sample.name, []).append(dict(sample.labels))
                    self.values.setdefault(sample.name, []).append(sample.value)
                    self.kinds[sample.name] = family.type

    def labels(self, metric: str) -> set[str]:
        """The names of the labels that a metric has."""
        return {name for labels in self.series.get(metric, []) for name in labels}


def rules() -> list[Rule]:
    """Every rule of every file."""
    return [
        Rule(
            file=path.name,
            group=group["name"],
            name=rule.get("alert") or rule["record"],
            alerts="alert" in rule,
            expr=rule["expr"],
            labels=rule.get("labels", {}),
            annotations=rule.get("annotations", {}),
        )
        for path in RULES
        for group in yaml.safe_load(path.read_text("utf-8"))["groups"]
        for rule in group["rules"]
    ]


def board_queries() -> list[tuple[str, str]]:
    """Title and query of every panel, and those of the annotations."""
    board = json.loads(BOARD.read_text("utf-8"))
    panels = [(panel["title"], one["expr"]) for panel in board["panels"] for one in panel.get("targets", [])]
    return panels + [(one["name"], one["expr"]) for one in board["annotations"]["list"]]


def selectors(expr: str) -> list[Asked]:
    """Every selector of a query."""
    found: list[Asked] = []

    def look(node: object) -> None:
        if isinstance(node, promql.VectorSelector):
            said = tuple((one.name, HOW[str(one.op)], one.value) for one in node.matchers.matchers)
            found.append(Asked(node.name, said))

    promql.walk(promql.parse(expr), look)
    return found


def grouped_by(expr: str) -> set[str]:
    """The labels that a query groups by."""
    return {
        label
        for words in re.findall(r"\b(?:by|on|without|group_left)\s*\(([^)]*)\)", expr)
        for label in re.findall(r"\w+", words)
    }


def numbers(expr: str) -> Iterator[float]:
    """The numbers that stand in a query."""
    found: list[float] = []

    def look(node: object) -> None:
        if isinstance(node, promql.NumberLiteral):
            found.append(node.val)

    promql.walk(promql.parse(expr), look)
    return iter(found)
