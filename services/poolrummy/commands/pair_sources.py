"""Where the pair evidence is read from: bundles, saved sums, tables of a store."""

from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from poolrummy.archive.archived_reads import StoreWithArchive
from poolrummy.archive.errors import ArchiveFault
from poolrummy.audit import bundle
from poolrummy.audit.evidence import Evidence
from poolrummy.audit.findings import Unauditable
from poolrummy.audit.many import files_of
from poolrummy.audit.pairs.reading import Skipped, add
from poolrummy.audit.pairs.sums import PairSums, decode, merged
from poolrummy.commands.reaching import no_table, reached
from poolrummy.fairness.sealing import Sealer
from poolrummy.runtime.table_names import table_names
from poolrummy_contracts.streams import is_table_id

SUMS_ENDING: Final = ".sums.json"


class NotThere(Exception):
    """What was named cannot be read; the message says what can."""


class Sources(msgspec.Struct, frozen=True, kw_only=True):
    """What was named: files with bundles or sums, and tables; of the store, all tables where nothing was named."""

    files: tuple[Path, ...]
    tables: tuple[str, ...]

    @property
    def of_store(self) -> bool:
        """Whether a store has to be asked."""
        return bool(self.tables) or not self.files


def sources_of(named: Sequence[str]) -> Sources:
    """Sort what was named."""
    files: list[Path] = []
    tables: list[str] = []
    for one in named:
        if Path(one).exists():
            files += _files(Path(one))
        elif is_table_id(one):
            tables.append(one)
        else:
            raise NotThere(
                f"{one!r} is neither a file nor a table id: a bundle ends in .jsonl, an id looks like p07-9f2c"
            )
    return Sources(files=tuple(files), tables=tuple(tables))


async def read(
    sources: Sources, where: tuple[str | None, Path | None, str | None], sealer: Sealer | None
) -> tuple[PairSums, tuple[Skipped, ...]]:
    """The sums over everything, and what could not be counted; ``where``: address, data folder, archive."""
    sums, skipped, parts = PairSums(), list[Skipped](), list[PairSums]()
    for path in sources.files:
        left_out: Skipped | None = None
        try:
            if path.name.endswith(SUMS_ENDING):
                parts.append(decode(path.read_bytes()))
            else:
                left_out = add(sums, bundle.read(path.read_bytes(), str(path)), sealer)
        except (Unauditable, msgspec.MsgspecError, OSError) as why:
            left_out = Skipped(source=str(path), why=str(why))
        skipped += [] if left_out is None else [left_out]
    if sources.of_store:
        async with reached(*where) as store:
            async for found in _stored(sources.tables, store):
                left_out = found if isinstance(found, Skipped) else add(sums, found, sealer)
                skipped += [] if left_out is None else [left_out]
    try:
        return merged([sums, *parts]), tuple(skipped)
    except ValueError as twice:
        raise NotThere(str(twice)) from twice


def _files(path: Path) -> Iterator[Path]:
    found = [*files_of(path), *sorted(path.rglob(f"*{SUMS_ENDING}"))] if path.is_dir() else [path]
    if not found:
        raise NotThere(f"there is no bundle (*.jsonl) in {path}; make one with `poolrummy bundle TABLE --out FILE`")
    yield from found


async def _stored(tables: Sequence[str], store: StoreWithArchive) -> AsyncIterator[Evidence | Skipped]:
    """The evidence of these tables, or of all that the store knows; of those in no archive that was named, why not."""
    names = list(tables)
    if not names:
        assert store.identity is not None, "the store is open"
        for partition in range(store.identity.partitions):
            names += await table_names(partition, store)
    for table in names:
        try:
            evidence = await store.evidence_of(table)
        except ArchiveFault as elsewhere:
            if tables:
                raise
            yield Skipped(source=table, why=str(elsewhere))
            continue
        if evidence is None and tables:
            raise NotThere(no_table(table))
        if evidence is not None and evidence.lines:
            yield evidence
