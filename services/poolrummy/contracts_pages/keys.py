"""Every key of the store: what it holds, in which fields, who writes it and who reads it."""

from typing import Final, Literal

import msgspec

from poolrummy_contracts import streams

KeyKind = Literal["stream", "hash", "set", "string", "ranking"]

_ID: Final = "p07-9f2c"
SERVER_ID: Final = "`<ms>-<seq>`, given by the server"


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of key. ``fields`` says field by field what an entry or a hash holds."""

    name: str
    pattern: str
    """As in the table of the catalogue; ``{pNN}`` is the hash tag of the partition, braces included."""
    example: str
    kind: KeyKind
    holds: str
    writers: tuple[str, ...]
    readers: tuple[str, ...]
    entry_id: str = ""
    fields: dict[str, str] = {}
    families: tuple[str, ...] = ()
    """Families of the messages that lie under ``e``."""


_EVENT: Final = "the event: canonical JSON"
_CHAIN: Final = "the chain hash after this entry, in hex"
_LEASE: Final = {
    "token": "token of the owner, `<epoch>:<random>`",
    "offset": "how far the role has come, stored in one step with the effect",
    "takeovers": "takeovers at an unchanged offset: from the third the owner is careful",
    "until": "end of the lease",
    "member": "name of the owner",
    "alive": "last sign of life",
    "epoch": "counts the owners",
}
_LINE: Final = {"e": "the line: canonical JSON"}

STREAMS: Final = (
    Key(
        name="inbox",
        pattern="{pNN}:inbox",
        example=streams.inbox(7),
        kind="stream",
        holds="commands from players and operators, verdicts; trimmed behind the dealer's stored offset",
        writers=("platform", "validator", "cashier"),
        readers=("dealer",),
        entry_id=f"{SERVER_ID}: the millisecond is the time of the command",
        fields={"e": "the command or verdict: JSON, keys in any order, 64 kB at most"},
        families=("command", "verdict"),
    ),
    Key(
        name="table",
        pattern="{pNN}:table:<id>",
        example=streams.table(_ID),
        kind="stream",
        holds="the table log: the truth; a closed table may leave for the archive, its head says so then",
        writers=("dealer",),
        readers=("dealer", "projector", "notary", "audit", "platform"),
        entry_id="`<version>-0`, from 1 without gaps",
        fields={"e": _EVENT, "h": _CHAIN},
        families=("event",),
    ),
    Key(
        name="feed",
        pattern="{pNN}:feed",
        example=streams.feed(7),
        kind="stream",
        holds="every event of the partition in order; trimmed behind the slowest registered role",
        writers=("dealer",),
        readers=("validator", "projector", "notary", "platform"),
        entry_id="`<n>-0`, from 1 without gaps",
        fields={
            "e": _EVENT,
            "h": _CHAIN,
            "t": "id of the table",
            "v": "version in the table log",
            "m": "when it was recorded, in milliseconds by the server's clock",
        },
        families=("event",),
    ),
    Key(
        name="replies",
        pattern="{pNN}:replies",
        example=streams.replies(7),
        kind="stream",
        holds="the answer to each command; capped: who missed it sends the same command id again",
        writers=("dealer",),
        readers=("platform", "operator"),
        entry_id=SERVER_ID,
        fields={"e": "the reply: canonical JSON"},
        families=("reply",),
    ),
    Key(
        name="seat",
        pattern="{pNN}:seat:<id>:<seat>",
        example=streams.seat(_ID, 2),
        kind="stream",
        holds="what only this seat may see (all but `grouping-saved`); removed when the deal ends",
        writers=("dealer",),
        readers=("platform, for this seat only",),
        entry_id="`<version>-<k>`: the version of the table log in force, and a number within it",
        fields=_LINE,
        families=("seat-line",),
    ),
    Key(
        name="parked",
        pattern="{pNN}:parked",
        example=streams.parked(7),
        kind="stream",
        holds="messages set aside, with the reason; capped",
        writers=("dealer", "validator", "projector", "notary"),
        readers=("operator",),
        entry_id=SERVER_ID,
        fields=_LINE,
        families=("parked",),
    ),
)

OTHER_KEYS: Final = (
    Key(
        name="meta",
        pattern="{pNN}:meta",
        example=streams.meta(7),
        kind="hash",
        holds="identity of the store: every process stops if it changes under it",
        writers=("the first process",),
        readers=("every process", "platform"),
        fields={
            "store": "id of the store",
            "format": f"form of the log, now {streams.LOG_FORMAT}",
            "partitions": "number of partitions for new tables",
        },
    ),
    Key(
        name="closures",
        pattern="{pNN}:closures",
        example=streams.closures(7),
        kind="stream",
        holds="what was closed to new play and opened again, by whom and why (`poolrummy play`); never trimmed",
        writers=("operator",),
        readers=("dealer", "operator"),
        entry_id="`<n>-0`, from 1 without gaps",
        fields={"e": "the act: canonical JSON", "h": _CHAIN},
    ),
    Key(
        name="head",
        pattern="{pNN}:head:<id>",
        example=streams.head(_ID),
        kind="hash",
        holds="where a table log stands; stays as a tombstone, so that an id is never used twice",
        writers=("dealer", "archive"),
        readers=("dealer", "audit", "platform"),
        fields={
            "v": "version of the last event",
            "c": "chain hash after it, in hex",
            "a": "only once the log has left for the archive: its number among the archived tables of the partition",
        },
    ),
    Key(
        name="archive",
        pattern="{pNN}:archive",
        example=streams.archive(7),
        kind="hash",
        holds="what the archived tables of the partition left behind, beside their heads",
        writers=("archive",),
        readers=("projector", "archive", "operator"),
        fields={
            "n": "how many there are",
            "tally": "what they count for: the counts that a rebuild of the views adds to those of the logs",
            "place": "where the last one was put",
        },
    ),
    Key(
        name="saved",
        pattern="{pNN}:seat:<id>:<seat>:saved",
        example=f"{streams.seat(_ID, 2)}:saved",
        kind="string",
        holds="the last `grouping-saved` of the seat, replaced each time; removed when the deal ends",
        writers=("dealer",),
        readers=("dealer", "platform, for this seat only"),
    ),
    Key(
        name="answers",
        pattern="{pNN}:answers:<id>:<a|b>",
        example=streams.answers(_ID, "a"),
        kind="hash",
        holds="command id to stored answer; the two slots take turns by deal",
        writers=("dealer",),
        readers=("dealer",),
    ),
    Key(
        name="open",
        pattern="{pNN}:open",
        example=streams.open_tables(7),
        kind="set",
        holds="ids of the tables that are not closed",
        writers=("dealer",),
        readers=("dealer", "projector", "platform"),
    ),
    Key(
        name="snapshot",
        pattern="{pNN}:snapshot:<id>",
        example=streams.snapshot(_ID),
        kind="string",
        holds="state at a deal border: a shortcut, never the truth",
        writers=("dealer",),
        readers=("dealer",),
    ),
    Key(
        name="dealer",
        pattern="{pNN}:dealer",
        example=streams.dealer(7),
        kind="hash",
        holds="lease of the dealer, its inbox offset, and how far the feed goes",
        writers=("dealer",),
        readers=("dealer", "operator"),
        fields=_LEASE
        | {
            "feed": "number of the last feed entry",
            "trimmed": "last number trimmed from the feed",
            "acting": "tables on whose clocks the owner acts right now (JSON)",
            "ended": "owners that ended in a row while they acted on a clock, by table (JSON); at three it is frozen",
        },
    ),
    Key(
        name="role",
        pattern="{pNN}:role:<name>",
        example=streams.role(7, "validator"),
        kind="hash",
        holds="the same for another role, with its feed offset",
        writers=("validator", "projector", "notary"),
        readers=("validator", "projector", "notary", "operator"),
        fields=_LEASE
        | {"lost": "1 if the role lagged beyond its bound and must rebuild, or while a rebuild is not whole"},
    ),
    Key(
        name="roles",
        pattern="{pNN}:roles",
        example=streams.roles(7),
        kind="set",
        holds="names of the roles that follow the feed and hold back its trimming",
        writers=("validator", "projector", "notary"),
        readers=("dealer",),
    ),
    Key(
        name="members",
        pattern="{pNN}:members:<role>",
        example=f"{streams.tag(0)}:members:dealer",
        kind="ranking",
        holds="members of a role by their last sign of life; one for the whole store, on partition 0",
        writers=("dealer", "validator", "projector", "notary"),
        readers=("dealer", "validator", "projector", "notary", "operator"),
    ),
    Key(
        name="view",
        pattern="{pNN}:view:…",
        example=streams.view(7, "table", _ID),
        kind="string",
        holds="read models of the projector (also hashes, sets, rankings), each saved together with its feed offset; "
        "`view:notary` tells how far the notary has followed each open log",
        writers=("projector", "notary"),
        readers=("platform", "operator"),
    ),
)
