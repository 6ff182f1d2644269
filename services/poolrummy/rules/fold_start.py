"""Folding what happens before the deals, and at any time: seats, start, toss, presence, freeze, clocks."""

from msgspec.structs import replace

from poolrummy.rules import standings
from poolrummy.rules.state import Chair, CommittedBatch, RunningClock, Table
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat, Terms


def opened(event: e.TableOpened) -> Table:
    """A new table waits for seats to be taken (rule 1.1)."""
    return Table(
        id=event.table,
        v=event.v,
        at=event.at,
        terms=event.terms,
        edition=event.edition,
        software=event.software,
        phase="seating",
        clock=RunningClock(what="fill", armed_by=event.v, armed_at=event.at, ends_at=event.fill_until),
    )


def seeds_committed(table: Table, event: e.SeedsCommitted) -> Table:
    """Seeds are promised (rule 3.6)."""
    batch = CommittedBatch(number=event.batch, count=event.count, root=event.root)
    return replace(table, v=event.v, at=event.at, batches=(*table.batches, batch))


def batches_after(table: Table, proof: e.SeedProof) -> tuple[CommittedBatch, ...]:
    """The batches after a pack was shuffled by one of their seeds (rule 3.6)."""
    return tuple(
        replace(batch, used=max(batch.used, proof.index + 1)) if batch.number == proof.batch else batch
        for batch in table.batches
    )


def taken(table: Table, event: e.SeatTaken) -> Table:
    """A seat is taken (rule 1.2)."""
    chair = Chair(seat=event.seat, player=event.player, kind=event.kind, channel_key=event.channel_key)
    chairs = (*table.chairs, chair)
    by_seat = tuple(sorted(chairs, key=lambda one: one.seat))
    drawn = table.seats_drawn if event.drawn is None else event.drawn
    return replace(table, v=event.v, at=event.at, chairs=by_seat, seats_drawn=drawn)


def seat_seed(table: Table, event: e.SeatSeedCommitted | e.SeatSeedRevealed) -> Table:
    """A seat has promised a seed, or laid it open (rule 3.8)."""
    changed = {"commitment": event.commitment} if isinstance(event, e.SeatSeedCommitted) else {"seed": event.seed}
    chairs = tuple(replace(one, **changed) if one.seat == event.seat else one for one in table.chairs)
    return replace(table, v=event.v, at=event.at, chairs=chairs)


def vacated(table: Table, event: e.SeatVacated) -> Table:
    """A seat is free again (rule 1.4)."""
    chairs = tuple(one for one in table.chairs if one.seat != event.seat)
    return replace(table, v=event.v, at=event.at, chairs=chairs)


def scheduled(table: Table, event: e.StartScheduled) -> Table:
    """The countdown runs (rule 1.3)."""
    clock = RunningClock(what="start", armed_by=event.v, armed_at=event.at, ends_at=event.starts_at)
    return replace(table, v=event.v, at=event.at, phase="starting", clock=clock)


def cancelled(table: Table, event: e.StartCancelled) -> Table:
    """The countdown stopped, the table waits for seats again (rule 1.4)."""
    clock = RunningClock(what="fill", armed_by=event.v, armed_at=event.at, ends_at=event.fill_until)
    return replace(table, v=event.v, at=event.at, phase="seating", clock=clock)


def started(table: Table, event: e.MatchStarted) -> Table:
    """The match has begun; every seat has its time bank (rules 1.3 and 4.7)."""
    seats = tuple(one.seat for one in event.seats)
    return replace(
        table,
        v=event.v,
        at=event.at,
        phase="between",
        clock=None,
        seat_seeds=event.seat_seeds,
        standings=standings.evolve(None, event, table.terms),
        banks=full_banks(seats, table.terms),
    )


def full_banks(seats: tuple[Seat, ...], terms: Terms) -> tuple[tuple[Seat, int], ...]:
    """The time bank of each seat, filled (rule 4.7)."""
    return tuple((seat, terms.time_bank_ms) for seat in seats)


def tossed(table: Table, event: e.TossDrawn) -> Table:
    """The order of play is known (rule 2.4)."""
    return replace(table, v=event.v, at=event.at, order=event.order, batches=batches_after(table, event.proof))


def presence(table: Table, event: e.SeatAway | e.SeatBack, *, away: bool) -> Table:
    """A player is away, or back (rule 13.4)."""
    chairs = tuple(replace(one, away=away) if one.seat == event.seat else one for one in table.chairs)
    return replace(table, v=event.v, at=event.at, chairs=chairs)


def frozen(table: Table, event: e.TableFrozen) -> Table:
    """Everything stops (rule 13.5)."""
    return replace(table, v=event.v, at=event.at, frozen_at=event.at)


def clocks_moved(table: Table, event: e.TableUnfrozen | e.ClocksShifted, *, unfreezes: bool) -> Table:
    """The running deadline moves (rules 4.9 and 13.5)."""
    clock = None if table.clock is None else replace(table.clock, ends_at=table.clock.ends_at + event.ms)
    frozen_at = None if unfreezes else table.frozen_at
    return replace(table, v=event.v, at=event.at, clock=clock, frozen_at=frozen_at)


def noted(table: Table, event: e.SeedRevealed | e.SplitAgreed | e.BatchClosed | e.SeedsUnsealed) -> Table:
    """Something that only the log has to know."""
    return replace(table, v=event.v, at=event.at)
