"""The seeds that a table was promised: drawn once, and after a takeover found again in what the log holds sealed."""

from poolrummy.dealer.packs import PackSource
from poolrummy.fairness.batch import SEEDS_PER_BATCH, SeedBatch, first_batch, next_batch, opened_batch
from poolrummy.fairness.sealing import Sealed as SealedBytes
from poolrummy.fairness.sealing import Sealer
from poolrummy.rules.hidden import SeedPromise
from poolrummy_contracts.events import BatchSeed, Sealed, SeedsCommitted


class SeedMismatch(Exception):
    """The sealed seeds of the log are not those that were promised: no pack of this table can be dealt from them."""


class SeedKeeper:
    """The seed batches of one table."""

    def __init__(
        self, table: str, *, decks: int, source: PackSource, sealer: Sealer, per_batch: int = SEEDS_PER_BATCH
    ) -> None:
        self._table = table
        self._per_batch = per_batch
        self._decks = decks
        self._source = source
        self._sealer = sealer
        self._committed: dict[int, SeedsCommitted] = {}
        self._drawn: dict[int, tuple[SeedBatch, SeedPromise]] = {}
        self._opened: dict[int, SeedBatch] = {}

    def promise(self, number: int) -> SeedPromise:
        """What the log is to say of a new batch; drawn when it is first asked for, and the same from then on."""
        if number not in self._drawn:
            batch = self._draw(number)
            sealed = self._sealer.seal(batch.plain)
            promise = SeedPromise(
                count=len(batch.seeds), root=batch.root, sealed=Sealed(keys=sealed.key_ids, blob=sealed.blob)
            )
            self._drawn[number] = batch, promise
        return self._drawn[number][1]

    def observe(self, event: SeedsCommitted) -> None:
        """A batch stands in the log; what is sealed there is opened when it is needed."""
        self._committed[event.batch] = event
        drawn = self._drawn.pop(event.batch, None)
        if drawn is not None and drawn[1].root == event.root:
            self._opened[event.batch] = drawn[0]

    def batch(self, number: int) -> SeedBatch:
        """A batch that was promised, or is promised in this very decision."""
        if number in self._drawn:
            return self._drawn[number][0]
        if number not in self._opened:
            self._opened[number] = self._open(self._committed[number])
        return self._opened[number]

    def laid_open(self, number: int, indexes: tuple[int, ...]) -> tuple[BatchSeed, ...]:
        """These seeds of a batch, for the log."""
        seeds = self.batch(number).seeds
        return tuple(BatchSeed(index, seeds[index].hex()) for index in indexes)

    def committed_from(self, number: int) -> tuple[SeedsCommitted, ...]:
        """The promises from this batch on, for a snapshot."""
        return tuple(event for batch, event in sorted(self._committed.items()) if batch >= number)

    def _draw(self, number: int) -> SeedBatch:
        if number == 1:
            return first_batch(self._table, lambda: self._source.fresh_seed(self._decks), count=self._per_batch)
        return next_batch(self.batch(number - 1))

    def _open(self, event: SeedsCommitted) -> SeedBatch:
        plain = self._sealer.open(SealedBytes(key_ids=event.sealed.keys, blob=event.sealed.blob))
        batch = opened_batch(self._table, event.batch, plain, count=event.count)
        if batch is None or batch.root != event.root:
            raise SeedMismatch(f"{self._table} batch {event.batch}: the sealed seeds do not give its root {event.root}")
        return batch
