"""A table in the dealer's hands: its state, its place in the log, its secrets, and which commands it has answered."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from poolrummy.dealer.channels import channels_over, lines_for
from poolrummy.dealer.vault import Vault
from poolrummy.rules import answers
from poolrummy.rules import table as rules
from poolrummy.rules.state import Table
from poolrummy.runtime.store import NewEvent, OpenChange, PrivateLine, Slot
from poolrummy_contracts import codec
from poolrummy_contracts.envelope import chain_next, chain_start
from poolrummy_contracts.events import (
    DealStarted,
    HandLaidOpen,
    SeedsCommitted,
    ShowDeclared,
    TableClosed,
    TableEvent,
    TableOpened,
)
from poolrummy_contracts.seat_lines import GroupingSaved, PlainLine
from poolrummy_contracts.verdicts import HandVerdict, ShowVerdict, VerdictMessage

SNAPSHOT_SCHEMA: Final = 2
"""A snapshot of another schema is ignored: it is a shortcut, never the truth."""


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The state at a deal border, with the event that began the deal and the seeds that were promised for it."""

    schema: int
    table: Table
    deal_started: DealStarted
    promises: tuple[SeedsCommitted, ...]


_SNAPSHOT_WRITER: Final = msgspec.msgpack.Encoder()
_SNAPSHOT_READER: Final = msgspec.msgpack.Decoder(Snapshot)


def read_snapshot(stored: bytes | None) -> Snapshot | None:
    """The snapshot in these bytes, or None where another release wrote them."""
    if stored is None:
        return None
    try:
        found = _SNAPSHOT_READER.decode(stored)
    except msgspec.MsgspecError:
        return None
    return found if found.schema == SNAPSHOT_SCHEMA else None


class Place(NamedTuple):
    """Where a table log stands."""

    version: int
    chain: bytes


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """What one decision adds to the store, ready to be appended; nothing, for a refusal."""

    events: tuple[NewEvent, ...] = ()
    private: tuple[PrivateLine, ...] = ()
    forget_seats: tuple[int, ...] = ()
    open_change: OpenChange = OpenChange.NONE
    clear_slot: bool = False
    snapshot: bytes | None = None


class HeldTable:
    """One open table; ``record`` moves it on, nothing else does."""

    def __init__(self, table: str, vault: Vault, *, state: Table | None = None, chain: bytes | None = None) -> None:
        self.id = table
        self.vault = vault
        self._state = state
        self._chain = chain_start(table) if chain is None else chain
        self._answers: dict[Slot, dict[str, bytes]] = {"a": {}, "b": {}}
        self._asks: dict[int, ShowDeclared | HandLaidOpen] = {}

    @property
    def state(self) -> Table:
        """The state after the last recorded event."""
        assert self._state is not None, f"nothing is recorded for {self.id} yet"
        return self._state

    @property
    def place(self) -> Place:
        """Where its log stands, with what is on its way."""
        return Place(self._state.v if self._state else 0, self._chain)

    @property
    def slot(self) -> Slot:
        """Where answers of the running deal are kept: deals take turns."""
        return "b" if self._state is not None and self._state.deal_number % 2 else "a"

    def observe(self, event: TableEvent) -> None:
        """Follow a recorded event: remember what validators are asked in the running deal."""
        match event:
            case ShowDeclared() | HandLaidOpen():
                self._asks[event.v] = event
            case DealStarted():
                self._asks.clear()
            case _:
                return

    def objection(self, answer: VerdictMessage) -> str | None:
        """Why this answer cannot be right, whoever sent it; None also where nothing was asked (`decide` says so)."""
        if not isinstance(answer, ShowVerdict | HandVerdict) or (ask := self._asks.get(answer.ask)) is None:
            return None
        return answers.objection(ask, answer, self.state.terms)

    def answer_to(self, command: str) -> bytes | None:
        """The answer that this command id got in this deal or the last one."""
        found = self._answers["a"].get(command)
        return self._answers["b"].get(command) if found is None else found

    def keep_answer(self, command: str, answer: bytes | None) -> None:
        """Remember the answer under the command's id, as the store does."""
        self._answers[self.slot][command] = answer or b""

    def restore_answers(self, slot: Slot, answers: dict[str, bytes]) -> None:
        """Take over what the store remembers."""
        self._answers[slot] = answers

    def record(self, events: Sequence[TableEvent], lines: Sequence[PlainLine] = ()) -> Recorded:
        """Take events and private lines over, and answer what the store has to write."""
        slot_before = self.slot
        stored = tuple(self._fold(event) for event in events)
        for line in lines:
            self.vault.keep(line)
        if clear := self.slot != slot_before:
            self._answers[self.slot] = {}
        return Recorded(
            events=stored,
            private=tuple(map(self._private, (*lines_for(events, self.vault, self.state), *lines))),
            forget_seats=channels_over(events, (chair.seat for chair in self.state.chairs)),
            open_change=_open_change(events),
            clear_slot=clear,
            snapshot=self._snapshot(events),
        )

    def _fold(self, event: TableEvent) -> NewEvent:
        payload = codec.encode(event)
        self._chain = chain_next(self._chain, payload)
        self._state = rules.evolve(self._state, event)
        self.vault.observe(event, self._state)
        self.observe(event)
        return NewEvent(payload, self._chain)

    def _private(self, line: PlainLine) -> PrivateLine:
        chair = self.state.chair(line.seat)
        key = None if chair is None else chair.channel_key
        payload = codec.encode(line if key is None else self.vault.sealed(line, key))
        return PrivateLine(seat=line.seat, payload=payload, kept=isinstance(line, GroupingSaved))

    def _snapshot(self, events: Sequence[TableEvent]) -> bytes | None:
        begun = next((event for event in events if isinstance(event, DealStarted)), None)
        if begun is None:
            return None
        return _SNAPSHOT_WRITER.encode(
            Snapshot(schema=SNAPSHOT_SCHEMA, table=self.state, deal_started=begun, promises=self.vault.promises())
        )


def _open_change(events: Sequence[TableEvent]) -> OpenChange:
    if any(isinstance(event, TableClosed) for event in events):
        return OpenChange.CLOSES
    return OpenChange.OPENS if any(isinstance(event, TableOpened) for event in events) else OpenChange.NONE
