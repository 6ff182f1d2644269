"""One partition in the dealer's hands: the handler that the runtime drives. No rule of the game stands here."""

from collections.abc import Callable, Iterable, Sequence

import msgspec
import structlog

from poolrummy.dealer import handlers
from poolrummy.dealer.appends import Appends
from poolrummy.dealer.closures import ClosedPlay
from poolrummy.dealer.deadlines import Deadlines
from poolrummy.dealer.held import HeldTable, Recorded
from poolrummy.dealer.limits import Limits
from poolrummy.dealer.loading import load_table
from poolrummy.dealer.opening import Opening
from poolrummy.dealer.pauses import Pauses
from poolrummy.dealer.seed_keeper import SeedMismatch
from poolrummy.dealer.vault import PackMismatch, Vault
from poolrummy.dealer.vouched import Checkpoints, Vouched
from poolrummy.rules import table as rules
from poolrummy.rules.state import next_clock
from poolrummy.runtime.errors import FeedGap
from poolrummy.runtime.store import Append, Head, InboxEntry, Lease, Store
from poolrummy_contracts.codec import InboxMessage
from poolrummy_contracts.commands import FreezeFault, OpenTable, RunClock, Sit, SystemCommand
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.streams import is_table_id, partition_of
from poolrummy_contracts.terms import Terms
from poolrummy_contracts.verdicts import Verdict, VerdictMessage

log = structlog.get_logger()

NewVault = Callable[[str, Terms], Vault]


class DealerPartition:
    """Decides the messages and deadlines of one partition's tables (a ``DealerHandler`` of the runtime)."""

    def __init__(
        self, *, new_vault: NewVault, opening: Opening, limits: Limits, checkpoints: Checkpoints | None = None
    ) -> None:
        self._new_vault = new_vault
        self._vouched = Vouched(checkpoints)
        self._opening = opening
        self._limits = limits
        self._tables: dict[str, HeldTable] = {}
        self._broken: dict[str, str] = {}
        self._tombs: dict[str, Head] = {}
        self._closed = ClosedPlay()
        self._deadlines = Deadlines()
        self._in_hand: str | None = None
        self._pauses = Pauses()
        self._unshifted: dict[str, None] = {}

    @property
    def table_in_hand(self) -> str | None:
        """The table whose command or deadline is being decided."""
        return self._in_hand

    @property
    def tables(self) -> Iterable[HeldTable]:
        """The open tables, for metrics."""
        return self._tables.values()

    @property
    def broken(self) -> int:
        """How many tables could not be loaded, for metrics."""
        return len(self._broken)

    async def load(self, lease: Lease, store: Store) -> None:
        """Build every open table from what is stored; a table that cannot be built stands still, alone."""
        self._partition, self._appends = lease.partition, Appends(lease)
        self._loaded_ms = await store.now_ms()
        self._pauses = Pauses(unowned_ms=lease.unowned_ms, loaded_ms=self._loaded_ms)
        await self._closed.read(lease.partition, store)
        tables = await store.open_tables(lease.partition)
        signed = await self._vouched.latest(tables)
        for table in tables:
            if table in lease.left_alone:
                self._leave_alone(table, lease.left_alone[table])
                continue
            try:
                held = await load_table(table, store, self._new_vault, signed.get(table))
            except (PackMismatch, SeedMismatch, FeedGap) as error:
                self._leave_alone(table, str(error))
                continue
            self._tables[table] = held
            self._rearm(held)
        if lease.unowned_ms:
            running = [table for table, held in self._tables.items() if held.state.clock is not None]
            self._unshifted = dict.fromkeys(running)

    def _leave_alone(self, table: str, reason: str) -> None:
        log.critical("table cannot be loaded", table=table, reason=reason)
        self._broken[table] = reason

    async def gather(self, batch: Sequence[InboxEntry], store: Store) -> None:
        """Fetch what the held tables do not tell: heads of others, logs that vanished, what is closed to new play."""
        named = {handlers.address(entry.payload, bytes_max=self._limits.payload_bytes_max) for entry in batch}
        wanted = sorted(table for table in named if table and table not in self._tables and self._is_mine(table))
        heads = await store.read_heads(wanted) if wanted else ()
        await self._closed.read_if_asked(self._partition, batch, self._limits.payload_bytes_max, store)
        self._tombs = {table: head for table, head in zip(wanted, heads, strict=True) if head is not None}
        unused = [table for table in wanted if table not in self._tombs]
        await self._vouched.look_up(handlers.to_be_opened(batch, unused, bytes_max=self._limits.payload_bytes_max))

    # -- messages

    def handle(self, batch: Sequence[InboxEntry], *, caution: bool) -> Sequence[Append]:
        """Decide the messages one after the other; each stands alone, so caution changes nothing here."""
        del caution
        appends = [append for table in tuple(self._unshifted) for append in self._paused(self._tables[table], 0)]
        self._pauses.handling(batch)
        for entry in batch:
            appends += self._handle(entry)
        self._in_hand = None
        return appends

    def _handle(self, entry: InboxEntry) -> tuple[Append, ...]:
        self._in_hand = None
        try:
            message = handlers.read(entry.payload, bytes_max=self._limits.payload_bytes_max)
        except handlers.Unanswerable as wrong:
            why = wrong.refused
            return (self._appends.consume(entry, parked=handlers.parked(entry, why.refusal, why.sentence)),)
        except handlers.Wrong as wrong:
            version = self._tables[wrong.table].place.version if wrong.table in self._tables else 0
            reply = handlers.refusal(wrong.command, wrong.table, version, wrong.refused)
            return (self._appends.consume(entry, reply=reply),)
        self._in_hand = message.table
        if (refused := self._turned_away(entry, message)) is not None:
            return (self._appends.consume(entry, reply=handlers.reply_to(message, refused, 0)),)
        held = self._tables.get(message.table)
        if held is None:
            return (self._handle_unheld(entry, message),)
        paused = self._paused(held, entry.at_ms, acts=False)
        if isinstance(message, Verdict):
            return (*paused, self._handle_verdict(entry, held, message))
        return (*paused, self._handle_command(entry, held, message))

    def _handle_command(self, entry: InboxEntry, held: HeldTable, message: InboxMessage) -> Append:
        if (answer := held.answer_to(message.id)) is not None:
            return self._appends.record(
                held, held.place, Recorded(), entry=entry, command=message.id, reply=answer or None
            )
        if (refused := self._closed.against(message, held.state.terms)) is not None:
            # Not kept under the id: once play is open again, the same command may come again.
            return self._appends.consume(entry, reply=handlers.reply_to(message, refused, held.place.version))
        return self._apply(entry, held, message, rules.decide(held.state, message, entry.at_ms, held.vault))

    def _handle_verdict(self, entry: InboxEntry, held: HeldTable, verdict: VerdictMessage) -> Append:
        """Take an answer over, once its content holds: anybody who reaches the inbox can send one.

        Its id is neither looked up nor kept. What is answered already is not awaited any more, and an id that
        somebody else has used must not keep the true answer away.
        """
        if (wrong := held.objection(verdict)) is not None:
            log.error("answer set aside", table=held.id, ask=verdict.ask, reason=wrong)
            line = handlers.parked(entry, "answer-wrong", wrong, table=held.id)
            return self._appends.consume(entry, parked=line)
        outcome = rules.decide(held.state, verdict, entry.at_ms, held.vault)
        if isinstance(outcome, Refused):
            return self._appends.consume(entry)
        before = held.place
        recorded = held.record(outcome.events, outcome.lines)
        self._rearm(held)
        return self._appends.record(held, before, recorded, entry=entry)

    def _turned_away(self, entry: InboxEntry, message: InboxMessage) -> Refused | None:
        """The refusals that look at no table; none is kept under the command's id, so it may come again."""
        if not self._is_mine(message.table):
            return Refused(Refusal.TABLE_UNKNOWN, f"Its id does not belong to the inbox p{self._partition:02d}.")
        if isinstance(message, OpenTable | Sit) and entry.age_ms > self._limits.inbox_age_ms_max:
            return Refused(Refusal.BUSY)
        if isinstance(message, OpenTable) and self._limits.memory_is_short and message.table not in self._tables:
            return Refused(Refusal.NO_MEMORY)
        if message.table in self._broken:
            return Refused(Refusal.TABLE_FROZEN, self._broken[message.table])
        return None

    def _handle_unheld(self, entry: InboxEntry, message: InboxMessage) -> Append:
        tomb = self._tombs.get(message.table)
        if tomb is not None:
            code = Refusal.TABLE_EXISTS if isinstance(message, OpenTable) else Refusal.TABLE_CLOSED
            reply = handlers.reply_to(message, Refused(code), tomb.version)
            return self._appends.answer_tombstone(entry, message.table, tomb, command=message.id, reply=reply)
        if not isinstance(message, OpenTable):
            return self._appends.consume(entry, reply=handlers.reply_to(message, Refused(Refusal.TABLE_UNKNOWN), 0))
        terms = self._vouched.objection(message.table) or self._opening.terms_of(message)
        if not isinstance(terms, Refused):
            terms = self._closed.against_opening(terms) or terms
        if isinstance(terms, Refused):
            return self._appends.consume(entry, reply=handlers.reply_to(message, terms, 0))
        vault = self._new_vault(message.table, terms)
        outcome = rules.decide(None, msgspec.structs.replace(message, terms=terms), entry.at_ms, vault)
        if isinstance(outcome, Refused):
            return self._appends.consume(entry, reply=handlers.reply_to(message, outcome, 0))
        held = self._tables[message.table] = HeldTable(message.table, vault)
        return self._apply(entry, held, message, outcome)

    def _apply(
        self, entry: InboxEntry, held: HeldTable, message: InboxMessage, outcome: rules.Decided | Refused
    ) -> Append:
        before = held.place
        recorded = held.record(outcome.events, outcome.lines) if isinstance(outcome, rules.Decided) else Recorded()
        reply = handlers.reply_to(message, outcome, held.place.version)
        held.keep_answer(message.id, reply)
        self._rearm(held)
        return self._appends.record(held, before, recorded, entry=entry, command=message.id, reply=reply)

    # -- deadlines

    def next_deadline_ms(self) -> int | None:
        """When the earliest running deadline ends; at once, as long as clocks have yet to be shifted."""
        return 0 if self._unshifted else self._deadlines.next_ms()

    def first_clock_ms(self) -> int | None:
        """When the earliest running clock ends, for metrics; None while clocks have yet to be shifted."""
        return None if self._unshifted else self._deadlines.next_ms()

    def ended(self, read_past_ms: int, waiting: Sequence[InboxEntry] = ()) -> Sequence[str]:
        """The tables on whose clocks to act: all that have yet to be shifted, else those whose clock ended by then.

        Tables that a message waits for are left alone.
        """
        if self._unshifted:
            return tuple(self._unshifted)
        named = {handlers.address(entry.payload, bytes_max=self._limits.payload_bytes_max) for entry in waiting}
        return self._deadlines.ended(read_past_ms, named)

    def due(self, read_past_ms: int, offset: str, tables: Sequence[str] | None = None) -> Sequence[Append]:
        """Shift or fire the clocks of these tables, as commands like any other; by default of all that ended."""
        assert offset == self._appends.offset, f"asked at {offset}, but {self._appends.offset} is handled"
        appends: list[Append] = []
        for table in self.ended(read_past_ms) if tables is None else tables:
            self._in_hand = table
            paused = self._paused(self._tables[table], read_past_ms)
            appends.extend(paused)
            if not paused and (clock := self._deadlines.take(table, read_past_ms)) is not None:
                appends.extend(self._system(RunClock(table=table, deadline=clock.armed_by), read_past_ms))
        self._pauses.looked(read_past_ms)
        self._in_hand = None
        return appends

    def _paused(self, held: HeldTable, now_ms: int, *, acts: bool = True) -> list[Append]:
        """Nobody is punished for the time in which nobody kept this table (rule 4.9)."""
        if held.id in self._unshifted:
            del self._unshifted[held.id]
            return self._system(self._pauses.without_dealer(held.state), self._loaded_ms)
        shift = self._pauses.standing_still(held.state, self._deadlines.of(held.id), now_ms, acts=acts)
        return [] if shift is None else self._system(shift, now_ms)

    def _system(self, command: SystemCommand, now_ms: int) -> list[Append]:
        held = self._tables[command.table]
        before = held.place
        outcome = rules.decide(held.state, command, now_ms, held.vault)
        if isinstance(outcome, Refused) or not outcome.events:
            self._rearm(held)
            return []
        recorded = held.record(outcome.events, outcome.lines)
        self._rearm(held)
        return [self._appends.record(held, before, recorded)]

    # -- our own mistakes

    def poisoned(self, entry: InboxEntry, offset: str, reason: str) -> Sequence[Append]:
        """Park a message on which our own code raised, and freeze the table that it names (rule 13.5)."""
        assert offset == self._appends.offset, f"asked at {offset}, but {self._appends.offset} is handled"
        table = handlers.address(entry.payload, bytes_max=self._limits.payload_bytes_max)
        line = handlers.parked(entry, "fault", reason, table=table)
        reply = handlers.refusal_of_poisoned(entry.payload, bytes_max=self._limits.payload_bytes_max)
        frozen = self._freeze(table, f"message {entry.id} was set aside")
        return [*frozen, self._appends.consume(entry, parked=line, reply=reply)]

    def deadline_poisoned(self, table: str | None, offset: str, reason: str) -> Sequence[Append]:
        """Park it, and freeze the table whose deadline our own code could not fire; a broken one is only parked."""
        assert offset == self._appends.offset, f"asked at {offset}, but {self._appends.offset} is handled"
        line = handlers.parked_clock(table, offset, reason)
        if table in self._broken:
            return [self._appends.park(line)]
        return [
            msgspec.structs.replace(one, parked=line) for one in self._freeze(table, "a deadline could not be fired")
        ]

    def _freeze(self, table: str | None, reason: str) -> list[Append]:
        if table not in self._tables:
            return []
        return self._system(FreezeFault(table=table, reason=reason), self._loaded_ms)

    def _is_mine(self, table: str) -> bool:
        return is_table_id(table) and partition_of(table) == self._partition

    def _rearm(self, held: HeldTable) -> None:
        if held.state.closed:
            del self._tables[held.id]
            self._deadlines.arm(held.id, None)
        else:
            self._deadlines.arm(held.id, next_clock(held.state))
