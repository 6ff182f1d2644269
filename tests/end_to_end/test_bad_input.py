"""Bad input of every kind: answered with its code and a sentence, or parked; nothing changes, nobody waits longer."""

import json
import time
from collections.abc import Callable

import pytest
from typer.testing import CliRunner

from poolrummy.commands.replay import app as replay
from poolrummy.runtime.records import LATEST_MS
from poolrummy.testing.live_platform import LivePlatform
from poolrummy.testing.scripted_games import Players
from poolrummy_contracts import codec, streams
from poolrummy_contracts.commands import Declare, Discard, Draw, Drop, Finish, OpenTable, SetAway, SetBack, Sit
from poolrummy_contracts.replies import CommandAccepted, CommandRefused

TABLE = "p01-bad-input"
QUIET = "p00-next-door"


def open_table(table: str, **overrides: object) -> OpenTable:
    return OpenTable(
        id=f"open-{table}",
        table=table,
        profile="house",
        variant="101",
        seats=2,
        entry_fee=0,
        currency="practice",
        rake_bp=0,
        rejoin_payment="none",
        overrides=overrides,
    )


@pytest.fixture
def players(platform: LivePlatform) -> Players:
    platform.start("dealer", "validator")
    for table in (TABLE, QUIET):
        seated = Players(platform, table)
        seated.do(open_table(table))
        for seat in (1, 2):
            seated.do(Sit(id=f"sit-{seat}", table=table, player=f"player-{seat}", seat=seat))
        seated.until_phase("turn")
    return Players(platform, TABLE)


def sent(players: Players, message: dict[str, object]) -> CommandRefused | CommandAccepted:
    """The answer to raw JSON."""
    partition = streams.partition_of(TABLE)
    after = players.platform.last_reply(partition)
    players.platform.send_bytes(partition, json.dumps(message).encode())
    return players.platform.until(lambda: players.platform.reply(partition, str(message["id"]), after), "the answer")


def on_turn(players: Players) -> tuple[int, int, int]:
    """The seat on turn, the other one, and the turn."""
    deal = players.state.deal
    assert deal is not None
    assert deal.on_turn is not None
    return deal.on_turn, 3 - deal.on_turn, deal.turn


def draw(players: Players, who: int, /, **changes: object) -> dict[str, object]:
    fields: dict[str, object] = {
        "type": "draw",
        "id": players.id(),
        "table": TABLE,
        "player": f"player-{who}",
        "seat": who,
        "deal": 1,
        "turn": on_turn(players)[2],
        "source": "stock",
    }
    return {**fields, **changes}


Message = Callable[[Players, int, int], dict[str, object]]
CASES: list[tuple[str, Message]] = [
    ("unknown-type", lambda p, on, off: draw(p, on, type="teleport")),
    ("malformed", lambda p, on, off: draw(p, on, seat="one")),
    ("malformed", lambda p, on, off: draw(p, on, seat=1.5)),
    ("malformed", lambda p, on, off: draw(p, on, source="sleeve")),
    ("malformed", lambda p, on, off: draw(p, on, cheat=True)),
    ("table-unknown", lambda p, on, off: draw(p, on, table="p01-nowhere")),
    ("table-unknown", lambda p, on, off: draw(p, on, table="p00-next-door")),
    ("seat-unknown", lambda p, on, off: draw(p, on, seat=5)),
    ("not-your-seat", lambda p, on, off: draw(p, on, player="player-9")),
    ("not-your-seat", lambda p, on, off: draw(p, on, player=f"player-{off}")),
    ("not-your-turn", lambda p, on, off: draw(p, off)),
    ("wrong-deal", lambda p, on, off: draw(p, on, deal=7)),
    ("stale-turn", lambda p, on, off: draw(p, on, turn=0)),
    ("stale-turn", lambda p, on, off: draw(p, on, turn=99)),
    ("not-drawn-yet", lambda p, on, off: {**_without(draw(p, on), "source"), "type": "discard", "position": "0-0"}),
    ("not-now", lambda p, on, off: {**_without(draw(p, on), "source", "turn"), "type": "declare", "groups": []}),
    ("table-exists", lambda p, on, off: json.loads(codec.encode(open_table(TABLE))) | {"id": "open-again"}),
]


def _without(message: dict[str, object], *keys: str) -> dict[str, object]:
    return {key: value for key, value in message.items() if key not in keys}


def test_every_refusal_has_its_code_and_a_sentence_and_changes_nothing(players: Players) -> None:
    on, off, _ = on_turn(players)
    before = len(players.platform.events(TABLE))

    answers = [(code, sent(players, make(players, on, off))) for code, make in CASES]

    assert [(answer.code, len(answer.sentence) > 15) for _, answer in answers] == [(code, True) for code, _ in CASES]
    assert len(players.platform.events(TABLE)) == before
    assert isinstance(
        players.say(Draw(**players.who(on), deal=1, turn=on_turn(players)[2], source="stock")), CommandAccepted
    )


def test_a_card_that_is_not_held_cannot_be_thrown(players: Players) -> None:
    on, off, turn = on_turn(players)
    players.draw(on)
    deal = players.state.deal
    assert deal is not None
    foreign = deal.of(off).hand[0]

    answer = players.say(Discard(**players.who(on), deal=1, turn=turn, position=foreign))

    assert isinstance(answer, CommandRefused)
    assert answer.code == "card-not-held"


def test_the_same_command_id_twice_gets_the_stored_answer_and_acts_once(players: Players) -> None:
    on, _, turn = on_turn(players)
    command = Draw(**players.who(on), deal=1, turn=turn, source="stock")

    first, second = players.say(command), players.say(command)

    assert first == second
    assert [event for event in players.platform.events(TABLE) if event.cause == command.id][1:] == []


def test_a_command_after_the_deadline_is_late(platform: LivePlatform) -> None:
    platform.start("dealer")
    players = Players(platform, "p00-late")
    players.do(open_table("p00-late", turn_ms=300, time_bank_ms=0))
    for seat in (1, 2):
        players.do(Sit(id=f"sit-{seat}", table="p00-late", player=f"player-{seat}", seat=seat))
    players.until_phase("turn")
    on, _, turn = on_turn(players)
    platform.until(lambda: on_turn(players)[2] > turn or None, "the next turn")

    answer = players.say(Draw(**players.who(on), deal=1, turn=turn, source="stock"))

    assert isinstance(answer, CommandRefused)
    assert answer.code in {"stale-turn", "too-late"}


@pytest.mark.poison
@pytest.mark.parametrize(
    "rubbish",
    [b"{", b"\xff\xfe", b"[]", b"null", b"", b'{"type":"draw"}', b"[" * 5000, b"x" * 1_000_000],
    ids=["half", "bytes", "array", "null", "empty", "no-address", "deep", "1MB"],
)
def test_what_nobody_can_read_is_parked_and_the_next_command_is_handled(players: Players, rubbish: bytes) -> None:
    partition = streams.partition_of(TABLE)
    on, _, turn = on_turn(players)

    entry = players.platform.send_bytes(partition, rubbish)
    answer = players.say(Draw(**players.who(on), deal=1, turn=turn, source="stock"))

    assert isinstance(answer, CommandAccepted)
    (line,) = players.platform.parked(partition)
    assert (line.offset, line.size) == (entry, len(rubbish))
    assert line.why in {"unreadable", "malformed", "too-large", "unknown-type"}


@pytest.mark.poison
def test_a_flood_of_rubbish_makes_no_other_table_slower(players: Players) -> None:
    """The other table lies on another partition; its answers come while 400 rubbish messages are worked off."""
    partition = streams.partition_of(TABLE)
    for _ in range(400):
        players.platform.send_bytes(partition, b"y" * 70_000)
    neighbour = Players(players.platform, QUIET)
    began = time.monotonic()

    neighbour.do(Drop(**neighbour.who(1), deal=1))

    assert time.monotonic() - began < 5
    players.platform.until(lambda: len(players.platform.parked(partition)) >= 400 or None, "the flood to be parked")


def test_a_declaration_of_other_cards_is_no_show(players: Players) -> None:
    on, off, _ = on_turn(players)
    position = players.draw(on)
    players.do(Finish(**players.who(on), deal=1, turn=on_turn(players)[2], position=position))
    deal = players.state.deal
    assert deal is not None

    answer = players.say(Declare(**players.who(on), deal=1, groups=(deal.of(off).hand,)))

    assert isinstance(answer, CommandRefused)
    assert answer.code == "cards-mismatch"
    assert players.state.phase == "finishing"


@pytest.mark.parametrize("time", [2**62, 900_000_000_000_000])
def test_an_entry_id_beyond_all_time_leaves_a_log_that_everybody_can_read(players: Players, time: int) -> None:
    """Nobody can be kept from naming an id (it is paged); the log must not suffer."""
    platform, partition = players.platform, streams.partition_of(TABLE)
    after = platform.last_reply(partition)
    away = SetAway(id="away", table=TABLE, player="player-1", seat=1)
    platform.client.xadd(streams.inbox(partition), {"e": codec.encode(away)}, id=f"{time}-0")
    answer = platform.until(lambda: platform.reply(partition, "away", after), "the answer")

    assert isinstance(answer, CommandAccepted)
    players.do(SetBack(id="back", table=TABLE, player="player-1", seat=1))
    assert platform.events(TABLE)[-1].at == LATEST_MS
    told = CliRunner().invoke(replay, [TABLE, "--url", platform.environment["POOLRUMMY_REDIS_URL"]])
    assert told.exit_code == 0, told.output
