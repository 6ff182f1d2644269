"""A run from the first table to the last: robots play, processes are looked after, a board or lines tell of it."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import Struct

from poolrummy.commands import run_lag
from poolrummy.commands.board import Scene
from poolrummy.commands.run_children import Crew
from poolrummy.commands.run_lag import Lag
from poolrummy.commands.run_news import News, result
from poolrummy.runtime.errors import StoreUnreachable
from poolrummy.runtime.redis_calls import Calls
from poolrummy.simulator.play import Play, clock_ms
from poolrummy.simulator.tally import Tally
from poolrummy.simulator.tournament import Plan, Stuck, Tournament

LOOK_AFTER_S: Final = 0.5
LAG_S: Final = 1.0
UNREACHABLE_S_MAX: Final = 30.0


class Kill(Struct, frozen=True, kw_only=True):
    """Kill this process after so many moves of the run."""

    role: str
    moves: int


class Stop:
    """The wish of a person to end the run now. A client library may swallow a cancellation, so it is kept as well."""

    def __init__(self, task: asyncio.Task[Any] | None) -> None:
        self.asked = False
        self._task = task

    def ask(self) -> None:
        """End the run: what the signal handlers call."""
        self.asked = True
        if self._task is not None:
            self._task.cancel()


class Conductor:
    """Everything that runs at once, and what it looks like right now."""

    def __init__(
        self, plan: Plan, calls: Calls, crew: Crew, *, run: str, partitions: int, kills: Sequence[Kill], stop: Stop
    ) -> None:
        self.plan = plan
        self.news = News()
        self.tally = Tally(clock_ms())
        self.play = Play(calls, self.tally, self.news.hear)
        self.tournament = Tournament(self.play, plan, run=run, partitions=partitions)
        self.stuck: list[Stuck] = []
        self.lag = Lag()
        self._calls = calls
        self._crew = crew
        self._partitions = partitions
        self._stop = stop
        self._kills = sorted(kills, key=lambda kill: kill.moves)
        self._reachable_s = time.monotonic()

    async def conduct(self, show: Callable[[Scene], None], *, every_s: float) -> None:
        """Play everything to its end, or until a table is stuck."""
        tasks = [asyncio.create_task(self._look_after()), asyncio.create_task(self._show(show, every_s))]
        try:
            while not self.tournament.done and not self.stuck:
                for task in tasks:
                    if task.done():
                        task.result()
                await self._pulse()
                if self._stop.asked:
                    raise asyncio.CancelledError
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            show(self.scene())

    def scene(self) -> Scene:
        """What the board shows now."""
        now_ms, tally, plan = clock_ms(), self.tally, self.plan
        target = self.tournament.target
        done = len(self.tournament.finished)
        return Scene(
            title=(
                f"{plan.variant.replace('_', ' ')} · {plan.profile} · {plan.tables} tables of {plan.seats} · "
                f"{plan.speed.name}"
            ),
            elapsed_ms=now_ms - tally.began_ms,
            pools=f"{done}/{target}" if target is not None else str(done),
            deals=tally.counts["deals"],
            deals_per_minute=tally.per_second("deals", now_ms) * 60,
            moves=tally.moves,
            moves_per_second=tally.per_second("moves", now_ms),
            answer_ms=tally.answer_ms(50),
            slow_answer_ms=tally.answer_ms(95),
            lag=self.lag,
            processes=tuple((role, child.pid is not None) for role, child in self._crew.children.items()),
            tables=tuple(room.state for room in self.play.rooms.values() if room.state is not None),
            news=tuple(self.news.lines),
            results=tuple(result(one) for one in reversed(self.tournament.finished[-20:])),
        )

    @property
    def kills_not_due(self) -> list[Kill]:
        """Kills that were asked for after more moves than the run had."""
        return self._kills

    async def _pulse(self) -> None:
        began_s = time.monotonic()
        try:
            await self.tournament.step()
            self._reachable_s = began_s
        except StoreUnreachable:
            # What was on its way is sent again under the same ids; only a server that stays away ends the run.
            if began_s - self._reachable_s > UNREACHABLE_S_MAX:
                raise
            await asyncio.sleep(0.2)
        while self._kills and self.tally.moves >= self._kills[0].moves:
            kill = self._kills.pop(0)
            self._crew.children[kill.role].kill()
            self.news.say(f"after {self.tally.moves:,} moves: {kill.role} killed (SIGKILL)")
        if not self.play.has_something_to_say:
            await asyncio.sleep(max(self.plan.speed.pulse_ms / 1000 - (time.monotonic() - began_s), 0.001))

    async def _look_after(self) -> None:
        measured_s = 0.0
        while True:
            self._crew.look_after()
            self.stuck = self.tournament.stuck()
            if time.monotonic() - measured_s > LAG_S:
                measured_s = time.monotonic()
                try:
                    self.lag = await run_lag.measured(self._calls, range(self._partitions))
                except StoreUnreachable:
                    self.news.say("the server does not answer")
            await asyncio.sleep(LOOK_AFTER_S)

    async def _show(self, show: Callable[[Scene], None], every_s: float) -> None:
        while True:
            show(self.scene())
            await asyncio.sleep(every_s)
