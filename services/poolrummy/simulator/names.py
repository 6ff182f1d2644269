"""What the robots are called: the same name for the same seat of the same pool, whoever starts them."""

from typing import Final

PREFIX: Final = "robot-"
_NAMES: Final = (
    *("asha", "bina", "chand", "devi", "esha", "farid", "gita", "hari", "indu", "jaya", "kiran", "lata", "mira"),
    *("nila", "om", "priya", "qamar", "ravi", "sita", "tara", "uma", "vani", "wasim", "yash", "zara", "arun"),
    *("balu", "charu", "dilip", "farah"),
)


def player_in(pool: int, seat: int) -> str:
    """The player in a seat of a pool.

    >>> player_in(1, 1), player_in(1, 2)
    ('robot-hari-1', 'robot-indu-1')
    """
    return f"{PREFIX}{_NAMES[(pool * 6 + seat) % len(_NAMES)]}-{pool}"


def short(player: str) -> str:
    """The name as a board shows it.

    >>> short("robot-hari-1"), short("alice")
    ('hari', 'alice')
    """
    return player.removeprefix(PREFIX).rpartition("-")[0] if player.startswith(PREFIX) else player
