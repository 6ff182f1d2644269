"""All seeds of a match are promised before anybody sits down (rule 3.6)."""

import itertools

import pytest

from poolrummy.fairness.batch import SEEDS_PER_BATCH, batch_of, first_batch, next_batch, opened_batch
from poolrummy.fairness.entropy import fresh_seed
from poolrummy_contracts.openings import check_seed_proof, seed_leaf

TABLE = "p07-9f2c"


@pytest.fixture(scope="module")
def batch():
    return first_batch(TABLE, lambda: fresh_seed(2))


@pytest.mark.rule("3.6")
def test_each_seed_is_proved_by_its_hash_and_by_no_other(batch):
    for index in range(SEEDS_PER_BATCH):
        proof = batch.proof(index)
        assert check_seed_proof(proof, root=batch.root, count=SEEDS_PER_BATCH)
        assert proof.leaf == seed_leaf(table=TABLE, batch=1, index=index, seed=batch.seeds[index]).hex()
        moved = batch.proof((index + 1) % SEEDS_PER_BATCH)
        assert not check_seed_proof(type(proof)(1, index, moved.leaf, proof.path), root=batch.root, count=32)


@pytest.mark.rule("3.6")
def test_a_seed_at_another_place_table_or_batch_has_another_hash(batch):
    seed = batch.seeds[0]
    hashes = [
        seed_leaf(table=table, batch=number, index=index, seed=seed)
        for table, number, index in itertools.product((TABLE, "p07-9f2d"), (1, 2), (0, 1))
    ]

    assert len(set(hashes)) == 8


@pytest.mark.rule("3.6")
def test_the_next_batch_follows_from_the_last_seed_and_from_nothing_else(batch):
    following = next_batch(batch)
    only_last = batch_of(TABLE, 1, (*(bytes(80) for _ in batch.seeds[:-1]), batch.seeds[-1]))
    only_first = batch_of(TABLE, 1, (*batch.seeds[:-1], bytes(80)))

    assert following.number == 2
    assert next_batch(only_last).seeds == following.seeds
    assert set(next_batch(only_first).seeds).isdisjoint(following.seeds)


def test_no_seed_comes_twice_in_ten_batches(batch):
    batches = list(itertools.accumulate(range(9), lambda before, _: next_batch(before), initial=batch))
    seeds = [seed for one in batches for seed in one.seeds]

    assert len(set(seeds)) == len(seeds) == 320
    assert {len(seed) for seed in seeds} == {80}


def test_what_is_sealed_gives_the_batch_again_and_anything_else_does_not(batch):
    assert opened_batch(TABLE, 1, batch.plain, count=32) == batch
    assert opened_batch(TABLE, 1, batch.plain[:-1], count=32) is None
    assert opened_batch(TABLE, 1, b"", count=32) is None
    assert opened_batch(TABLE, 1, batch.plain, count=0) is None


def test_a_batch_does_not_show_its_seeds(batch):
    assert batch.seeds[0].hex()[:12] not in repr(batch)
    assert repr(batch.seeds[0]) not in repr(batch)
