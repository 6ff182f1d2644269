"""What an audit starts from: the stored lines of one table, what was signed about them, and where they came from."""

import msgspec

from poolrummy.audit.bundle_lines import OpeningLine
from poolrummy.audit.findings import Finding
from poolrummy.runtime.store import Reads
from poolrummy_contracts.streams import is_table_id


class StoredLine(msgspec.Struct, frozen=True):
    """The bytes of an event as they lie in the store, and the chain hash beside them."""

    payload: bytes
    chain: bytes


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known about one table from one place."""

    source: str
    table: str
    lines: tuple[StoredLine, ...]
    head_version: int | None = None
    """The version that the head of the store names; None where there is no head (a file)."""
    head_chain: bytes | None = None
    notes: tuple[bytes, ...] = ()
    """Signed checkpoints, smallest first."""
    leaves: tuple[bytes, ...] = ()
    """Leaf hashes of the log as they were when it was signed, from the first line on."""
    rewinds: tuple[bytes, ...] = ()
    """Signed records that an operator accepted a log that goes back."""
    own_keys: tuple[str, ...] = ()
    """The keys that the file itself names for its checkpoints, as lines of ``notary.pub``."""
    seeds: dict[int, str] = {}
    """Seeds that an opened bundle brings along, by deal (hex)."""
    openings: tuple[OpeningLine, ...] = ()
    """Proofs of cards that everybody has seen."""
    faults: tuple[Finding, ...] = ()
    """What is wrong with the file itself."""


PAGE = 1000


async def from_store(table: str, store: Reads) -> Evidence | None:
    """The evidence that a store holds; None where it never had such a table."""
    if not is_table_id(table):
        return None
    head = await store.read_head(table)
    lines: list[StoredLine] = []
    version: int = 1
    while page := await store.read_table(table, version, PAGE):
        lines.extend(StoredLine(entry.payload, entry.chain) for entry in page)
        version = page[-1].version + 1
    if head is None and not lines:
        return None
    return Evidence(
        source=table,
        table=table,
        lines=tuple(lines),
        head_version=None if head is None else head.version,
        head_chain=None if head is None else head.chain,
    )
