"""The seeds of a match, promised all at once before a seat is filled: batches and their Merkle roots (rule 3.6).

The first batch is drawn from the operating system. Its last seed is never dealt with: from it the next batch is
derived, and so on. Who has seen the first root has been promised every seed of the match, however long it lasts.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from poolrummy.fairness import merkle, stream
from poolrummy_contracts.events import SeedProof
from poolrummy_contracts.openings import seed_leaf

SEEDS_PER_BATCH: Final = 32
DERIVED: Final = "poolrummy-seed-batch-v1"


@dataclass(frozen=True, slots=True)
class SeedBatch:
    """A batch of seeds of one table. They are secret: neither ``repr`` nor a log line shows them."""

    table: str
    number: int
    seeds: tuple[bytes, ...] = field(repr=False)
    tree: merkle.Levels = field(repr=False)

    @property
    def root(self) -> str:
        """The promise, in hex."""
        return merkle.root(self.tree)

    @property
    def plain(self) -> bytes:
        """What is sealed: the seeds one after the other."""
        return b"".join(self.seeds)

    def proof(self, index: int) -> SeedProof:
        """That this seed was promised, without saying what it is."""
        leaf = self.tree[0][index].hex()
        return SeedProof(batch=self.number, index=index, leaf=leaf, path=merkle.path(self.tree, index))


def batch_of(table: str, number: int, seeds: tuple[bytes, ...]) -> SeedBatch:
    """The batch that these seeds are."""
    assert len(seeds) > 1, "a batch has a seed to deal with and one to go on from"
    leaves = [seed_leaf(table=table, batch=number, index=index, seed=seed) for index, seed in enumerate(seeds)]
    return SeedBatch(table=table, number=number, seeds=seeds, tree=merkle.levels(leaves))


def first_batch(table: str, fresh: Callable[[], bytes], *, count: int = SEEDS_PER_BATCH) -> SeedBatch:
    """The first batch of a table, of seeds nobody has seen before."""
    return batch_of(table, 1, tuple(fresh() for _ in range(count)))


def next_batch(before: SeedBatch) -> SeedBatch:
    """The batch after this one, derived from its last seed."""
    key, number = before.seeds[-1], before.number + 1
    context = hashlib.sha512(before.table.encode()).digest()
    return batch_of(
        before.table,
        number,
        tuple(
            stream.derived(key, label=f"{DERIVED}/{number}/{index}".encode(), context=context, size=len(key))
            for index in range(len(before.seeds))
        ),
    )


def opened_batch(table: str, number: int, plain: bytes, *, count: int) -> SeedBatch | None:
    """The batch in what was sealed; None where these bytes are not so many seeds of one length."""
    size, over = divmod(len(plain), max(count, 1))
    if count < 2 or over or not size:
        return None
    return batch_of(table, number, tuple(plain[at : at + size] for at in range(0, len(plain), size)))
