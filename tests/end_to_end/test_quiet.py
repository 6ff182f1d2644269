"""Case F97: nothing happens for longer than a socket waits; no blocking read outlasts its socket."""

import time
from pathlib import Path

from poolrummy.testing.live_platform import LivePlatform
from poolrummy_contracts.replies import CommandAccepted

from .conftest import opening

QUIET_S = 4.0


def test_after_a_long_silence_the_next_command_is_answered_at_once(redis_url: str, tmp_path: Path) -> None:
    with LivePlatform(redis_url, tmp_path, socket_timeout_s=1.0, poll_ms=500) as platform:
        processes = platform.start("dealer", "validator", "projector")
        time.sleep(QUIET_S)
        began_s = time.monotonic()

        answer = platform.ask(opening("p00-quiet", "house", 2, "101", 0, {}))

        assert isinstance(answer, CommandAccepted)
        assert time.monotonic() - began_s < 2
        assert all(process.ready for process in processes)
        assert [process.log.read_text() for process in processes] == ["", "", ""], "nobody had anything to complain of"
