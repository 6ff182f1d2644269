"""A robot before the match: it sits down, and it may give a seed of its own to the shuffles (rules 1.6 and 3.8)."""

from hashlib import sha256

from poolrummy.simulator.wishes import UNNAMED, Seen, Wish
from poolrummy_contracts.commands import RevealSeed, Sit
from poolrummy_contracts.openings import seat_seed_commitment


def seat_taken(seen: Seen) -> Wish | None:
    """Sit down, marked as a robot; promise a seed now and then."""
    if seen.table.chair(seen.seat) is not None:
        return _seed_laid_open(seen)
    promised = None
    if seen.table.terms.seat_seed_ms and seen.happens("seed", seen.style.gives_seed_percent * 10):
        promised = seat_seed_commitment(
            table=seen.table.id, seat=seen.seat, player=seen.player, seed=bytes.fromhex(_own_seed(seen))
        )
    sit = Sit(
        id=UNNAMED,
        table=seen.table.id,
        player=seen.player,
        seat=seen.seat,
        kind="robot",
        seed_commitment=promised,
    )
    return Wish(moment="sit", command=sit, ease_percent=20 * seen.seat)


def _seed_laid_open(seen: Seen) -> Wish | None:
    """Keep the promise when everybody is seated, or break it."""
    table, chair = seen.table, seen.table.chair(seen.seat)
    is_full = len(table.chairs) == table.terms.seats
    if chair is None or chair.commitment is None or chair.seed is not None or not is_full:
        return None
    if seen.happens("seed.broken", seen.style.breaks_promise_permille):
        return None
    reveal = RevealSeed(id=UNNAMED, table=table.id, player=seen.player, seat=seen.seat, seed=_own_seed(seen))
    return Wish(moment="seed", command=reveal, ease_percent=50)


def _own_seed(seen: Seen) -> str:
    """A robot's seed follows from the run and its seat; a person's would come from a real source of chance."""
    return sha256(f"{seen.seed}:{seen.table.id}:{seen.seat}:own seed".encode()).hexdigest()
