"""What a benchmark says: one figure, the baseline it stands beside, and the bar where there is one."""

import msgspec


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A figure. ``better`` says which way; ``ratio`` is how many times better than the baseline."""

    what: str
    value: float
    unit: str
    baseline: float | None = None
    beside: str = ""
    """What the baseline is."""
    bar: float | None = None
    better: str = "more"

    @property
    def ratio(self) -> float | None:
        """How many times better than the baseline: above 1 is better."""
        if not self.baseline or not self.value:
            return None
        return self.value / self.baseline if self.better == "more" else self.baseline / self.value

    @property
    def reached(self) -> bool | None:
        """Whether the bar is reached; None where there is none."""
        if self.bar is None:
            return None
        return self.value >= self.bar if self.better == "more" else self.value <= self.bar
