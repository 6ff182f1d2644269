"""Given a table, when somebody acts, then this and nothing else happens.

>>> from poolrummy.testing.matches import terms_of
>>> from poolrummy.testing.tables import started
>>> table = started(terms_of(seats=2))
>>> given(table).when(c.Draw(**table.turn(seat=2), source="stock")).then(Refusal.NOT_YOUR_TURN)
>>> given(table).when(c.Draw(**table.turn(), source="stock")).then(e.CardDrawn)
"""

from collections.abc import Sequence

from poolrummy.testing.tables import Command, TestTable
from poolrummy_contracts import commands as c
from poolrummy_contracts import events as e
from poolrummy_contracts.refusals import Refusal, Refused

__all__ = ["Given", "a", "c", "e", "given"]


class a:  # noqa: N801 - reads as it is spoken: then(a(SeatDropped, points=20))
    """An event of this type with these fields; other fields are free."""

    def __init__(self, event: type[e.Event], /, **fields: object) -> None:
        self.event = event
        self.fields = fields

    def matches(self, event: e.TableEvent) -> bool:
        """Whether type and named fields agree."""
        return isinstance(event, self.event) and all(
            getattr(event, name) == value for name, value in self.fields.items()
        )

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.fields.items())
        return f"{self.event.__name__}({fields})"


class Then:
    """What came of an act."""

    def __init__(self, table: TestTable, outcome: Sequence[e.TableEvent] | Refused, version: int) -> None:
        self.table = table
        self.outcome = outcome
        self._version = version

    def then(self, *expected: type[e.Event] | a | Refusal) -> None:
        """Exactly these events in this order, or this refusal, which changes nothing."""
        if isinstance(self.outcome, Refused):
            assert expected == (self.outcome.refusal,), f"refused: {self.outcome.refusal.value} {self.outcome.detail}"
            assert self.table.table.v == self._version, "a refusal changes nothing"
            return
        wanted = [one if isinstance(one, a) else a(one) for one in expected if not isinstance(one, Refusal)]
        assert len(wanted) == len(expected), f"not refused, but {_names(self.outcome)}"
        agrees = len(wanted) == len(self.outcome) and all(
            one.matches(event) for one, event in zip(wanted, self.outcome, strict=True)
        )
        assert agrees, f"expected {wanted}, happened {list(self.outcome)}"


class Given:
    """A table before the act."""

    def __init__(self, table: TestTable) -> None:
        self.table = table

    def when(self, command: Command, *, after_ms: int = 0) -> Then:
        """Somebody acts, so many milliseconds later; deadlines do not fire in between."""
        self.table.now_ms += after_ms
        version = self.table.table.v
        decided = self.table.send(command)
        return Then(self.table, decided if isinstance(decided, Refused) else decided.events, version)

    def when_the_time_is_up(self) -> Then:
        """The running deadline passes."""
        version = self.table.table.v
        return Then(self.table, self.table.time_out(), version)


def given(table: TestTable) -> Given:
    """Begin with this table."""
    return Given(table)


def _names(events: Sequence[e.TableEvent]) -> list[str]:
    return [type(event).__name__ for event in events]
