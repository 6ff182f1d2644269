"""An owner dies, freezes, or comes back as a zombie; real processes, one server."""

import asyncio
import signal
from collections.abc import Awaitable, Callable

import pytest

from .crew import LEASE_MS, PARTITIONS, Crew, Member, until

pytestmark = pytest.mark.takeover


async def held_by(member: Member) -> int:
    return len((await member.ready())[1].get("partitions", []))


async def traffic(crew: Crew, rounds: int = 20, each: int = 10) -> None:
    for _ in range(rounds):
        await crew.send(each)
        await asyncio.sleep(0.02)


async def two_dealers_and_a_tally(crew: Crew) -> tuple[Member, Member, Member]:
    first, second, tally = crew.start("dealer"), crew.start("dealer"), crew.start("tally")

    async def shared() -> bool:
        return await held_by(first) == await held_by(second) == PARTITIONS // 2

    await until(shared, 15, lambda: first.log + second.log)
    await crew.working()
    return first, second, tally


@pytest.mark.parametrize("role", ["dealer", "tally"])
async def test_a_killed_owner_is_replaced_and_nothing_is_lost_or_done_twice(crew: Crew, role: str) -> None:
    """Case F92."""
    first, _, tally = await two_dealers_and_a_tally(crew)
    other_tally = crew.start("tally")
    victim = first if role == "dealer" else tally
    sending = asyncio.create_task(traffic(crew))
    await asyncio.sleep(0.15)
    victim.signal(signal.SIGKILL)
    await sending

    await crew.settled()
    assert await victim.exit_code() == -signal.SIGKILL
    assert other_tally.process.poll() is None


@pytest.mark.parametrize("role", ["dealer", "tally"])
async def test_an_owner_frozen_between_reading_and_writing_writes_nothing_when_it_wakes(crew: Crew, role: str) -> None:
    first, _, tally = await two_dealers_and_a_tally(crew)
    second_tally = crew.start("tally")
    await until(lambda: owns_some(second_tally), 15)
    victim = first if role == "dealer" else tally
    [partition] = (await victim.ready())[1]["partitions"]
    (crew.folder / f"freeze-{role}-{partition}").touch()
    await traffic(crew, rounds=5)
    frozen = crew.folder / f"frozen-{role}-{partition}-{victim.process.pid}"
    await until(lambda: exists(frozen), 10, lambda: victim.log)

    await crew.settled()  # the others finish its work while it sleeps
    victim.signal(signal.SIGCONT)
    await traffic(crew, rounds=5)
    await crew.settled()
    ended = victim.lines("tenure ended")
    assert any("another owner" in line["reason"] or "no longer holds" in line["reason"] for line in ended), victim.log


async def test_a_stopped_process_wakes_and_works_again(crew: Crew) -> None:
    first, second, _ = await two_dealers_and_a_tally(crew)
    sending = asyncio.create_task(traffic(crew, rounds=40))
    first.signal(signal.SIGSTOP)
    await asyncio.sleep(LEASE_MS / 1000 * 2.5)
    assert await held_by(second) == PARTITIONS
    first.signal(signal.SIGCONT)
    await sending

    await crew.settled()
    await until(lambda: owns_some(first), 10, lambda: first.log)


async def test_a_clean_stop_hands_over_at_once(crew: Crew) -> None:
    """Case F105."""
    first, second, tally = await two_dealers_and_a_tally(crew)
    sending = asyncio.create_task(traffic(crew))
    first.signal(signal.SIGTERM)
    assert await first.exit_code() == 0
    await sending
    await crew.settled()
    acquired = second.lines("lease acquired")

    assert max(line["unowned_ms"] for line in acquired) < LEASE_MS
    assert all(line["takeovers"] == 0 for line in acquired)
    for member in (second, tally):
        member.signal(signal.SIGTERM)
        assert await member.exit_code() == 0


async def test_the_time_without_an_owner_is_told_to_the_next_one(crew: Crew) -> None:
    only = crew.start("dealer")
    await crew.working(only)
    only.signal(signal.SIGKILL)
    await only.exit_code()
    await asyncio.sleep(1.0)
    following = crew.start("dealer")
    await crew.working(following)

    for line in following.lines("lease acquired"):
        assert 1000 <= line["unowned_ms"] < 10_000


async def test_a_deadline_fires_after_a_takeover_and_only_once(crew: Crew) -> None:
    first = crew.start("dealer")
    await crew.working(first)
    await crew.send_to("p00-a", "set", "alarm", in_ms=1200)
    await crew.settled()
    first.signal(signal.SIGKILL)
    await first.exit_code()
    crew.start("dealer")

    async def rang() -> bool:
        return [event["kind"] for event in await crew.log("p00-a")] == ["alarm", "rang"]

    await until(rang, 10)
    await asyncio.sleep(0.3)
    assert await rang()
    await crew.check()


async def test_a_move_in_time_wins_against_its_own_deadline(crew: Crew) -> None:
    """The deadline passes while the move waits in the inbox, unread: the move is handled first."""
    dealer = crew.start("dealer")
    await crew.working(dealer)
    await crew.send_to("p00-a", "set", "alarm", in_ms=700)
    await crew.settled()
    dealer.signal(signal.SIGSTOP)
    await crew.send_to("p00-a", "in-time")
    await asyncio.sleep(0.9)
    dealer.signal(signal.SIGCONT)

    async def rang() -> bool:
        return (await crew.log("p00-a"))[-1]["kind"] == "rang"

    await until(rang, 10, lambda: dealer.log)
    assert [event["cause"] for event in await crew.log("p00-a")][:2] == ["set", "in-time"]


async def owns_some(member: Member) -> bool:
    return await held_by(member) > 0


async def exists(path) -> bool:
    return path.exists()


Check = Callable[[], Awaitable[bool]]
