import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from poolrummy.fairness.errors import FairnessError, KeyFolderError, KeyMissingError, KeyUnreadableError
from poolrummy.fairness.keys import key_id, load_keys, load_or_create_keys
from poolrummy.fairness.sealing import AgeSealer

RACER = """
import sys, time
from pathlib import Path
from poolrummy.fairness.keys import load_or_create_keys
gate = Path(sys.argv[1])
print("ready", flush=True)
while not gate.exists():
    pass
for number in range(20):
    print(*load_or_create_keys(gate.parent / f"keys{number}").recipients)
"""


def test_an_empty_folder_gets_keys_that_are_there_the_next_time(tmp_path):
    made = load_or_create_keys(tmp_path / "deep" / "keys")

    assert load_or_create_keys(tmp_path / "deep" / "keys").recipients == made.recipients
    assert load_keys(tmp_path / "deep" / "keys").recipients == made.recipients
    assert made.dealer != made.auditor


def test_only_the_owner_reads_a_key_file(tmp_path):
    load_or_create_keys(tmp_path / "keys")

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "keys").iterdir()}
    assert modes == {"dealer.key": 0o600, "auditor.key": 0o600}
    assert stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o700


def test_no_secret_stands_in_what_is_printed_of_a_ring(tmp_path):
    ring = load_or_create_keys(tmp_path)

    assert "SECRET" not in f"{ring!r} {ring}"


def test_threads_that_start_at_the_same_moment_end_with_the_same_keys(tmp_path):
    gate = threading.Barrier(6)

    def start(number):
        gate.wait()
        return load_or_create_keys(tmp_path / f"keys{number}").recipients

    with ThreadPoolExecutor(6) as pool:
        for number in range(20):
            rings = list(pool.map(start, [number] * 6))
            assert len(set(rings)) == 1


def test_processes_that_start_at_the_same_moment_end_with_the_same_keys(tmp_path):
    gate = tmp_path / "gate"
    racers = [
        subprocess.Popen([sys.executable, "-c", RACER, str(gate)], stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    for racer in racers:
        assert racer.stdout.readline() == "ready\n"
    gate.touch()

    ended = [racer.communicate(timeout=60)[0] for racer in racers]
    assert len(set(ended)) == 1
    assert len(set(ended[0].split())) == 40


def test_a_start_that_was_killed_half_way_is_finished_by_the_next(tmp_path):
    auditor = load_or_create_keys(tmp_path).auditor
    (tmp_path / "dealer.key").rename(tmp_path / ".dealer.key.draft")

    assert load_or_create_keys(tmp_path).auditor == auditor


def test_a_lost_auditor_key_is_not_replaced_without_a_word(tmp_path):
    load_or_create_keys(tmp_path)
    (tmp_path / "auditor.key").unlink()

    with pytest.raises(KeyMissingError, match="restore it from the backup"):
        load_or_create_keys(tmp_path)


def test_play_for_money_does_not_begin_without_keys(tmp_path):
    with pytest.raises(KeyMissingError, match="poolrummy keys new --dir") as refused:
        load_keys(tmp_path)
    assert refused.value.path == tmp_path / "auditor.key"
    assert not list(tmp_path.iterdir())


def test_the_dealers_machine_seals_to_an_auditor_whose_key_it_does_not_hold(tmp_path, seed):
    whole = load_or_create_keys(tmp_path)
    kept = (tmp_path / "auditor.key").rename(tmp_path / "elsewhere")
    (tmp_path / "auditor.pub").write_text(f"# the auditor\n{whole.auditor}\n")

    ring = load_or_create_keys(tmp_path)
    assert ring.recipients == whole.recipients
    assert list(ring.identities) == [key_id(whole.dealer)]

    sealed = AgeSealer(ring).seal(seed)
    kept.rename(tmp_path / "auditor.key")
    assert AgeSealer(load_keys(tmp_path)).open(sealed) == seed


def test_a_ring_seals_to_the_first_identity_of_a_file_and_opens_with_all(tmp_path, seed):
    old, new = tmp_path / "old", tmp_path / "new"
    sealed = AgeSealer(load_or_create_keys(old)).seal(seed)
    first = load_or_create_keys(new)
    with (new / "dealer.key").open("a") as file:
        file.write((old / "dealer.key").read_text())

    rotated = load_keys(new)

    assert rotated.dealer == first.dealer
    assert len(rotated.identities) == 3
    assert AgeSealer(rotated).open(sealed) == seed


def test_a_file_of_age_keygen_is_read(tmp_path):
    lines = (tmp_path / "made").joinpath("dealer.key")
    load_or_create_keys(lines.parent)
    _, public, secret = lines.read_text().splitlines()
    for role in ("dealer", "auditor"):
        (tmp_path / f"{role}.key").write_text(f"# created: 2026-11-29T23:07:00Z\r\n{public}\r\n{secret}\r\n")

    assert f"# public key: {load_keys(tmp_path).dealer}" == public


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda text: text[:-20], "no age identity"),
        (lambda text: text.replace("AGE-SECRET", "AGE-SECRETS"), "no age identity"),
        (lambda text: "\n".join(text.splitlines()[:2]), "holds no age identity"),
        (lambda text: text.splitlines()[0] + "\n", "holds no age identity"),
        (lambda _: "", "holds no age identity"),
        (lambda _: "\x00\xff\udc80\n", "no age identity"),
        (lambda text: text.replace("# public key: age1", "# public key: age1qq"), "do not belong together"),
    ],
)
def test_a_damaged_key_file_is_named_with_its_mend_and_without_its_secret(tmp_path, damage, reason):
    load_or_create_keys(tmp_path)
    path = tmp_path / "dealer.key"
    whole = path.read_text()
    path.write_bytes(damage(whole).encode("utf-8", "surrogateescape"))

    for load in (load_keys, load_or_create_keys):
        with pytest.raises(KeyUnreadableError, match=reason) as refused:
            load(tmp_path)
        assert str(path) in str(refused.value)
        assert "restore it from the backup" in str(refused.value)
        assert whole.splitlines()[2][16:40] not in str(refused.value)


def test_a_damaged_key_is_named_by_its_id(tmp_path):
    ring = load_or_create_keys(tmp_path)
    path = tmp_path / "dealer.key"
    path.write_text(path.read_text()[:-20])

    with pytest.raises(KeyUnreadableError, match=key_id(ring.dealer)):
        load_keys(tmp_path)


def test_a_public_half_that_is_none_is_refused(tmp_path):
    load_or_create_keys(tmp_path)
    (tmp_path / "auditor.key").unlink()
    (tmp_path / "auditor.pub").write_text("age1nobody\n")

    with pytest.raises(KeyUnreadableError, match="no age recipient"):
        load_keys(tmp_path)


def test_a_folder_that_is_a_file_is_named(tmp_path):
    (tmp_path / "keys").write_text("")

    with pytest.raises(KeyFolderError, match="keys cannot be used"):
        load_or_create_keys(tmp_path / "keys")


def test_a_key_file_that_is_a_folder_is_named(tmp_path):
    load_or_create_keys(tmp_path)
    (tmp_path / "dealer.key").unlink()
    (tmp_path / "dealer.key").mkdir()

    with pytest.raises(FairnessError, match="cannot be used"):
        load_keys(tmp_path)
