"""The ways to take sets out of the cards of one rank (rule 5.4).

The cards of a rank are a pattern of eight bits, two for each suit. Sets of three or four suits need no joker; a set of
two needs one. A joker more in a set never saves a point, so larger ones are made only when spare jokers are laid down.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from poolrummy.rules.arranging.packed import VALUES, place_bits

SUIT_GROUPS: Final = (0b1111, 0b0111, 0b1011, 0b1101, 0b1110, 0b0011, 0b0101, 0b1001, 0b0110, 0b1010, 0b1100)
"""Which suits are in a set, largest sets first."""


class SetChoice(NamedTuple):
    """Some sets of one rank: points they save, jokers they take, and the cards to take off each suit."""

    points: int
    jokers: int
    spades: int
    hearts: int
    diamonds: int
    clubs: int


class RankSets(NamedTuple):
    """What sets one rank can bring: its place, the bits of a suit that hold it, and the choices.

    ``gains`` are the most points they save with 0, 1, 2 … 13 jokers, as if no sequence needed the cards.
    """

    place: int
    bits: int
    choices: tuple[SetChoice, ...]
    gains: tuple[int, ...]
    gains_few: tuple[int, ...]


KEPT_SETS: Final[dict[int, RankSets]] = {}
"""What was worked out once; there are 13 ranks and 256 patterns, so it is bounded."""


def sets_of_rank(key: int) -> RankSets:
    """All ways to take at least one set of a rank, most cards first, then fewest jokers.

    ``key`` is the place of the rank, then the eight bits of its pattern.
    """
    place, pattern = key >> 8, key & 255
    one, worth = place_bits(place), VALUES[place]
    choices = tuple(
        SetChoice(cards * worth, jokers, *(number * one for number in numbers))
        for cards, jokers, numbers in _ways(pattern)
    )
    gains = tuple(
        max((choice.points for choice in choices if choice.jokers <= jokers), default=0) for jokers in range(14)
    )
    found = KEPT_SETS[key] = RankSets(place, 3 << 2 * place, choices, gains, gains[:4])
    return found


@cache
def sets_taken(pattern: int, jokers: int) -> tuple[int, ...]:
    """The suits of each set, where the sets together take exactly this pattern with so many jokers."""
    return next(_exact(pattern, jokers, 0))


@cache
def _ways(pattern: int) -> tuple[tuple[int, int, tuple[int, int, int, int]], ...]:
    """How many cards, how many jokers, and how many cards of each suit the sets of a pattern can take."""
    fewest: dict[int, int] = {}
    for taken, jokers in _sets(pattern, 0):
        if taken:
            fewest[taken] = min(jokers, fewest.get(taken, jokers))
    found = [
        (sum(numbers), jokers, numbers)
        for taken, jokers in fewest.items()
        for numbers in [(taken & 3, taken >> 2 & 3, taken >> 4 & 3, taken >> 6)]
    ]
    return tuple(sorted(found, key=lambda way: (-way[0], way[1], way[2])))


def _sets(pattern: int, start: int) -> Iterator[tuple[int, int]]:
    yield 0, 0
    for index in range(start, len(SUIT_GROUPS)):
        suits = SUIT_GROUPS[index]
        taken = _spread(suits)
        if _holds(pattern, suits):
            for more, jokers in _sets(pattern - taken, index):
                yield taken + more, jokers + (suits.bit_count() == 2)


def _exact(pattern: int, jokers: int, start: int) -> Iterator[tuple[int, ...]]:
    if not pattern and not jokers:
        yield ()
    for index in range(start, len(SUIT_GROUPS)):
        suits = SUIT_GROUPS[index]
        if _holds(pattern, suits):
            for more in _exact(pattern - _spread(suits), jokers - (suits.bit_count() == 2), index):
                yield (suits, *more)


def _holds(pattern: int, suits: int) -> bool:
    return all(pattern >> 2 * suit & 3 for suit in range(4) if suits >> suit & 1)


def _spread(suits: int) -> int:
    """One card of each of these suits, as a pattern."""
    return sum(1 << 2 * suit for suit in range(4) if suits >> suit & 1)
