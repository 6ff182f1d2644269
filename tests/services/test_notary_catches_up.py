"""A notary that was away signs everything that stands in the logs; one whose keeper was away goes on where it was."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from poolrummy.audit import notary as notary_module
from poolrummy.audit.notary import CheckpointsUnreached, NotaryPartition
from poolrummy.fairness import rewind
from poolrummy.fairness.checkpoint import Checkpoint, signed, unverified
from poolrummy.keeping.checkpoint_folder import FolderKeeper, keep, kept, supersede
from poolrummy.keeping.keeper import KeeperAway
from poolrummy.runtime.effects import DropField, Effect, PutField
from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.store import Lease
from poolrummy_contracts import codec, streams
from poolrummy_contracts.envelope import chain_start

from .played_logs import Log, Recorder, dull, in_a_deal, named
from .signed_matches import NOTARY, match

OPEN, CLOSED, LATER = "p00-open", "p00-closed", "p00-later"
VIEW = streams.view(0, "notary")


class Flaky(FolderKeeper):
    """A folder that is away when a test says so, and counts how often it is read."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        root.mkdir(exist_ok=True)
        self.away_for: tuple[str, ...] = ()
        self.puts: list[str] = []

    def put_once(self, name: str, content: bytes) -> None:
        if name.startswith(self.away_for) and self.away_for:
            raise KeeperAway("s3://bucket does not answer")
        super().put_once(name, content)
        self.puts.append(name)


class Office:
    """A partition whose dealer only records, and a notary that is loaded anew when a test says so."""

    def __init__(self, store: MemoryStore, recorder: Recorder, keeper: Flaky, lease: Lease) -> None:
        self.store, self.recorder, self.keeper, self.lease = store, recorder, keeper, lease
        self.notary = NotaryPartition(0, keeper, NOTARY)

    @classmethod
    async def opened(cls, folder: Path) -> "Office":
        store = MemoryStore()
        recorder = await Recorder.on(store)
        lease = await store.acquire(0, "notary", "n", lease_ms=1_000_000)
        assert lease is not None
        made = cls(store, recorder, Flaky(folder), lease)
        await made.load()
        return made

    async def load(self) -> None:
        self.notary = NotaryPartition(0, self.keeper, NOTARY)
        await self.notary.load(self.lease, self.store)

    async def work(self, *, batch: int = 500) -> Sequence[Effect]:
        """Handle, settle and commit what waits in the feed, as the runtime does."""
        effects: Sequence[Effect] = []
        while entries := await self.store.read_feed(0, self.lease.n, batch):
            effects = self.notary.handle(entries)
            await self.notary.settle()
            await self.store.commit(self.lease, from_n=self.lease.n, to_n=entries[-1].n, effects=effects)
            self.lease = replace(self.lease, offset=f"{entries[-1].n}-0")
        return effects

    async def rebuild(self) -> Sequence[Effect]:
        """What the runtime does with a notary that was marked lost."""
        noted = replace(self.lease, offset=f"{await self.store.feed_n(0)}-0")
        self.notary = NotaryPartition(0, self.keeper, NOTARY)
        effects = await self.notary.rebuild(noted, self.store)
        await self.store.commit(self.lease, from_n=self.lease.n, to_n=noted.n, effects=effects)
        self.lease = noted
        return effects

    def sizes(self, table: str) -> list[int]:
        return [unverified(note).size for note in kept(self.keeper, table).notes]


@pytest.fixture
async def office(tmp_path: Path) -> Office:
    return await Office.opened(tmp_path / "checkpoints")


def closed_log(table: str = CLOSED) -> Log:
    return named(dull(), table)


async def test_a_table_that_opened_and_closed_meanwhile_is_signed_to_its_end(office: Office) -> None:
    await office.recorder.record(closed_log())
    await office.recorder.record(named(in_a_deal(), OPEN))

    effects = await office.rebuild()

    assert office.sizes(CLOSED)[-1] == len(closed_log())
    assert office.sizes(OPEN)[-1] == len(in_a_deal())
    assert effects == [PutField(VIEW, OPEN, str(len(in_a_deal())).encode())]
    assert [log.table for log in office.notary.logs] == [OPEN]


async def test_a_table_that_was_followed_and_closed_meanwhile_is_signed_and_forgotten(office: Office) -> None:
    await office.recorder.record(closed_log()[:10])
    await office.work()
    await office.recorder.record(closed_log()[10:])

    assert await office.rebuild() == [DropField(VIEW, CLOSED)]
    assert office.sizes(CLOSED)[-1] == len(closed_log())
    assert not list(office.notary.logs)


async def test_a_closed_log_that_is_signed_to_its_end_is_not_read_again(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    await office.recorder.record(closed_log())
    await office.work()
    before = list(office.keeper.puts)
    monkeypatch.setattr(office.store, "read_table", lambda *_: pytest.fail("a log was read"))

    assert await office.rebuild() == []
    assert office.keeper.puts == before


async def test_many_tables_are_looked_at_in_bounded_parts(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notary_module, "TABLES_AT_ONCE", 3)
    tables = [f"p00-{number:03d}" for number in range(10)]
    for table in tables:
        await office.recorder.record(closed_log(table))
    await office.rebuild()

    assert [office.sizes(table)[-1:] for table in tables] == [[len(closed_log())]] * 10


async def test_what_the_feed_repeats_after_a_rebuild_is_no_gap(office: Office) -> None:
    """The feed number is noted before the logs are read: what is recorded in between comes again."""
    await office.recorder.record(closed_log()[:-3])
    noted = replace(office.lease, offset=f"{await office.store.feed_n(0)}-0")
    await office.recorder.record(closed_log()[-3:])
    await office.recorder.record(named(dull(), LATER))
    effects = await office.notary.rebuild(noted, office.store)
    await office.store.commit(office.lease, from_n=office.lease.n, to_n=noted.n, effects=effects)
    office.lease = noted

    await office.load()
    await office.work(batch=2)

    assert office.sizes(CLOSED) == [len(closed_log())], "nothing is signed twice"
    assert office.sizes(LATER)[-1] == len(dull())
    assert len(kept(office.keeper, LATER).leaves) == len(dull())
    assert not await office.store.view_hash(VIEW)
    assert not list(office.notary.logs)


async def test_an_archived_log_is_left_alone(office: Office) -> None:
    await office.recorder.record(closed_log())
    office.store.part(0).tables[CLOSED].head = replace(office.store.part(0).tables[CLOSED].head, archived=1)
    office.store.part(0).tables[CLOSED].log.clear()

    assert await office.rebuild() == []


# -- the keeper is away


async def test_what_could_not_be_kept_is_kept_later_and_nothing_is_missing(office: Office) -> None:
    """One log of a batch is kept, the other is not: afterwards both go on, and neither is taken for a forgery."""
    await office.recorder.record(closed_log())
    await office.recorder.record(named(dull(3), LATER))
    office.keeper.away_for = (LATER,)
    with pytest.raises(
        CheckpointsUnreached, match=rf"checkpoint of {LATER} over \d+ events cannot be kept: s3://bucket"
    ):
        await office.work()
    await office.load()
    assert office.lease.n == 0

    office.keeper.away_for = ()
    await office.work()

    for table, log in ((CLOSED, closed_log()), (LATER, dull(3))):
        found = kept(office.keeper, table)
        assert unverified(found.notes[-1]).size == len(log)
        assert len(found.leaves) == len(log)
    assert not await office.store.view_hash(VIEW)


async def test_checkpoints_that_were_kept_before_the_offset_was_are_no_reason_to_refuse_the_log(office: Office) -> None:
    log = named(in_a_deal(), OPEN)
    await office.recorder.record(log)
    entries = await office.store.read_feed(0, 0, 500)
    office.notary.handle(entries)
    office.notary.due += [one.signing(NOTARY) for one in office.notary.logs]
    await office.notary.settle()
    assert office.sizes(OPEN)[-1] == len(log)

    await office.load()
    await office.work(batch=7)

    assert [(one.table, one.refused, one.tree.size) for one in office.notary.logs] == [(OPEN, "", len(log))]


async def test_a_keeper_that_cannot_be_read_keeps_the_notary_from_starting_blind(office: Office) -> None:
    await office.recorder.record(named(in_a_deal(), OPEN))
    await office.work()

    def away(folder: str) -> Sequence[str]:
        raise KeeperAway("s3://bucket does not answer")

    office.keeper.names = away  # type: ignore[method-assign]  # away from now on
    with pytest.raises(CheckpointsUnreached, match="checkpoints cannot be read: s3://bucket"):
        await office.load()


# -- another log than the one that was signed


async def lose(office: Office, table: str) -> None:
    """Somebody deletes everything of a table."""
    part = office.store.part(0)
    del part.tables[table]
    part.open.discard(table)
    office.recorder.versions.pop(table)
    office.recorder.chains.pop(table)


def accept_the_loss(office: Office, table: str) -> None:
    dropped = [unverified(note) for note in kept(office.keeper, table).notes]
    loss = rewind.Rewind(table=table, size=0, chain=chain_start(table), operator="meera", reason="lost")
    supersede(office.keeper, table, [one.size for one in dropped], rewind.recorded(loss, NOTARY), to=0)


@pytest.mark.parametrize("restart", [False, True])
async def test_a_log_that_begins_anew_is_signed_once_the_loss_is_accepted(office: Office, *, restart: bool) -> None:
    await office.recorder.record(named(dull(3), LATER)[:40])
    await office.work()
    await lose(office, LATER)
    await office.recorder.record(closed_log(LATER)[:30])
    await office.work()
    (found,) = office.notary.logs
    assert found.refused, "it is another log than the one that was signed"
    signed_before = office.sizes(LATER)

    accept_the_loss(office, LATER)
    if restart:
        await office.load()
    await office.recorder.record(closed_log(LATER)[30:])
    await office.work()

    assert signed_before
    assert office.sizes(LATER)[-1] == len(closed_log())
    chain = unverified(kept(office.keeper, LATER).notes[-1]).chain
    assert chain == office.recorder.chains[LATER]


async def test_a_line_that_is_no_event_ends_the_signing_of_its_log_alone(office: Office) -> None:
    log = named(in_a_deal(), OPEN)
    await office.recorder.record(log[:10])
    await office.recorder.record_bytes(OPEN, b"{no event")
    await office.recorder.record(named(dull(), CLOSED))
    await office.work()
    await office.recorder.record_bytes(OPEN, codec.encode(log[11]))
    await office.work(batch=1)
    await office.load()
    await office.recorder.record_bytes(OPEN, codec.encode(log[12]))
    await office.work()

    assert office.sizes(CLOSED)[-1] == len(dull())
    (found,) = office.notary.logs
    assert "version 11 cannot be read" in found.refused


async def test_a_notary_that_meets_a_forked_checkpoint_says_so_and_signs_all_others(office: Office) -> None:
    evidence = match(3)
    size = unverified(evidence.notes[0]).size
    forged = Checkpoint(table=evidence.table, size=size, root=b"f" * 32, chain=bytes(32), at_ms=5)
    keep(office.keeper, forged, signed(forged, NOTARY), evidence.leaves[:size])
    events = [codec.decode_event(line.payload) for line in evidence.lines]
    await office.recorder.record(named(dull(), CLOSED))
    await office.recorder.record(named(events, evidence.table))
    office.keeper.remove(f"{evidence.table}/{size:012d}.leaves")
    await office.work()

    assert office.sizes(CLOSED)[-1] == len(dull())
    names = office.keeper.names(evidence.table)
    assert any(".checkpoint.other-" in name for name in names)
