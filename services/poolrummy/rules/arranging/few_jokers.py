"""What one suit can save with up to three jokers, and what four suits save together: the fast path of the arranger.

The entry of a suit is a vector of four numbers: the points that its sequences save with 0, 1, 2 and 3 jokers. It
depends on the cards of the suit alone, so it is kept from hand to hand. Only for terms that do not limit groups.
"""

# ruff: noqa: C901, PLR0912, PLR1730 -- written out, since a call of max() costs three times the comparison, and here it counts

from typing import Final

from poolrummy.rules.arranging.packed import SUIT_MASK, SUIT_ONES, wild_of_tag
from poolrummy.rules.arranging.search import NEVER, Record, Vector
from poolrummy.rules.arranging.windows import LOCAL_ONES, LOCAL_PAIRS, LONGEST, pure_runs, windows_up_to

NOTHING: Final[Vector] = (0, 0, 0, 0)
IMPOSSIBLE: Final[Vector] = (NEVER, NEVER, NEVER, NEVER)
KEPT_VECTORS: Final = 88_000
KEPT_RECORDS: Final = 64_000
"""When so many are kept, all are forgotten: together they stay below 30 MB."""

_SINGLES: Final = windows_up_to(LONGEST, 3, every=False)
_PAIRED: Final = windows_up_to(LONGEST, 3, every=True)

vectors: Final[dict[int, Vector]] = {0: NOTHING}
records: Final[dict[int, Record]] = {0: (NOTHING, IMPOSSIBLE, IMPOSSIBLE, 0)}


def vector(cards: int) -> Vector:
    """The points that sequences of these cards save with 0 to 3 jokers.

    The lowest card stays out, or it is the lowest card of a window; the rest is the same question for fewer cards.
    """
    place = (cards & -cards).bit_length() - 1 >> 1
    rest = cards - (1 << 2 * place)
    none, one, two, three = vectors.get(rest) or vector(rest)
    near = cards >> 2 * place
    windows = _PAIRED if near & LOCAL_PAIRS else _SINGLES
    for jokers, taken, points in windows[place][(near | near >> 1) & LOCAL_ONES]:
        rest = cards - taken
        saved = vectors.get(rest) or vector(rest)
        if jokers == 1:
            if (more := saved[0] + points) > one:
                one = more
            if (more := saved[1] + points) > two:
                two = more
            if (more := saved[2] + points) > three:
                three = more
        elif jokers == 2:
            if (more := saved[0] + points) > two:
                two = more
            if (more := saved[1] + points) > three:
                three = more
        elif jokers:
            if (more := saved[0] + points) > three:
                three = more
        else:
            if (more := saved[0] + points) > none:
                none = more
            if (more := saved[1] + points) > one:
                one = more
            if (more := saved[2] + points) > two:
                two = more
            if (more := saved[3] + points) > three:
                three = more
    found = vectors[cards] = (none, one, two, three)
    return found


def record(key: int) -> Record:
    """What the suit of this key saves, and what it can do for the two sequences that a show needs."""
    if len(vectors) > KEPT_VECTORS or len(records) > KEPT_RECORDS:
        forget()
    wild = wild_of_tag(key)
    held = key & SUIT_MASK
    wild_mask = 0 if wild is None else wild.mask
    plain = held & ~wild_mask
    any_way = vectors.get(plain) or vector(plain)
    present = (held | held >> 1) & SUIT_ONES
    if not present & present >> 2 & present >> 4:
        found = records[key] = (any_way, IMPOSSIBLE, IMPOSSIBLE, 0)
        return found
    c0 = c1 = c2 = c3 = d0 = d1 = d2 = d3 = NEVER
    runs = pure_runs(present, -1 if wild is None else wild.place)
    heaviest = 0
    for cards, length, points, wilds in runs:
        if points > heaviest:
            heaviest = points
        if length > LONGEST:
            continue
        rest = plain - (cards & ~wild_mask)
        s0, s1, s2, s3 = vectors.get(rest) or vector(rest)
        if wilds:
            s0, s1, s2, s3 = NEVER, s0, s1, s2
        if s0 + points > c0:
            c0 = s0 + points
        if s1 + points > c1:
            c1 = s1 + points
        if s2 + points > c2:
            c2 = s2 + points
        if s3 + points > c3:
            c3 = s3 + points
        # Without a point saved there is no second sequence in this suit.
        if s0 > 0 and s0 + points > d0:
            d0 = s0 + points
        if s1 > 0 and s1 + points > d1:
            d1 = s1 + points
        if s2 > 0 and s2 + points > d2:
            d2 = s2 + points
        if s3 > 0 and s3 + points > d3:
            d3 = s3 + points
    pure = (c0, c1, c2, c3)
    # An equal vector is stored as the same object: the fold asks whether a pure sequence costs nothing here.
    found = records[key] = (any_way, any_way if pure == any_way else pure, (d0, d1, d2, d3), heaviest)
    return found


def forget() -> None:
    """Empty the tables."""
    vectors.clear()
    vectors[0] = NOTHING
    records.clear()
    records[0] = (NOTHING, IMPOSSIBLE, IMPOSSIBLE, 0)
