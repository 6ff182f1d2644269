"""Who stands where in a match: the one fold that dealer, projector and audit share (chapter 9)."""

from typing import Literal, assert_never

import msgspec
from msgspec.structs import replace

from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat, Terms

SeatState = Literal["playing", "eliminated", "left"]


class SeatStanding(msgspec.Struct, frozen=True, kw_only=True):
    """A seat in the match: its total, whether it is in, and the deal in which it went out (rules 9.1 and 9.5)."""

    seat: Seat
    player: str
    kind: e.SeatKind
    total: int = 0
    state: SeatState = "playing"
    rejoins: int = 0
    out_in_deal: int | None = None


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """A match between its deals; ``started`` seats began it, ``deal`` is the last deal dealt."""

    terms: Terms
    seats: tuple[SeatStanding, ...]
    started: int
    deal: int = 0
    scored: int = 0
    """Deals that were scored: a void deal has a number, but does not count (rule 12.2)."""
    last_in: Seat | None = None
    """The seat that left as the last one that was in, while others might still have come back (rule 12.1)."""
    prize_pool: int = 0
    obligations: tuple[e.Obligation, ...] = ()


def evolve(standings: Standings | None, event: e.TableEvent, terms: Terms) -> Standings | None:
    """The standings after one more event; there are none before the match has begun (rule 9.1)."""
    if isinstance(event, e.MatchStarted):
        return _started(event, terms)
    return None if standings is None else _after(standings, event)


def of(standings: Standings, seat: Seat) -> SeatStanding:
    """The standing of one seat."""
    found = next((one for one in standings.seats if one.seat == seat), None)
    assert found is not None, f"seat {seat} did not start this match"
    return found


def playing(standings: Standings) -> tuple[Seat, ...]:
    """The seats that are still in, in seat order."""
    return tuple(one.seat for one in standings.seats if one.state == "playing")


def highest_surviving(standings: Standings) -> int:
    """The highest total among the seats that are in (rule 10.2)."""
    totals = [one.total for one in standings.seats if one.state == "playing"]
    assert totals, "no seat is in: there is no highest score"
    return max(totals)


def highest_in(terms: Terms) -> int | None:
    """The highest total that is still in: one below the limit, or the limit itself with ``gt`` (rule 9.2)."""
    if not isinstance(terms.limit, int):
        return None
    return terms.limit - 1 if terms.elimination_cmp == "gte" else terms.limit


def reaches_limit(total: int, terms: Terms) -> bool:
    """Whether this total is out of the match (rule 9.2)."""
    highest = highest_in(terms)
    return highest is not None and total > highest


def headroom(total: int, terms: Terms) -> int | None:
    """The most points a seat can still take and be in; none without a limit (rule 9.3).

    A seat on 100 in the 101 pool has 0: the next point puts it out. A seat that is out has 0 as well.
    """
    highest = highest_in(terms)
    return None if highest is None else max(highest - total, 0)


def drops_left(total: int, terms: Terms) -> int:
    """How many first drops a seat can take and still be in; 0 where there is no limit or no drop (rule 9.4)."""
    room = headroom(total, terms)
    if room is None or not isinstance(terms.first_drop_points, int):
        return 0
    return room // terms.first_drop_points


def _started(event: e.MatchStarted, terms: Terms) -> Standings:
    seated = sorted(event.seats, key=lambda one: one.seat)
    return Standings(
        terms=terms,
        seats=tuple(SeatStanding(seat=one.seat, player=one.player, kind=one.kind) for one in seated),
        started=len(seated),
        prize_pool=event.prize_pool,
        obligations=event.obligations,
    )


def _after(standings: Standings, event: e.TableEvent) -> Standings:  # noqa: PLR0911 - one return an event
    match event:
        case e.DealStarted():
            assert event.deal is not None, "a deal has a number"
            return replace(standings, deal=event.deal)
        case e.DealScored():
            return _scored(standings, event)
        case e.SeatEliminated():
            return _out(standings, event.seat, state="eliminated", total=event.total)
        case e.SeatForfeited():
            return _left(standings, event.seat)
        case e.RejoinGranted():
            return _rejoined(standings, event)
        case e.MatchEnded() | e.MatchVoided():
            return replace(standings, obligations=standings.obligations + event.obligations)
        case (
            e.TableOpened() | e.SeatTaken() | e.SeatVacated() | e.StartScheduled() | e.StartCancelled()
            | e.MatchStarted() | e.TossDrawn()
            | e.TurnStarted() | e.CardDrawn() | e.CardDiscarded() | e.CardReturned() | e.TurnMissed()
            | e.SeatDropped() | e.StockReshuffled() | e.FinishCalled() | e.ShowDeclared() | e.ShowJudged()
            | e.ShowForfeited() | e.DeclareWindowOpened() | e.HandDeclared() | e.HandLaidOpen() | e.HandCounted()
            | e.DealVoided() | e.SeedRevealed()
            | e.RejoinOffered() | e.RejoinAsked() | e.RejoinQueued() | e.RejoinDeclined() | e.RejoinClosed()
            | e.SplitOffered() | e.SplitRequested() | e.SplitAsked() | e.SplitVoted() | e.SplitClosed()
            | e.SplitAgreed() | e.TableClosed() | e.SeatAway() | e.SeatBack() | e.TableFrozen()
            | e.TableUnfrozen() | e.ClocksShifted() | e.SeedsCommitted() | e.SeatSeedCommitted()
            | e.SeatSeedRevealed() | e.BatchClosed() | e.SeedsUnsealed()
        ):  # fmt: skip
            return standings
        case _:
            assert_never(event)


def _scored(standings: Standings, event: e.DealScored) -> Standings:
    totals = {score.seat: score.total for score in event.scores}
    seats = tuple(replace(one, total=totals.get(one.seat, one.total)) for one in standings.seats)
    return replace(standings, seats=seats, scored=standings.scored + 1)


def _left(standings: Standings, seat: Seat) -> Standings:
    last_in = seat if playing(standings) == (seat,) else standings.last_in
    return replace(_out(standings, seat, state="left", total=of(standings, seat).total), last_in=last_in)


def _out(standings: Standings, seat: Seat, *, state: SeatState, total: int) -> Standings:
    # Who was out before stays out in that deal: an eliminated player who then leaves wins no place by it.
    before = of(standings, seat)
    deal = standings.deal if before.out_in_deal is None else before.out_in_deal
    left = "left" if before.state == "left" else state
    return _with(standings, replace(before, state=left, total=total, out_in_deal=deal))


def _rejoined(standings: Standings, event: e.RejoinGranted) -> Standings:
    before = of(standings, event.seat)
    back = replace(before, state="playing", total=event.score, out_in_deal=None, rejoins=before.rejoins + 1)
    paid = replace(standings, prize_pool=event.prize_pool, obligations=standings.obligations + event.obligations)
    return _with(paid, back)


def _with(standings: Standings, changed: SeatStanding) -> Standings:
    seats = tuple(changed if one.seat == changed.seat else one for one in standings.seats)
    return replace(standings, seats=seats)
