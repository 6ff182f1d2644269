"""A running platform for each test: real processes on a real server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from poolrummy.testing.live_platform import LivePlatform


@pytest.fixture
def platform(redis_url: str, tmp_path: Path) -> Iterator[LivePlatform]:
    with LivePlatform(redis_url, tmp_path) as live:
        yield live
