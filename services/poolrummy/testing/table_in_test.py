"""A table in a test: commands go in by the names of cards and seats, time passes, verdicts are given.

The state is folded from the recorded events, as a replay does it.
"""

from typing import Literal, TypedDict

from poolrummy.rules import table as rules
from poolrummy.rules.state import Deal, DealSeat, Table
from poolrummy.testing.packs import Groups, Script
from poolrummy.validator.judging import count_hand, judge_show
from poolrummy_contracts import commands as c
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Card, Position, parse_card, parse_cards
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.seat_lines import PlainLine
from poolrummy_contracts.terms import Seat, Terms
from poolrummy_contracts.verdicts import HandVerdict, RejoinPayment, ShowVerdict, VerdictMessage

TABLE = "p00-test"
CHANNEL_KEY = "age1lvyvwawkr0mcnnnncaghunadrqkmuf9e6507x9y920xxpp866cnql7dp2z"
Command = c.PlatformCommand | VerdictMessage | c.SystemCommand


class Refusing(AssertionError):
    """A command of the test was refused where the test expected it to be carried out."""


class TestTable:
    """One table with its log, its script and its clock."""

    __test__ = False

    def __init__(self, terms: Terms, script: Script | None = None, *, now_ms: int = 1_000_000) -> None:
        self.terms = terms
        self.script = script or Script(terms)
        self.now_ms = now_ms
        self.state: Table | None = None
        self.log: list[e.TableEvent] = []
        self.lines: list[PlainLine] = []
        self._commands = 0

    # -- commands

    def send(self, command: Command) -> rules.Decided | Refused:
        """Let the table decide, and fold what it decided; nothing changes by a refusal."""
        decided = rules.decide(self.state, command, self.now_ms, self.script)
        if isinstance(decided, Refused):
            return decided
        for event in decided.events:
            self.state = rules.evolve(self.state, event)
        self.log.extend(decided.events)
        self.lines.extend(decided.lines)
        self.script.follow(decided.events, decided.lines)
        return decided

    def do(self, command: Command) -> tuple[e.TableEvent, ...]:
        """Send a command that must be carried out."""
        decided = self.send(command)
        if isinstance(decided, Refused):
            raise Refusing(f"{command}: {decided.refusal.value} {decided.detail}")
        return decided.events

    def refusal(self, command: Command) -> Refusal | None:
        """Send a command, and answer why it was refused, if it was."""
        decided = self.send(command)
        return decided.refusal if isinstance(decided, Refused) else None

    # -- time and answers

    def wait(self, ms: int) -> tuple[e.TableEvent, ...]:
        """Let time pass; deadlines fire at their time, one after the other."""
        until, before = self.now_ms + ms, len(self.log)
        while self.state is not None and (clock := rules.next_clock(self.state)) is not None and clock.ends_at <= until:
            self.now_ms = max(self.now_ms, clock.ends_at)
            self.do(c.RunClock(table=TABLE, deadline=clock.armed_by))
        self.now_ms = until
        return tuple(self.log[before:])

    def time_out(self) -> tuple[e.TableEvent, ...]:
        """Let the running deadline pass."""
        clock = rules.next_clock(self.table)
        assert clock is not None, f"no clock runs in phase {self.table.phase}"
        return self.wait(clock.ends_at - self.now_ms)

    def verdict(self) -> ShowVerdict | HandVerdict:
        """What a validator answers to the oldest open ask."""
        deal = self.deal
        open_asks = {deal.ask, *(ask.v for ask in deal.asks)}
        for event in self.log:
            if event.v in open_asks and isinstance(event, e.ShowDeclared):
                return judge_show(event, self.terms)
            if event.v in open_asks and isinstance(event, e.HandLaidOpen):
                return count_hand(event, self.terms)
        raise AssertionError(f"no verdict is awaited in phase {self.table.phase}")

    def judge(self) -> tuple[e.TableEvent, ...]:
        """Answer every open ask, as a validator would."""
        before = len(self.log)
        while self.table.phase in ("judging", "counting"):
            self.do(self.verdict())
        return tuple(self.log[before:])

    # -- what players do

    def sit(self, *seats: int, kind: Literal["person", "robot"] = "person") -> tuple[e.TableEvent, ...]:
        """Players sit down."""
        before = len(self.log)
        for seat in seats:
            key = None if self.terms.currency == "practice" else CHANNEL_KEY
            self.do(c.Sit(**self.who(seat), kind=kind, channel_key=key))
        return tuple(self.log[before:])

    def draw(self, source: Literal["stock", "open"] = "stock") -> tuple[e.TableEvent, ...]:
        """The seat on turn draws."""
        return self.do(c.Draw(**self.turn(), source=source))

    def discard(self, card: str = "") -> tuple[e.TableEvent, ...]:
        """The seat on turn lays a card on the open pile; without a name, the card it drew."""
        return self.do(c.Discard(**self.turn(), position=self.held(self.on_turn, card)))

    def play(self, turns: int = 1) -> tuple[e.TableEvent, ...]:
        """So many turns of drawing from the stock and discarding the same card."""
        before = len(self.log)
        for _ in range(turns):
            self.draw()
            self.discard()
        return tuple(self.log[before:])

    def drop(self, seat: int | None = None) -> tuple[e.TableEvent, ...]:
        """A seat drops: the one on turn, or another one in advance."""
        return self.do(c.Drop(**self.who(seat or self.on_turn), deal=self.deal.number))

    def finish(self, card: str = "") -> tuple[e.TableEvent, ...]:
        """The seat on turn calls finish; without a name, with the card it drew."""
        return self.do(c.Finish(**self.turn(), position=self.held(self.on_turn, card)))

    def declare(self, seat: int, groups: str) -> tuple[e.TableEvent, ...]:
        """A seat lays out groups, written ``3H 4H 5H / 9C 10C JC / ...``."""
        return self.do(c.Declare(**self.who(seat), deal=self.deal.number, groups=self.placed(seat, groups)))

    def save(self, seat: int, groups: str) -> tuple[e.TableEvent, ...]:
        """A seat keeps a grouping."""
        return self.do(c.SaveGroups(**self.who(seat), deal=self.deal.number, groups=self.placed(seat, groups)))

    def show(self, groups: str, card: str = "") -> tuple[e.TableEvent, ...]:
        """The seat on turn draws, finishes with the card it drew, lays out these groups, and is judged."""
        before, seat = len(self.log), self.on_turn
        if self.deal.drawn is None:
            self.draw()
        self.finish(card)
        self.declare(seat, groups)
        self.judge()
        return tuple(self.log[before:])

    def leave(self, seat: int) -> tuple[e.TableEvent, ...]:
        """A player leaves."""
        return self.do(c.Leave(**self.who(seat)))

    def rejoin(self, seat: int) -> tuple[e.TableEvent, ...]:
        """A player asks for a rejoin."""
        return self.do(c.AskRejoin(**self.who(seat), window=self.table.windows))

    def pay(self, seat: int, *, paid: bool = True) -> tuple[e.TableEvent, ...]:
        """The cashier answers the open ask."""
        asked = [event for event in self.log if isinstance(event, e.RejoinAsked)][-1]
        name = f"judge:{TABLE}:{asked.v}"
        return self.do(RejoinPayment(id=name, table=TABLE, ask=asked.v, seat=Seat(seat), paid=paid, reason="no money"))

    # -- what is known

    @property
    def table(self) -> Table:
        """The state."""
        assert self.state is not None, "the table is not open"
        return self.state

    @property
    def deal(self) -> Deal:
        """The deal that is played."""
        assert self.table.deal is not None, f"no deal is played in phase {self.table.phase}"
        return self.table.deal

    @property
    def on_turn(self) -> Seat:
        """The seat on turn."""
        assert self.deal.on_turn is not None, "nobody is on turn"
        return self.deal.on_turn

    def of(self, seat: int) -> DealSeat:
        """A seat in the deal."""
        found = self.deal.of(Seat(seat))
        assert found is not None, f"seat {seat} was not dealt in"
        return found

    def hand(self, seat: int) -> list[Card]:
        """The faces that a seat holds."""
        return [self.script.face(where) for where in self.of(seat).hand]

    def totals(self) -> dict[int, int]:
        """The total of every seat that started."""
        assert self.table.standings is not None, "the match has not begun"
        return {one.seat: one.total for one in self.table.standings.seats}

    def states(self) -> dict[int, str]:
        """Who is playing, eliminated, or has left."""
        assert self.table.standings is not None, "the match has not begun"
        return {one.seat: one.state for one in self.table.standings.seats}

    def last(self, kind: type[e.Event]) -> e.Event:
        """The latest event of this type."""
        return next(event for event in reversed(self.log) if isinstance(event, kind))

    def points(self) -> dict[int, int]:
        """What the last scored deal cost each seat."""
        scored = self.last(e.DealScored)
        assert isinstance(scored, e.DealScored)
        return {one.seat: one.points for one in scored.scores}

    def reasons(self) -> dict[int, str]:
        """Why the last scored deal cost it."""
        scored = self.last(e.DealScored)
        assert isinstance(scored, e.DealScored)
        return {one.seat: one.reason for one in scored.scores}

    # -- building commands

    def who(self, seat: int) -> "Who":
        """Who acts, with a new command id."""
        self._commands += 1
        return {"id": f"c{self._commands}", "table": TABLE, "player": f"p{seat}", "seat": Seat(seat)}

    def turn(self, seat: int | None = None) -> "Turn":
        """Who acts in the running turn."""
        return {**self.who(seat or self.on_turn), "deal": self.deal.number, "turn": self.deal.turn}

    def held(self, seat: int, card: str) -> Position:
        """Where the card that a seat holds comes from; without a name, the card it drew."""
        if not card:
            assert self.deal.drawn is not None, "no card was drawn"
            return self.deal.drawn.position
        face = parse_card(card)
        return next(where for where in reversed(self.of(seat).hand) if self.script.face(where) == face)

    def placed(self, seat: int, groups: str) -> Groups:
        """The groups by position; each card of the hand is used once."""
        left = list(self.of(seat).hand)
        placed: list[tuple[Position, ...]] = []
        for text in groups.split("/"):
            group: list[Position] = []
            for card in parse_cards(text):
                where = next(where for where in left if self.script.face(where) == card)
                left.remove(where)
                group.append(where)
            placed.append(tuple(group))
        return tuple(group for group in placed if group)


class Who(TypedDict):
    """The author of a player's command."""

    id: str
    table: str
    player: str
    seat: Seat


class Turn(Who):
    """The author of a move, and the turn it is meant for."""

    deal: int
    turn: int
