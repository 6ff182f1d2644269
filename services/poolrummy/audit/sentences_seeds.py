"""What is promised about the packs, and how each promise ends, as sentences."""

from typing import assert_never

from poolrummy_contracts import events as e

OfSeeds = e.SeedsCommitted | e.SeatSeedCommitted | e.SeatSeedRevealed | e.BatchClosed | e.SeedsUnsealed


def of_seeds(event: OfSeeds) -> str:
    """Promises about seeds, and how they are kept."""
    match event:
        case e.SeedsCommitted():
            return f"{event.count} seeds are promised (batch {event.batch}): root {event.root[:16]}…"
        case e.SeatSeedCommitted():
            return f"promises a seed of its own: {event.commitment[:16]}…"
        case e.SeatSeedRevealed():
            return f"lays its seed open: {event.seed[:16]}…"
        case e.BatchClosed():
            laid = f"; {len(event.seeds)} of them are laid open" if event.seeds else ""
            used, unused = len(event.used), len(event.unused)
            return f"batch {event.batch} is accounted for: {used} seeds used, {unused} never used{laid}"
        case e.SeedsUnsealed():
            return f"{' and '.join(event.operators)} open the sealed seeds: {event.reason}"
        case _:
            assert_never(event)
