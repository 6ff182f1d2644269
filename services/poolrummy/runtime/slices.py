"""How many messages are decided in one go, so that the other partitions and the clocks get their turn in time.

An ordinary move costs a tenth of a millisecond, a message that begins a deal ten times as much. A batch is cut so
that a slice takes about :data:`BUDGET_S`, by what the last messages have cost.
"""

from typing import Final

BUDGET_S: Final = 0.001
FORGETS: Final = 0.1
"""How fast a dear message is forgotten; a dearer one counts at once."""


class Slices:
    """The size of the next slice."""

    def __init__(self) -> None:
        self._each_s = BUDGET_S / 50

    @property
    def size(self) -> int:
        """How many messages come next."""
        return max(1, int(BUDGET_S / self._each_s))

    def took(self, seconds: float, messages: int) -> None:
        """Learn what a slice has cost.

        >>> slices = Slices()
        >>> slices.took(0.040, 40), slices.size
        (None, 1)
        """
        each_s = max(seconds / messages, 1e-6)
        self._each_s = each_s if each_s > self._each_s else self._each_s + FORGETS * (each_s - self._each_s)
