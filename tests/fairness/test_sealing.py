import base64
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolrummy.fairness import age
from poolrummy.fairness.errors import FairnessError, KeyForeignError, KeyUnreadableError, SealBrokenError
from poolrummy.fairness.keys import KeyRing, key_id, load_keys, load_or_create_keys
from poolrummy.fairness.sealing import AgeSealer, Sealed, Sealer


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    load_or_create_keys(folder)
    return folder


@pytest.fixture(scope="module")
def ring(folder):
    return load_keys(folder)


@pytest.fixture(scope="module")
def sealer(ring) -> Sealer:
    return AgeSealer(ring)


def alone(ring, role):
    """The ring of a process that holds this role's identity only."""
    kept = key_id(getattr(ring, role))
    return KeyRing(dealer=ring.dealer, auditor=ring.auditor, identities={kept: ring.identities[kept]})


@pytest.mark.parametrize("role", ["dealer", "auditor"])
def test_the_dealer_and_the_auditor_open_the_same_blob_each_alone(ring, sealer, seed, role):
    sealed = sealer.seal(seed)

    assert sealed.key_ids == (key_id(ring.dealer), key_id(ring.auditor))
    assert AgeSealer(alone(ring, role)).open(sealed) == seed


def test_a_seat_opens_what_is_sealed_to_it_and_nobody_else_does(ring, sealer):
    seat = age.new_identity()
    recipient = str(seat.to_public())
    sealed = sealer.seal(b"TD 9H", recipient)
    seat_ring = KeyRing(dealer=ring.dealer, auditor=ring.auditor, identities={key_id(recipient): seat})

    assert AgeSealer(seat_ring).open(sealed) == b"TD 9H"
    with pytest.raises(KeyForeignError, match=key_id(recipient)):
        sealer.open(sealed)


@settings(max_examples=30, deadline=None)
@given(plain=st.binary(max_size=300))
def test_what_was_sealed_is_opened_and_no_two_blobs_are_alike(sealer, plain):
    one, other = sealer.seal(plain), sealer.seal(plain)

    assert sealer.open(one) == sealer.open(other) == plain
    assert one.blob != other.blob


def test_the_blob_shows_nothing_of_the_seed(sealer, seed):
    raw = base64.b64decode(sealer.seal(seed).blob)

    assert not any(seed[at : at + 8] in raw for at in range(len(seed) - 8))


def test_a_foreign_blob_names_its_keys_and_the_mend(tmp_path, sealer, seed):
    other = load_or_create_keys(tmp_path)
    sealed = AgeSealer(other).seal(seed)

    with pytest.raises(KeyForeignError, match="add the key file") as refused:
        sealer.open(sealed)
    assert refused.value.key_ids == sealed.key_ids
    assert key_id(other.dealer) in str(refused.value)


def test_no_changed_byte_of_a_blob_opens(sealer, seed):
    sealed = sealer.seal(seed)
    raw = base64.b64decode(sealed.blob)

    opened = []
    for at in range(len(raw)):
        changed = base64.b64encode(raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]).decode()
        try:
            opened.append(sealer.open(Sealed(key_ids=sealed.key_ids, blob=changed)))
        except SealBrokenError:
            continue
    assert not opened


@pytest.mark.parametrize("cut", [0, 1, 20, 200, 300])
def test_no_cut_blob_opens(sealer, seed, cut):
    sealed = sealer.seal(seed)
    raw = base64.b64encode(base64.b64decode(sealed.blob)[:cut]).decode()

    with pytest.raises(SealBrokenError, match=sealed.key_ids[0]):
        sealer.open(Sealed(key_ids=sealed.key_ids, blob=raw))


@pytest.mark.parametrize("junk", ["\n", " ", "!", "é"])
def test_a_blob_with_anything_between_its_characters_is_broken(sealer, seed, junk):
    sealed = sealer.seal(seed)

    with pytest.raises(SealBrokenError):
        sealer.open(msgspec.structs.replace(sealed, blob=sealed.blob[:40] + junk + sealed.blob[40:]))


@settings(max_examples=50, deadline=None)
@given(blob=st.text(max_size=60))
def test_whatever_is_sent_as_a_blob_is_refused_by_name(sealer, ring, blob):
    with pytest.raises(FairnessError):
        sealer.open(Sealed(key_ids=(key_id(ring.dealer),), blob=blob))


def test_a_blob_that_names_a_key_it_is_not_sealed_to_is_broken(tmp_path, sealer, ring, seed):
    foreign = AgeSealer(load_or_create_keys(tmp_path)).seal(seed)

    with pytest.raises(SealBrokenError):
        sealer.open(msgspec.structs.replace(foreign, key_ids=(key_id(ring.dealer),)))


def test_a_recipient_that_is_none_is_refused(sealer):
    with pytest.raises(KeyUnreadableError, match="no age recipient"):
        sealer.seal(b"x", "age1nobody")


def test_a_sealed_blob_is_one_line_of_the_log(sealer, seed):
    sealed = sealer.seal(seed)

    assert msgspec.json.decode(msgspec.json.encode(sealed), type=Sealed) == sealed
    # age adds a stanza of random length now and then, so that readers learn to skip what they do not know.
    assert len(sealed.blob) < 1500


@pytest.mark.parametrize("role", ["dealer", "auditor"])
def test_what_the_age_command_wrote_is_opened_with_the_keys_that_age_keygen_made(seed, role):
    written = Path(__file__).with_name("age_written")
    ring = load_keys(written)
    sealed = Sealed(key_ids=(key_id(ring.dealer), key_id(ring.auditor)), blob=(written / "seed.age.base64").read_text())

    assert AgeSealer(alone(ring, role)).open(sealed) == seed


@pytest.mark.skipif(shutil.which("age") is None, reason="the age command is not installed")
@pytest.mark.parametrize("role", ["dealer", "auditor"])
def test_the_age_command_opens_a_blob_with_a_key_file(folder, sealer, seed, role):
    raw = base64.b64decode(sealer.seal(seed).blob)

    command = ["age", "--decrypt", "--identity", str(folder / f"{role}.key")]
    assert subprocess.run(command, input=raw, capture_output=True, check=True).stdout == seed
