"""Which sequences save what the search has found: the way back through the tables of the suits.

Where several save the same, the first in this order is taken, so that a hand always gets the same groups: the suit of
the pure sequence as S H D C, the longest pure sequence, the lowest; then the fewest jokers in clubs, diamonds, hearts;
then in each suit from the lowest card up: a sequence before none, one with fewer jokers before one with more.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from poolrummy.rules.any_jokers import SuitTables, without_lowest
from poolrummy.rules.fold_any import add
from poolrummy.rules.packed import SUIT_MASK
from poolrummy.rules.search import Vector
from poolrummy.rules.windows import LONGEST


class Line(NamedTuple):
    """A sequence in places: its suit, first place and length, and its cards that are no jokers, as bits."""

    suit: int
    first: int
    length: int
    cards: int
    pure: bool


class Ways(NamedTuple):
    """What the way back needs: the vector of a key, and the steps that lead to it."""

    vector: Callable[[int], Vector]
    suits: SuitTables


def lines_of(ways: Ways, keys: Sequence[int], jokers: int, target: int) -> list[Line]:
    """Sequences that save exactly so much with so many jokers."""
    bare = [ways.suits.bare(key) for key in keys]
    vectors = [ways.vector(key) for key in bare]
    shares = _shares(vectors, jokers, target)
    return [
        line
        for suit, (key, share) in enumerate(zip(bare, shares, strict=True))
        if vectors[suit][-1]
        for line in _lines_in(ways, suit, key, share, _at(vectors[suit], share))
    ]


def lines_with_pure(
    ways: Ways, keys: Sequence[int], jokers: int, target: int, *, second: bool, joker_group: bool
) -> tuple[list[Line], bool]:
    """Sequences with a pure one first that save exactly so much; and whether three jokers are the second one.

    With ``second`` there has to be a second sequence.
    """
    vectors = [ways.vector(ways.suits.bare(key)) for key in keys]
    for suit, key in enumerate(keys):
        runs = sorted(ways.suits.runs(key), key=lambda run: -run.length)
        if not runs:
            continue
        other = _sum([vector for at, vector in enumerate(vectors) if at != suit], jokers)
        for run in runs:
            left = jokers - run.jokers
            wanted = target - run.points
            if run.length > LONGEST or left < 0 or wanted < 0:
                continue
            if not wanted and second and not (joker_group and left >= 3):
                continue
            if _most(other, ways.vector(run.rest), left) == wanted:
                first = Line(suit, _first_place(run.cards), run.length, run.cards, pure=True)
                rest = [*keys[:suit], run.rest, *keys[suit + 1 :]]
                return [first, *(lines_of(ways, rest, left, wanted) if wanted else [])], second and not wanted
    raise AssertionError("the search found more than the tables can show")


def heaviest_line(suits: SuitTables, keys: Sequence[int]) -> Line:
    """The pure sequence of most points (rule 8.2); in the order S H D C, then the longest, then the lowest."""
    found = [
        (-run.points, suit, -run.length, index, run)
        for suit, key in enumerate(keys)
        for index, run in enumerate(suits.runs(key))
    ]
    *_, suit, _, _, run = min(found)
    return Line(suit, _first_place(run.cards), run.length, run.cards, pure=True)


def _shares(vectors: Sequence[Vector], jokers: int, target: int) -> list[int]:
    """How many jokers each suit uses, where together they save the target with as few as possible."""
    sums: list[Vector] = [vectors[0]]
    for vector in vectors[1:]:
        sums.append(_sum([sums[-1], vector], jokers))
    left = next(used for used in range(jokers + 1) if _at(sums[-1], used) == target)
    shares = [0] * len(vectors)
    for suit in range(len(vectors) - 1, 0, -1):
        for own in range(left + 1):
            below = _at(sums[suit - 1], left - own)
            if below + _at(vectors[suit], own) == target:
                shares[suit] = own
                left -= own
                target = below
                break
    shares[0] = left
    return shares


def _sum(vectors: Sequence[Vector], jokers: int) -> Vector:
    """What the parts save together; parts that save nothing cost no time."""
    found: Vector = (0,)
    for vector in vectors:
        if vector[-1]:
            found = add(found, vector, jokers) if found[-1] else vector
    return found


def _most(one: Vector, two: Vector, jokers: int) -> int:
    """The most that two parts save with so many jokers."""
    return max([_at(one, jokers - own) + _at(two, own) for own in range(jokers + 1)])


def _lines_in(ways: Ways, suit: int, key: int, jokers: int, target: int) -> list[Line]:
    """The sequences of one suit that save the target."""
    lines: list[Line] = []
    while target:
        for step in ways.suits.steps(key):
            left = jokers - step.jokers
            if left >= 0 and _at(ways.vector(step.rest), left) + step.points == target:
                lines.append(Line(suit, step.first, step.length, step.cards, pure=step.jokers == 0))
                key, jokers, target = step.rest, left, target - step.points
                break
        else:
            key = without_lowest(key)
    return lines


def _first_place(cards: int) -> int:
    """The lowest place of a pure run; an ace, noted at both ends, stands high where the king is in the run."""
    if cards & 1 and cards >> 24 & 1:
        cards &= ~1
    cards &= SUIT_MASK
    return (cards & -cards).bit_length() - 1 >> 1


def _at(vector: Vector, jokers: int) -> int:
    """What a vector says for so many jokers; its last entry stands for all beyond."""
    return vector[jokers] if jokers < len(vector) else vector[-1]
