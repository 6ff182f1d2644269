"""Ends a process whose loop hangs: a handler that never returns would hold its partitions for ever.

It counts its own wakings, not the clock: a process that was frozen as a whole and woken again is not hanging.
"""

import os
import sys
import threading
from typing import Final

EXIT_HUNG: Final = 70


class Watchdog:
    """A thread that must hear a beat from the loop every so often."""

    def __init__(self, *, hang_s_max: float) -> None:
        self.step_s = min(1.0, hang_s_max / 4)
        self.misses_max = round(hang_s_max / self.step_s)
        self._beats = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def beat(self) -> None:
        """The loop is alive."""
        self._beats += 1

    def stop(self) -> None:
        """The loop ends on its own."""
        self._stopped.set()

    def _watch(self) -> None:
        heard, misses = -1, 0
        while not self._stopped.wait(self.step_s):
            heard, misses = (self._beats, 0) if self._beats != heard else (heard, misses + 1)
            if misses >= self.misses_max:
                sys.stderr.write(
                    f"the event loop hangs for {misses * self.step_s:.0f} s; the process ends, so that another "
                    "owner takes over from what is stored\n"
                )
                sys.stderr.flush()
                os._exit(EXIT_HUNG)
