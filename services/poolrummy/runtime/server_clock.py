"""The server's clock as a process sees it between two answers. Nobody's own clock decides anything."""

import time


class ServerClock:
    """Time of the server, carried on by our monotonic clock since it was last told."""

    def __init__(self) -> None:
        self._ahead_ms = time.time_ns() // 1_000_000 - monotonic_ms()

    def told(self, now_ms: int) -> None:
        """The server just said what time it is."""
        self._ahead_ms = now_ms - monotonic_ms()

    @property
    def skew_ms(self) -> int:
        """How far this machine's clock is ahead of the server's; 0 before the server was heard."""
        return time.time_ns() // 1_000_000 - self.now_ms()

    def now_ms(self) -> int:
        """About what time it is there."""
        return monotonic_ms() + self._ahead_ms


def monotonic_ms() -> int:
    """Milliseconds that never go back."""
    return time.monotonic_ns() // 1_000_000
