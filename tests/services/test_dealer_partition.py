"""The dealer's handler over the memory store: what it answers, keeps, forgets and takes over."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from poolrummy.dealer.limits import Limits
from poolrummy.dealer.opening import Opening
from poolrummy.dealer.packs import FairPacks
from poolrummy.dealer.partition import DealerPartition
from poolrummy.dealer.vault import Vault
from poolrummy.dealer.vouched import Checkpoints
from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.profile_files import load_all
from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.store import DEALER, InboxEntry, Lease
from poolrummy_contracts import codec
from poolrummy_contracts.commands import (
    Draw,
    Drop,
    Leave,
    OpenTable,
    PlatformCommand,
    SaveGroups,
    SetAway,
    Sit,
    VoidMatch,
)
from poolrummy_contracts.events import ClocksShifted, DealStarted, SeatAway, TableClosed, TableEvent
from poolrummy_contracts.replies import CommandRefused, ReplyMessage

TABLE = "p00-dealt"


def opening(table: str = TABLE, name: str = "open", **changes: object) -> OpenTable:
    fields = {
        "profile": "house",
        "variant": "101",
        "seats": 2,
        "entry_fee": 0,
        "currency": "practice",
        "rake_bp": 0,
        "rejoin_payment": "none",
        **changes,
    }
    return OpenTable(id=name, table=table, **fields)


def sit(seat: int, table: str = TABLE) -> Sit:
    return Sit(id=f"sit-{seat}", table=table, player=f"player-{seat}", seat=seat)


class House:
    """A dealer for partition 0, whose owner changes when a test says so."""

    def __init__(self, folder: Path) -> None:
        self.store = MemoryStore()
        self.limits = Limits(payload_bytes_max=65_536, inbox_age_ms_max=2000)
        self.sealer = AgeSealer(load_or_create_keys(folder))
        self.lease: Lease | None = None
        self.checkpoints: Checkpoints | None = None

    async def take_over(self, member: str = "first") -> None:
        await self.store.open_store(1)
        if self.lease is not None:
            await self.store.release(self.lease)
        self.lease = await self.store.acquire(0, DEALER, member, lease_ms=60_000)
        assert self.lease is not None
        await self.load()

    async def load(self) -> None:
        assert self.lease is not None
        self.handler = DealerPartition(
            new_vault=lambda table, terms: Vault(table, terms, source=FairPacks(), sealer=self.sealer),
            opening=Opening(load_all(), money=False),
            limits=self.limits,
            checkpoints=self.checkpoints,
        )
        self.offset = self.lease.offset
        await self.handler.load(self.lease, self.store)

    async def say(self, *commands: PlatformCommand) -> list[ReplyMessage]:
        """Handle these commands as one batch; all replies that came of it."""
        for command in commands:
            await self.store.send(0, codec.encode(command))
        return await self.work()

    async def work(self) -> list[ReplyMessage]:
        known = len(await self.store.read_replies(0, "0-0", 10_000))
        batch = await self.store.read_inbox(0, self.offset, 1000)
        await self.handler.gather(batch, self.store)
        answers = await self.store.append(self.handler.handle(batch, caution=False))
        assert all(answer.done for answer in answers), answers
        self.offset = batch[-1].id
        lines = await self.store.read_replies(0, "0-0", 10_000)
        return [codec.decode_reply(line.payload) for line in lines[known:]]

    async def events(self, table: str = TABLE) -> list[TableEvent]:
        return [codec.decode_event(entry.payload) for entry in await self.store.read_table(table, 1, 1000)]


@pytest.fixture
async def house(tmp_path: Path) -> House:
    made = House(tmp_path)
    await made.take_over()
    return made


def codes(replies: Sequence[ReplyMessage]) -> list[str]:
    return [reply.code if isinstance(reply, CommandRefused) else "accepted" for reply in replies]


async def test_a_batch_is_decided_in_order_and_every_command_is_answered(house: House) -> None:
    replies = await house.say(sit(1), opening(), sit(1), sit(2), sit(2))

    assert codes(replies) == ["table-unknown", "accepted", "accepted", "accepted", "accepted"]
    assert any(isinstance(event, DealStarted) for event in await house.events())


async def test_a_repeated_id_gets_its_answer_again_and_changes_nothing(house: House) -> None:
    first = await house.say(opening(), sit(1), sit(2))
    version = len(await house.events())

    again = await house.say(sit(1), opening())

    assert again == [first[1], first[0]]
    assert len(await house.events()) == version


async def test_a_closed_table_is_never_opened_again_and_still_repeats_its_answers(house: House) -> None:
    await house.say(opening(), sit(1))
    (voided,) = await house.say(VoidMatch(id="void", table=TABLE, operator="ops", reason="a test"))
    assert isinstance((await house.events())[-1], TableClosed)

    again = await house.say(
        opening(name="open-2"), sit(2), VoidMatch(id="void", table=TABLE, operator="ops", reason="a test")
    )

    assert codes(again[:2]) == ["table-exists", "table-closed"]
    assert again[2] == voided
    assert not await house.store.open_tables(0)


async def test_a_busy_house_turns_new_load_away_but_no_move(house: House) -> None:
    await house.say(opening(), sit(1), sit(2))
    house.limits.inbox_age_ms_max = -1

    replies = await house.say(
        opening("p00-new"), sit(3), Drop(id="drop", table=TABLE, player="player-1", seat=1, deal=1)
    )

    assert codes(replies) == ["busy", "busy", "accepted"]
    house.limits.inbox_age_ms_max = 2000
    assert codes(await house.say(opening("p00-new"))) == ["accepted"], "the same id may come again"


async def test_short_of_memory_no_new_table_opens_and_running_ones_play(house: House) -> None:
    await house.say(opening(), sit(1), sit(2))
    house.limits.memory_is_short = True

    replies = await house.say(opening("p00-new"), Drop(id="drop", table=TABLE, player="player-1", seat=1, deal=1))

    assert codes(replies) == ["no-memory", "accepted"]


async def test_a_table_id_of_another_partition_is_unknown_here(house: House) -> None:
    await house.store.send(0, codec.encode(opening("p01-elsewhere")))

    assert codes(await house.work()) == ["table-unknown"]


async def test_money_needs_keys_that_somebody_gave(house: House) -> None:
    (reply,) = await house.say(opening(currency="INR", rejoin_payment="cashier"))

    assert isinstance(reply, CommandRefused)
    assert "POOLRUMMY_KEYS_DIR" in reply.sentence


async def test_wrong_terms_are_refused_with_every_finding(house: House) -> None:
    (reply,) = await house.say(opening(seats=9, overrides={"turn_millis": 5, "turn_ms": "soon"}))

    assert isinstance(reply, CommandRefused)
    assert reply.code == "terms-refused"
    assert all(word in reply.sentence for word in ("seats", "turn_millis", "turn_ms"))


async def test_the_next_owner_holds_the_same_state_the_same_pack_and_the_same_answers(house: House) -> None:
    replies = await house.say(opening(), sit(1), sit(2))
    (before,) = house.handler.tables
    deal = before.state.deal
    assert deal is not None
    hand = deal.seats[0].hand
    seat = deal.seats[0].seat
    await house.say(SaveGroups(id="save", table=TABLE, player=f"player-{seat}", seat=seat, deal=1, groups=(hand,)))

    await house.take_over("second")

    (after,) = house.handler.tables
    assert after.place == before.place
    assert after.state == before.state
    assert [after.vault.face(p) for p in (*hand, *deal.stock)] == [before.vault.face(p) for p in (*hand, *deal.stock)]
    assert after.vault.saved(deal.seats[0].seat) == (hand,)
    assert await house.say(sit(2)) == [replies[2]]


async def test_a_snapshot_is_only_a_shortcut(house: House) -> None:
    await house.say(opening(), sit(1), sit(2))
    await house.take_over("with snapshot")
    (quick,) = house.handler.tables
    house.store.parts[0].tables[TABLE].snapshot = None

    await house.take_over("from the first event")

    (whole,) = house.handler.tables
    assert (whole.state, whole.place) == (quick.state, quick.place)


async def test_clocks_move_by_the_time_without_an_owner(house: House) -> None:
    await house.say(opening(), sit(1), sit(2))
    (held,) = house.handler.tables
    before = held.state.clock
    assert before is not None
    assert house.lease is not None
    house.lease = replace(house.lease, offset=house.offset, unowned_ms=7_000)
    await house.load()
    assert house.handler.next_deadline_ms() == 0

    await house.store.append(house.handler.due(0, house.offset))

    (held,) = house.handler.tables
    assert held.state.clock is not None
    assert held.state.clock.ends_at == before.ends_at + 7_000
    assert isinstance((await house.events())[-1], ClocksShifted)


async def test_a_clock_fires_only_after_its_time(house: House) -> None:
    await house.say(opening(), sit(1), sit(2))
    deadline = house.handler.next_deadline_ms()
    assert deadline is not None

    early = house.handler.due(deadline, house.offset)
    late = house.handler.due(deadline + 1, house.offset)

    assert (len(early), len(late)) == (0, 1)


async def test_channels_are_emptied_when_the_deal_is_over(house: House) -> None:
    await house.say(opening(), sit(1), sit(2))
    assert len(await house.store.read_seat(TABLE, 1, "0-0", 10)) == 1

    await house.say(Leave(id="leave", table=TABLE, player="player-1", seat=1))

    assert not await house.store.read_seat(TABLE, 1, "0-0", 10)


async def test_no_hidden_card_stands_in_any_public_byte(house: House) -> None:
    await house.say(opening(), sit(1), sit(2))
    (held,) = house.handler.tables
    deal = held.state.deal
    assert deal is not None
    on = deal.on_turn
    await house.say(Draw(id="draw", table=TABLE, player=f"player-{on}", seat=on, deal=1, turn=1, source="stock"))

    public = [entry.payload for entry in await house.store.read_table(TABLE, 1, 1000)]
    public += [line.payload for line in await house.store.read_replies(0, "0-0", 1000)]

    open_faces = {deal.wild.card, deal.pile[0].card}
    shown = {
        card
        for payload in public
        if b'"type":"toss-drawn"' not in payload
        for card in (held.vault.face(p) for p in (*deal.seats[0].hand, *deal.seats[1].hand, *deal.stock))
        if f'"card":"{card}"'.encode() in payload
    }
    assert shown <= open_faces


@pytest.mark.rule("4.9")
async def test_a_message_that_came_while_the_dealer_stood_still_is_decided_after_the_pause_is_told(
    house: House,
) -> None:
    await house.say(opening(), sit(1), sit(2))
    deadline = house.handler.next_deadline_ms()
    assert deadline is not None
    payload = codec.encode(SetAway(id="away", table=TABLE, player="player-1", seat=1))
    entry = InboxEntry(id=f"{deadline + 9_000}-0", payload=payload, age_ms=0)

    appends = house.handler.handle([entry], caution=False)

    told = [codec.decode_event(event.payload) for append in appends for event in append.events]
    assert [type(event) for event in told] == [ClocksShifted, SeatAway]
    assert {event.at for event in told} == {deadline + 9_000}
