"""The vectors in ``contracts/vectors``: written by an implementation without our code, and ours gives the same."""

import hashlib
import json
from pathlib import Path

import msgspec
import pytest

from poolrummy.fairness import pack, stream, transcript
from poolrummy.fairness.batch import SEEDS_PER_BATCH, batch_of, next_batch
from poolrummy_contracts.cards import Card, position
from poolrummy_contracts.envelope import chain_next, chain_start
from poolrummy_contracts.events import OpenedCard, SeedProof
from poolrummy_contracts.openings import check_card, check_seed_proof, seat_seed_commitment

PUBLISHED = Path(__file__).parents[2] / "contracts/vectors/fair-pack-1.json"
FIRST_WRITTEN = "b7aae6278be1e78b7db5a1d572dd5487b0997d7ccf40c987fe590c248e76ac3e"


@pytest.fixture(scope="module")
def published():
    return json.loads(PUBLISHED.read_text())


def test_the_vectors_are_those_that_were_published_first():
    assert hashlib.sha256(PUBLISHED.read_bytes()).hexdigest() == FIRST_WRITTEN


def test_the_independent_implementation_still_gives_them(independent, published):
    assert independent.fair_pack() == published


@pytest.mark.rule("3.6")
def test_batches_roots_and_proofs_are_made_again(published):
    first, second = (
        batch_of(one["table"], one["batch"], tuple(map(bytes.fromhex, one["seeds"]))) for one in published["batches"]
    )

    assert next_batch(first) == second
    for batch, one in zip((first, second), published["batches"], strict=True):
        assert batch.root == one["root"]
        assert len(batch.seeds) == SEEDS_PER_BATCH
        assert hashlib.sha256(batch.plain).hexdigest() == one["sealed_plain_sha256"]
        for proof in one["proofs"]:
            assert batch.proof(proof["index"]) == msgspec.convert(proof, SeedProof)
            assert check_seed_proof(msgspec.convert(proof, SeedProof), root=one["root"], count=32)


@pytest.mark.rule("3.8")
def test_commitments_of_seats_are_made_again(published):
    for one in published["seat_seeds"]:
        seed = bytes.fromhex(one["seed"])
        assert one["commitment"] == seat_seed_commitment(
            table=one["table"], seat=one["seat"], player=one["player"], seed=seed
        )


def test_streams_packs_roots_and_openings_are_made_again(published):
    for vector in published["packs"]:
        said, seed = transcript.parse(vector["transcript"].encode()), bytes.fromhex(vector["seed"])
        goes_in = vector["goes_in"]
        dealt = pack.deal_pack(seed, said) if goes_in is None else pack.reshuffled(seed, said, goes_in)
        label = stream.chunk_label(vector["stem"].encode(), "shuffle", 0)
        begins = stream.derived(seed, label=label, context=transcript.context(said), size=1024)[:64]

        assert transcript.context(said).hex() == vector["context"], vector["name"]
        assert begins.hex() == vector["stream_begins"], vector["name"]
        assert " ".join(dealt.faces) == vector["faces"], vector["name"]
        assert dealt.root == vector["root"], vector["name"]
        for one in vector["openings"]:
            where = position(said.generation, one["position"])
            card = OpenedCard(Card(one["face"]), where, one["salt"], tuple(one["path"]))
            assert check_card(card, root=vector["root"], generation=said.generation, leaves=len(dealt.faces))


def test_the_chain_is_made_again(published):
    told = published["chain"]
    hashes = [chain_start(told["table"])]
    for entry in told["entries"]:
        hashes.append(chain_next(hashes[-1], entry.encode()))

    assert [one.hex() for one in hashes] == told["hashes"]
