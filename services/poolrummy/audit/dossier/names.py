"""How a dossier says who, when, how much and how long."""

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from poolrummy.audit.wording import seconds
from poolrummy_contracts.terms import Seat


class Who:
    """Names of seats: the number first, since that is what the log proves, then the player."""

    def __init__(self, players: Mapping[Seat, str]) -> None:
        self.players = players

    def of(self, seat: Seat) -> str:
        """In the middle of a sentence."""
        return f"seat {seat} ({self.players[seat]})" if seat in self.players else f"seat {seat}"

    def first(self, seat: Seat) -> str:
        """At the beginning of a sentence."""
        return "S" + self.of(seat)[1:]

    def all(self, seats: Sequence[Seat]) -> str:
        """Several seats in a sentence."""
        return joined([self.of(seat) for seat in seats]) or "nobody"


def joined(parts: Sequence[str], last: str = "and") -> str:
    """Parts of a sentence.

    >>> joined(["a", "b", "c"]), joined(["a"])
    ('a, b and c', 'a')
    """
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def minor(currency: str) -> str:
    """What the minor unit is called."""
    return "paise" if currency == "INR" else "minor units"


def clock(at_ms: int) -> str:
    """The time of day, UTC, to the millisecond.

    >>> clock(1_764_450_000_123)
    '21:00:00.123'
    """
    return datetime.fromtimestamp(at_ms // 1000, UTC).strftime("%H:%M:%S") + f".{at_ms % 1000:03d}"


def day(at_ms: int) -> str:
    """The day, UTC.

    >>> day(1_764_450_000_123)
    '2025-11-29'
    """
    return datetime.fromtimestamp(at_ms // 1000, UTC).strftime("%Y-%m-%d")


def ordinal_times(number: int) -> str:
    """How often.

    >>> ordinal_times(1), ordinal_times(2), ordinal_times(3)
    ('once', 'twice', '3 times')
    """
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def span(ms: int) -> str:
    """A time span, whole or to the millisecond."""
    return seconds(max(ms, 0))


def visible(text: str) -> str:
    """Text without control and direction characters, by which a name could turn around what stands beside it.

    >>> visible("a" + chr(0x202E) + "b") == "a" + chr(0xFFFD) + "b"
    True
    """
    if text.isascii() and text.isprintable():
        return text
    hidden = {"Cc", "Cf", "Cs", "Co"}
    return "".join(one if one in "\n\t" or unicodedata.category(one) not in hidden else chr(0xFFFD) for one in text)
