"""Closed is closed: the effect on tables, seats, rejoins and what runs already, not the state of a switch (R23)."""

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from poolrummy_contracts import closures, codec
from poolrummy_contracts.closures import Act, PlayClosed, PlayOpened
from poolrummy_contracts.commands import AskRejoin, Drop, Sit, VoidMatch
from poolrummy_contracts.envelope import chain_next
from poolrummy_contracts.events import MatchStarted, MatchVoided

from .test_dealer_partition import TABLE, House, codes, opening, sit

OTHER = "p00-other"
WHO = {"at": 1, "operator": "meera", "reason": "an incident"}


class Switch:
    """Whoever closes and opens play on partition 0."""

    def __init__(self, house: House) -> None:
        self.house, self.n, self.chain = house, 0, closures.chain_begin(0)

    async def act(self, kind: type[Act], **scope: object) -> None:
        self.n += 1
        payload = closures.encode(kind(n=self.n, **WHO, **scope))
        self.chain = chain_next(self.chain, payload)
        assert await self.house.store.close_play(0, self.n, payload, self.chain)


@pytest.fixture
async def house(tmp_path: Path) -> House:
    made = House(tmp_path)
    await made.take_over()
    return made


@pytest.fixture
def switch(house: House) -> Switch:
    return Switch(house)


async def test_no_table_opens_and_nobody_sits_down_from_the_next_command_on(house: House, switch: Switch) -> None:
    assert codes(await house.say(opening(), sit(1))) == ["accepted", "accepted"]

    await switch.act(PlayClosed)

    assert codes(await house.say(opening(OTHER, "o2"), sit(2))) == ["closed-for-play"] * 2
    assert not any(isinstance(event, MatchStarted) for event in await house.events())
    assert await house.events(OTHER) == []


async def test_the_same_command_comes_again_once_play_is_open(house: House, switch: Switch) -> None:
    await house.say(opening(), sit(1))
    await switch.act(PlayClosed)
    assert codes(await house.say(sit(2))) == ["closed-for-play"]

    await switch.act(PlayOpened)

    assert codes(await house.say(sit(2))) == ["accepted"]
    assert any(isinstance(event, MatchStarted) for event in await house.events())


async def test_who_has_a_seat_already_gets_the_old_answer_again(house: House, switch: Switch) -> None:
    await house.say(opening(), sit(1))
    await switch.act(PlayClosed)

    assert codes(await house.say(sit(1))) == ["accepted"]


async def test_a_match_that_runs_is_played_on_and_refunds_stay_possible(house: House, switch: Switch) -> None:
    await house.say(opening(), sit(1), sit(2))
    await switch.act(PlayClosed)
    state = next(iter(house.handler.tables)).state
    assert state.deal is not None
    seat = state.deal.on_turn
    assert seat is not None
    drop = Drop(id="drop", table=TABLE, player=f"player-{seat}", seat=seat, deal=1)

    assert codes(await house.say(drop)) == ["accepted"]
    assert next(iter(house.handler.tables)).state.deal_number == 2, "the next deal is dealt"
    void = VoidMatch(id="void", table=TABLE, operator="meera", reason="an incident")
    assert codes(await house.say(void)) == ["accepted"]
    voided = next(event for event in await house.events() if isinstance(event, MatchVoided))
    started = next(event for event in await house.events() if isinstance(event, MatchStarted))
    assert {one.player: one.amount for one in voided.obligations} == {
        one.player: one.amount for one in started.obligations
    }


async def test_a_player_who_is_barred_sits_nowhere_and_does_not_buy_back_in_and_others_do(
    house: House, switch: Switch
) -> None:
    await switch.act(PlayClosed, player="player-1")

    assert codes(await house.say(opening(), sit(1))) == ["accepted", "closed-for-play"]
    assert codes(await house.say(sit(2))) == ["accepted"]
    rejoin = AskRejoin(id="rejoin", table=TABLE, player="player-1", seat=1, window=1)
    assert codes(await house.say(rejoin)) == ["closed-for-play"]
    other = AskRejoin(id="rejoin-2", table=TABLE, player="player-2", seat=2, window=1)
    assert codes(await house.say(other)) != ["closed-for-play"]


async def test_staff_that_is_barred_from_money_may_play_for_practice(house: House, switch: Switch) -> None:
    await switch.act(PlayClosed, player="player-1", money_only=True)

    assert codes(await house.say(opening(), sit(1))) == ["accepted", "accepted"]


async def test_one_profile_is_closed_and_the_others_play(house: House, switch: Switch) -> None:
    await switch.act(PlayClosed, profile="classic")

    assert codes(await house.say(opening(TABLE, "o1", profile="classic"), opening(OTHER, "o2"))) == [
        "closed-for-play",
        "accepted",
    ]


async def test_one_variant_is_closed_and_the_others_play(house: House, switch: Switch) -> None:
    await switch.act(PlayClosed, variant="101")

    assert codes(await house.say(opening(TABLE, "o1"), opening(OTHER, "o2", variant="201"))) == [
        "closed-for-play",
        "accepted",
    ]


async def test_the_next_dealer_keeps_it_closed(house: House, switch: Switch) -> None:
    await switch.act(PlayClosed)
    await house.take_over("second")

    assert codes(await house.say(opening())) == ["closed-for-play"]


async def test_no_reason_of_an_operator_is_told_to_a_player(house: House, switch: Switch) -> None:
    await switch.act(PlayClosed, player="player-1")
    await house.say(opening())

    (reply,) = await house.say(sit(1))

    assert "incident" not in reply.sentence
    assert "meera" not in reply.sentence


async def test_acts_that_were_changed_are_obeyed_and_raise_the_alarm(house: House, switch: Switch) -> None:
    payload = closures.encode(PlayClosed(n=1, **WHO))
    await house.store.close_play(0, 1, payload, bytes(32))
    await house.store.close_play(0, 2, b"nonsense", bytes(32))

    with capture_logs() as logs:
        assert codes(await house.say(opening())) == ["closed-for-play"]

    assert [one["event"] for one in logs if one["log_level"] == "critical"] == [
        "closures were changed",
        "closures were changed",
        "closure cannot be read",
    ]


async def test_a_type_that_is_written_in_escapes_is_closed_as_well(house: House, switch: Switch) -> None:
    await house.say(opening())
    await switch.act(PlayClosed)
    await house.store.send(0, codec.encode(sit(1)).replace(b'"sit"', b'"s\\u0069t"'))

    assert codes(await house.work()) == ["closed-for-play"]


async def test_a_batch_that_brings_nobody_into_play_reads_nothing(house: House, switch: Switch) -> None:
    await house.say(opening(), sit(1), sit(2))
    read = 0
    ask = house.store.read_closures

    async def counted(*words):
        nonlocal read
        read += 1
        return await ask(*words)

    house.store.read_closures = counted  # type: ignore[method-assign]  # to see whether it is asked
    await house.say(Drop(id="d", table=TABLE, player="player-1", seat=1, deal=1))
    assert read == 0
    await house.say(Sit(id="s", table=TABLE, player="p", seat=1))

    assert read == 1
