"""Which promised seed shuffles which pack, and how every promise is accounted for (rules 3.6 and 3.9)."""

from collections.abc import Sequence

from poolrummy.rules.hidden import ShuffleBasis
from poolrummy.rules.recorder import Recorder
from poolrummy.rules.state import CommittedBatch, Table
from poolrummy_contracts.events import BatchClosed, SeatedPlayer, SeatSeed, SeedRevealed, SeedsCommitted
from poolrummy_contracts.terms import Seat


def commit(rec: Recorder) -> None:
    """Promise a batch of seeds: the first when the table opens, so before a seat is filled (rule 3.6)."""
    number = len(rec.table.batches) + 1
    promise = rec.hidden.commit(number)
    stamp = rec.follow("3.6")
    rec.record(SeedsCommitted(**stamp, batch=number, count=promise.count, root=promise.root, sealed=promise.sealed))


def commit_ahead(rec: Recorder) -> None:
    """Promise the next batch when one seed is left to deal with, never later (rule 3.6)."""
    if sum(batch.left for batch in rec.table.batches) <= 1:
        commit(rec)


def next_basis(table: Table, order: Sequence[Seat]) -> ShuffleBasis:
    """What the next pack is shuffled by: seeds are used in the order in which they were promised."""
    batch = next(batch for batch in table.batches if batch.left > 0)
    return basis_at(table, order, batch=batch.number, index=batch.used)


def basis_at(table: Table, order: Sequence[Seat], *, batch: int, index: int) -> ShuffleBasis:
    """What a pack with this seed is shuffled by."""
    root = next(one.root for one in table.batches if one.number == batch)
    chairs = {chair.seat: SeatedPlayer(seat=chair.seat, player=chair.player, kind=chair.kind) for chair in table.chairs}
    given = {one.seat: one for one in table.seat_seeds}
    return ShuffleBasis(
        batch=batch,
        index=index,
        root=root,
        seats=tuple(chairs[seat] for seat in order),
        seat_seeds=tuple(given.get(seat) or SeatSeed(seat=seat, state="none") for seat in order),
    )


def reveal(rec: Recorder, deal: int, rule: str) -> None:
    """Lay the seed of a deal open (rules 3.9 and 13.2)."""
    rec.record(SeedRevealed(**rec.follow(rule), of_deal=deal, seed=rec.hidden.seed(deal)))


def reveal_if_public(rec: Recorder, deal: int) -> None:
    """After a deal its seed is laid open where the terms say so (rule 3.9)."""
    if rec.table.terms.reveal_policy == "public":
        reveal(rec, deal, "3.9")


def close_batches(rec: Recorder) -> None:
    """No promise without an end: each seed was used, or it never will be (rule 3.9)."""
    last = len(rec.table.batches)
    for batch in rec.table.batches:
        used, unused = _used_and_unused(batch, goes_on=batch.number < last)
        # The others lie open already: those of the toss and of deals that are over.
        left = tuple(range(batch.used, batch.count)) if rec.table.terms.reveal_policy == "public" else ()
        rec.record(
            BatchClosed(
                **rec.follow("3.9"),
                batch=batch.number,
                used=used,
                unused=unused,
                seeds=rec.hidden.batch_seeds(batch.number, left) if left else (),
            )
        )


def _used_and_unused(batch: CommittedBatch, *, goes_on: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Seeds that shuffled a pack, and the last one if the next batch comes from it; and the rest."""
    used = (*range(batch.used), *((batch.count - 1,) if goes_on else ()))
    return used, tuple(index for index in range(batch.used, batch.count) if index not in used)
