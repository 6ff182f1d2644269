"""What the whole process knows and every partition obeys."""


class Limits:
    """Bounds of what is taken on: from the settings, and from the server's memory as it was last looked at."""

    def __init__(self, *, payload_bytes_max: int, inbox_age_ms_max: int) -> None:
        self.payload_bytes_max = payload_bytes_max
        self.inbox_age_ms_max = inbox_age_ms_max
        self.memory_is_short = False
