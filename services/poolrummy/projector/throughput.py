"""What a partition has done since its first event: counted by the projector and saved with its offset.

Because the counts are a read model they neither fall nor repeat when a process dies (F108), and because they can be
folded again from the logs they can be proved. No label names a table, a player or a card (F110).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, get_args

import msgspec

from poolrummy.rules.state import Table
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Variant
from poolrummy_contracts.verdicts import ShowReason

Counts = Mapping[str, Mapping[str, int]]

LABELS: Final[Mapping[str, tuple[str, ...]]] = {
    "tables_opened": ("variant",),
    "matches": ("end",),
    "deals": ("end",),
    "moves": ("move",),
    "automatic_moves": ("move",),
    "turn_timeouts": (),
    "drops": ("kind",),
    "declarations": ("verdict", "reason"),
    "reshuffles": (),
    "eliminations": (),
    "forfeits": (),
    "rejoins": ("answer",),
    "splits": ("answer",),
    "freezes": ("by",),
    "clock_shifts": (),
    "fee_minor": ("currency",),
}
"""Every counter with its labels. Values of several labels are joined with a slash."""


class Throughput(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of a partition: counter, then label values, then how many."""

    counts: dict[str, dict[str, int]] = {}


_DECODER: Final = msgspec.json.Decoder(Throughput)


class Tally:
    """Counts that grow; the one thing here that changes."""

    def __init__(self, stored: bytes | None = None) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        if stored is not None:
            self._take(_DECODER.decode(stored))

    def add(self, table: Table, event: e.TableEvent) -> bool:
        """Count an event of this table; whether it counts for anything."""
        found = tuple(counted(table, event))
        for name, label, number in found:
            self._counts[name, label] += number
        return bool(found)

    def merge(self, other: "Tally") -> None:
        """Take in what was counted elsewhere."""
        self._take(other.counts())

    def counts(self) -> Throughput:
        """What was counted so far."""
        by_name: dict[str, dict[str, int]] = {}
        for (name, label), number in sorted(self._counts.items()):
            by_name.setdefault(name, {})[label] = number
        return Throughput(counts=by_name)

    def _take(self, counts: Throughput) -> None:
        for name, by_label in counts.counts.items():
            self._counts.update({(name, label): number for label, number in by_label.items()})


def counted(table: Table, event: e.TableEvent) -> Iterable[tuple[str, str, int]]:  # noqa: C901, PLR0912 - a line each
    """What an event counts for: counter, label values, how many; ``table`` as it is after the event."""
    match event:
        case e.CardDrawn() | e.CardDiscarded() | e.FinishCalled() | e.ShowDeclared() | e.HandDeclared():
            yield ("moves" if event.actor == "player" else "automatic_moves", _MOVES[type(event)], 1)
        case e.SeatDropped():
            yield ("moves" if event.actor == "player" else "automatic_moves", "drop", 1)
            yield "drops", event.kind, 1
        case e.TurnMissed():
            yield "turn_timeouts", "", 1
        case e.ShowJudged():
            yield "declarations", f"{'valid' if event.valid else 'wrong'}/{event.reason}", 1
        case e.ShowForfeited():
            yield "declarations", "wrong/not_declared_in_time", 1
        case e.DealScored():
            yield "deals", event.how, 1
        case e.DealVoided():
            yield "deals", "void", 1
        case e.StockReshuffled():
            yield "reshuffles", "", 1
        case e.SeatEliminated():
            yield "eliminations", "", 1
        case e.SeatForfeited():
            yield "forfeits", "", 1
        case e.RejoinGranted():
            yield "rejoins", "granted", 1
            yield from _fees(table, event.obligations)
        case e.RejoinDeclined():
            yield "rejoins", f"declined-{event.why}", 1
        case e.SplitAgreed():
            yield "splits", "agreed", 1
        case e.SplitClosed():
            yield "splits", event.why, 1
        case e.TableOpened():
            yield "tables_opened", event.terms.variant, 1
        case e.MatchStarted():
            yield from _fees(table, event.obligations)
        case e.MatchEnded():
            yield "matches", event.how, 1
        case e.MatchVoided():
            yield "matches", "void", 1
        case e.TableFrozen():
            yield "freezes", event.actor, 1
        case e.ClocksShifted():
            yield "clock_shifts", "", 1
        case _:
            return


def _fees(table: Table, obligations: Iterable[e.Obligation]) -> Iterable[tuple[str, str, int]]:
    kept = sum(owed.amount for owed in obligations if owed.kind in ("entry-fee", "rejoin-fee"))
    if kept:
        yield "fee_minor", table.terms.currency, kept


_MOVES: Final[Mapping[type[e.TableEvent], str]] = {
    e.CardDrawn: "draw",
    e.CardDiscarded: "discard",
    e.FinishCalled: "finish",
    e.ShowDeclared: "declare",
    e.HandDeclared: "declare",
}

_PLAYED: Final = ("draw", "discard", "finish", "declare", "drop")
KNOWN: Final[Mapping[str, tuple[str, ...]]] = {
    "tables_opened": get_args(Variant),
    "matches": (*get_args(e.MatchEnd), "void"),
    "deals": (*get_args(e.DealEnd), "void"),
    "moves": _PLAYED,
    "automatic_moves": _PLAYED,
    "turn_timeouts": ("",),
    "drops": get_args(e.DropKind),
    "declarations": (
        "valid/ok",
        *(f"wrong/{reason}" for reason in get_args(ShowReason) if reason != "ok"),
        "wrong/not_declared_in_time",
    ),
    "reshuffles": ("",),
    "eliminations": ("",),
    "forfeits": ("",),
    "rejoins": ("granted", *(f"declined-{why}" for why in get_args(e.DeclineReason))),
    "splits": ("agreed", "not-asked", "refused", "silence"),
    "freezes": get_args(e.Actor),
    "clock_shifts": ("",),
    "fee_minor": (),
}
"""Label values that are known beforehand: metrics tell them from 0 on, so that the first of a kind is seen."""
