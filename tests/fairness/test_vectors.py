"""Vectors that an independent implementation wrote once: a log recorded with them is checked by them for ever."""

import hashlib
from pathlib import Path

import msgspec

from poolrummy.fairness import pack, transcript

FIRST_WRITTEN = "dcf8ceca6d80c163aab388a991d0254a641381d455285037c62b310790d0ac1f"


def packed(vector):
    said = transcript.parse(vector["transcript"].encode())
    seed = bytes.fromhex(vector["seed"])
    if vector["goes_in"] is None:
        return said, pack.deal_pack(seed, said)
    return said, pack.reshuffled(seed, said, vector["goes_in"].split())


def test_the_vectors_are_those_that_were_published():
    published = Path(__file__).with_name("vectors.json").read_bytes()

    assert hashlib.sha256(published).hexdigest() == FIRST_WRITTEN


def test_the_independent_implementation_still_gives_the_published_vectors(independent, vectors):
    assert independent.vectors() == vectors


def test_every_published_pack_is_dealt_again(vectors):
    for vector in vectors:
        said, dealt = packed(vector)

        assert transcript.context(said).hex() == vector["context"], vector["name"]
        assert " ".join(dealt.faces) == vector["faces"], vector["name"]
        assert dealt.root == vector["root"], vector["name"]


def test_every_published_opening_is_made_again(vectors):
    for vector in vectors:
        _, dealt = packed(vector)
        made = dealt.openings(opening["position"] for opening in vector["openings"])

        assert msgspec.json.decode(msgspec.json.encode(made)) == vector["openings"], vector["name"]
