"""What happened in a run, counted from the public events alone."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from typing import Final

from poolrummy_contracts import events as e

MOVES: Final = (e.CardDrawn, e.CardDiscarded, e.FinishCalled, e.ShowDeclared, e.HandDeclared, e.SeatDropped)
"""What a player does in a deal; clocks do some of it too, and that is no move."""

COUNTED: Final[Mapping[type[e.TableEvent], str]] = {
    e.DealScored: "deals",
    e.DealVoided: "void_deals",
    e.TurnMissed: "timeouts",
    e.SeatDropped: "drops",
    e.ShowForfeited: "wrong_shows",
    e.RejoinGranted: "rejoins",
    e.SeatEliminated: "eliminations",
    e.SplitAgreed: "splits",
    e.StockReshuffled: "reshuffles",
    e.ClocksShifted: "clock_shifts",
    e.SeatForfeited: "left",
    e.SeatAway: "away",
    e.SeatSeedRevealed: "seat_seeds",
    e.MatchEnded: "matches",
    e.MatchVoided: "void_matches",
    e.TableFrozen: "freezes",
}

SECONDS_KEPT: Final = 10
ANSWERS_KEPT: Final = 2000


class Tally:
    """Counts of a run, and its pace over the last seconds."""

    def __init__(self, now_ms: int) -> None:
        self.began_ms = now_ms
        self.counts: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self._seconds: deque[tuple[int, Counter[str]]] = deque(maxlen=SECONDS_KEPT + 1)
        self._answers_ms: deque[int] = deque(maxlen=ANSWERS_KEPT)

    @property
    def moves(self) -> int:
        """How many moves players have made."""
        return self.counts["moves"]

    def count(self, event: e.TableEvent, now_ms: int) -> None:
        """Take in an event."""
        for what in _kinds(event):
            self._add(what, now_ms)

    def answered(self, took_ms: int) -> None:
        """Take in how long a robot waited for the answer to a command."""
        self._answers_ms.append(took_ms)

    def per_second(self, what: str, now_ms: int) -> float:
        """The pace over the last seconds; the second that runs is left out."""
        first = max(now_ms // 1000 - SECONDS_KEPT, self.began_ms // 1000)
        seconds = now_ms // 1000 - first
        total = sum(found[what] for second, found in self._seconds if first <= second < now_ms // 1000)
        return total / seconds if seconds else 0.0

    def answer_ms(self, percent: int) -> int:
        """How long robots wait for an answer: the percentile over the last answers."""
        ordered = sorted(self._answers_ms)
        return ordered[(len(ordered) - 1) * percent // 100] if ordered else 0

    def _add(self, what: str, now_ms: int) -> None:
        second = now_ms // 1000
        if not self._seconds or self._seconds[-1][0] != second:
            self._seconds.append((second, Counter()))
        self._seconds[-1][1][what] += 1
        self.counts[what] += 1


def _kinds(event: e.TableEvent) -> Iterable[str]:
    yield "events"
    if event.actor == "player" and isinstance(event, MOVES):
        yield "moves"
    if isinstance(event, e.ShowJudged):
        yield "valid_shows" if event.valid else "wrong_shows"
    elif type(event) in COUNTED:
        yield COUNTED[type(event)]
