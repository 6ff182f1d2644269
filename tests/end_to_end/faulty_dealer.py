"""A dealer with a fault of our own: it raises, or takes the process along, on commands with these words in their id.

The clocks of a table that is named ``…-kills`` take it along as well.
"""

import os
import signal
import sys

from poolrummy.dealer.app import run
from poolrummy.rules import table as rules
from poolrummy.runtime.settings import Settings
from poolrummy_contracts.commands import RunClock

sound = rules.decide


def faulty(table, command, now_ms, hidden):
    name = str(getattr(command, "id", ""))
    if "raises" in name:
        raise RuntimeError("a fault of our own")
    if "kills" in name:
        os._exit(137)
    if isinstance(command, RunClock) and table is not None and table.id.endswith("-kills"):
        os.kill(os.getpid(), signal.SIGKILL)
    return sound(table, command, now_ms, hidden)


if __name__ == "__main__":
    rules.decide = faulty
    sys.exit(run(Settings.from_environment()))
