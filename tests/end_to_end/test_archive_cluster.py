"""Tables on three nodes of a cluster are archived by one command: each leaves in a step of its own slot."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from poolrummy_contracts import streams
from poolrummy_contracts.commands import VoidMatch

from .test_cluster import ClusterPlatform, Nodes, settled, shown

TABLES = ("p00-node", "p02-node", "p03-node")


@pytest.fixture
def three(tmp_path: Path) -> Iterator[Nodes]:
    with settled(tmp_path) as made:
        yield made


def command(word: str, *words: str) -> str:
    program = [sys.executable, "-m", "poolrummy.cli", word, *words]
    found = subprocess.run(program, capture_output=True, text=True, timeout=120, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def test_tables_of_three_nodes_are_archived_and_read_from_the_archive(three: Nodes, tmp_path: Path) -> None:
    url = f"redis://127.0.0.1:{three.ports[0]}/0"
    assert sorted(three.holder(streams.table(table)) for table in TABLES) == [0, 1, 2]
    with ClusterPlatform(url, tmp_path, partitions=4) as platform:
        platform.start("dealer", "validator", "projector")
        for table in TABLES:
            players = shown(platform, table)
            players.until_phase("turn", deal=2)
            players.do(VoidMatch(id=f"void-{table}", table=table, operator="meera", reason="the test is over"))
        where = ("--url", url, "--archive", str(tmp_path / "archive"))
        tried = ("archive", *where, "--older-than", "0s", "--dry-run")
        platform.until(lambda: "would archive 3 tables" in command(*tried) or None, "everybody to follow", 60)

        told = command("archive", *where, "--older-than", "0s")

        assert "archived 3 tables" in told
        assert "3 archived tables" in command("archive", *where, "--check")
        assert "0 tables in 4 partitions: equal" in command("rebuild", "--url", url)
        for table in TABLES:
            assert "the table is archived" in command("replay", table, *where)
            assert not platform.client.exists(streams.table(table))
