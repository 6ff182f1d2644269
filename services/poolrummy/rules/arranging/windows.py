"""The stretches of a suit that can become a sequence (rules 5.1 and 5.3), as numbers to take off a packed suit.

A window is a sequence whose lowest natural card lies at a given place; jokers fill its other places. Windows of three
to five places are enough, since a longer sequence can be cut into two (ARRANGER.md, "Why short windows are enough").
"""

from functools import lru_cache
from typing import Final, NamedTuple

from poolrummy.rules.arranging.packed import HIGH_AND_LOW_ACE, PLACES, VALUES, place_bits

LONGEST: Final = 5
LOCAL_ONES: Final = 0x155
"""The lower bits of a place and the four places above it."""
LOCAL_PAIRS: Final = 0x2AA
"""The upper bits of the same five places: one is set where a place holds two cards or three."""


class Window(NamedTuple):
    """A sequence to be: how many jokers it takes, what to take off the suit, the points it saves."""

    jokers: int
    cards: int
    points: int


Windows = tuple[dict[int, tuple[Window, ...]], ...]
"""For each place, for each pattern of that place and the four above it: the windows that begin there."""


def windows_up_to(longest: int, most_jokers: int, *, every: bool) -> Windows:
    """All windows of at most so many places and jokers; with ``every`` also those with a joker where a card is held.

    Without it a window takes every card that lies in it: enough where each of these places holds one card only.
    """
    patterns = [_pattern(bits) for bits in range(16)]
    return tuple(
        {seen: _windows(place, seen, longest, most_jokers, every=every) for seen in patterns} for place in range(PLACES)
    )


def _pattern(bits: int) -> int:
    """The lower bits of five places, the first of them held."""
    return 1 | sum(1 << 2 * (step + 1) for step in range(4) if bits >> step & 1)


def _windows(place: int, seen: int, longest: int, most_jokers: int, *, every: bool) -> tuple[Window, ...]:
    held = [step for step in range(5) if seen >> 2 * step & 1 and place + step < PLACES]
    found: dict[int, Window] = {}
    for length in range(3, min(longest, LONGEST) + 1):
        inside = [step for step in held if 0 < step < length]
        for left_out in range(1 << len(inside) if every else 1):
            steps = [0, *(step for bit, step in enumerate(inside) if not left_out >> bit & 1)]
            # A longer window ends on a card: a joker at its end would be wasted.
            if length - len(steps) > most_jokers or (length > 3 and steps[-1] != length - 1):
                continue
            cards = sum(place_bits(place + step) for step in steps)
            points = sum(VALUES[place + step] for step in steps)
            found.setdefault(cards, Window(length - len(steps), cards, points))
    return tuple(sorted(found.values()))


class CountedWindow(NamedTuple):
    """A window under a limit of jokers; with ``own`` a wild card in its own place is needed to keep the limit."""

    jokers: int
    cards: int
    points: int
    first: int
    length: int
    own: bool


@lru_cache(16_384)
def counted_windows(
    place: int, seen: int, wild_place: int, longest: int, most_jokers: int
) -> tuple[CountedWindow, ...]:
    """The windows of a suit that holds a wild card, where jokers are counted but not a wild card in its own place.

    A window of three may begin below the card, on the wild card or a joker (rule 5.7).
    """
    held = [place + step for step in range(5) if seen >> 2 * step & 1 and place + step < PLACES]
    found: set[CountedWindow] = set()
    for length in range(3, longest + 1):
        lowest = max(0, place - 2) if length == 3 else place
        for first in range(lowest, min(place, PLACES - length) + 1):
            inside = [at for at in held if place < at < first + length]
            wild_in = first <= wild_place < first + length or (wild_place == 0 and first + length == PLACES)
            for chosen in range(1 << len(inside)):
                places = [place, *(at for bit, at in enumerate(inside) if chosen >> bit & 1)]
                jokers = length - len(places)
                own = jokers > most_jokers
                if jokers - wild_in > most_jokers or (length > 3 and places[-1] != first + length - 1):
                    continue
                cards = sum(place_bits(at) for at in places)
                points = sum(VALUES[at] for at in places)
                found.add(CountedWindow(jokers, cards, points, first, length, own))
    return tuple(sorted(found))


def _short_runs(place: int, seen: int) -> tuple[tuple[int, int], ...]:
    """The pure sequences of three to five cards that begin at a place: their cards, an ace at both ends, and points."""
    found: list[tuple[int, int]] = []
    for length in range(3, LONGEST + 1):
        places = range(place, place + length)
        if place + length <= PLACES and all(seen >> 2 * step & 1 for step in range(length)):
            cards = sum(place_bits(at % (PLACES - 1)) for at in places)
            found.append((cards, sum(VALUES[at] for at in places)))
    return tuple(found)


SHORT_RUNS: Final = tuple(
    {_pattern(bits): _short_runs(place, _pattern(bits)) for bits in range(16)} for place in range(PLACES)
)
"""For each place, for each pattern of that place and the four above it: the pure sequences that begin there."""

PureRun = tuple[int, int, int, int]
"""A pure sequence of a suit: its cards, an ace at both ends; its length and points; wild cards in it (0 or 1)."""

_RUN: Final = tuple(sum(1 << 2 * place for place in range(length)) for length in range(PLACES + 1))
"""So many places from the lowest on."""
_WORTH: Final = tuple(sum(VALUES[:place]) for place in range(PLACES + 1))
"""Points of all cards below a place."""


def pure_runs(present: int, wild_place: int) -> list[PureRun]:
    """Every pure sequence of these places, lowest first, then shortest first; no more than 13 cards (rule 5.2).

    ``wild_place`` is -1 where no wild card is among them.

    >>> [length for _, length, _, _ in pure_runs(sum(place_bits(place) for place in (3, 4, 5, 6)), -1)]
    [3, 4, 3]
    """
    found: list[PureRun] = []
    starts = present & present >> 2 & present >> 4
    while starts:
        lowest = starts & -starts
        starts ^= lowest
        first = lowest.bit_length() - 1 >> 1
        last = first + 2
        while last < PLACES and present >> 2 * last & 1 and last - first < 13:
            cards = _RUN[last - first + 1] << 2 * first
            if first == 0 or last == 13:
                cards |= HIGH_AND_LOW_ACE
            points = _WORTH[last + 1] - _WORTH[first]
            wilds = 0
            if first <= wild_place <= last or (wild_place == 0 and last == 13):
                points -= VALUES[wild_place]
                wilds = 1
            last += 1
            found.append((cards, last - first, points, wilds))
    return found
