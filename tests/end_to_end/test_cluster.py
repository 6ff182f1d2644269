"""Case F100: a server in cluster mode, where a call over keys of two slots fails."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from redis.backoff import ConstantBackoff
from redis.crc import key_slot
from redis.retry import Retry

from poolrummy.runtime.embedded import find_server, free_port
from poolrummy.testing.live_platform import LivePlatform
from poolrummy.testing.scripted_games import Players
from poolrummy_contracts import streams
from poolrummy_contracts.commands import Declare, Sit

from .conftest import opening


@pytest.fixture
def cluster_url(tmp_path: Path) -> Iterator[str]:
    """One node that owns all slots: it refuses a call over two of them as a large cluster does."""
    port, bus = free_port(), free_port()
    words = ["--port", str(port), "--cluster-port", str(bus), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    words += ["--cluster-enabled", "yes", "--dir", str(tmp_path)]
    node = subprocess.Popen([find_server().path, *words], stdout=subprocess.DEVNULL)
    try:
        with redis.Redis(port=port, retry_on_error=[redis.ConnectionError], retry=patient()) as client:
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", "0", "16383")
            with LivePlatform(f"redis://127.0.0.1:{port}/0", tmp_path) as platform:
                platform.until(lambda: client.cluster("INFO")["cluster_state"] == "ok" or None, "the cluster")
            with pytest.raises(redis.ResponseError, match="same slot"):
                client.execute_command("MGET", streams.inbox(0), streams.inbox(1))
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        node.terminate()
        node.wait(10)


class Nodes:
    """Three nodes that share the slots, as they are set up by hand."""

    def __init__(self, folder: Path) -> None:
        self.ports = [free_port() for _ in range(3)]
        self.processes: list[subprocess.Popen[bytes]] = []
        for port in self.ports:
            (folder / str(port)).mkdir()
            words = ["--port", str(port), "--cluster-port", str(free_port()), "--bind", "127.0.0.1", "--save", ""]
            words += ["--appendonly", "no", "--cluster-enabled", "yes", "--dir", str(folder / str(port))]
            self.processes.append(subprocess.Popen([find_server().path, *words], stdout=subprocess.DEVNULL))
        self.clients = [
            redis.Redis(port=port, retry_on_error=[redis.ConnectionError], retry=patient()) for port in self.ports
        ]
        for number, client in enumerate(self.clients):
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", number * 5462, min(number * 5462 + 5461, 16383))
        for port in self.ports[1:]:
            bus = self.clients[self.ports.index(port)].config_get("cluster-port")["cluster-port"]
            self.clients[0].execute_command("CLUSTER", "MEET", "127.0.0.1", port, bus)

    @property
    def settled(self) -> bool:
        found = [client.cluster("INFO") for client in self.clients]
        return all(one["cluster_state"] == "ok" and one["cluster_known_nodes"] == "3" for one in found)

    def holder(self, key: str) -> int:
        """The number of the node that holds this key."""
        return min(key_slot(key.encode()) // 5462, 2)

    def move(self, key: str, *, to: int) -> None:
        """Move the slot of this key, with all that lies in it, to another node, while everybody works on."""
        slot, source = key_slot(key.encode()), self.holder(key)
        ids = [client.execute_command("CLUSTER", "MYID") for client in self.clients]
        self.clients[to].execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[source])
        self.clients[source].execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[to])
        while keys := self.clients[source].execute_command("CLUSTER", "GETKEYSINSLOT", slot, 100):
            self.clients[source].execute_command("MIGRATE", "127.0.0.1", self.ports[to], "", 0, 5000, "KEYS", *keys)
        for number in (to, source, 3 - to - source):
            self.clients[number].execute_command("CLUSTER", "SETSLOT", slot, "NODE", ids[to])

    def end(self) -> None:
        for client, process in zip(self.clients, self.processes, strict=True):
            client.close()
            process.terminate()
            process.wait(10)


class ClusterPlatform(LivePlatform):
    """A platform whose own client knows clusters too."""

    def __init__(self, url: str, folder: Path, **settings: object) -> None:
        super().__init__(url, folder, **settings)
        self.client.close()
        self.client = redis.RedisCluster.from_url(url, socket_timeout=10)  # type: ignore[assignment]  # the same commands


@contextmanager
def settled(folder: Path) -> Iterator[Nodes]:
    """Three nodes that have found each other; they are ended in any case."""
    made = Nodes(folder)
    try:
        end_s = time.monotonic() + 30
        while not made.settled:
            assert time.monotonic() < end_s, "the cluster does not settle"
            time.sleep(0.05)
        yield made
    finally:
        made.end()


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Nodes]:
    with settled(tmp_path) as made:
        yield made


def patient() -> Retry:
    return Retry(ConstantBackoff(0.05), 200)


def test_tables_of_two_slots_are_played_judged_and_shown(cluster_url: str, tmp_path: Path) -> None:
    with LivePlatform(cluster_url, tmp_path) as platform:
        platform.start("dealer", "validator", "projector")
        for table in ("p00-slot", "p01-slot"):
            shown(platform, table)
        for table in ("p00-slot", "p01-slot"):
            seen_in_the_next_deal(platform, table)


def shown(platform: LivePlatform, table: str) -> Players:
    """A table is opened, and the first to play shows."""
    players = Players(platform, table)
    players.do(opening(table, "house", 2, "101", 0, {}))
    for seat in (1, 2):
        players.do(Sit(id=f"sit-{seat}", table=table, player=f"player-{seat}", seat=seat))
    show(players, 1)
    return players


def show(players: Players, number: int) -> None:
    """Whoever is on turn draws, finishes, and declares a hand that is none: the points of a wrong show."""
    deal = players.until_phase("turn", deal=number).deal
    assert deal is not None
    assert deal.on_turn is not None
    seat = deal.on_turn
    players.finish(seat, players.draw(seat))
    deal = players.state.deal
    assert deal is not None
    hand = next(one.hand for one in deal.seats if one.seat == seat)
    players.do(Declare(**players.who(seat), deal=number, groups=(hand,)))


def seen_in_the_next_deal(platform: LivePlatform, table: str, deal: int = 2) -> None:
    """The show was judged, the next deal runs, and the views say so."""
    state = Players(platform, table).until_phase("turn", deal=deal)
    view = streams.view(streams.partition_of(table), "table", table)
    platform.until(lambda view=view, v=state.v: f'"v":{v}' in str(platform.client.get(view)) or None, view)


def test_tables_of_three_nodes_are_played_judged_shown_and_audited_and_a_slot_may_move_meanwhile(
    nodes: Nodes, tmp_path: Path
) -> None:
    tables = ("p00-node", "p02-node", "p03-node")
    assert sorted(nodes.holder(streams.table(table)) for table in tables) == [0, 1, 2]
    url = f"redis://127.0.0.1:{nodes.ports[0]}/0"
    with ClusterPlatform(url, tmp_path, partitions=4) as platform:
        platform.start("dealer", "validator", "projector")
        players = {table: shown(platform, table) for table in tables}
        for table in tables:
            seen_in_the_next_deal(platform, table)

        moved = streams.table("p02-node")
        nodes.move(moved, to=(nodes.holder(moved) + 1) % 3)
        for table in tables:
            show(players[table], 2)
            seen_in_the_next_deal(platform, table, 3)

        for table in tables:
            words = [
                sys.executable,
                "-m",
                "poolrummy.cli",
                "audit",
                table,
                "--url",
                url,
                "--keys",
                str(tmp_path / "keys"),
            ]
            audited = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
            assert audited.returncode == 0, audited.stdout + audited.stderr
        words = [sys.executable, "-m", "poolrummy.cli", "rebuild", "--url", url]
        checked = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
        assert "3 tables in 4 partitions: equal" in checked.stdout, checked.stdout + checked.stderr
