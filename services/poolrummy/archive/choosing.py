"""Which tables of a partition may be archived now: closed for long enough, and followed by everybody who follows."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal

import msgspec

from poolrummy.projector import views
from poolrummy.runtime.store import Head, Reads

FEED_PAGE: Final = 1000
HEADS_PAGE: Final = 1000
NOTARY: Final = "notary"

Why = Literal["young", "not-followed", "role-lost", "views-stuck", "not-signed", "checkpoints-unknown"]

SENTENCES: Final[dict[Why, str]] = {
    "young": "closed not long enough ago",
    "not-followed": "not everybody has followed it to its end",
    "role-lost": "a role lags beyond its bound and has to rebuild from the logs first: start it, or name it with "
    "--without if it is gone for good",
    "views-stuck": "its views stand still: stop the projectors, then poolrummy rebuild --write",
    "not-signed": "the notary has not signed it to its end: start the notary, or archive it as it is with --unsigned",
    "checkpoints-unknown": "a notary signs here: name its checkpoints with --checkpoints",
}


class Left(msgspec.Struct, frozen=True, kw_only=True):
    """A closed table that stays for now, and why."""

    table: str
    why: Why
    who: tuple[str, ...] = ()
    """The roles that are waited for."""

    @property
    def sentence(self) -> str:
        """What a person reads."""
        return SENTENCES[self.why] + (f" ({', '.join(self.who)})" if self.who else "")


class Closed(msgspec.Struct, frozen=True, kw_only=True):
    """A table that is not open, and where its log ends."""

    table: str
    head: Head
    at_ms: int
    """The time of its last event; 0 where that cannot be read."""


class Followed(msgspec.Struct, frozen=True, kw_only=True):
    """How far everybody is who follows a partition."""

    waits_for: dict[str, tuple[str, ...]]
    """Tables with events that some roles have yet to read, and those roles."""
    lost: tuple[str, ...]
    stuck: frozenset[str]
    notary: bool


class _Seen(msgspec.Struct):
    at: int


_SEEN: Final = msgspec.json.Decoder(_Seen)


async def closed_tables(partition: int, with_logs: Sequence[str], store: Reads) -> list[Closed]:
    """Those of these tables that are closed and not archived."""
    running = set(await store.open_tables(partition))
    wanted = [table for table in with_logs if table not in running]
    found: list[Closed] = []
    for start in range(0, len(wanted), HEADS_PAGE):
        page = wanted[start : start + HEADS_PAGE]
        for table, head in zip(page, await store.read_heads(page), strict=True):
            if head is not None and not head.archived:
                found.append(Closed(table=table, head=head, at_ms=await _ended_at(table, head, store)))
    return found


async def followed(partition: int, store: Reads, *, without: Collection[str]) -> Followed:
    """Who has yet to read what; to be asked after it is known which tables are closed: they get no events any more."""
    lost = tuple(role for role in await store.lost_roles(partition) if role not in without)
    roles = {role: n for role, n in (await store.roles(partition)).items() if role not in without and role not in lost}
    waits_for: dict[str, set[str]] = {}
    n = min(roles.values(), default=await store.feed_n(partition))
    while page := await store.read_feed(partition, n, FEED_PAGE):
        for entry in page:
            waits_for.setdefault(entry.table, set()).update(role for role, at in roles.items() if at < entry.n)
        n = page[-1].n
    return Followed(
        waits_for={table: tuple(sorted(names)) for table, names in waits_for.items() if names},
        lost=lost,
        stuck=frozenset(await store.view_hash(views.stuck_key(partition))),
        notary=NOTARY in roles or NOTARY in lost,
    )


def left(table: Closed, now_ms: int, followed: Followed, *, older_than_ms: int, checkpoints: bool) -> Left | None:
    """Why the table stays for now, if it does."""
    if now_ms - table.at_ms < older_than_ms:
        return Left(table=table.table, why="young")
    if followed.lost:
        return Left(table=table.table, why="role-lost", who=followed.lost)
    if table.table in followed.waits_for:
        return Left(table=table.table, why="not-followed", who=followed.waits_for[table.table])
    if table.table in followed.stuck:
        return Left(table=table.table, why="views-stuck")
    if followed.notary and not checkpoints:
        return Left(table=table.table, why="checkpoints-unknown")
    return None


def reasons(left: Iterable[Left]) -> Sequence[tuple[str, int]]:
    """The reasons, each with how many tables stay for it, most first."""
    counts: dict[str, int] = {}
    for one in left:
        counts[one.sentence] = counts.get(one.sentence, 0) + 1
    return sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))


async def _ended_at(table: str, head: Head, store: Reads) -> int:
    for entry in await store.read_table(table, head.version, 1):
        try:
            return _SEEN.decode(entry.payload).at
        except msgspec.DecodeError:
            return 0
    return 0
