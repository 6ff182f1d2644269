"""What four suits save together with up to three jokers; the entries of the suits come from ``few_jokers``.

``add`` shares jokers between two parts of a hand in the best way. It is written out for each number of jokers, because
it is called for every node of the search; a loop costs three times as much (measured).
"""

# ruff: noqa: C901, FURB136, PLR0912, PLR1730 -- a call of max() costs three times the comparison, here where it counts

from typing import Final

from poolrummy.rules.arranging.search import NEVER, Record, Vector


def fold(spades: Record, hearts: Record, diamonds: Record, clubs: Record, jokers: int) -> Vector | None:
    """The points that a pure sequence, a second one and any more save; None where no pure one is left.

    Entry j is what j jokers save; entries beyond ``jokers`` mean nothing. A suit without a pure sequence saves nothing
    without jokers, which makes the sum over such suits (``one``, ``two``, ``three`` jokers) short.
    """
    one = two = three = 0
    pure: Record | None = None
    several: list[Record] | None = None
    for suit in (spades, hearts, diamonds, clubs):
        if suit[3]:
            if pure is None:
                pure = suit
            elif several is None:
                several = [pure, suit]
            else:
                several.append(suit)
        elif jokers:
            _, a1, a2, a3 = suit[0]
            if jokers > 1:
                if jokers > 2:
                    if a3 > three:
                        three = a3
                    if one + a2 > three:
                        three = one + a2
                    if two + a1 > three:
                        three = two + a1
                if a2 > two:
                    two = a2
                if one + a1 > two:
                    two = one + a1
            if a1 > one:
                one = a1
    if pure is None:
        return None
    if several is None:
        return _WITH_SECOND[jokers](pure, (0, one, two, three))
    return _of_several(several, (0, one, two, three) if one or two or three else None, jokers)


def _of_several(pure: list[Record], other: Vector | None, jokers: int) -> Vector:
    """The same where more than one suit can bring the pure sequence."""
    plus, with_second = _ADD[jokers], _WITH_SECOND[jokers]
    if len(pure) == 2:
        # Mostly it is two, and the pure sequence of one of them costs it nothing.
        first, last = pure
        rest = last[0] if other is None else plus(other, last[0])
        if rest[0] and first[1] is first[0]:
            return with_second(first, rest)
    best: Vector | None = None
    for index, suit in enumerate(pure):
        beside = other
        for at, another in enumerate(pure):
            if at != index:
                beside = another[0] if beside is None else plus(beside, another[0])
        assert beside is not None, "there is another suit with a pure sequence"
        found = with_second(suit, beside)
        if suit[1] is suit[0] and beside[0]:
            return found
        if best is None:
            best = found
        else:
            best = tuple([one if one > two else two for one, two in zip(best, found, strict=True)])
    assert best is not None, "at least one suit has a pure sequence"
    return best


def add(one: Vector, two: Vector, jokers: int) -> Vector:
    """Share so many jokers between two parts in the best way."""
    return _ADD[jokers](one, two)


def _add_0(one: Vector, two: Vector) -> Vector:
    return one[0] + two[0], NEVER, NEVER, NEVER


def _add_1(one: Vector, two: Vector) -> Vector:
    a, b = one[0], two[0]
    first = a + two[1]
    if (more := one[1] + b) > first:
        first = more
    return a + b, first, NEVER, NEVER


def _add_2(one: Vector, two: Vector) -> Vector:
    a0, a1, a2, _ = one
    b0, b1, b2, _ = two
    first = a0 + b1
    if (more := a1 + b0) > first:
        first = more
    second = a0 + b2
    if (more := a1 + b1) > second:
        second = more
    if (more := a2 + b0) > second:
        second = more
    return a0 + b0, first, second, NEVER


def _add_3(one: Vector, two: Vector) -> Vector:
    a0, a1, a2, a3 = one
    b0, b1, b2, b3 = two
    first = a0 + b1
    if (more := a1 + b0) > first:
        first = more
    second = a0 + b2
    if (more := a1 + b1) > second:
        second = more
    if (more := a2 + b0) > second:
        second = more
    third = a0 + b3
    if (more := a1 + b2) > third:
        third = more
    if (more := a2 + b1) > third:
        third = more
    if (more := a3 + b0) > third:
        third = more
    return a0 + b0, first, second, third


def _second_0(suit: Record, other: Vector) -> Vector:
    return _add_0(suit[1], other) if other[0] else suit[2]


def _second_1(suit: Record, other: Vector) -> Vector:
    none, one, _, _ = other
    if none:
        return _add_1(suit[1], other)
    first = suit[2][1]
    if one and (more := suit[1][0] + one) > first:
        first = more
    return suit[2][0], first, NEVER, NEVER


def _second_2(suit: Record, other: Vector) -> Vector:
    none, one, two, _ = other
    if none:
        return _add_2(suit[1], other)
    c0, c1, _, _ = suit[1]
    d0, first, second, _ = suit[2]
    if one:
        if (more := c0 + one) > first:
            first = more
        if (more := c1 + one) > second:
            second = more
    if two and (more := c0 + two) > second:
        second = more
    return d0, first, second, NEVER


def _second_3(suit: Record, other: Vector) -> Vector:
    none, one, two, three = other
    if none:
        return _add_3(suit[1], other)
    c0, c1, c2, _ = suit[1]
    d0, first, second, third = suit[2]
    if one:
        if (more := c0 + one) > first:
            first = more
        if (more := c1 + one) > second:
            second = more
        if (more := c2 + one) > third:
            third = more
    if two:
        if (more := c0 + two) > second:
            second = more
        if (more := c1 + two) > third:
            third = more
    # With nothing else saved, the three jokers are a sequence by themselves (rule 5.6).
    if (more := c0 + three) > third:
        third = more
    return d0, first, second, third


_ADD: Final = (_add_0, _add_1, _add_2, _add_3)
_WITH_SECOND: Final = (_second_0, _second_1, _second_2, _second_3)
