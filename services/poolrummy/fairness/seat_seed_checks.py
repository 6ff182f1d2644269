"""Whether seats gave their seeds in time and as promised, from the public log alone (rule 3.8)."""

from collections.abc import Iterator, Sequence

from poolrummy_contracts import events as e
from poolrummy_contracts.openings import hash_bytes, seat_seed_commitment
from poolrummy_contracts.terms import Seat


class _Told:
    """What the log has told so far of the seats' seeds."""

    def __init__(self) -> None:
        self.players: dict[Seat, str] = {}
        self.promised: dict[Seat, str] = {}
        self.shown: dict[Seat, str] = {}
        self.started = False


def seat_seed_faults(events: Sequence[e.TableEvent]) -> Iterator[tuple[int, str]]:
    """Seeds that came late, that were not promised, or that the start tells otherwise; each with its version."""
    told = _Told()
    for event in events:
        wrong = _fault(event, told)
        if wrong is not None:
            yield event.v, wrong


def _fault(event: e.TableEvent, told: _Told) -> str | None:
    match event:
        case e.SeatTaken():
            told.players[event.seat] = event.player
        case e.SeatVacated():
            for of in (told.players, told.promised, told.shown):
                of.pop(event.seat, None)
        case e.SeatSeedCommitted():
            late = told.started or bool(told.shown)
            told.promised[event.seat] = event.commitment
            return f"seat {event.seat} promised a seed after it could know those of others" if late else None
        case e.SeatSeedRevealed():
            told.shown[event.seat] = event.seed
            player, commitment = told.players.get(event.seat, ""), told.promised.get(event.seat)
            fits = not told.started and _fits(event, player, commitment)
            return None if fits else f"the seed of seat {event.seat} is not the one that it promised in time"
        case e.MatchStarted():
            told.started = True
            given = tuple(_closed(one.seat, told.promised, told.shown) for one in event.seats)
            return None if event.seat_seeds == given else "the seeds of the seats are not told as they were given"
        case _:
            pass
    return None


def _fits(event: e.SeatSeedRevealed, player: str, commitment: str | None) -> bool:
    seed = hash_bytes(event.seed)
    if seed is None:
        return False
    return commitment == seat_seed_commitment(table=event.table, seat=event.seat, player=player, seed=seed)


def _closed(seat: Seat, promised: dict[Seat, str], shown: dict[Seat, str]) -> e.SeatSeed:
    if seat not in promised:
        return e.SeatSeed(seat=seat, state="none")
    if seat not in shown:
        return e.SeatSeed(seat=seat, state="withheld", commitment=promised[seat])
    return e.SeatSeed(seat=seat, state="revealed", commitment=promised[seat], seed=shown[seat])
