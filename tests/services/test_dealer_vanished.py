"""An id of which a log was signed is not opened anew while that log is gone; asking for it holds nobody up for long."""

import threading
import time
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from poolrummy.dealer import vouched
from poolrummy.dealer.partition import DealerPartition
from poolrummy.dealer.vouched import CheckpointsUnreached, Vouched
from poolrummy.fairness import rewind
from poolrummy.fairness.checkpoint import SIGNER, Checkpoint, signed, unverified
from poolrummy.fairness.signed_note import public_of
from poolrummy.keeping.checkpoint_folder import FolderKeeper, KeptCheckpoints, keep, kept, supersede
from poolrummy.keeping.keeper import KeeperAway
from poolrummy_contracts.commands import Draw
from poolrummy_contracts.envelope import chain_start
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.replies import CommandRefused

from .test_dealer_partition import TABLE, House, codes, opening, sit

NOTARY = Ed25519PrivateKey.generate()
OTHER = "p00-another"


class Asked:
    """Checkpoints that count how often they are asked, and may be away or slow."""

    def __init__(self, *lost: str) -> None:
        self.lost = set(lost)
        self.asked: list[str] = []
        self.threads: set[int] = set()
        self.away = False
        self.waits_s = 0.0

    def latest(self, table: str) -> Checkpoint | None:
        self.asked.append(table)
        self.threads.add(threading.get_ident())
        time.sleep(self.waits_s)
        if self.away:
            raise KeeperAway("s3://bucket does not answer")
        return checkpoint(table, 412) if table in self.lost else None


def checkpoint(table: str, size: int) -> Checkpoint:
    return Checkpoint(table=table, size=size, root=bytes(32), chain=bytes(32), at_ms=1)


@pytest.fixture
async def house(tmp_path: Path) -> House:
    made = House(tmp_path)
    made.checkpoints = Asked(TABLE)
    await made.take_over()
    return made


def asked(house: House) -> Asked:
    assert isinstance(house.checkpoints, Asked)
    return house.checkpoints


async def test_an_id_whose_log_vanished_is_not_opened_and_every_other_is(house: House) -> None:
    replies = await house.say(opening(), opening(OTHER), sit(1), sit(1, OTHER))

    assert codes(replies) == ["log-missing", "accepted", "table-unknown", "accepted"]
    assert isinstance(replies[0], CommandRefused)
    assert "412 events were signed" in replies[0].sentence
    assert f"poolrummy accept-rewind {TABLE} --operator NAME --reason TEXT" in replies[0].sentence
    assert await house.store.read_head(TABLE) is None
    assert not await house.events()


async def test_once_the_loss_is_accepted_the_same_command_opens_it(house: House) -> None:
    assert codes(await house.say(opening())) == ["log-missing"]
    asked(house).lost.clear()

    assert codes(await house.say(opening(), sit(1), sit(2))) == ["accepted"] * 3


async def test_it_is_asked_once_for_each_new_table_off_the_event_loop_and_never_for_a_move(house: House) -> None:
    await house.say(opening(OTHER), opening(OTHER, "again"), sit(1, OTHER))
    await house.say(sit(2, OTHER), opening(OTHER, "later"), Draw(
        id="d", table="p00-nowhere", player="p", seat=1, deal=1, turn=1, source="stock"
    ))  # fmt: skip

    assert asked(house).asked == [OTHER]
    assert threading.get_ident() not in asked(house).threads


async def test_an_id_that_is_in_the_store_is_not_asked_for(house: House) -> None:
    asked(house).lost.clear()
    await house.say(opening())
    asked(house).asked.clear()
    await house.take_over("second")
    assert asked(house).asked == [TABLE], "a takeover asks for every open table"
    asked(house).asked.clear()

    assert codes(await house.say(opening(name="again"))) == ["table-exists"]
    assert asked(house).asked == []


async def test_while_nobody_can_say_new_tables_are_turned_away_and_all_others_play(house: House) -> None:
    await house.say(opening(OTHER), sit(1, OTHER))
    asked(house).away = True
    replies = await house.say(opening("p00-new"), sit(2, OTHER))

    assert codes(replies) == ["busy", "accepted"]
    assert isinstance(replies[0], CommandRefused)
    assert "cannot be read" in replies[0].sentence

    asked(house).asked.clear()
    assert codes(await house.say(opening("p00-newer"))) == ["busy"]
    assert asked(house).asked == [], "it rests after a failure: moves do not wait for it again and again"


async def test_who_is_turned_away_may_send_the_same_command_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vouched, "REST_S", 0.0)
    asked(house).away = True
    assert codes(await house.say(opening(OTHER))) == ["busy"]
    asked(house).away = False

    assert codes(await house.say(opening(OTHER))) == ["accepted"]


async def test_a_keeper_that_hangs_holds_the_tables_up_for_its_bound_and_then_not_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vouched, "WAIT_S_MAX", 0.05)
    asked(house).waits_s = 0.5
    begun_s = time.monotonic()

    assert codes(await house.say(opening(OTHER))) == ["busy"]
    assert codes(await house.say(opening(OTHER))) == ["busy"]
    assert time.monotonic() - begun_s < 0.45, "it did not wait for the answer"


async def test_no_partition_is_taken_over_while_nobody_can_say_what_was_signed(house: House) -> None:
    asked(house).lost.clear()
    await house.say(opening())
    asked(house).away = True

    with pytest.raises(CheckpointsUnreached, match=r"does not answer.*POOLRUMMY_CHECKPOINTS_DIR"):
        await house.load()
    asked(house).away = False
    await house.load()
    assert [held.id for held in house.handler.tables] == [TABLE]


async def test_without_checkpoints_nothing_is_asked(tmp_path: Path) -> None:
    house = House(tmp_path)
    await house.take_over()

    assert codes(await house.say(opening(), sit(1))) == ["accepted", "accepted"]
    assert isinstance(house.handler, DealerPartition)


async def test_what_was_looked_up_before_does_not_speak_against_a_later_batch() -> None:
    found = Asked(TABLE)
    told = Vouched(found)
    await told.look_up([TABLE])
    assert told.objection(TABLE) is not None
    assert told.objection(OTHER) is None
    await told.look_up([])

    assert told.objection(TABLE) is None


async def test_an_accepted_loss_is_recorded_for_ever_and_frees_the_id(house: House, tmp_path: Path) -> None:
    keeper = FolderKeeper(tmp_path / "checkpoints")
    signed_before = checkpoint(TABLE, 3)
    keep(keeper, signed_before, signed(signed_before, NOTARY), [bytes(32)] * 3)
    house.checkpoints = KeptCheckpoints(keeper, (public_of(NOTARY, SIGNER),))
    await house.load()
    assert codes(await house.say(opening())) == [Refusal.LOG_MISSING]

    loss = rewind.Rewind(
        table=TABLE,
        size=0,
        chain=chain_start(TABLE),
        operator="meera",
        reason="the store was emptied by mistake",
        superseded=rewind.superseding([signed_before]),
    )
    supersede(keeper, TABLE, [3], rewind.recorded(loss, NOTARY), to=0)

    assert codes(await house.say(opening())) == ["accepted"]
    found = kept(keeper, TABLE)
    assert not found.notes
    assert rewind.verified(found.rewinds[0], [public_of(NOTARY, SIGNER)]) == loss
    old = next(name for name in keeper.names(TABLE) if ".checkpoint.superseded" in name)
    assert unverified(keeper.get(f"{TABLE}/{old}") or b"") == signed_before


def test_the_refusal_names_the_table_and_the_command() -> None:
    refused = Refused(Refusal.LOG_MISSING)

    assert refused.sentence == "A log of this id was signed, and it is gone: choose another id, and tell an operator."
