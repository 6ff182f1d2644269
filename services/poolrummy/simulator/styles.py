"""Three ways to play, as data: what a robot drops, keeps, chases and forgets.

Chances are whole percent or permille of one seat at one moment; the dice come from the seed of the run.
"""

from typing import Final

import msgspec


class Style(msgspec.Struct, frozen=True, kw_only=True):
    """How a robot plays."""

    name: str
    think_percent: int
    """Share of the think time of the run that this robot takes."""
    drops_from: int
    """It drops first when its opening hand is worth no more than this (see ``hand_sense.promise``)."""
    drops_in_advance_percent: int
    """How many of those drops it asks before its turn; every third of them it takes back."""
    middle_drops_permille: int
    """A turn on which it loses patience with a hand that has no pure sequence."""
    chases: bool
    """It takes an open card that makes a set; the others only what makes a pure sequence or a joker."""
    dozes_permille: int
    """A turn that it lets run out."""
    goes_away_permille: int
    """A deal that it is away for: it says so, its turns run out, it comes back with the next deal."""
    wrong_show_permille: int
    """A turn on which it shows a hand that is none."""
    saves_percent: int
    """A turn after which it keeps its grouping."""
    declares_late_permille: int
    """A valid show of somebody else after which it lays nothing out."""
    rejoins_percent: int
    asks_split_percent: int
    accepts_split_percent: int
    gives_seed_percent: int
    """It promises a seed of its own for the shuffles of the match, and lays it open when all are seated."""
    breaks_promise_permille: int
    leaves_permille: int
    """A deal in which it gets up and leaves the match."""


CAREFUL: Final = Style(
    name="careful",
    think_percent=100,
    drops_from=70,
    drops_in_advance_percent=30,
    middle_drops_permille=4,
    chases=False,
    dozes_permille=1,
    goes_away_permille=8,
    wrong_show_permille=0,
    saves_percent=10,
    declares_late_permille=10,
    rejoins_percent=60,
    asks_split_percent=15,
    accepts_split_percent=80,
    gives_seed_percent=60,
    breaks_promise_permille=0,
    leaves_permille=1,
)
LOOSE: Final = Style(
    name="loose",
    think_percent=130,
    drops_from=10,
    drops_in_advance_percent=0,
    middle_drops_permille=0,
    chases=True,
    dozes_permille=3,
    goes_away_permille=10,
    wrong_show_permille=1,
    saves_percent=3,
    declares_late_permille=30,
    rejoins_percent=90,
    asks_split_percent=5,
    accepts_split_percent=40,
    gives_seed_percent=20,
    breaks_promise_permille=20,
    leaves_permille=1,
)
IMPATIENT: Final = Style(
    name="impatient",
    think_percent=40,
    drops_from=40,
    drops_in_advance_percent=60,
    middle_drops_permille=25,
    chases=True,
    dozes_permille=8,
    goes_away_permille=20,
    wrong_show_permille=4,
    saves_percent=0,
    declares_late_permille=60,
    rejoins_percent=40,
    asks_split_percent=20,
    accepts_split_percent=90,
    gives_seed_percent=20,
    breaks_promise_permille=200,
    leaves_permille=6,
)
STYLES: Final = (CAREFUL, LOOSE, IMPATIENT)


def style_of(pool: int, seat: int) -> Style:
    """The style of the robot in this seat: every table has all three, in turn."""
    return STYLES[(pool + seat) % len(STYLES)]
