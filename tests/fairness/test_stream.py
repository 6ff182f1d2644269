import itertools

from hypothesis import given
from hypothesis import strategies as st

from poolrummy.fairness import stream

LABELS = st.binary(max_size=40).filter(lambda label: b"\0" not in label)


@given(
    seed=st.binary(min_size=80, max_size=120), label=LABELS, context=st.binary(max_size=64), size=st.integers(1, 700)
)
def test_the_bytes_are_those_of_a_bare_hmac(independent, seed, label, context, size):
    made = stream.derived(seed, label=label, context=context, size=size)

    assert made == independent.kdf(seed, label, context, size)


def test_draws_are_used_in_the_order_made_and_go_on_in_the_next_chunk(independent, seed):
    drawn = list(itertools.islice(stream.draws(seed, stem=b"stem", context=bytes(64)), 1100))

    chunks = b"".join(independent.kdf(seed, b"stem/shuffle/%d" % chunk, bytes(64), 1024) for chunk in range(3))
    assert drawn == [int.from_bytes(chunks[2 * at : 2 * at + 2], "big") for at in range(1100)]


def test_draws_and_salts_of_one_seed_have_labels_of_their_own(seed):
    drawn = itertools.islice(stream.draws(seed, stem=b"stem", context=bytes(64)), 512)
    drawn_bytes = b"".join(draw.to_bytes(2, "big") for draw in drawn)
    salts = stream.salts(seed, stem=b"stem", context=bytes(64), positions=32)

    assert len(b"".join(salts)) == len(drawn_bytes)
    assert not any(salt in drawn_bytes for salt in salts)


def test_each_position_has_a_salt_of_its_own(seed):
    salts = stream.salts(seed, stem=b"stem", context=bytes(64), positions=168)

    assert len(set(salts)) == 168
    assert {len(salt) for salt in salts} == {32}
