"""The appends of one owner: each begins at the offset at which the one before it ended."""

from poolrummy.dealer.held import HeldTable, Place, Recorded
from poolrummy.runtime.store import Append, Head, InboxEntry, Lease


class Appends:
    """Builds the calls of one lease, and keeps count of the inbox offset that they move on."""

    def __init__(self, lease: Lease) -> None:
        self._partition = lease.partition
        self._token = lease.token
        self.offset = lease.offset

    def consume(self, entry: InboxEntry, *, reply: bytes | None = None, parked: bytes | None = None) -> Append:
        """Move past a message that changes no table; its answer is not kept, so the same id may come again."""
        return Append(
            partition=self._partition,
            token=self._token,
            from_offset=self.offset,
            to_offset=self._move(entry),
            reply=reply,
            parked=parked,
        )

    def park(self, line: bytes) -> Append:
        """Set something aside that no message brought: the offset stays where it is."""
        return Append(
            partition=self._partition, token=self._token, from_offset=self.offset, to_offset=self.offset, parked=line
        )

    def answer_tombstone(
        self, entry: InboxEntry, table: str, tomb: Head, *, command: str, reply: bytes | None
    ) -> Append:
        """Answer a command for a closed table: with its stored answer if it had one, else with this refusal."""
        return Append(
            partition=self._partition,
            token=self._token,
            from_offset=self.offset,
            to_offset=self._move(entry),
            table=table,
            expected_version=tomb.version,
            expected_chain=tomb.chain,
            command_id=command,
            reply=reply,
        )

    def record(
        self,
        held: HeldTable,
        before: Place,
        recorded: Recorded,
        *,
        entry: InboxEntry | None = None,
        command: str | None = None,
        reply: bytes | None = None,
    ) -> Append:
        """Record what a decision gave; without an entry (a deadline) the offset stays where it is."""
        return Append(
            partition=self._partition,
            token=self._token,
            from_offset=self.offset,
            to_offset=self.offset if entry is None else self._move(entry),
            table=held.id,
            expected_version=before.version,
            expected_chain=before.chain,
            command_id=command,
            events=recorded.events,
            private=recorded.private,
            forget_seats=recorded.forget_seats,
            open_change=recorded.open_change,
            reply=reply,
            answers_slot=held.slot,
            clear_slot=recorded.clear_slot,
            snapshot=recorded.snapshot,
        )

    def _move(self, entry: InboxEntry) -> str:
        self.offset = entry.id
        return entry.id
