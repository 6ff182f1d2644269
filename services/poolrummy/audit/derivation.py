"""Every step of a log decided again: the recorded events must be what the rules give, byte for byte (R13, R32).

That says at once that each command was legal at that moment, each card came from where it lay, each clock was due and
no player acted after his, and that every point, total, elimination, rejoin, split and prize is right.
"""

from collections.abc import Callable, Sequence

import msgspec

from poolrummy.audit.asking import Command, command_behind
from poolrummy.audit.lateness import Lateness
from poolrummy.audit.oracle import Oracle
from poolrummy.rules import table as rules
from poolrummy.rules.state import Table, next_clock
from poolrummy_contracts import events as e
from poolrummy_contracts.commands import RunClock, SystemCommand
from poolrummy_contracts.refusals import Refused

Progress = Callable[[int], None]
PROGRESS_EVERY = 2000


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """The first event that is not what the rules give."""

    v: int
    rule: str
    kind: str
    """The type of the event that is recorded, or that is missing."""
    what: str
    clock: bool = False
    """Whether the step is one of the clock."""


class Derived(msgspec.Struct, frozen=True, kw_only=True):
    """How far the steps could be decided again, what they gave, and the first that differs."""

    table: Table | None
    steps: int
    reached: int
    """The version up to which everything is what the rules give."""
    by_player: int
    by_clock: int
    by_operator: int
    difference: Difference | None = None
    beside: tuple[Difference, ...] = ()
    """The first steps that the rules give and no honest dealer writes: too late, or by a command that acted before."""


class Derivation:
    """The walk through one log, from its first event to its last or to the first that differs."""

    def __init__(self, events: Sequence[e.TableEvent], oracle: Oracle) -> None:
        self._events = events
        self._oracle = oracle
        self._table: Table | None = None
        self._at = 0
        self._counts = {"player": 0, "timer": 0, "operator": 0}
        self._steps = 0
        self._lateness = Lateness()
        self._acted: dict[str, tuple[int, int]] = {}
        self._beside: dict[bool, Difference] = {}

    def run(self, progress: Progress | None = None) -> Derived:
        """Decide step after step."""
        difference: Difference | None = None
        told = 0
        while self._at < len(self._events) and difference is None:
            difference = self._step()
            if progress is not None and self._at - told >= PROGRESS_EVERY:
                progress(self._at - told)
                told = self._at
        if progress is not None:
            progress(self._at - told)
        return Derived(
            table=self._table,
            steps=self._steps,
            reached=self._at,
            by_player=self._counts["player"],
            by_clock=self._counts["timer"],
            by_operator=self._counts["operator"],
            difference=difference,
            beside=tuple(self._beside.values()),
        )

    def _step(self) -> Difference | None:
        first = self._events[self._at]
        if self._table is not None and self._table.closed:
            return _differs(first, "the table was closed by the event before it: nothing may follow")
        following = self._events[self._at + 1] if self._at + 1 < len(self._events) else None
        command = command_behind(self._table, first, following)
        if command is None:
            return _differs(first, f"no act of a {first.actor} begins with it at this moment{_phase(self._table)}")
        self._oracle.stand_at(self._at, self._table)
        try:
            decided = rules.decide(self._table, command, first.at, self._oracle)
        except AssertionError as impossible:
            # The rules assert what no command can bring about: a pack that is not the decks, a card in two places.
            return _differs(first, str(impossible), clock=isinstance(command, RunClock))
        if isinstance(decided, Refused):
            return _differs(first, f"{_named(command)} was not allowed: {decided.refusal.name}. {decided.sentence}")
        if not decided.events:
            return _differs(first, _not_due(self._table, first), clock=isinstance(command, RunClock))
        difference = self._compared(decided.events, command)
        if difference is None:
            self._look_beside(first)
            self._take(decided, command)
        return difference

    def _look_beside(self, first: e.TableEvent) -> None:
        """What the rules alone do not ask: when it happened, and whether its command had its turn before."""
        late = self._lateness.fault(self._table, first)
        if late is not None:
            self._beside.setdefault(True, _differs(first, late, clock=True))
        if first.cause is None or first.actor not in {"player", "operator"}:
            return
        # The dealer answers an id again, and does nothing, in the deal in which it acted and in the next one.
        deal = 0 if self._table is None else self._table.deal_number
        before, v = self._acted.get(first.cause, (deal - 2, 0))
        if deal - before <= 1:
            self._beside.setdefault(False, _differs(first, f"its command {first.cause} acted before, at version {v}"))
        self._acted[first.cause] = (deal, first.v)

    def _compared(self, decided: Sequence[e.TableEvent], command: Command) -> Difference | None:
        clock = isinstance(command, RunClock)
        for number, right in enumerate(decided, start=self._at):
            if number == len(self._events):
                kind = str(right.__struct_config__.tag)
                what = f"the log ends in the middle of a step: {kind} follows by rule {right.rule}"
                return Difference(v=right.v, rule=right.rule, kind=kind, what=what, clock=clock)
            recorded = self._events[number]
            if recorded != right:
                return Difference(
                    v=recorded.v,
                    rule=right.rule,
                    kind=str(recorded.__struct_config__.tag),
                    what=differences(recorded, right),
                    clock=clock,
                )
        return None

    def _take(self, decided: rules.Decided, command: Command) -> None:
        self._table = decided.after
        for event in decided.events:
            if isinstance(event, e.DealStarted):
                self._oracle.begin(event)
        self._at += len(decided.events)
        self._steps += 1
        actor = "timer" if isinstance(command, SystemCommand) else decided.events[0].actor
        self._counts[actor if actor in self._counts else "player"] += 1


def differences(recorded: e.TableEvent, right: e.TableEvent) -> str:
    """What is recorded and what the rules give, field by field."""
    if type(recorded) is not type(right):
        return f"it is a {_tag(recorded)}, rule {right.rule} gives a {_tag(right)}"
    told = [
        f"{name} is {_short(left)}, the rules give {_short(other)}"
        for name in recorded.__struct_fields__
        if (left := getattr(recorded, name)) != (other := getattr(right, name))
    ]
    return "; ".join(told)


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode() if not isinstance(value, str) else value
    return text if len(text) <= 160 else f"{text[:157]}…"


def _tag(event: e.TableEvent) -> str:
    return str(event.__struct_config__.tag)


def _named(command: Command) -> str:
    return str(command.__struct_config__.tag)


def _phase(table: Table | None) -> str:
    return "" if table is None else f" (phase {table.phase})"


def _not_due(table: Table | None, first: e.TableEvent) -> str:
    clock = None if table is None else next_clock(table)
    if clock is None:
        return "no clock ran at this moment"
    return f"the {clock.what} clock was not due: it ends at {clock.ends_at}, this is {first.at}"


def _differs(event: e.TableEvent, what: str, *, clock: bool = False) -> Difference:
    return Difference(v=event.v, rule=event.rule, kind=_tag(event), what=what, clock=clock)
