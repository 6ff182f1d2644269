"""What four suits save together with any number of jokers; the entries of the suits come from ``any_jokers``.

Three folds for the three things that a way of counting can ask for: any groups at all, a pure sequence among them, or a
pure sequence and a second one (rules 6.2 and 8.2).
"""

from poolrummy.rules.search import NEVER, Record, Vector


def add(one: Vector, two: Vector, jokers: int) -> Vector:
    """Share jokers between two parts in the best way: entry j is the most that both save with j jokers.

    >>> add((0, 12), (0, 5, 20), 2)
    (0, 12, 20)
    """
    size = min(len(one) + len(two) - 1, jokers + 1)
    found = [NEVER] * size
    for start, points in enumerate(one[:size]):
        at = start
        for more in two[: size - start]:
            if points + more > found[at]:
                found[at] = points + more
            at += 1
    return tuple(found)


def any_groups(spades: Record, hearts: Record, diamonds: Record, clubs: Record, jokers: int) -> Vector:
    """What any sequences save."""
    return _full(_all([spades[0], hearts[0], diamonds[0], clubs[0]], jokers), jokers)


def with_pure(spades: Record, hearts: Record, diamonds: Record, clubs: Record, jokers: int) -> Vector | None:
    """What sequences save with a pure one among them; None where there is none."""
    suits = [spades, hearts, diamonds, clubs]
    found = [
        _full(add(suit[1], _others(suits, index, jokers), jokers), jokers)
        for index, suit in enumerate(suits)
        if suit[3]
    ]
    return _best(found)


def with_second(
    spades: Record, hearts: Record, diamonds: Record, clubs: Record, jokers: int, *, joker_group: bool = False
) -> Vector | None:
    """What sequences save with a pure one and a second one among them; None where no pure one is left.

    With ``joker_group`` three jokers by themselves are a sequence (rule 5.6).
    """
    suits = [spades, hearts, diamonds, clubs]
    return _best(
        [
            _second(suit, _others(suits, index, jokers), jokers, joker_group=joker_group)
            for index, suit in enumerate(suits)
            if suit[3]
        ]
    )


def with_second_or_jokers(
    spades: Record, hearts: Record, diamonds: Record, clubs: Record, jokers: int
) -> Vector | None:
    """The same where the terms allow a group of jokers only."""
    return with_second(spades, hearts, diamonds, clubs, jokers, joker_group=True)


def _second(suit: Record, other: Vector, jokers: int, *, joker_group: bool) -> Vector:
    """The pure sequence in this suit, the second one here or elsewhere."""
    _, pure, both, _ = suit
    found = [NEVER] * (jokers + 1)
    if not other[0]:
        found[: len(both)] = both[: jokers + 1]
        found[len(both) :] = [both[-1]] * (jokers + 1 - len(both))
    for start, points in enumerate(pure[: jokers + 1]):
        for at, more in enumerate(other[: jokers + 1 - start], start):
            if more:
                if points + more > found[at]:
                    found[at] = points + more
            elif joker_group and at + 3 <= jokers and points > found[at + 3]:
                found[at + 3] = points
    return _full(found, jokers)


def _others(suits: list[Record], index: int, jokers: int) -> Vector:
    """What the three other suits save."""
    return _all([suit[0] for at, suit in enumerate(suits) if at != index], jokers)


def _all(vectors: list[Vector], jokers: int) -> Vector:
    found: Vector = (0,)
    for vector in vectors:
        if len(vector) > 1 or vector[0]:
            found = add(found, vector, jokers) if len(found) > 1 or found[0] else vector
    return found[: jokers + 1]


def _full(vector: Vector | list[int], jokers: int) -> Vector:
    """The vector with one entry for each number of jokers, rising."""
    found = list(vector[: jokers + 1])
    for index in range(1, len(found)):
        if found[index] < found[index - 1]:
            found[index] = found[index - 1]
    return tuple(found + [found[-1]] * (jokers + 1 - len(found)))


def _best(vectors: list[Vector]) -> Vector | None:
    if len(vectors) < 2:
        return vectors[0] if vectors else None
    return tuple(map(max, zip(*vectors, strict=True)))
