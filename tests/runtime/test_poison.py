"""Messages that cannot be read, and messages on which our own code raises, dies or hangs."""

import asyncio

import pytest

from .crew import Crew, Member, until

pytestmark = pytest.mark.poison

BAD = "p00-bad"


async def parked(crew: Crew, partition: int = 0) -> list[bytes]:
    return [line.payload for line in await crew.store.read_parked(partition, "0-0", 100)]


async def revived(crew: Crew, member: Member, stop: asyncio.Event, **settings: object) -> list[Member]:
    """Start a new process whenever the last one ended, as an orchestrator does."""
    lives = [member]
    while not stop.is_set():
        if lives[-1].process.poll() is not None:
            lives.append(crew.start(member.role, **settings))
        await asyncio.sleep(0.05)
    return lives


async def kinds(crew: Crew, table: str) -> list[str]:
    return [event["kind"] for event in await crew.log(table)]


async def test_unreadable_bytes_are_parked_and_freeze_nothing(crew: Crew) -> None:
    """Case F94 (a)."""
    dealer = crew.start("dealer")
    await crew.working(dealer)
    await crew.send(20)
    for rubbish in (b"", b"\xff\xfe\x00", b"{", b"x" * 1_000_000, b'{"id":1}'):
        await crew.store.send(0, rubbish)
    await crew.store.calls.ask("XADD", "{p00}:inbox", "*", "other", "field")
    await crew.send(20)
    await crew.settled()

    assert len(await parked(crew)) == 6
    assert all(line.startswith(b"unreadable") for line in await parked(crew))
    assert dealer.lines("entry parked") == []


async def test_a_message_on_which_our_code_raises_is_parked_with_the_traceback_and_freezes_its_table(
    crew: Crew,
) -> None:
    """Cases F91 and F94 (b)."""
    dealer = crew.start("dealer")
    await crew.working(dealer)
    await crew.send(20)
    await crew.send_to(BAD, "before")
    await crew.send_to(BAD, "poison", "raise")
    await crew.send_to(BAD, "after")
    await crew.send(20)
    await crew.settled()
    [line] = await parked(crew)

    assert line.startswith(b"poison: Traceback")
    assert b"RuntimeError: poison" in line
    assert await kinds(crew, BAD) == ["add", "frozen"]
    assert dealer.process.poll() is None
    assert (await dealer.ready())[0] == 200
    assert 'poolrummy_poisoned_total{role="dealer"} 1.0' in await dealer.page("metrics")


@pytest.mark.parametrize("death", ["exit", "hang"])
async def test_a_message_that_takes_the_process_along_is_parked_after_three_owners(crew: Crew, death: str) -> None:
    """Case F94, where the failure kills the process."""
    settings = {"hang_s_max": 1, "lease_ms": 300}
    dealer = crew.start("dealer", **settings)
    await crew.working(dealer)
    await crew.send(5)
    await crew.send_to(BAD, "before")
    await crew.send_to(BAD, "poison", death)
    await crew.send(20)
    stop = asyncio.Event()
    reviving = asyncio.create_task(revived(crew, dealer, stop, **settings))
    await crew.settled(within_s=60)
    stop.set()
    lives = await reviving
    [line] = await parked(crew)

    assert line.startswith(b"poison: 3 owners in a row ended while they handled this entry")
    assert await kinds(crew, BAD) == ["add", "frozen"]
    assert 4 <= len(lives) <= 6
    assert {life.process.returncode for life in lives[:-1]} == {9 if death == "exit" else 70}
    if death == "hang":
        assert "the event loop hangs" in lives[0].log


async def test_a_deadline_on_which_our_code_raises_freezes_its_table_alone(crew: Crew) -> None:
    dealer = crew.start("dealer")
    await crew.working(dealer)
    (crew.folder / f"bad-alarm-{BAD}").touch()
    await crew.send_to(BAD, "set", "alarm", in_ms=50)
    await crew.send_to("p00-good", "set-too", "alarm", in_ms=100)

    async def both() -> bool:
        return (await kinds(crew, BAD))[-1:] == ["frozen"] and (await kinds(crew, "p00-good"))[-1:] == ["rang"]

    await until(both, 10, lambda: dealer.log)
    [line] = await parked(crew)
    assert b"this alarm cannot ring" in line
    assert dealer.process.poll() is None


async def test_an_event_on_which_a_follower_raises_is_skipped_by_its_own_word(crew: Crew) -> None:
    dealer, tally = crew.start("dealer"), crew.start("tally")
    await crew.working()
    await crew.send(10)
    await crew.send_to(BAD, "poison", "feed-raise")
    await crew.send_to(BAD, "after")
    await crew.send(10)
    await crew.settled()
    [line] = await parked(crew)

    assert b"RuntimeError: poison" in line
    assert dealer.process.poll() is tally.process.poll() is None


async def test_an_event_that_kills_a_follower_is_skipped_after_three_owners(crew: Crew) -> None:
    settings = {"lease_ms": 300}
    dealer, tally = crew.start("dealer"), crew.start("tally", **settings)
    await crew.working()
    await crew.send(6)
    await crew.send_to(BAD, "poison", "feed-exit")
    await crew.send(6)
    stop = asyncio.Event()
    reviving = asyncio.create_task(revived(crew, tally, stop, **settings))
    await crew.settled(within_s=60)
    stop.set()
    await reviving

    [line] = await parked(crew)
    assert b"3 owners in a row" in line
    assert dealer.process.poll() is None


@pytest.mark.parametrize(
    ("kind", "settings", "said"),
    [
        ("feed-raise", {"COUNTING_STRICT": "1"}, "cannot go past event 1 of partition 0"),
        ("feed-new", {}, "tag feed-new is not known here; start a newer release"),
    ],
)
async def test_a_follower_that_may_not_skip_stops_and_says_why(crew: Crew, kind: str, settings, said: str) -> None:
    dealer, tally = crew.start("dealer"), crew.start("tally", **settings)
    await crew.working()
    await crew.send_to(BAD, "poison", kind)

    assert await tally.exit_code() == 1
    assert said in tally.log.splitlines()[-1] or said in tally.log
    assert await crew.store.roles(0) == {"tally": 0}
    assert dealer.process.poll() is None
