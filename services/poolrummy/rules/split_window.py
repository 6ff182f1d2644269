"""The break in which the prize may be split: the ask, the votes, the end of the match by it (rules 11.4 to 11.8)."""

from typing import Literal

from poolrummy.rules import finale, split
from poolrummy.rules.break_state import SplitWindow
from poolrummy.rules.permits import in_match, late
from poolrummy.rules.recorder import Recorder, Stamp
from poolrummy.rules.standings import playing
from poolrummy_contracts.commands import AskSplit, SplitAmount, VoteSplit
from poolrummy_contracts.events import SplitAgreed, SplitAsked, SplitClosed, SplitOffered, SplitRequested, SplitVoted
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.terms import Seat

Amounts = tuple[SplitAmount, ...]


def possible(rec: Recorder) -> bool:
    """Whether an ask could succeed now: only then does anybody wait for one (rule 11.4)."""
    if rec.table.terms.split_formula == "agreed":
        return split.refusal(rec.standings) is None
    return not isinstance(split.shares(rec.standings), Refusal)


def offer(rec: Recorder) -> None:
    """The seats that are left may ask for a split (rule 11.4)."""
    ends_at = rec.at + rec.table.terms.split_ask_ms
    rec.record(SplitOffered(**rec.follow("11.4"), window=rec.table.windows + 1, ends_at=ends_at))


def ask(rec: Recorder, command: AskSplit) -> Refused | None:
    """Propose a split; one that is asked while seats may still come back waits for the end of that (rule 11.4)."""
    refused = in_match(rec.table, command) or _may_ask(rec, command)
    if refused is not None:
        return refused
    parts = split.proposed(rec.standings, command.amounts)
    if isinstance(parts, Refusal):
        return Refused(parts)
    if rec.table.phase == "rejoining":
        stamp = rec.own("11.4")
        rec.record(SplitRequested(**stamp, window=command.window, seat=command.seat, amounts=command.amounts))
        return None
    _put_to_vote(rec, rec.own("11.4"), command.seat, command.amounts, command.window)
    return None


def take_up(rec: Recorder) -> bool:
    """Put a split to the vote that waited for the close of the rejoin window, if it is possible still (rule 11.4)."""
    wish = rec.table.wish
    if wish is None or isinstance(split.proposed(rec.standings, wish.amounts), Refusal):
        return False
    _put_to_vote(rec, rec.follow("11.4"), wish.seat, wish.amounts, rec.table.windows + 1)
    return True


def vote(rec: Recorder, command: VoteSplit) -> Refused | None:
    """Accept or refuse; one refusal ends it for all (rule 11.5)."""
    refused = in_match(rec.table, command)
    if refused is not None:
        return refused
    if rec.table.phase != "voting":
        return Refused(Refusal.NOT_NOW)
    window = _window(rec)
    if late(rec.table, rec.at):
        return Refused(Refusal.TOO_LATE)
    if window.number != command.window:
        return Refused(Refusal.WRONG_WINDOW, _open_is(window.number))
    if command.seat in window.accepted:
        return Refused(Refusal.ALREADY_VOTED)
    rec.record(SplitVoted(**rec.own("11.5"), window=window.number, seat=command.seat, accept=command.accept))
    if not command.accept:
        _close(rec, rec.follow("11.5"), "refused")
    return None


def ran_out(rec: Recorder) -> None:
    """Nobody asked in time, or somebody kept silent, which is a no (rule 11.5)."""
    _close(rec, rec.own("11.5"), "not-asked" if rec.table.phase == "splitting" else "silence")


def proceed(rec: Recorder) -> bool:
    """What follows by itself: all have accepted, or too few seats are left to split (rules 11.4 and 11.5)."""
    window, left = _window(rec), playing(rec.standings)
    if rec.table.phase == "splitting":
        if possible(rec):
            return False
        _close(rec, rec.follow("11.4"), "not-asked")
        return True
    if {share.seat for share in window.shares} != set(left):
        _close(rec, rec.follow("11.5"), "refused")
        return True
    if set(window.accepted) != set(left):
        return False
    amounts = split.amounts_of(window.shares)
    rec.record(SplitAgreed(**rec.follow("11.5"), window=window.number, amounts=amounts))
    finale.end(rec, "split", amounts)
    return True


def split_unasked(rec: Recorder) -> None:
    """No seat that is left could take one more drop: equal parts, without asking (rule 11.8)."""
    finale.end(rec, "auto-split", split.amounts_of(split.auto_shares(rec.standings)))


def _may_ask(rec: Recorder, command: AskSplit) -> Refused | None:
    table = rec.table
    if table.terms.split_formula == "off":
        return Refused(Refusal.SPLIT_OFF)
    is_open = {"rejoining": table.rejoin, "splitting": table.split}.get(table.phase)
    if is_open is None or table.wish is not None:
        return Refused(Refusal.NOT_NOW)
    if late(table, rec.at):
        return Refused(Refusal.TOO_LATE)
    return None if is_open.number == command.window else Refused(Refusal.WRONG_WINDOW, _open_is(is_open.number))


def _open_is(window: int) -> str:
    return f"Window {window} is open."


def _put_to_vote(rec: Recorder, stamp: Stamp, seat: Seat, amounts: Amounts, window: int) -> None:
    parts = split.proposed(rec.standings, amounts)
    assert not isinstance(parts, Refusal), "only a possible split is put to the vote"
    ends_at = rec.at + rec.table.terms.split_vote_ms
    rec.record(SplitAsked(**stamp, window=window, seat=seat, shares=parts, ends_at=ends_at))


def _close(rec: Recorder, stamp: Stamp, why: Literal["not-asked", "refused", "silence"]) -> None:
    rec.record(SplitClosed(**stamp, window=_window(rec).number, why=why))


def _window(rec: Recorder) -> SplitWindow:
    assert rec.table.split is not None, "no split window is open"
    return rec.table.split
