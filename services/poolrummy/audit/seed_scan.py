"""Whether a seed was used twice, over any number of tables (R5): as far as the reader knows the seeds.

Everybody knows the seed of each toss, and those that a log lays open; the auditor's key opens the others. A seed of one
batch has one place, however often it is named.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import msgspec

from poolrummy.audit.packs import Seeds
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.sealing import Sealer
from poolrummy_contracts import events as e


class Place(msgspec.Struct, frozen=True, order=True):
    """Where a seed was promised."""

    table: str
    batch: int
    index: int


class Repeated(msgspec.Struct, frozen=True, kw_only=True):
    """A seed that stands in several places; the seed itself is not told."""

    places: tuple[Place, ...]


class SeedScan:
    """Takes one table after the other."""

    def __init__(self) -> None:
        self._places: defaultdict[bytes, set[Place]] = defaultdict(set)
        self.tables = 0

    def take(self, events: Sequence[e.TableEvent], sealer: Sealer | None, opened: dict[int, str] | None = None) -> None:
        """The seeds of one table; ``FairnessError`` where what is sealed or laid open is not what was promised."""
        self.tables += 1
        for place, seed in known_seeds(events, sealer, opened):
            self._places[seed].add(place)

    @property
    def seeds(self) -> int:
        """How many different seeds were seen."""
        return len(self._places)

    @property
    def repeated(self) -> tuple[Repeated, ...]:
        """Seeds in more than one place."""
        return tuple(Repeated(places=tuple(sorted(found))) for found in self._places.values() if len(found) > 1)


def known_seeds(
    events: Sequence[e.TableEvent], sealer: Sealer | None, opened: dict[int, str] | None = None
) -> Iterator[tuple[Place, bytes]]:
    """Each seed that the reader of this log knows, with its place."""
    seeds = Seeds(events, sealer, opened)
    for event in events:
        match event:
            case e.SeedsCommitted():
                batch = seeds.batch(event.batch)
                for index, seed in enumerate(() if batch is None else batch.seeds):
                    yield Place(event.table, event.batch, index), seed
            case e.TossDrawn():
                yield Place(event.table, event.proof.batch, event.proof.index), _bytes(event.seed)
            case e.DealStarted():
                of_deal = seeds.of(event)
                if of_deal is not None:
                    yield Place(event.table, event.proof.batch, event.proof.index), of_deal
            case e.BatchClosed():
                for one in event.seeds:
                    yield Place(event.table, event.batch, one.index), _bytes(one.seed)
            case _:
                continue


def _bytes(seed: str) -> bytes:
    try:
        return bytes.fromhex(seed)
    except ValueError:
        raise FairnessError(f"the seed {seed[:24]!r} that was laid open is no hex") from None
