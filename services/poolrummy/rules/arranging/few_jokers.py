"""What one suit can save with up to three jokers, and what four suits save together: the fast path of the arranger.

The entry of a suit is a vector of four numbers: the points that its sequences save with 0, 1, 2 and 3 jokers. It
depends on the cards of the suit alone, so it is kept from hand to hand. Only for terms that do not limit groups.
"""

# ruff: noqa: C901, PLR0912, PLR1730 -- written out, since a call of max() costs three times the comparison, and here it counts

from typing import Final

from poolrummy.rules.arranging.packed import SUIT_MASK, SUIT_ONES, VALUES, wild_of_tag
from poolrummy.rules.arranging.search import NEVER, Record, Vector
from poolrummy.rules.arranging.windows import LOCAL_ONES, LOCAL_PAIRS, LONGEST, SHORT_RUNS, pure_runs, windows_up_to

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
    wild_mask, wild_points = (0, 0) if wild is None else (wild.mask, VALUES[wild.place])
    plain = held & ~wild_mask
    any_way = vectors.get(plain) or vector(plain)
    present = (held | held >> 1) & SUIT_ONES
    starts = present & present >> 2 & present >> 4
    if not starts:
        found = records[key] = (any_way, IMPOSSIBLE, IMPOSSIBLE, 0)
        return found
    c0 = c1 = c2 = c3 = d0 = d1 = d2 = d3 = NEVER
    heaviest = 0
    if starts & starts >> 2 & starts >> 4 & starts >> 6:
        heaviest = max([run[2] for run in pure_runs(present, -1 if wild is None else wild.place)])
    while starts:
        lowest = starts & -starts
        starts ^= lowest
        place = lowest.bit_length() - 1 >> 1
        for cards, points in SHORT_RUNS[place][present >> 2 * place & LOCAL_ONES]:
            if cards & wild_mask:
                # The wild card stands for itself: it saves no point, and is no joker any more.
                worth = points - wild_points
                rest = plain - (cards & ~wild_mask)
                s1, s2, s3, _ = vectors.get(rest) or vector(rest)
                s0 = NEVER
            else:
                worth = points
                rest = plain - cards
                s0, s1, s2, s3 = vectors.get(rest) or vector(rest)
            if worth > heaviest:
                heaviest = worth
            if s0 + worth > c0:
                c0 = s0 + worth
            if s1 + worth > c1:
                c1 = s1 + worth
            if s2 + worth > c2:
                c2 = s2 + worth
            if s3 + worth > c3:
                c3 = s3 + worth
            # Without a point saved there is no second sequence in this suit.
            if s0 > 0 and s0 + worth > d0:
                d0 = s0 + worth
            if s1 > 0 and s1 + worth > d1:
                d1 = s1 + worth
            if s2 > 0 and s2 + worth > d2:
                d2 = s2 + worth
            if s3 > 0 and s3 + worth > d3:
                d3 = s3 + worth
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
