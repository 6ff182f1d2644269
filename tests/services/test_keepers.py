"""Places that keep checkpoints: one suite that a folder and a bucket of a real object store pass."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from poolrummy.keeping.folder_keeper import FolderKeeper
from poolrummy.keeping.keeper import MARK, Keeper, KeeperAway, KeeperUnfit, KeptOtherwise
from poolrummy.keeping.keepers import keeper_of, marked
from poolrummy.keeping.object_keeper import ObjectKeeper
from poolrummy.testing.object_server import ObjectServer

pytestmark = [pytest.mark.conformance, pytest.mark.xdist_group("object_store")]

Again = Callable[[], Keeper]


@pytest.fixture(params=["folder", "bucket", "bucket that puts over what is there"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "folder":
        return str(request.getfixturevalue("tmp_path") / "checkpoints")
    if request.param != "bucket":
        monkeypatch.setenv("AWS_CONDITIONAL_PUT", "disabled")
    return str(request.getfixturevalue("bucket"))


@pytest.fixture
def keeper(place: str) -> Keeper:
    made = keeper_of(place)
    made.refuse_unusable(writing=True)
    return made


def test_what_is_kept_is_found_by_everybody_under_its_name(keeper: Keeper, place: str) -> None:
    keeper.put_once("p00-a/000000000002.checkpoint", b"two")
    keeper.put_once("p00-a/000000000010.leaves", bytes(range(256)) * 40)
    keeper.put_once("p00-ab/000000000001.checkpoint", b"")

    other = keeper_of(place)
    assert other.names("p00-a") == ["000000000002.checkpoint", "000000000010.leaves"]
    assert other.get("p00-a/000000000002.checkpoint") == b"two"
    assert other.get("p00-a/000000000010.leaves") == bytes(range(256)) * 40
    assert other.get("p00-ab/000000000001.checkpoint") == b""


def test_where_nothing_is_kept_there_is_nothing(keeper: Keeper) -> None:
    keeper.put_once("p00-ab/1.checkpoint", b"1")

    assert list(keeper.names("p00-a")) == []
    assert keeper.get("p00-a/1.checkpoint") is None
    assert keeper.get("p00-ab/2.checkpoint") is None
    assert keeper.get("p00-ab/1.checkpoint/2") is None
    keeper.remove("p00-a/1.checkpoint")


def test_the_same_again_changes_nothing(keeper: Keeper) -> None:
    keeper.put_once("p00-a/1.checkpoint", b"1")
    keeper.put_once("p00-a/1.checkpoint", b"1")

    assert keeper.names("p00-a") == ["1.checkpoint"]


def test_other_bytes_under_a_name_that_is_taken_are_refused_and_the_first_stay(keeper: Keeper) -> None:
    keeper.put_once("p00-a/1.checkpoint", b"first")
    with pytest.raises(KeptOtherwise, match=r"p00-a/1\.checkpoint is kept with other bytes: 5 bytes .* 6 of") as alarm:
        keeper.put_once("p00-a/1.checkpoint", b"second")

    assert (alarm.value.kept, alarm.value.new) == (b"first", b"second")
    assert keeper.get("p00-a/1.checkpoint") == b"first"
    assert keeper.names("p00-a") == ["1.checkpoint"]


def test_what_may_be_replaced_is_replaced(keeper: Keeper) -> None:
    keeper.put("p00/p00-a.jsonl.gz", b"first")
    keeper.put("p00/p00-a.jsonl.gz", b"second")

    assert keeper.get("p00/p00-a.jsonl.gz") == b"second"
    assert keeper.names("p00") == ["p00-a.jsonl.gz"]


def test_what_is_removed_may_be_kept_anew(keeper: Keeper) -> None:
    keeper.put_once("p00-a/1.checkpoint", b"first")
    keeper.remove("p00-a/1.checkpoint")
    assert keeper.get("p00-a/1.checkpoint") is None
    keeper.put_once("p00-a/1.checkpoint", b"second")

    assert keeper.get("p00-a/1.checkpoint") == b"second"


def test_more_names_than_one_answer_holds_are_all_found(keeper: Keeper) -> None:
    if isinstance(keeper, ObjectKeeper):
        names = [f"{number:012d}.checkpoint" for number in range(1005)]
    else:
        names = [f"{number:012d}.checkpoint" for number in range(5)]
    for name in reversed(names):
        keeper.put_once(f"p00-a/{name}", b"x")

    assert list(keeper.names("p00-a")) == names


def test_a_place_is_marked_once_and_only_by_who_writes(keeper: Keeper, place: str) -> None:
    keeper_of(place).refuse_unusable(writing=True)
    assert b"They are evidence" in (keeper.get(MARK) or b"")
    keeper.remove(MARK)

    with pytest.raises(KeeperAway, match="start `poolrummy notary`, which marks the place"):
        marked(place)
    with pytest.raises(KeeperAway):
        marked(place, patience_s=0.05, pause_s=0.01)
    keeper_of(place).refuse_unusable(writing=True)
    assert marked(place, patience_s=1)


def test_a_store_tells_whether_it_keeps_what_is_there_by_itself(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ObjectKeeper(bucket).refuses_overwriting
    assert ObjectKeeper(bucket).refuses_overwriting, "also where the mark stands already"

    monkeypatch.setenv("AWS_CONDITIONAL_PUT", "disabled")
    assert not ObjectKeeper(bucket).refuses_overwriting


# -- places that are none


@pytest.mark.parametrize(
    "place",
    [
        "ftp://bucket/x",
        "s3:/bucket/x",
        "s3:bucket",
        "S3://bucket",
        "s3://",
        "s3:///prefix",
        "s3://Bucket_/x",
        "s3://b",
        "s3://name:secret@bucket/x",
        "s3://bucket/x?versionId=3",
        "file:///tmp/x",
        "https://bucket.s3.amazonaws.com/x",
    ],
)
def test_an_address_that_is_none_is_told_with_the_mend_and_without_what_is_secret(place: str) -> None:
    with pytest.raises(KeeperUnfit, match="s3://bucket/prefix") as told:
        keeper_of(place)

    assert "\n" not in str(told.value)
    assert "secret@" not in str(told.value)


@pytest.mark.parametrize("endpoint", ["127.0.0.1:9000", "http://", "nothing", "ftp://host"])
def test_an_endpoint_that_is_none_is_told(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)

    with pytest.raises(KeeperUnfit, match=r"AWS_ENDPOINT_URL=.* is no address; write it as https://host"):
        keeper_of("s3://bucket/prefix")


def told_by(place: str) -> str:
    """The one sentence that a place which cannot be used is refused with."""
    with pytest.raises(KeeperUnfit) as told:
        keeper_of(place).refuse_unusable(writing=True)
    assert "\n" not in str(told.value)
    assert "Debug source" not in str(told.value)
    return str(told.value)


def test_a_bucket_that_is_not_there_is_told(bucket: str) -> None:
    assert "there is no bucket nobodys-bucket at http://127.0.0.1" in told_by("s3://nobodys-bucket/checkpoints")
    with pytest.raises(KeeperUnfit, match="there is no bucket"):
        keeper_of("s3://nobodys-bucket/checkpoints").get("p00-a/1.checkpoint")
    with pytest.raises(KeeperUnfit, match="there is no bucket"):
        keeper_of("s3://nobodys-bucket/checkpoints").put_once("p00-a/1.checkpoint", b"1")


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"AWS_SECRET_ACCESS_KEY": "wrong"}, "SignatureDoesNotMatch"),
        ({"AWS_ACCESS_KEY_ID": "nobody-at-all"}, "InvalidAccessKeyId"),
    ],
)
def test_wrong_credentials_are_told(
    bucket: str, wrong: dict[str, str], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in wrong.items():
        monkeypatch.setenv(name, value)
    keeper = keeper_of(bucket)

    said = told_by(bucket)
    assert f"refuses us ({code}): check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY" in said
    for ask in (keeper.names, keeper.get, keeper.remove):
        with pytest.raises(KeeperUnfit, match=code):
            ask("p00-a")
    with pytest.raises(KeeperUnfit, match=code):
        keeper.put_once("p00-a/1.checkpoint", b"1")


def test_half_a_pair_of_credentials_is_told(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")

    with pytest.raises(KeeperUnfit, match=r"Missing SecretAccessKey; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"):
        keeper_of(bucket)


def test_something_else_at_the_endpoint_is_no_empty_store(
    bucket: str, object_server: ObjectServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{object_server.ports['master']}")

    with pytest.raises((KeeperUnfit, KeeperAway)):
        keeper_of(bucket).get("p00-a/1.checkpoint")


def test_a_store_that_does_not_answer_is_told_soon(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    keeper = keeper_of(bucket)

    for ask in (keeper.names, keeper.get):
        with pytest.raises(KeeperAway, match=r"s3://.* at http://127\.0\.0\.1:1 does not answer: "):
            ask("p00-a")
    with pytest.raises(KeeperAway, match="does not answer"):
        keeper.put_once("p00-a/1.checkpoint", b"1")


def test_without_the_library_the_mend_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "poolrummy.keeping.object_keeper")
    monkeypatch.setitem(sys.modules, "obstore", None)

    with pytest.raises(KeeperUnfit, match=r"needs the package obstore.*pip install 'poolrummy\[object-store\]'"):
        keeper_of("s3://bucket/prefix")
    assert isinstance(keeper_of("a/folder"), FolderKeeper)


def test_a_folder_that_is_gone_is_not_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(KeeperAway, match=r"there is no folder .*mounted: .* or mount it again"):
        keeper_of(str(tmp_path / "mounted")).names("p00-a")


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")

    assert "cannot be written (" in told_by(str(tmp_path / "file"))
    with pytest.raises(KeeperAway, match="there is no folder"):
        keeper_of(str(tmp_path / "file")).names("p00-a")


def test_a_draft_that_a_crash_left_behind_is_no_checkpoint(tmp_path: Path) -> None:
    keeper = FolderKeeper(tmp_path)
    keeper.put_once("p00-a/1.checkpoint", b"1")
    (tmp_path / "p00-a" / ".draft.abc").write_bytes(b"half")

    assert keeper.names("p00-a") == ["1.checkpoint"]
    assert [path.name for path in (tmp_path / "p00-a").iterdir() if path.name.startswith(".draft")] == [".draft.abc"]
