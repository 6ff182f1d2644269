"""The notary signs what it has followed; a log that falls behind that is refused, until somebody accepts it."""

import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from poolrummy.audit.auditing import audited
from poolrummy.audit.evidence import StoredLine
from poolrummy.audit.findings import Check
from poolrummy.audit.notary import EVENTS_UNSIGNED_MAX, NotaryPartition
from poolrummy.audit.signed import Trust, check_signed
from poolrummy.dealer.loading import LogRewound, load_table
from poolrummy.fairness import rewind
from poolrummy.fairness.checkpoint import SIGNER, signed, unverified, verified
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.log_tree import LogTree, leaf_of
from poolrummy.fairness.notary_keys import load_or_create_signing_key, load_signing_key, load_trusted_keys, written
from poolrummy.fairness.signed_note import NoteWrong, parse_key, public_of
from poolrummy.keeping.checkpoint_folder import FolderKeeper, KeptCheckpoints, kept, supersede
from poolrummy.rules.state import Table
from poolrummy.runtime.effects import DropField, PutField
from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.store import FeedEntry
from poolrummy_contracts import codec
from poolrummy_contracts.envelope import chain_next, chain_start

from .played_logs import Recorder, in_a_deal
from .signed_matches import MEANS, NOTARY, TRUSTED, keep_due, match, notarised, of_lines


def test_the_tree_is_that_of_rfc_6962() -> None:
    leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    tree = LogTree(leaf_of(bytes.fromhex(leaf)) for leaf in leaves)

    assert tree.root.hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


def test_a_checkpoint_has_one_form_and_one_meaning() -> None:
    note = match(3).notes[-1]
    checkpoint = verified(note, [TRUSTED])

    assert signed(checkpoint, NOTARY) == note
    assert note.decode().splitlines()[0] == f"poolrummy/{match(3).table}"
    assert checkpoint.size == len(match(3).lines)


def test_a_verifier_key_is_read_as_it_is_written() -> None:
    assert parse_key(TRUSTED.word) == TRUSTED
    with pytest.raises(NoteWrong):
        parse_key(TRUSTED.word.replace("notary", "notarx"))


def test_the_notary_signs_each_deal_and_the_end_and_never_leaves_too_much_unsigned() -> None:
    evidence = match(5, 6, "201")
    sizes = [unverified(note).size for note in evidence.notes]
    kinds = [codec.decode_event(evidence.lines[size - 1].payload).__struct_config__.tag for size in sizes]

    assert sizes[-1] == len(evidence.lines)
    assert {"deal-scored", "table-closed"} <= set(kinds)
    assert max(b - a for a, b in zip([0, *sizes], sizes, strict=False)) <= EVENTS_UNSIGNED_MAX
    assert len(evidence.leaves) == len(evidence.lines)


async def test_a_notary_that_starts_again_goes_on_where_it_stopped(tmp_path: Path) -> None:
    store = MemoryStore()
    recorder = await Recorder.on(store)
    await recorder.record(in_a_deal()[:20])
    first = NotaryPartition(0, FolderKeeper(tmp_path), NOTARY)
    lease = await store.acquire(0, "notary", "n", lease_ms=1_000_000)
    assert lease is not None
    await first.load(lease, store)
    feed = await store.read_feed(0, 0, 500)
    effects = first.handle(feed)
    await first.settle()
    await store.commit(lease, from_n=0, to_n=len(feed), effects=effects)

    second = NotaryPartition(0, FolderKeeper(tmp_path), NOTARY)
    await second.load(lease, store)
    await recorder.record(in_a_deal()[20:])
    rest = await store.read_feed(0, len(feed), 500)

    assert [type(one) for one in second.handle(rest)] == [PutField]
    assert second._logs["p00-test"].tree.size == len(in_a_deal())
    assert not second._logs["p00-test"].refused


async def test_a_notary_that_lost_the_feed_signs_what_stands_in_the_logs(tmp_path: Path) -> None:
    store = MemoryStore()
    await (await Recorder.on(store)).record(in_a_deal())
    lease = await store.acquire(0, "notary", "n", lease_ms=1_000_000)
    assert lease is not None
    await NotaryPartition(0, FolderKeeper(tmp_path), NOTARY).rebuild(lease, store)

    assert unverified(kept(FolderKeeper(tmp_path), "p00-test").notes[-1]).size == len(in_a_deal())


def test_a_closed_table_is_forgotten_once_it_is_signed(tmp_path: Path) -> None:
    evidence = match(3)
    notary = NotaryPartition(0, FolderKeeper(tmp_path), NOTARY)
    feed = [
        FeedEntry(n=n, table=evidence.table, version=n, payload=line.payload, chain=line.chain, at_ms=0)
        for n, line in enumerate(evidence.lines, 1)
    ]

    assert [type(effect) for effect in notary.handle(feed)] == [DropField]
    assert not notary._logs


def test_a_log_whose_chain_breaks_is_not_signed_any_more(tmp_path: Path) -> None:
    evidence = match(3)
    lines = list(evidence.lines)
    lines[30] = StoredLine(lines[30].payload.replace(b'"at":1', b'"at":2', 1), lines[30].chain)
    keeper = notarised(evidence.table, lines)

    assert all(unverified(note).size <= 30 for note in kept(keeper, evidence.table).notes)


def test_keys_change_and_old_checkpoints_stay_good(tmp_path: Path) -> None:
    evidence = match(3)
    times = [unverified(note).at_ms for note in evidence.notes]
    old = replace(TRUSTED, until_ms=times[0])
    new_private = Ed25519PrivateKey.generate()
    new = replace(public_of(new_private, SIGNER), from_ms=times[0] + 1)
    notes = (evidence.notes[0], *(signed(unverified(note), new_private) for note in evidence.notes[1:]))
    rotated = replace(evidence, notes=notes)

    (tmp_path / "notary.pub").write_text(f"# two keys\n{written(old)}{written(new)}")
    keys = load_trusted_keys(tmp_path)

    assert keys == (old, new)
    assert check_signed(rotated, Trust(keys=keys), closed=True).verdict == "ok"
    assert check_signed(evidence, Trust(keys=keys), closed=True).verdict == "wrong"


def test_the_key_of_the_notary_is_made_once_for_practice_and_must_be_there_for_money(tmp_path: Path) -> None:
    with pytest.raises(FairnessError, match="poolrummy keys notary --dir"):
        load_signing_key(tmp_path)
    made = load_or_create_signing_key(tmp_path)

    assert load_signing_key(tmp_path).private_bytes_raw() == made.private_bytes_raw()
    assert load_trusted_keys(tmp_path) == (public_of(made, SIGNER),)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_a_key_that_openssl_makes_signs(tmp_path: Path) -> None:
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(tmp_path / "notary.key")], check=True)

    checkpoint = unverified(match(3).notes[0])
    private = load_signing_key(tmp_path)
    assert verified(signed(checkpoint, private), [public_of(private, SIGNER)]) == checkpoint


# -- the dealer's start


class Vault:
    """A keeper of secrets that keeps none."""

    def seat(self, players: object) -> None: ...
    def observe(self, event: object, state: object) -> None: ...
    def keep(self, line: object) -> None: ...


async def stored(log) -> MemoryStore:
    store = MemoryStore()
    await (await Recorder.on(store)).record(log)
    return store


def checkpoints_of(log, tmp_path: Path) -> KeptCheckpoints:
    notary = NotaryPartition(0, FolderKeeper(tmp_path), NOTARY)
    evidence = _as_lines(log)
    feed = [
        FeedEntry(n=n, table="p00-test", version=n, payload=line.payload, chain=line.chain, at_ms=0)
        for n, line in enumerate(evidence, 1)
    ]
    notary.handle(feed)
    notary.due += [followed.signing(NOTARY) for followed in notary.logs]
    keep_due(notary, FolderKeeper(tmp_path))
    return KeptCheckpoints(FolderKeeper(tmp_path), (TRUSTED,))


def _as_lines(log) -> list[StoredLine]:
    chain, lines = chain_start("p00-test"), []
    for event in log:
        payload = codec.encode(event)
        chain = chain_next(chain, payload)
        lines.append(StoredLine(payload, chain))
    return lines


async def load(store: MemoryStore, checkpoints: KeptCheckpoints):
    return await load_table("p00-test", store, lambda table, terms: Vault(), checkpoints.latest("p00-test"))  # type: ignore[arg-type, return-value]  # a vault that keeps nothing will do


async def test_the_dealer_takes_over_a_log_that_goes_on_from_what_was_signed(tmp_path: Path) -> None:
    held = await load(await stored(in_a_deal()), checkpoints_of(in_a_deal()[:-5], tmp_path))

    assert isinstance(held.state, Table)


async def test_the_dealer_refuses_a_log_that_is_shorter_than_what_was_signed(tmp_path: Path) -> None:
    with pytest.raises(LogRewound, match="accept-rewind"):
        await load(await stored(in_a_deal()[:-2]), checkpoints_of(in_a_deal(), tmp_path))


async def test_the_dealer_refuses_another_log_than_was_signed(tmp_path: Path) -> None:
    other = [replace(event, at=event.at + 1) for event in in_a_deal()]

    with pytest.raises(LogRewound, match="another one"):
        await load(await stored(other), checkpoints_of(in_a_deal(), tmp_path))


async def test_a_checkpoint_that_a_stranger_signed_stops_nobody(tmp_path: Path) -> None:
    checkpoints_of(in_a_deal(), tmp_path)
    strangers = KeptCheckpoints(FolderKeeper(tmp_path), (public_of(Ed25519PrivateKey.generate(), SIGNER),))

    assert await load(await stored(in_a_deal()[:-2]), strangers)


async def test_an_accepted_rewind_lets_the_table_play_on_and_is_told_for_ever(tmp_path: Path) -> None:
    log = in_a_deal()
    checkpoints = checkpoints_of(log, tmp_path)
    keeper = FolderKeeper(tmp_path)
    before = unverified(kept(keeper, "p00-test").notes[-1])
    record = rewind.Rewind(
        table="p00-test", size=len(log) - 2, chain=b"\1" * 32, operator="meera", reason="disk lost", superseded=()
    )
    record = replace(record, superseded=rewind.superseding([before]))
    supersede(keeper, "p00-test", [before.size], rewind.recorded(record, NOTARY), to=record.size)

    assert await load(await stored(log[:-2]), checkpoints)
    assert rewind.verified(kept(keeper, "p00-test").rewinds[0], [TRUSTED]) == record
    assert any("superseded" in name for name in keeper.names("p00-test"))


# -- what the audit says of checkpoints


def test_lines_that_nobody_signed_yet_are_told() -> None:
    evidence = match(3)
    result = audited(replace(evidence, notes=evidence.notes[:-1]), MEANS)
    line = next(line for line in result.lines if line.check is Check.CHECKPOINTS)

    assert (line.verdict, result.exit_code) == ("unchecked", 2)
    assert "not signed" in line.note


def test_the_first_changed_line_is_named_exactly_by_the_leaves_that_were_kept() -> None:
    evidence = match(3)
    other = of_lines(evidence.table, [*evidence.lines])
    lines = list(other.lines)
    at = next(n for n, line in enumerate(lines) if b"seat-taken" in line.payload)
    lines[at] = StoredLine(lines[at].payload.replace(b'"at":1', b'"at":2', 1), lines[at].chain)
    changed = replace(evidence, lines=tuple(lines))
    finding = check_signed(changed, MEANS.trust, closed=True).finding

    assert finding is not None
    assert (finding.v, finding.until) == (at + 1, 0)
    blunt = check_signed(replace(changed, leaves=()), MEANS.trust, closed=True).finding
    assert blunt is not None
    assert blunt.v <= at + 1 <= blunt.until


def test_an_accepted_rewind_is_told_with_its_name_and_reason() -> None:
    evidence = match(3)
    record = rewind.Rewind(table=evidence.table, size=90, chain=b"\1" * 32, operator="meera", reason="disk lost")
    told = check_signed(replace(evidence, rewinds=(rewind.recorded(record, NOTARY),)), MEANS.trust, closed=True)

    assert told.verdict == "ok"
    assert told.note == "meera accepted that it went back to 90 events: disk lost"
