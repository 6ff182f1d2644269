"""A table without processes for tests of robots: it decides by the rules alone, and may lose answers on the way."""

from collections.abc import Callable, Mapping

from poolrummy.simulator.robot import RESEND_MS, Robot
from poolrummy.simulator.room import Room
from poolrummy.simulator.styles import style_of
from poolrummy.testing.packs import Script
from poolrummy.testing.tables import TABLE, TestTable
from poolrummy_contracts import commands as c
from poolrummy_contracts import events as e
from poolrummy_contracts.refusals import Refused
from poolrummy_contracts.replies import CommandAccepted, CommandRefused, ReplyMessage
from poolrummy_contracts.seat_lines import CardReceived, CardsDealt, SeatMessage
from poolrummy_contracts.terms import Seat, Terms


class RobotTable:
    """Robots at one table; each step is a look of all robots, or a deadline where none has anything to say."""

    def __init__(self, terms: Terms, *, seed: str = "1", loses: Callable[[int], bool] = lambda _answer: False) -> None:
        self.table = TestTable(terms, Script(terms))
        self.sent: list[c.PlayerCommand] = []
        self.carried_out: list[str] = []
        self.refusals: list[CommandRefused] = []
        self._seed = seed
        self._loses = loses
        self._answers: dict[str, ReplyMessage] = {}
        self._given = 0
        self._lines: dict[Seat, list[SeatMessage]] = {}
        self._channel_deal = 0
        self.robots = self._new_robots()
        self.room = Room(TABLE, self.robots, now_ms=self.table.now_ms)
        self._folded = 0
        self.table.do(c.OpenTable(id="open", table=TABLE, terms=terms))
        self._follow()

    def play(self, *, steps_max: int = 20_000, until: Callable[[], bool] = lambda: False) -> None:
        """Play until the table is closed, or something is so."""
        for _ in range(steps_max):
            if self.room.over or until():
                return
            self.step()
        raise AssertionError(f"the match did not end: {self.table.table.phase} at version {self.table.table.v}")

    def step(self) -> None:
        """Let everybody look; where nobody speaks, let verdicts come, or time pass."""
        said = list(self.room.speak(self.table.now_ms))
        for command in said:
            assert not isinstance(command, c.OpenTable)
            self._carry_out(command)
        if not said:
            if self.table.table.phase in ("judging", "counting"):
                self.table.judge()
            elif self.room.look_ms is not None:
                self.table.wait(max(self.room.look_ms - self.table.now_ms, 1))
            else:
                self.table.time_out()
        self._follow()

    def restart_the_robots(self) -> None:
        """New robots that know nothing but the log and what stands in their channels."""
        self.robots = self._new_robots()
        self.room = Room(TABLE, self.robots, now_ms=self.table.now_ms)
        self._folded = 0
        self._follow()
        for seat, lines in self._lines.items():
            for line in lines:
                self.robots[seat].own.told(line)

    def answer_everything_again(self) -> None:
        """Time for robots to ask again what was not answered."""
        self.table.now_ms += RESEND_MS

    def _new_robots(self) -> Mapping[Seat, Robot]:
        return {
            seat: Robot(
                table=TABLE,
                seat=seat,
                player=f"robot-{seat}",
                style=style_of(0, seat),
                seed=self._seed,
                think_ms=lambda _dice: 0,
            )
            for seat in map(Seat, range(1, self.table.terms.seats + 1))
        }

    def _carry_out(self, command: c.PlatformCommand) -> None:
        assert not isinstance(command, c.OpenTable | c.OperatorCommand)
        self.sent.append(command)
        answer = self._answers.get(command.id)
        if answer is None:
            decided = self.table.send(command)
            if isinstance(decided, Refused):
                answer = CommandRefused(
                    command=command.id,
                    table=TABLE,
                    v=self.table.table.v,
                    code=decided.refusal,
                    sentence=decided.sentence,
                )
                self.refusals.append(answer)
            else:
                answer = CommandAccepted(command=command.id, table=TABLE, v=self.table.table.v)
                self.carried_out.append(command.id)
            self._answers[command.id] = answer
        self._given += 1
        if not self._loses(self._given):
            self.room.answered(answer, self.table.now_ms)

    def _follow(self) -> None:
        for event in self.table.log[self._folded :]:
            self.room.take(event, self.table.now_ms)
            self._tell(event)
        self._folded = len(self.table.log)
        for line in self.table.lines:
            self._line(line)
        self.table.lines.clear()

    def _tell(self, event: e.TableEvent) -> None:
        """What the dealer writes into seat channels: the cards, and nothing of another seat."""
        deal = event.deal or 0
        if isinstance(event, e.DealStarted) and deal > self._channel_deal:
            self._channel_deal = deal
            self._lines = {hand.seat: [] for hand in event.hands}
            for hand in event.hands:
                cards = tuple(self._opened(deal, where) for where in hand.positions)
                self._line(CardsDealt(table=TABLE, seat=hand.seat, deal=deal, v=event.v, cards=cards))
        elif isinstance(event, e.CardDrawn) and event.source == "stock" and event.v > self._told_v:
            card = self._opened(deal, event.position)
            self._line(CardReceived(table=TABLE, seat=event.seat, deal=deal, v=event.v, card=card))
        self._told_v = max(self._told_v, event.v)

    _told_v = 0

    def _opened(self, deal: int, where: str) -> e.OpenedCard:
        generation, _, place = where.partition("-")
        return self.table.script._packs[deal, int(generation)].opened(int(place))

    def _line(self, line: SeatMessage) -> None:
        self._lines.setdefault(line.seat, []).append(line)
        self.robots[line.seat].own.told(line)
