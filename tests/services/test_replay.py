"""A table's story from its log alone: complete, in order, and only if the log is what was written."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from poolrummy.audit.replay import refusals, replay, replay_stored, story
from poolrummy.audit.sentences import sentence
from poolrummy.audit.wording import Names
from poolrummy.runtime.errors import FeedGap, NewerVersionNeeded
from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.store import Append, TableEntry
from poolrummy.runtime.table_log import ChainBroken
from poolrummy_contracts import codec
from poolrummy_contracts import events as e
from poolrummy_contracts.envelope import chain_next, chain_over, chain_start
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.replies import CommandAccepted, CommandRefused

from .played_logs import Log, Recorder, dull, eventful, six_seats_two_back

TABLE = "p00-test"


def entries(log: Log, table: str = TABLE) -> list[TableEntry]:
    chain = chain_start(table)
    found: list[TableEntry] = []
    for event in log:
        payload = codec.encode(event)
        chain = chain_next(chain, payload)
        found.append(TableEntry(version=event.v, payload=payload, chain=chain))
    return found


@pytest.fixture
def recorded_shapes() -> list[e.TableEvent]:
    lines = Path(__file__).parents[1] / "contracts" / "lines"
    found: list[e.TableEvent] = []
    for file in sorted(lines.rglob("*")):
        for line in file.read_bytes().splitlines() if file.is_file() else []:
            try:
                found.append(codec.decode_event(line))
            except codec.WireError:
                continue
    assert len({type(event) for event in found}) == len(e.TableEvent.__args__)
    return found


def test_the_story_has_one_step_for_each_event_and_each_says_who_acted() -> None:
    """Case F86."""
    log = eventful()

    steps = story(TABLE, entries(log))

    assert [step.v for step in steps] == list(range(1, len(log) + 1))
    assert [(step.at, step.actor, step.rule) for step in steps] == [(ev.at, ev.actor, ev.rule) for ev in log]
    assert {step.actor for step in steps} == {"player", "timer", "system", "operator"}
    assert all(step.text for step in steps)


def test_a_missed_turn_and_what_the_clock_did_stand_in_the_story() -> None:
    steps = story(TABLE, entries(eventful()))

    missed = next(step for step in steps if step.type == "turn-missed")
    assert (missed.seat, missed.player, missed.actor, missed.cards_left) == (1, "p1", "timer", 13)
    assert missed.text == "misses the turn (1 in a row)"


def test_cards_are_named_where_everybody_saw_them_and_counted_after_every_step() -> None:
    steps = story(TABLE, entries(eventful()))

    drawn = next(step for step in steps if step.type == "card-drawn" and step.card is None)
    taken = next(step for step in steps if step.type == "card-drawn" and step.card is not None)
    discarded = next(step for step in steps if step.type == "card-discarded")
    assert (drawn.cards_left, discarded.cards_left) == (14, 13)
    assert drawn.text.startswith("draws from the stock (0-")
    assert taken.text.endswith("from the open pile")


def test_the_story_ends_in_the_standings_of_the_log() -> None:
    found = replay(TABLE, entries(six_seats_two_back()))

    assert found is not None
    assert found.table.standings is not None
    assert {one.seat: one.total for one in found.table.standings.seats} == {1: 45, 2: 40, 3: 46, 4: 47, 5: 30, 6: 5}
    assert found.table.standings.prize_pool == 800
    assert found.chain == chain_over(TABLE, (codec.encode(event) for event in six_seats_two_back()))


def test_no_entries_are_no_table() -> None:
    assert replay(TABLE, []) is None


def test_a_changed_byte_breaks_the_chain_at_its_version() -> None:
    log = entries(eventful())
    changed = log[11].payload.replace(b'"actor":"player"', b'"actor":"system"')
    assert changed != log[11].payload

    with pytest.raises(ChainBroken, match="breaks at version 12") as broken:
        replay(TABLE, [*log[:11], replace(log[11], payload=changed), *log[12:]])
    assert broken.value.version == 12


def test_a_dropped_entry_is_a_gap() -> None:
    log = entries(eventful())

    with pytest.raises(FeedGap, match="from version 11 to 13"):
        replay(TABLE, [*log[:11], *log[12:]])


def test_the_log_of_another_table_is_no_log_of_this_one() -> None:
    with pytest.raises(ChainBroken):
        replay("p00-other", entries(eventful()))


def test_an_event_of_a_newer_release_stops_the_replay_with_its_tag() -> None:
    """Case F79."""
    log = entries(eventful())[:3]
    payload = b'{"actor":"system","at":1,"rule":"1.1","table":"p00-test","type":"split-doubled","v":4}'
    newer = TableEntry(version=4, payload=payload, chain=chain_next(log[-1].chain, payload))

    with pytest.raises(NewerVersionNeeded, match="split-doubled"):
        replay(TABLE, [*log, newer])


async def test_a_stored_log_that_ends_before_its_head_is_refused() -> None:
    store = MemoryStore(clock=lambda: 5_000_000)
    await (await Recorder.on(store)).record(dull())
    whole = await replay_stored(TABLE, store)
    del store.table(TABLE).log[-2:]

    with pytest.raises(FeedGap, match="restore the store"):
        await replay_stored(TABLE, store)
    assert whole is not None
    assert whole.table.closed


async def test_refused_commands_are_a_list_of_their_own() -> None:
    store = MemoryStore(clock=lambda: 5_000_000)
    recorder = await Recorder.on(store)
    refused = CommandRefused(command="c9", table=TABLE, v=12, code=Refusal.NOT_YOUR_TURN, sentence="Not your turn.")
    answers = [
        CommandAccepted(command="c1", table=TABLE, v=1),
        refused,
        replace(refused, table="p00-other"),
    ]
    offset = recorder.lease.offset
    for answer in answers:
        call = Append(
            partition=0,
            token=recorder.lease.token,
            from_offset=offset,
            to_offset=offset,
            reply=codec.encode(answer),
        )
        await store.append([call])

    assert await refusals(TABLE, 0, store) == (refused,)


def test_every_event_ever_recorded_has_a_sentence(recorded_shapes: list[e.TableEvent]) -> None:
    for event in recorded_shapes:
        assert sentence(event, Names({}, "INR"))
