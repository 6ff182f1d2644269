"""Whether the stored read models are what the logs give: equal, only behind, or different, and where first."""

from collections.abc import Iterator, Mapping
from typing import Final, Literal, cast

import msgspec

from poolrummy.projector import views
from poolrummy.projector.folding import fold_table
from poolrummy.projector.lobby import lobby_entry
from poolrummy.runtime.store import Reads
from poolrummy_contracts import codec, streams

ATTEMPTS_MAX: Final = 20
"""How often a table is read again because it went on between two reads."""

Verdict = Literal["equal", "behind", "different", "missing", "unsettled", "archived"]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """The first place where a stored read model is not what the log gives."""

    key: str
    where: str
    stored: str
    folded: str

    @property
    def sentence(self) -> str:
        """The difference in one line."""
        return f"{self.key}: {self.where or 'all of it'} is {self.stored}, and the log gives {self.folded}"


class TableCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A table's read models against its log.

    ``behind``: equal as far as they go, and the log goes on. ``archived``: the read models left with the log.
    """

    table: str
    verdict: Verdict
    stored_v: int
    log_v: int
    differences: tuple[Difference, ...] = ()


class _Version(msgspec.Struct):
    v: int


_VERSION: Final = msgspec.json.Decoder(_Version)


async def check_table(table: str, store: Reads) -> TableCheck | None:
    """Compare what is stored for a table with what its log gives at the same version; ``None``: no such table."""
    # Asked before and after: it may be archived in between, while its log is read.
    if (archived := await _archived(table, store)) is not None:
        return archived
    check = await _compared(table, store)
    return await _archived(table, store) or check


async def _archived(table: str, store: Reads) -> TableCheck | None:
    head = await store.read_head(table)
    if head is None or not head.archived:
        return None
    return TableCheck(table=table, verdict="archived", stored_v=0, log_v=head.version)


async def _compared(table: str, store: Reads) -> TableCheck | None:
    stored = await _settled(table, store)
    head = await store.read_head(table)
    log_v = 0 if head is None else head.version
    if stored is None:
        return TableCheck(table=table, verdict="unsettled", stored_v=0, log_v=log_v)
    if head is None and not stored:
        return None
    main = stored.get(views.table_key(table, views.TABLE))
    if main is None:
        return TableCheck(table=table, verdict="missing", stored_v=0, log_v=log_v)
    stored_v = _version(main)
    folded = None if stored_v is None else await fold_table(table, store, until=stored_v)
    if stored_v is None or folded is None or folded.board.table.v != stored_v:
        # What stands there is at no version of this log: hold it against where the log ends.
        folded = await fold_table(table, store)
    expected = {} if folded is None else dict(views.values(folded.board))
    if folded is not None and not folded.board.table.closed:
        expected[lobby_field(table)] = codec.encode(lobby_entry(folded.board))
    found = tuple(differences(stored, expected))
    verdict: Verdict = "different" if found else "equal" if stored_v == log_v else "behind"
    return TableCheck(table=table, verdict=verdict, stored_v=stored_v or 0, log_v=log_v, differences=found)


def lobby_field(table: str) -> str:
    """How a difference names a table's field in the lobby."""
    return f"{views.lobby_key(streams.partition_of(table))} {table}"


def differences(stored: Mapping[str, bytes], folded: Mapping[str, bytes]) -> Iterator[Difference]:
    """For each key, where the bytes differ first."""
    for key in sorted({*stored, *folded}):
        here, there = stored.get(key), folded.get(key)
        if here == there:
            continue
        where, left, right = ("", here, there) if here is None or there is None else _inside(here, there)
        yield Difference(key=key, where=where, stored=_short(left), folded=_short(right))


async def _settled(table: str, store: Reads) -> dict[str, bytes] | None:
    """What is stored for a table, all of one version; ``None`` if it goes on too fast."""
    main = views.table_key(table, views.TABLE)
    for _ in range(ATTEMPTS_MAX):
        stored = await _stored(table, store)
        if await store.view_value(main) == stored.get(main):
            return stored
    return None


async def _stored(table: str, store: Reads) -> dict[str, bytes]:
    keys = (views.table_key(table, kind) for kind in (views.TABLE, views.STANDINGS, views.SCORES))
    stored = {key: await store.view_value(key) for key in keys}
    lobby = await store.view_hash(views.lobby_key(streams.partition_of(table)))
    stored[lobby_field(table)] = lobby.get(table)
    return {key: value for key, value in stored.items() if value is not None}


def _version(stored: bytes | None) -> int | None:
    try:
        return None if stored is None else _VERSION.decode(stored).v
    except msgspec.DecodeError:
        return None


def _inside(stored: bytes, folded: bytes) -> tuple[str, object, object]:
    try:
        left, right = msgspec.json.decode(stored), msgspec.json.decode(folded)
    except msgspec.DecodeError:
        return "", stored, folded
    # Equal as JSON and not as bytes: written by somebody else.
    return next(_paths("$", left, right), ("", stored, folded))


def _paths(where: str, left: object, right: object) -> Iterator[tuple[str, object, object]]:
    """Every place where two values differ, depth first."""
    if left == right:
        return
    if isinstance(left, dict) and isinstance(right, dict):
        here, there = cast("dict[str, object]", left), cast("dict[str, object]", right)
        for name in sorted({*here, *there}):
            yield from _paths(f"{where}.{name}", here.get(name), there.get(name))
    elif isinstance(left, list) and isinstance(right, list):
        ours, theirs = cast("list[object]", left), cast("list[object]", right)
        for number, (one, other) in enumerate(zip(ours, theirs, strict=False)):
            yield from _paths(f"{where}[{number}]", one, other)
        if len(ours) != len(theirs):
            yield f"{where}.length", len(ours), len(theirs)
    else:
        yield where, left, right


def _short(value: object) -> str:
    text = "absent" if value is None else value.decode(errors="replace") if isinstance(value, bytes) else repr(value)
    return text if len(text) <= 120 else f"{text[:117]}..."
