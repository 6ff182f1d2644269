"""Seeds that seats give to the shuffles of their match: promised first, then laid open (rule 3.8).

The server is bound to its own seeds before anybody sits down, and no seat promises once another has laid its seed
open. So neither side can choose its part after having seen the other's.
"""

from poolrummy.rules.permits import in_seat
from poolrummy.rules.recorder import Recorder
from poolrummy.rules.state import Chair, Table
from poolrummy_contracts.commands import CommitSeed, RevealSeed
from poolrummy_contracts.events import SeatSeed, SeatSeedCommitted, SeatSeedRevealed, SeatSeedState, StartScheduled
from poolrummy_contracts.openings import hash_bytes, seat_seed_commitment
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.terms import Seat


def commit(rec: Recorder, command: CommitSeed) -> Refused | None:
    """A seat promises a seed before the start (rule 3.8)."""
    refused = _in_time(rec.table, command) or may_commit(rec.table, command.commitment)
    if refused is not None:
        return refused
    if _chair(rec.table, command.seat).commitment is not None:
        return Refused(Refusal.SEED_ALREADY_COMMITTED)
    record_commitment(rec, command.seat, command.commitment)
    return None


def may_commit(table: Table, commitment: str) -> Refused | None:
    """Whether a seat may make this promise now, whoever it is."""
    if table.terms.seat_seed_ms == 0:
        return Refused(Refusal.SEAT_SEEDS_OFF)
    if hash_bytes(commitment) is None:
        return Refused(Refusal.SEED_MALFORMED)
    if any(chair.seed is not None for chair in table.chairs):
        return Refused(Refusal.SEED_COMMITMENTS_CLOSED)
    return None


def record_commitment(rec: Recorder, seat: Seat, commitment: str) -> None:
    """The promise stands."""
    rec.record(SeatSeedCommitted(**rec.own("3.8"), seat=seat, commitment=commitment))


def reveal(rec: Recorder, command: RevealSeed) -> Refused | None:
    """A seat lays its seed open, when the table is full or shortly before the start (rule 3.8)."""
    table = rec.table
    refused = _in_time(table, command)
    if refused is not None:
        return refused
    if not _reveals_open(table, rec.at):
        return Refused(Refusal.NOT_NOW, f"Lay it open in the last {table.terms.seat_seed_ms} ms before the start.")
    refused = _keeps_the_promise(table.id, _chair(table, command.seat), command.seed)
    if refused is not None:
        return refused
    rec.record(SeatSeedRevealed(**rec.own("3.8"), seat=command.seat, seed=command.seed))
    return None


def _keeps_the_promise(table: str, chair: Chair, written: str) -> Refused | None:
    """Whether this is the seed that the seat has promised."""
    seed = hash_bytes(written)
    if seed is None:
        return Refused(Refusal.SEED_MALFORMED)
    if chair.commitment is None:
        return Refused(Refusal.SEED_NOT_COMMITTED)
    if chair.seed is not None:
        return Refused(Refusal.SEED_ALREADY_REVEALED)
    promised = seat_seed_commitment(table=table, seat=chair.seat, player=chair.player, seed=seed)
    return None if promised == chair.commitment else Refused(Refusal.SEED_MISMATCH)


def hurry(rec: Recorder) -> bool | None:
    """What a full table does: None, start; else it waits for promised seeds, True where the start has just been set.

    The wait is bounded: it ends when all promised seeds lie open, and after ``seat_seed_ms`` at the latest.
    """
    if not any(chair.commitment is not None and chair.seed is None for chair in rec.table.chairs):
        return None
    clock, latest = rec.table.clock, rec.at + rec.table.terms.seat_seed_ms
    if rec.table.phase == "starting" and clock is not None and clock.ends_at <= latest:
        return False
    rec.record(StartScheduled(**rec.follow("3.8"), starts_at=latest))
    return True


def closed(table: Table) -> tuple[SeatSeed, ...]:
    """What each seat gave, when the match starts; who gave nothing is listed too (rule 3.8)."""
    return tuple(_of(chair) for chair in table.chairs)


def _of(chair: Chair) -> SeatSeed:
    if chair.commitment is None:
        return SeatSeed(seat=chair.seat, state="none")
    state: SeatSeedState = "withheld" if chair.seed is None else "revealed"
    return SeatSeed(seat=chair.seat, state=state, commitment=chair.commitment, seed=chair.seed)


def _in_time(table: Table, command: CommitSeed | RevealSeed) -> Refused | None:
    """Whether the player sits there, seats give seeds at this table, and the match has not begun."""
    refused = in_seat(table, command)
    if refused is not None:
        return refused
    if table.terms.seat_seed_ms == 0:
        return Refused(Refusal.SEAT_SEEDS_OFF)
    if table.phase not in {"seating", "starting"}:
        return Refused(Refusal.NOT_NOW, "Seeds are given before the match starts.")
    return None


def _reveals_open(table: Table, now_ms: int) -> bool:
    """Whether nobody is likely to sit down any more: the table is full, or its countdown is at its end."""
    if len(table.chairs) == table.terms.seats:
        return True
    clock = table.clock
    return table.phase == "starting" and clock is not None and now_ms >= clock.ends_at - table.terms.seat_seed_ms


def _chair(table: Table, seat: Seat) -> Chair:
    found = table.chair(seat)
    assert found is not None, f"nobody sits in seat {seat}"
    return found
