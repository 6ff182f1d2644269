"""Prometheus's own programs, where the machine has them: Debian's package `prometheus` brings both."""

import os
import shutil

import pytest

PROMTOOL = os.environ.get("PROMTOOL") or shutil.which("promtool")
PROMETHEUS = os.environ.get("PROMETHEUS") or shutil.which("prometheus")

needs_promtool = pytest.mark.skipif(
    PROMTOOL is None,
    reason="no promtool on PATH (apt-get install prometheus, or PROMTOOL=...); queries are parsed all the same",
)
needs_prometheus = pytest.mark.skipif(
    PROMETHEUS is None, reason="no prometheus on PATH (apt-get install prometheus, or PROMETHEUS=...)"
)
