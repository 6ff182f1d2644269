"""Writes ``poolrummy.json``, the board for the night shift: what is played, how fast, and whether it is fair.

What stands on it is ``board.py``. Grafana imports the file as it is and asks for
the Prometheus that it shall read.
"""

import json
import sys
from pathlib import Path
from typing import Final

from board import ROWS, Panel

FILE: Final = Path(__file__).with_name("poolrummy.json")
UID: Final = "poolrummy-throughput"
SOURCE: Final = {"type": "prometheus", "uid": "${source}"}
ACROSS: Final = 24
HIGH: Final = 8
HIGH_OF_A_NUMBER: Final = 4


def dashboard() -> dict[str, object]:
    """The whole board."""
    panels: list[dict[str, object]] = []
    y = 0
    for title, row in ROWS:
        panels.append(
            {
                "id": len(panels) + 1,
                "type": "row",
                "title": title,
                "collapsed": False,
                "panels": [],
                "gridPos": place(0, y, ACROSS, 1),
            }
        )
        y += 1
        width = ACROSS // 8 if row[0].number else ACROSS // 3
        high = HIGH_OF_A_NUMBER if row[0].number else HIGH
        for count, panel in enumerate(row):
            column = count * width % ACROSS
            if count and column == 0:
                y += high
            panels.append({"id": len(panels) + 1, "gridPos": place(column, y, width, high), **drawn(panel)})
        y += high
    return {
        "uid": UID,
        "title": "poolrummy",
        "tags": ["poolrummy"],
        "timezone": "browser",
        "editable": False,
        "refresh": "15s",
        "schemaVersion": 39,
        "time": {"from": "now-3h", "to": "now"},
        "templating": {
            "list": [{"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"}]
        },
        "annotations": {
            "list": [
                {
                    "name": "Alerts",
                    "datasource": SOURCE,
                    "enable": True,
                    "expr": 'ALERTS{alertstate="firing",severity="page"}',
                    "titleFormat": "{{alertname}}",
                    "iconColor": "red",
                }
            ]
        },
        "panels": panels,
    }


def place(x: int, y: int, width: int, high: int) -> dict[str, int]:
    """Where a panel lies on the grid."""
    return {"x": x, "y": y, "w": width, "h": high}


def drawn(panel: Panel) -> dict[str, object]:
    """One panel as Grafana reads it."""
    steps: list[dict[str, object]] = [{"color": "green", "value": None}]
    if panel.red_from is not None:
        steps.append({"color": "red", "value": panel.red_from})
    custom = {"fillOpacity": 20 if panel.stacked else 0, "stacking": {"mode": "normal" if panel.stacked else "none"}}
    return {
        "type": "stat" if panel.number else "timeseries",
        "title": panel.title,
        "description": panel.says,
        "datasource": SOURCE,
        "fieldConfig": {
            "defaults": {
                "unit": panel.unit,
                "thresholds": {"mode": "absolute", "steps": steps},
                **({} if panel.number else {"min": 0, "custom": custom} if panel.stacked else {"custom": custom}),
            },
            "overrides": [],
        },
        "targets": [
            {"refId": chr(ord("A") + at), "datasource": SOURCE, "expr": query.expr, "legendFormat": query.legend}
            for at, query in enumerate(panel.queries)
        ],
    }


def text() -> str:
    """The whole file."""
    return json.dumps(dashboard(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if FILE.read_text("utf-8") == text() else f"{FILE} is not what {__file__} writes: make fix")
    FILE.write_text(text(), "utf-8")
