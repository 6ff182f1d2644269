"""One partition in memory: the same promises as the Lua scripts, said in Python.

It is the second oracle: the conformance suite and a differential test hold it and Redis against each other.
"""

from collections.abc import Sequence

from msgspec import Struct, field

from poolrummy.runtime.effects import Effect, Park, Send
from poolrummy.runtime.memory_views import MemoryViews
from poolrummy.runtime.offsets import place
from poolrummy.runtime.store import (
    ANSWERS_MAX,
    DEALER,
    NOTHING_READ,
    Append,
    AppendAnswer,
    AppendCode,
    Archived,
    CommitCode,
    FeedEntry,
    Head,
    InboxEntry,
    OpenChange,
    StreamEntry,
    TableEntry,
    Trimmed,
)


class Holder(Struct, kw_only=True):
    """Who holds a role here, and how far it got."""

    token: str | None = None
    member: str = ""
    until_ms: int = 0
    alive_ms: int | None = None
    offset: str = NOTHING_READ
    takeovers: int = 0
    epoch: int = 0
    began: bool = False
    lost: bool = False
    acting: tuple[str, ...] = ()
    ended_acting: dict[str, int] = field(default_factory=dict[str, int])

    def blame(self, tables: Sequence[str]) -> None:
        """One more owner ended while it acted on clocks of these tables."""
        for table in tables:
            self.ended_acting[table] = self.ended_acting.get(table, 0) + 1
        self.acting = ()

    @property
    def n(self) -> int:
        """The offset of a feed role as a number."""
        return place(self.offset)[0]


class Lines:
    """A stream of growing ids: a clock (or the version of a table), and a number within it."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, bytes]] = []
        self.last = (0, 0)

    def add(self, payload: bytes, at: int) -> str:
        """Append a line; its id is larger than every one before, even if the clock went back."""
        self.last = (at, 0) if at > self.last[0] else (self.last[0], self.last[1] + 1)
        entry_id = f"{self.last[0]}-{self.last[1]}"
        self.entries.append((entry_id, payload))
        return entry_id

    def after(self, after: str, count: int) -> list[StreamEntry]:
        """Lines behind this id."""
        start = place(after)
        later = [StreamEntry(id=at, payload=payload) for at, payload in self.entries if place(at) > start]
        return later[:count]


class TableData(Struct, kw_only=True):
    """Everything that is kept of one table."""

    head: Head | None = None
    log: list[TableEntry] = field(default_factory=list[TableEntry])
    snapshot: bytes | None = None
    answers: dict[str, dict[str, bytes]] = field(default_factory=lambda: {"a": {}, "b": {}})
    seats: dict[int, Lines] = field(default_factory=dict[int, Lines])
    saved: dict[int, bytes] = field(default_factory=dict[int, bytes])

    def answer_to(self, command_id: str | None) -> bytes | None:
        """The stored answer to a command, in either slot; empty if it was handled without a reply."""
        found = [slot[command_id] for slot in self.answers.values() if command_id is not None and command_id in slot]
        return found[0] if found else None


class MemoryPartition:
    """The data of one partition."""

    def __init__(self, *, replies_max: int) -> None:
        self.replies_max = replies_max
        self.dealer = Holder()
        self.followers: dict[str, Holder] = {}
        self.feed: list[FeedEntry] = []
        self.feed_n = 0
        self.trimmed_n = 0
        self.inbox, self.replies, self.parked = Lines(), Lines(), Lines()
        self.tables: dict[str, TableData] = {}
        self.open: set[str] = set()
        self.views = MemoryViews()
        self.archived = Archived()
        self.closures: list[TableEntry] = []

    def holder(self, role: str) -> Holder:
        """The holder of a role, nobody at first."""
        return self.dealer if role == DEALER else self.followers.get(role, Holder())

    def register(self, role: str) -> Holder:
        """The holder of a role, who from now on holds back trimming."""
        return self.dealer if role == DEALER else self.followers.setdefault(role, Holder())

    def table(self, table_id: str) -> TableData:
        """The data of a table, empty at first."""
        return self.tables.setdefault(table_id, TableData())

    def waits(self, role: str) -> bool:
        """Whether an entry lies behind the role's offset."""
        if role == DEALER:
            return bool(self.inbox.entries) and self.inbox.entries[-1][0] != self.dealer.offset
        return self.feed_n > self.holder(role).n

    def append(self, call: Append, now_ms: int) -> AppendAnswer:
        """The same as ``append.lua``."""
        table = self.table(call.table) if call.table is not None else TableData()
        version = table.head.version if table.head else 0
        if self.dealer.token is None or self.dealer.token != call.token:
            return self._answer(AppendCode.FENCED, 0)
        if self.dealer.offset != call.from_offset:
            return self._answer(AppendCode.OFFSET_MOVED, 0)
        stored = table.answer_to(call.command_id)
        if stored is not None:
            self._move_on(call, now_ms)
            self._reply(stored or None, now_ms)
            return self._answer(AppendCode.DUPLICATE, version)
        if call.table is not None and (refusal := self._conflict(call, table.head)):
            return self._answer(refusal, version)
        self._record(call, table, now_ms)
        self._reply(call.reply, now_ms)
        if call.parked is not None:
            self.parked.add(call.parked, now_ms)
        self._move_on(call, now_ms)
        return self._answer(AppendCode.APPENDED, version + len(call.events))

    def commit(
        self,
        role: str,
        token: str,
        *,
        from_n: int,
        to_n: int,
        effects: Sequence[Effect],
        rebuilt: bool,
        part: bool,
        now_ms: int,
    ) -> CommitCode:
        """The same as ``commit.lua``."""
        holder = self.holder(role)
        if holder.token is None or holder.token != token:
            return CommitCode.FENCED
        if holder.n != from_n:
            return CommitCode.OFFSET_MOVED
        if (holder.lost and not (rebuilt or part)) or (to_n < self.trimmed_n and not part):
            return CommitCode.LOST
        for effect in effects:
            match effect:
                case Send(payload):
                    self.inbox.add(payload, now_ms)
                case Park(payload):
                    self.parked.add(payload, now_ms)
                case _:
                    self.views.apply(effect)
        if to_n != from_n:
            holder.takeovers = 0
        holder.offset, holder.alive_ms = f"{to_n}-0", now_ms
        holder.lost = (holder.lost or part) and not rebuilt
        return CommitCode.COMMITTED

    def trim(self, *, lag_ms_max: int, lag_entries_max: int, kept_entries: int, now_ms: int) -> Trimmed:
        """The same as ``trim.lua``."""
        newly_lost: list[str] = []
        for role, holder in sorted(self.followers.items()):
            oldest = next((entry for entry in self.feed if entry.n == holder.n + 1), None)
            age_ms = now_ms - oldest.at_ms if oldest else 0
            lag = self.feed_n - holder.n
            too_far = lag > lag_entries_max or age_ms > lag_ms_max or holder.n < self.trimmed_n
            if not holder.lost and lag > 0 and too_far:
                holder.lost = True
                newly_lost.append(role)
        followed = [holder.n for holder in self.followers.values() if not holder.lost]
        cut = min(followed) if followed else max(0, self.feed_n - lag_entries_max)
        cut = min(cut, self.feed_n - kept_entries)
        inbox_before, feed_before = len(self.inbox.entries), len(self.feed)
        start = place(self.dealer.offset)
        self.inbox.entries = [entry for entry in self.inbox.entries if place(entry[0]) >= start]
        if cut > self.trimmed_n:
            self.feed = [entry for entry in self.feed if entry.n > cut]
            self.trimmed_n = cut
        return Trimmed(
            inbox_entries=inbox_before - len(self.inbox.entries),
            feed_entries=feed_before - len(self.feed),
            newly_lost=tuple(newly_lost),
            lags={role: self.feed_n - holder.n for role, holder in sorted(self.followers.items())},
        )

    def read_inbox(self, after: str, count: int) -> list[InboxEntry]:
        """Messages behind this id."""
        return [InboxEntry(id=line.id, payload=line.payload) for line in self.inbox.after(after, count)]

    def _answer(self, code: AppendCode, version: int) -> AppendAnswer:
        return AppendAnswer(code=code, version=version, feed_n=self.feed_n, offset=self.dealer.offset)

    @staticmethod
    def _conflict(call: Append, head: Head | None) -> AppendCode | None:
        if head is None:
            return AppendCode.CONFLICT if call.expected_version else None
        if call.expected_version == 0:
            return AppendCode.TABLE_EXISTS
        same = head.version == call.expected_version and head.chain == call.expected_chain
        same = same and not (head.archived and call.events)
        return None if same else AppendCode.CONFLICT

    def _move_on(self, call: Append, now_ms: int) -> None:
        if call.to_offset != call.from_offset:
            self.dealer.takeovers = 0
        else:
            self.dealer.acting = ()
        self.dealer.offset, self.dealer.alive_ms = call.to_offset, now_ms

    def _reply(self, payload: bytes | None, now_ms: int) -> None:
        if payload is None:
            return
        self.replies.add(payload, now_ms)
        del self.replies.entries[: -self.replies_max]

    def _record(self, call: Append, table: TableData, now_ms: int) -> None:
        if call.table is None:
            return
        version = table.head.version if table.head else 0
        for event in call.events:
            version += 1
            self.feed_n += 1
            table.log.append(TableEntry(version=version, payload=event.payload, chain=event.chain))
            table.head = Head(version=version, chain=event.chain)
            self.feed.append(
                FeedEntry(
                    n=self.feed_n,
                    table=call.table,
                    version=version,
                    payload=event.payload,
                    chain=event.chain,
                    at_ms=now_ms,
                )
            )
        for seat in call.forget_seats:
            table.seats.pop(seat, None)
            table.saved.pop(seat, None)
        for line in call.private:
            if line.kept:
                table.saved[line.seat] = line.payload
            else:
                table.seats.setdefault(line.seat, Lines()).add(line.payload, version)
        if call.snapshot is not None:
            table.snapshot = call.snapshot
        if call.open_change is OpenChange.OPENS:
            self.open.add(call.table)
        elif call.open_change is OpenChange.CLOSES:
            self.open.discard(call.table)
            self.dealer.ended_acting.pop(call.table, None)
            table.snapshot = None
        if table.head is None or not table.head.archived:
            self._keep_answer(call, table.answers[call.answers_slot])

    @staticmethod
    def _keep_answer(call: Append, slot: dict[str, bytes]) -> None:
        if call.clear_slot:
            slot.clear()
        if call.command_id is not None and (call.events or len(slot) < ANSWERS_MAX):
            slot[call.command_id] = call.reply or b""
