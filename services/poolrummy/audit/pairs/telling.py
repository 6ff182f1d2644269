"""What of a ranking is worth telling a person, in the terminal and on the page alike."""

from collections.abc import Iterable
from typing import Final

from poolrummy.audit.pairs.ranking import OneWay, Pair
from poolrummy.audit.pairs.scoring import Scored
from poolrummy.audit.pairs.signals import SIGNALS, Name

TELLING_MILLI: Final = 500
"""Signals below this are left out for people; --json has them all."""


def told_by(way: OneWay) -> list[Scored]:
    """The signals that speak for a direction, the strongest first."""
    telling = [one for one in way.signals if one.score_milli > TELLING_MILLI]
    return sorted(telling, key=lambda one: (-one.score_milli, -one.z_milli, one.signal))


def told_of(pairs: Iterable[Pair]) -> list[Name]:
    """The names of all signals that speak for any of these pairs."""
    told = {one.signal for pair in pairs for way in pair.ways for one in told_by(way)}
    return [signal.name for signal in SIGNALS if signal.name in told]


def thousandths(milli: int, places: int = 2) -> str:
    """A number in thousandths as people write it.

    >>> thousandths(-1250), thousandths(940, 1)
    ('-1.25', '0.9')
    """
    return f"{milli / 1000:.{places}f}"
