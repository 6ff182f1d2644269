"""The end of a deal: one winner, who has 0, and what it cost everybody else (rules 7.5 and 8.1)."""

from poolrummy.rules import seeds
from poolrummy.rules.loser_points import Charge, Loser, charge, without_count
from poolrummy.rules.recorder import Recorder
from poolrummy.rules.standings import of
from poolrummy.rules.state import Count, Deal, DealSeat
from poolrummy_contracts.events import DealEnd, DealScored, ScoreReason, SeatScore
from poolrummy_contracts.terms import Seat, Terms


def last_seat_wins(rec: Recorder) -> bool:
    """With one seat left in the deal it has won; its hand is not counted (rule 7.5)."""
    playing = rec.deal.playing()
    if len(playing) > 1:
        return False
    assert playing, "a deal ends before its last seat is out"
    _score(rec, "last-seat", playing[0], "7.5")
    return True


def score(rec: Recorder) -> None:
    """All that had to be counted is: after a valid show its seat has won, else the lowest count (8.1 and 4.6)."""
    deal = rec.deal
    if deal.winner is not None:
        _score(rec, "show", deal.winner, "8.1")
        return
    lowest = min(count.counted for count in deal.counts)
    in_order = [one.seat for one in deal.seats if _counted(deal, one.seat) == lowest]
    _score(rec, "lowest-count", in_order[0], "4.6")


def loser_of(deal: Deal, one: DealSeat, *, declared: bool | None = None) -> Loser:
    """How a seat came to the end of the deal; who left before the window closed is not late (8.5, 13.1)."""
    if declared is None:
        left = one.gone and one.seat not in deal.waiting
        declared = left or deal.declaration(one.seat) is not None
    return Loser(had_turn=one.turns > 0, declared=declared, automatic=one.drawn and one.misses > 0)


def _score(rec: Recorder, how: DealEnd, winner: Seat, rule: str) -> None:
    deal = rec.deal
    charges = {one.seat: _charge(rec.table.terms, deal, one, winner) for one in deal.seats}
    scores = tuple(
        SeatScore(
            seat=seat,
            points=charges[seat].points,
            reason=charges[seat].reason,
            total=of(rec.standings, seat).total + charges[seat].points,
        )
        for seat in sorted(charges)
    )
    rec.record(DealScored(**rec.follow(rule), how=how, winner=winner, scores=scores))
    seeds.reveal_if_public(rec, deal.number)


def _charge(terms: Terms, deal: Deal, one: DealSeat, winner: Seat) -> Charge:
    if one.seat == winner:
        return Charge(0, "won")
    if one.standing == "wrong-show":
        return Charge(one.points, "wrong-show")
    if one.standing == "dropped":
        return Charge(one.points, "left" if one.kind == "left" else "dropped")
    if deal.winner is None:
        return _by_count(deal, one.seat)
    loser, count = loser_of(deal, one), _count(deal, one.seat)
    fixed = without_count(terms, loser)
    if fixed is None:
        assert count is not None, f"the hand of seat {one.seat} was not counted"
        fixed = charge(terms, loser, counted=count.counted, complete=count.complete)
        # What was charged stands in the log; the reason follows from it.
        fixed = Charge(count.points, fixed.reason)
    reason: ScoreReason = "left" if one.gone else fixed.reason
    return Charge(fixed.points, reason)


def _by_count(deal: Deal, seat: Seat) -> Charge:
    """Nobody has shown: every seat with the lowest count has 0, the others their count (rule 4.6)."""
    counted = _counted(deal, seat)
    assert counted is not None, f"the hand of seat {seat} was not counted"
    lowest = min(count.counted for count in deal.counts)
    return Charge(0 if counted == lowest else counted, "counted")


def _count(deal: Deal, seat: Seat) -> Count | None:
    return next((count for count in deal.counts if count.seat == seat), None)


def _counted(deal: Deal, seat: Seat) -> int | None:
    count = _count(deal, seat)
    return None if count is None else count.counted
