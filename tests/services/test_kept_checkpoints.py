"""What is kept about a table is kept once: a second checkpoint of one size is an alarm, and leaves know their place."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from poolrummy.fairness.checkpoint import Checkpoint, signed
from poolrummy.keeping.checkpoint_folder import CheckpointForked, FolderKeeper, KeptCheckpoints, keep, kept

NOTARY = Ed25519PrivateKey.generate()


def note_of(table: str, size: int, root: bytes, private: Ed25519PrivateKey = NOTARY) -> tuple[Checkpoint, bytes]:
    made = Checkpoint(table=table, size=size, root=root, chain=bytes(32), at_ms=5)
    return made, signed(made, private)


def test_a_second_checkpoint_that_says_something_else_is_an_alarm_and_both_are_kept(tmp_path: Path) -> None:
    keeper = FolderKeeper(tmp_path)
    first, second = note_of("p00-a", 2, b"1" * 32), note_of("p00-a", 2, b"2" * 32)
    keep(keeper, *first, [b"a" * 32, b"b" * 32])
    with pytest.raises(
        CheckpointForked, match=r"p00-a/000000000002\.checkpoint and p00-a/.*\.other-[0-9a-f]{16} speak"
    ) as alarm:
        keep(keeper, *second, [b"a" * 32, b"b" * 32])

    names = keeper.names("p00-a")
    beside = next(name for name in names if ".other-" in name)
    assert beside in str(alarm.value)
    assert keeper.get("p00-a/000000000002.checkpoint") == first[1]
    assert keeper.get(f"p00-a/{beside}") == second[1]
    assert KeptCheckpoints(keeper).latest("p00-a") == first[0]
    assert kept(keeper, "p00-a").notes == (first[1],)


def test_the_same_checkpoint_under_a_new_key_is_no_alarm(tmp_path: Path) -> None:
    keeper = FolderKeeper(tmp_path)
    first, second = note_of("p00-a", 2, b"1" * 32), note_of("p00-a", 2, b"1" * 32, Ed25519PrivateKey.generate())
    keep(keeper, *first, [b"a" * 32, b"b" * 32])
    keep(keeper, *second, [b"b" * 32])

    assert kept(keeper, "p00-a").notes == (first[1],)
    assert kept(keeper, "p00-a").leaves == (b"a" * 32, b"b" * 32)


def test_leaves_are_put_together_by_their_place_and_only_where_a_checkpoint_stands(tmp_path: Path) -> None:
    keeper = FolderKeeper(tmp_path)
    leaves = [bytes([number]) * 32 for number in range(9)]
    keep(keeper, *note_of("p00-a", 3, b"1" * 32), leaves[:3])
    keeper.put_once("p00-a/000000000005.leaves", b"".join(leaves[3:5]))  # and then the notary ended
    keep(keeper, *note_of("p00-a", 6, b"2" * 32), leaves[3:6])
    keep(keeper, *note_of("p00-a", 9, b"3" * 32), leaves[4:9])

    assert kept(keeper, "p00-a").leaves == tuple(leaves)


def test_where_leaves_are_missing_those_behind_are_not_put_in_their_place(tmp_path: Path) -> None:
    keeper = FolderKeeper(tmp_path)
    keep(keeper, *note_of("p00-a", 3, b"1" * 32), [b"a" * 32] * 3)
    keep(keeper, *note_of("p00-a", 6, b"2" * 32), [b"b" * 32] * 3)
    keep(keeper, *note_of("p00-a", 9, b"3" * 32), [b"c" * 32] * 3)
    keeper.remove("p00-a/000000000006.leaves")

    assert kept(keeper, "p00-a").leaves == (b"a" * 32,) * 3
