"""Taking a table over: from its snapshot, its log and its seat channels to the state that the last owner had."""

from collections.abc import AsyncIterator, Callable

from poolrummy.dealer.held import HeldTable, read_snapshot
from poolrummy.dealer.vault import Vault
from poolrummy.fairness.checkpoint import Checkpoint
from poolrummy.rules import table as rules
from poolrummy.rules.state import Table
from poolrummy.runtime.errors import FeedGap, NewerVersionNeeded
from poolrummy.runtime.store import NOTHING_READ, Store, TableEntry
from poolrummy_contracts import codec
from poolrummy_contracts.events import TableEvent
from poolrummy_contracts.seat_lines import CardReceived, CardsDealt
from poolrummy_contracts.terms import Terms

PAGE = 500

NewVault = Callable[[str, Terms], Vault]


class LogRewound(FeedGap):
    """The log of a table is shorter than what was signed of it, or another one."""


async def load_table(table: str, store: Store, new_vault: NewVault, signed: Checkpoint | None = None) -> HeldTable:
    """The table as its last owner held it; ``FeedGap`` if its log does not reach its head, or what was signed of it."""
    head = await store.read_head(table)
    if head is None:
        raise FeedGap(f"table {table} is listed as open and has no head; restore the store or void the table")
    if signed is not None:
        await _refuse_rewound(table, head.version, store, signed)
    snapshot = read_snapshot(await store.read_snapshot(table))
    state: Table | None = None
    vault: Vault | None = None
    since: list[TableEvent] = []
    if snapshot is not None:
        state = snapshot.table
        vault = new_vault(table, state.terms)
        for promise in snapshot.promises:
            vault.observe(promise, state)
        vault.observe(snapshot.deal_started, state)
    async for entry in log_of(table, store, after=state.v if state else 0):
        event = _decoded(table, entry)
        state = rules.evolve(state, event)
        vault = vault or new_vault(table, state.terms)
        vault.observe(event, state)
        since.append(event)
    if state is None or vault is None or state.v != head.version:
        reached = state.v if state else 0
        raise FeedGap(f"the log of {table} ends at version {reached}, its head says {head.version}")
    await _restore_seats(state, vault, store)
    held = HeldTable(table, vault, state=state, chain=head.chain)
    for event in since:
        held.observe(event)
    held.restore_answers("a", dict(await store.read_answers(table, "a")))
    held.restore_answers("b", dict(await store.read_answers(table, "b")))
    return held


async def _refuse_rewound(table: str, version: int, store: Store, signed: Checkpoint) -> None:
    found = await store.read_table(table, signed.size, 1)
    if version < signed.size or not found or found[0].chain != signed.chain:
        what = "another one" if found and version >= signed.size else f"{version} events long"
        raise LogRewound(
            f"the log of {table} is {what}, and a checkpoint over {signed.size} events was signed; restore the store "
            f"from a copy, or accept it: poolrummy accept-rewind {table} --operator NAME --reason TEXT"
        )


def _decoded(table: str, entry: TableEntry) -> TableEvent:
    try:
        return codec.decode_event(entry.payload)
    except codec.UnknownType as newer:
        raise NewerVersionNeeded(f"{table} version {entry.version}: {newer}; update this dealer") from newer


async def log_of(table: str, store: Store, *, after: int = 0) -> AsyncIterator[TableEntry]:
    """The entries of a table log behind this version, in order and without gaps."""
    version = after
    while page := await store.read_table(table, version + 1, PAGE):
        for entry in page:
            if entry.version != version + 1:
                raise FeedGap(f"the log of {table} goes from version {version} to {entry.version}")
            version = entry.version
            yield entry


async def _restore_seats(state: Table, vault: Vault, store: Store) -> None:
    """Read back what is private and stands in no event: saved groupings and noted drops of the running deal."""
    for seat in (chair.seat for chair in state.chairs):
        kept = await store.read_saved(state.id, seat)
        lines = [kept] if kept is not None else []
        after = NOTHING_READ
        while page := await store.read_seat(state.id, seat, after, PAGE):
            lines.extend(entry.payload for entry in page)
            after = page[-1].id
        for payload in lines:
            stored = codec.decode_seat_line(payload)
            line = vault.read(stored) if stored.deal == state.deal_number else None
            if line is not None and not isinstance(line, CardsDealt | CardReceived):
                vault.keep(line)
