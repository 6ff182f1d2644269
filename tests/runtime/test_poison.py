"""Messages that cannot be read, and messages on which our own code raises, dies or hangs."""

import asyncio
import signal

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
    (crew.folder / f"bad-alarm-{BAD}").write_text("raise")
    await crew.send_to(BAD, "set", "alarm", in_ms=50)
    await crew.send_to("p00-good", "set-too", "alarm", in_ms=100)

    async def both() -> bool:
        return (await kinds(crew, BAD))[-1:] == ["frozen"] and (await kinds(crew, "p00-good"))[-1:] == ["rang"]

    await until(both, 10, lambda: dealer.log)
    [line] = await parked(crew)
    assert b"RuntimeError: poison" in line
    assert dealer.process.poll() is None


@pytest.mark.parametrize(("death", "code"), [("exit", 9), ("kill", -9), ("hang", 70)])
async def test_a_clock_that_takes_the_process_along_freezes_its_table_alone_after_three_owners(
    crew: Crew, death: str, code: int
) -> None:
    """Many clocks end at once; only the guilty one is found, and no message is blamed that waits meanwhile."""
    settings = {"hang_s_max": 1, "lease_ms": 300}
    dealer = crew.start("dealer", **settings)
    await crew.working(dealer)
    (crew.folder / f"bad-alarm-{BAD}").write_text(death)
    good = [f"p00-good{number}" for number in range(5)]
    for table in (good[0], BAD, *good[1:]):
        await crew.send_to(table, f"set-{table}", "alarm", in_ms=400)
    stop = asyncio.Event()
    reviving = asyncio.create_task(revived(crew, dealer, stop, **settings))

    async def frozen() -> bool:
        await crew.send_to("p00-busy", f"busy-{len(crew.sent['p00-busy'])}")
        return (await kinds(crew, BAD))[-1:] == ["frozen"]

    await until(frozen, 60, lambda: "\n".join(member.log[-2000:] for member in crew.members))
    await crew.settled()
    stop.set()
    lives = await reviving
    [line] = await parked(crew)

    assert line == f"3 owners in a row ended while they acted on a clock of {BAD}".encode()
    assert await kinds(crew, BAD) == ["alarm", "frozen"]
    assert [await kinds(crew, table) for table in good] == [["alarm", "rang"]] * 5
    assert [life.process.poll() for life in lives] == [code, code, code, None]
    assert len(lives[-1].lines("deadline parked")) == 1
    assert 'poolrummy_poisoned_total{role="dealer"} 1.0' in await lives[-1].page("metrics")
    assert (await lives[-1].ready())[0] == 200


async def test_a_table_that_ends_owners_even_as_it_is_frozen_is_left_alone_until_an_operator_lets_it_load(
    crew: Crew,
) -> None:
    settings = {"lease_ms": 300}
    dealer = crew.start("dealer", **settings)
    await crew.working(dealer)
    for act in ("alarm", "freeze"):
        (crew.folder / f"bad-{act}-{BAD}").write_text("kill")
    await crew.send_to(BAD, "set", "alarm", in_ms=100)
    stop = asyncio.Event()
    reviving = asyncio.create_task(revived(crew, dealer, stop, **settings))

    async def told() -> bool:
        return len(await parked(crew)) == 1

    await until(told, 60, lambda: "\n".join(member.log[-2000:] for member in crew.members))
    await crew.send(6)
    await crew.settled()
    stop.set()
    lives = await reviving
    [line] = await parked(crew)
    assert len(lives) == 5
    assert lives[-1].process.poll() is None
    assert await kinds(crew, BAD) == ["alarm"]
    words = line.decode().partition("redis-cli HDEL ")[2].partition(",")[0].replace("'", "").split()
    assert words == ["{p00}:dealer", "ended"]

    for act in ("alarm", "freeze"):
        (crew.folder / f"bad-{act}-{BAD}").unlink()
    assert await crew.store.calls.ask("HDEL", *words) == 1
    lives[-1].signal(signal.SIGTERM)
    await lives[-1].exit_code()
    crew.start("dealer", **settings)

    async def rang() -> bool:
        return await kinds(crew, BAD) == ["alarm", "rang"]

    await until(rang, 20, lambda: crew.members[-1].log)


async def test_killing_a_dealer_whose_clocks_ring_suspects_nobody_for_long(crew: Crew) -> None:
    """SIGKILL at any moment, twelve times, while clocks ring all the time: nothing may be frozen or parked."""
    settings = {"lease_ms": 150}
    dealer = crew.start("dealer", **settings)
    await crew.working(dealer)
    stop = asyncio.Event()
    reviving = asyncio.create_task(revived(crew, dealer, stop, **settings))
    for number in range(12):
        for table in range(8):
            await crew.send_to(f"p00-t{table}", f"set-{number}-{table}", "alarm", in_ms=number * table)
        await asyncio.sleep(0.4 + number / 50)
        if crew.members[-1].process.poll() is None:
            crew.members[-1].signal(signal.SIGKILL)

    async def all_rang() -> bool:
        logs = [await kinds(crew, f"p00-t{table}") for table in range(8)]
        return all(log.count("alarm") == 12 and log[-1] == "rang" for log in logs)

    await until(all_rang, 60, lambda: "\n".join(member.log[-1000:] for member in crew.members))
    await crew.settled()
    stop.set()
    await reviving
    assert await parked(crew) == []
    assert await crew.store.calls.ask("HEXISTS", "{p00}:dealer", "acting") == 0


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
