"""What was left of the clock when a player acted (rule 4.7)."""

from typing import Final

import msgspec

from poolrummy.rules.state import Table
from poolrummy_contracts import events as e


class TimeLeft(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was left: of the time itself, and of the time bank behind it."""

    left_ms: int
    bank_left_ms: int


def time_left(before: Table | None, event: e.TableEvent) -> TimeLeft | None:
    """The time that a player who acted under a clock still had; None where none ran for the act."""
    clock = None if before is None else before.clock
    if clock is None or event.actor != "player" or not isinstance(event, _TIMED):
        return None
    left_ms = clock.ends_at - event.at
    return TimeLeft(left_ms=max(left_ms, 0), bank_left_ms=max(min(clock.bank_ms, clock.bank_ms + left_ms), 0))


_TIMED: Final = (
    e.CardDrawn,
    e.CardDiscarded,
    e.CardReturned,
    e.FinishCalled,
    e.SeatDropped,
    e.ShowDeclared,
    e.HandDeclared,
    e.RejoinAsked,
    e.RejoinDeclined,
    e.SplitAsked,
    e.SplitVoted,
)
