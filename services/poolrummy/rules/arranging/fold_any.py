"""What four suits save together with any number of jokers; the entries of the suits come from ``any_jokers``.

Three folds for the three things that a way of counting can ask for: any groups at all, a pure sequence among them, or a
pure sequence and a second one (rules 6.2 and 8.2).
"""

# ruff: noqa: PLR1730, SIM113 -- a call of max() costs three times the comparison, and enumerate() a tuple, here where it counts

from collections.abc import Sequence

from poolrummy.rules.arranging.search import NEVER, Record, Vector


def add(one: Vector, two: Vector, jokers: int) -> Vector:
    """Share jokers between two parts in the best way: entry j is the most that both save with j jokers.

    >>> add((0, 12), (0, 5, 20), 2)
    (0, 12, 20)
    """
    size = len(one) + len(two) - 1
    if size > jokers + 1:
        size = jokers + 1
    found = [NEVER] * size
    start = 0
    for points in one:
        at = start
        for more in two:
            if at == size:
                break
            if points + more > found[at]:
                found[at] = points + more
            at += 1
        start += 1
        if start == size:
            break
    return tuple(found)


def any_groups(spades: Record, hearts: Record, diamonds: Record, clubs: Record, jokers: int) -> Vector:
    """What any sequences save."""
    return _full(_sum((spades[0], hearts[0], diamonds[0], clubs[0]), jokers), jokers)


def with_pure(spades: Record, hearts: Record, diamonds: Record, clubs: Record, jokers: int) -> Vector | None:
    """What sequences save with a pure one among them; None where there is none."""
    best: Vector | None = None
    for suit, other in _choices((spades, hearts, diamonds, clubs), jokers):
        best = _better(best, _full(add(suit[1], other, jokers), jokers))
    return best


def with_second(spades: Record, hearts: Record, diamonds: Record, clubs: Record, jokers: int) -> Vector | None:
    """What sequences save with a pure one and a second one among them; None where no pure one is left."""
    best: Vector | None = None
    for suit, other in _choices((spades, hearts, diamonds, clubs), jokers):
        best = _better(best, _second(suit, other, jokers, joker_group=False))
    return best


def with_second_or_jokers(
    spades: Record, hearts: Record, diamonds: Record, clubs: Record, jokers: int
) -> Vector | None:
    """The same where three jokers by themselves are a sequence (rule 5.6)."""
    best: Vector | None = None
    for suit, other in _choices((spades, hearts, diamonds, clubs), jokers):
        best = _better(best, _second(suit, other, jokers, joker_group=True))
    return best


def _choices(suits: tuple[Record, Record, Record, Record], jokers: int) -> list[tuple[Record, Vector]]:
    """The suits that can bring the pure sequence, each with what the three others save."""
    pure = [suit for suit in suits if suit[3]]
    if not pure:
        return []
    other = _sum([suit[0] for suit in suits if not suit[3]], jokers)
    if len(pure) == 1:
        return [(pure[0], other)]
    return [
        (suit, _sum([other, *(another[0] for at, another in enumerate(pure) if at != index)], jokers))
        for index, suit in enumerate(pure)
    ]


def _second(suit: Record, other: Vector, jokers: int, *, joker_group: bool) -> Vector:
    """The pure sequence in this suit, the second one here or elsewhere."""
    _, pure, both, _ = suit
    if other[0]:
        return _full(add(pure, other, jokers), jokers)
    end = jokers + 1
    found = list(both[:end])
    found += [both[-1]] * (end - len(found))
    start = 0
    for points in pure:
        at = start
        for more in other:
            if at == end:
                break
            if more and points + more > found[at]:
                found[at] = points + more
            at += 1
        start += 1
        if start == end:
            break
    if joker_group:
        for at, points in enumerate(pure[: max(0, end - 3)], 3):
            if points > found[at]:
                found[at] = points
    return _full(found, jokers)


def _sum(vectors: Sequence[Vector], jokers: int) -> Vector:
    """What several parts save together; those that save nothing cost no time."""
    found: Vector = (0,)
    for vector in vectors:
        if vector[-1]:
            found = add(found, vector, jokers) if found[-1] else vector
    return found


def _full(vector: Sequence[int], jokers: int) -> Vector:
    """The vector with one entry for each number of jokers, rising."""
    found: list[int] = []
    best = NEVER
    for points in vector:
        if points > best:
            best = points
        found.append(best)
    found += [best] * (jokers + 1 - len(found))
    return tuple(found[: jokers + 1])


def _better(one: Vector | None, two: Vector) -> Vector:
    return two if one is None else tuple(map(max, one, two))
