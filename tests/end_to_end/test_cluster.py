"""Case F100: a server in cluster mode, where a call over keys of two slots fails."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from redis.backoff import ConstantBackoff
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


def patient() -> Retry:
    return Retry(ConstantBackoff(0.05), 200)


def test_tables_of_two_slots_are_played_judged_and_shown(cluster_url: str, tmp_path: Path) -> None:
    with LivePlatform(cluster_url, tmp_path) as platform:
        platform.start("dealer", "validator", "projector")
        for table in ("p00-slot", "p01-slot"):
            players = Players(platform, table)
            players.do(opening(table, "house", 2, "101", 0, {}))
            for seat in (1, 2):
                players.do(Sit(id=f"sit-{seat}", table=table, player=f"player-{seat}", seat=seat))
            deal = players.until_phase("turn").deal
            assert deal is not None
            assert deal.on_turn is not None
            seat = deal.on_turn
            players.finish(seat, players.draw(seat))
            hand = next(one.hand for one in players.state.deal.seats if one.seat == seat)
            players.do(Declare(**players.who(seat), deal=1, groups=(hand,)))

        for table in ("p00-slot", "p01-slot"):
            state = Players(platform, table).until_phase("turn", deal=2)
            view = streams.view(streams.partition_of(table), "table", table)
            platform.until(lambda view=view, v=state.v: f'"v":{v}' in str(platform.client.get(view)) or None, view)
