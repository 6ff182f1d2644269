"""What happens by itself after each act, until the table waits for somebody again."""

from typing import assert_never

from poolrummy.rules import between, deal_end, finale, losers, rejoin_window, seating, split_window, turns
from poolrummy.rules.recorder import Recorder


def proceed(rec: Recorder) -> None:
    """Take every step that follows by the rules alone."""
    while _step(rec):
        pass


def _step(rec: Recorder) -> bool:  # noqa: C901, PLR0911 - one case a phase
    """Take one step; False where the table waits for a player, a validator, the cashier or a clock."""
    match rec.table.phase:
        case "seating" | "starting":
            return seating.start_if_full(rec)
        case "turn":
            return _turn(rec)
        case "finishing" | "judging":
            return deal_end.last_seat_wins(rec)
        case "declaring":
            return _declaring(rec)
        case "counting":
            return _counting(rec)
        case "between":
            between.proceed(rec)
            return True
        case "rejoining":
            return rejoin_window.proceed(rec)
        case "splitting" | "voting":
            return split_window.proceed(rec)
        case "ended" | "voided":
            finale.close(rec)
            return True
        case "closed":
            return False
        case _:
            assert_never(rec.table.phase)


def _turn(rec: Recorder) -> bool:
    if deal_end.last_seat_wins(rec):
        return True
    if rec.deal.on_turn is not None:
        return False
    turns.next_turn(rec)
    return True


def _declaring(rec: Recorder) -> bool:
    if rec.deal.waiting:
        return False
    losers.close_window(rec)
    return True


def _counting(rec: Recorder) -> bool:
    if rec.deal.asks:
        return False
    deal_end.score(rec)
    return True
