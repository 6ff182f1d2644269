"""What a process hands to the worker: how it decides. The worker does the reading, writing and taking over.

A handler object lives for one ownership of one partition. After any refusal, exception or lost lease it is
thrown away, and a new one is loaded from what is stored.
"""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct

from poolrummy.runtime.effects import Effect
from poolrummy.runtime.store import Append, FeedEntry, InboxEntry, Lease, Store


class DealerHandler(Protocol):
    """The one writer of a partition: messages and deadlines in, appends out.

    The appends of one answer are sent in one pipeline and must chain: the first starts at the offset of the
    entry before the batch, each ``to_offset`` is the next ``from_offset``, the last ends at the batch's last id.
    """

    @property
    def table_in_hand(self) -> str | None:
        """The table whose command or deadline is being decided; read after an exception, to freeze it."""
        ...

    async def load(self, lease: Lease, store: Store) -> None:
        """Build the state of the partition from what is stored."""
        ...

    async def gather(self, batch: Sequence[InboxEntry], store: Store) -> None:
        """Fetch what ``handle`` will need and the state does not hold, such as heads of unknown tables."""
        ...

    def handle(self, batch: Sequence[InboxEntry], *, caution: bool) -> Sequence[Append]:
        """Decide the batch against the held state; ``caution`` says that this very entry ended owners before."""
        ...

    def next_deadline_ms(self) -> int | None:
        """When the earliest running deadline ends, by the server's clock; 0 while clocks are yet to be shifted."""
        ...

    def ended(self, read_past_ms: int, waiting: Sequence[InboxEntry] = ()) -> Sequence[str]:
        """The tables on whose clocks to act: every message that the server took up to then is handled, or waits here.

        A table that a waiting message names is left alone until that is handled.
        """
        ...

    def due(self, read_past_ms: int, offset: str, tables: Sequence[str] | None = None) -> Sequence[Append]:
        """Act on the clocks of these tables, all that ended by default. Each append starts and ends at ``offset``."""
        ...

    def poisoned(self, entry: InboxEntry, offset: str, reason: str) -> Sequence[Append]:
        """Park this entry, freeze its table if it names one; the state is freshly loaded up to ``offset``."""
        ...

    def deadline_poisoned(self, table: str | None, offset: str, reason: str) -> Sequence[Append]:
        """Park it and freeze the table whose deadline our own code could not fire, or rest all of them for a while.

        A table that the lease says to leave alone is only parked.
        """
        ...


class RebuildStep(Struct, frozen=True, kw_only=True):
    """Some effects of a rebuild, and how many tables of how many it has come past."""

    effects: Sequence[Effect]
    done: int
    tables: int


class FeedHandler(Protocol):
    """A consumer of a feed: events in, effects out, saved together with the offset.

    ``handle`` must skip an event whose version it knows already: after a rebuild the feed repeats the last ones.
    An event tag that it does not know raises ``NewerVersionNeeded``, and the process stops.
    """

    async def load(self, lease: Lease, store: Store) -> None:
        """Build the state as of ``lease.n`` from what this role committed."""
        ...

    async def rebuild(self, lease: Lease, store: Store) -> Sequence[Effect]:
        """Build the state from the table logs instead, as the feed went on without us; all effects of it."""
        ...

    def handle(self, batch: Sequence[FeedEntry]) -> Sequence[Effect]:
        """Fold a contiguous batch; what it changes."""
        ...

    def poisoned(self, entry: FeedEntry, reason: str) -> Sequence[Effect] | None:
        """What to do instead of ``handle`` for an event on which our own code fails; ``None``: it cannot go on."""
        ...


@runtime_checkable
class RebuildsInSteps(Protocol):
    """A consumer of a feed that has more to rebuild than one step, or the memory of a process, should hold."""

    def rebuild_steps(self, lease: Lease, store: Store) -> AsyncIterator[RebuildStep]:
        """The same as ``rebuild``, to be stored as it comes; the last step goes with the offset."""
        ...


@runtime_checkable
class Settles(Protocol):
    """A consumer of a feed that must do something in the world before its effects are saved with the offset."""

    async def settle(self) -> None:
        """Do what the last ``handle`` asked for; whatever it raises, nothing of that batch is saved."""
        ...
