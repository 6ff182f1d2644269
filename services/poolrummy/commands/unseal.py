"""`poolrummy unseal TABLE`: two persons join the auditor's key and open the seeds of a table, on the record (3.11)."""

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, NoReturn, cast

import msgspec
import typer

from poolrummy.commands.reaching import ArchivePlace, AsJson, Data, Url, no_table, reached
from poolrummy.fairness import age, checks, shares, unsealings
from poolrummy.fairness.batch import SeedBatch, opened_batch
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.keys import KeyRing, key_id
from poolrummy.fairness.sealing import AgeSealer, Sealed
from poolrummy.runtime.errors import RuntimeFault
from poolrummy.runtime.redis_store import RedisStore
from poolrummy_contracts import codec, streams
from poolrummy_contracts.commands import UnsealSeeds
from poolrummy_contracts.events import DealStarted, SeedsCommitted, TableClosed, TableEvent, TossDrawn
from poolrummy_contracts.replies import CommandAccepted, ReplyMessage

EXIT_FALSE: Final = 1
EXIT_USAGE: Final = 2
PATIENCE_S: Final = 10.0
PAGE: Final = 1000

app = typer.Typer(help="Open the sealed seeds of a table, as two persons, on the record.", add_completion=False)


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """A seed of the table, and the pack that it shuffled; none: it was never used."""

    batch: int
    index: int
    deal: int | None
    seed: str


class Who(msgspec.Struct, frozen=True, kw_only=True):
    """The two who act, and why."""

    operators: tuple[str, str]
    reason: str


@app.command()
def open_seeds(  # noqa: PLR0913 - two shares, two names and a reason are what the act takes
    table: Annotated[str, typer.Argument(help="Id of the table, such as p07-9f2c.")],
    share: Annotated[list[Path], typer.Option("--share", help="A share of the auditor's key; give both.")],
    operator: Annotated[list[str], typer.Option("--operator", help="Who is here; give both names.")],
    reason: Annotated[str, typer.Option("--reason", help="Why; it stands in the record for ever.")],
    record: Annotated[Path, typer.Option("--record", help="File of the record of unsealings.")],
    url: Url = None,
    data: Data = None,
    archive: ArchivePlace = None,
    *,
    offline: Annotated[bool, typer.Option("--offline", help="Go on where no dealer can write the table log.")] = False,
    as_json: AsJson = False,
) -> None:
    """Record who opens the seeds of this table and why, then open and print them, and check every pack against them.

    An open table gets the act into its own log; a closed log stays as it is, and the record of unsealings has it in
    either case. Ends with 0 if the packs are the promised ones, 1 if not, 2 if nothing was opened.
    """
    if len(share) != 2 or len(operator) != 2 or operator[0].strip() == operator[1].strip():
        _refuse("two persons are needed: give --share and --operator twice, with two different names")
    if not reason.strip() or not all(name.strip() for name in operator):
        _refuse("the act needs both names and a reason")
    who = Who(operators=(operator[0], operator[1]), reason=reason)
    try:
        identities = shares.joined(*(path.read_text("utf-8", "replace") for path in share))
        events = asyncio.run(_recorded(table, who, record, identities, where=(url, data, archive), offline=offline))
        batches = _opened(events, identities)
    except (RuntimeFault, FairnessError) as fault:
        _refuse(str(fault))
    except OSError as missing:
        _refuse(
            f"{missing.filename} cannot be used ({missing.strerror}); name files that are there and that you may write"
        )
    faults = [*checks.public_faults(events), *checks.seed_faults(events, batches)]
    _print(_seeds(events, batches), faults, as_json=as_json)
    raise typer.Exit(EXIT_FALSE if faults else 0)


async def _recorded(
    table: str,
    who: Who,
    record: Path,
    identities: Sequence[str],
    *,
    where: tuple[str | None, Path | None, str | None],
    offline: bool,
) -> list[TableEvent]:
    """The events of the table, once the act stands in the record; and in the log, if that is still open."""
    if not streams.is_table_id(table):
        _refuse(f"{table!r} is no table id: it looks like p07-9f2c")
    unsealings.read_record(record)
    async with reached(*where) as store:
        events = await _events(store, table)
        if not events:
            _refuse(no_table(table))
        in_log = None if isinstance(events[-1], TableClosed) else await _in_the_log(store, table, who, offline=offline)
        unsealings.append(
            record,
            at=await store.now_ms(),
            table=table,
            operators=who.operators,
            reason=who.reason,
            keys=tuple(key_id(str(age.identity(text).to_public())) for text in identities),
            in_log=in_log,
        )
        return await _events(store, table)


async def _events(store: RedisStore, table: str) -> list[TableEvent]:
    found: list[TableEvent] = []
    while page := await store.read_table(table, len(found) + 1, PAGE):
        found.extend(codec.decode_event(entry.payload) for entry in page)
    return found


async def _in_the_log(store: RedisStore, table: str, who: Who, *, offline: bool) -> int | None:
    """The version at which the dealer has recorded the act."""
    first, second = who.operators
    partition, name = streams.partition_of(table), f"unseal-{time.time_ns()}"
    command = UnsealSeeds(id=name, table=table, operator=first, second_operator=second, reason=who.reason)
    if offline:
        return None
    await store.calls.ask("XADD", streams.inbox(partition), "*", "e", codec.encode(command))
    end = time.monotonic() + PATIENCE_S
    answer: ReplyMessage | None = None
    while answer is None and time.monotonic() < end:
        await asyncio.sleep(0.05)
        answer = next((reply for reply in await _replies(store, partition) if reply.command == name), None)
    if answer is None:
        _refuse(
            "no dealer has recorded it, so nothing was opened; the ask is in the inbox and will be recorded when one "
            "runs. Start the dealer and do it again, or use --offline, which writes the record of unsealings alone"
        )
    if not isinstance(answer, CommandAccepted):
        _refuse(f"the dealer did not record it, so nothing was opened: {answer.sentence}")
    return answer.v


async def _replies(store: RedisStore, partition: int) -> list[ReplyMessage]:
    entries = await store.calls.ask("XREVRANGE", streams.replies(partition), "+", "-", "COUNT", 200)
    return [codec.decode_reply(fields[b"e"]) for _, fields in _pairs(entries)]


def _pairs(entries: object) -> list[tuple[bytes, dict[bytes, bytes]]]:
    return cast("list[tuple[bytes, dict[bytes, bytes]]]", entries)


def _opened(events: Sequence[TableEvent], identities: Sequence[str]) -> dict[int, SeedBatch]:
    keys = {key_id(str(found.to_public())): found for found in map(age.identity, identities)}
    sealer = AgeSealer(KeyRing(dealer="", auditor="", identities=keys))
    found: dict[int, SeedBatch] = {}
    for event in events:
        if isinstance(event, SeedsCommitted):
            plain = sealer.open(Sealed(key_ids=event.sealed.keys, blob=event.sealed.blob))
            batch = opened_batch(event.table, event.batch, plain, count=event.count)
            if batch is not None:
                found[event.batch] = batch
    return found


def _seeds(events: Sequence[TableEvent], batches: dict[int, SeedBatch]) -> list[Opened]:
    used = {
        (event.proof.batch, event.proof.index): (event.deal or 0) if isinstance(event, DealStarted) else 0
        for event in events
        if isinstance(event, TossDrawn | DealStarted)
    }
    return [
        Opened(batch=number, index=index, deal=used.get((number, index)), seed=seed.hex())
        for number, batch in sorted(batches.items())
        for index, seed in enumerate(batch.seeds)
    ]


def _print(seeds: Sequence[Opened], faults: Sequence[checks.Fault], *, as_json: bool) -> None:
    if as_json:
        print(msgspec.json.encode({"seeds": seeds, "faults": faults}).decode())  # noqa: T201 - what the command is for
        return
    for one in seeds:
        use = "not used" if one.deal is None else "the toss" if one.deal == 0 else f"deal {one.deal}"
        print(f"batch {one.batch} seed {one.index:>2}  {use:<9} {one.seed}")  # noqa: T201 - what the command is for
    for fault in faults:
        print(f"WRONG at version {fault.v}: {fault.what}")  # noqa: T201 - what the command is for
    print("every pack is the promised one" if not faults else f"{len(faults)} faults")  # noqa: T201 - what the command is for


def _refuse(sentence: str) -> NoReturn:
    print(f"poolrummy unseal: {sentence}", file=sys.stderr)  # noqa: T201 - for the person at the terminal
    raise typer.Exit(EXIT_USAGE)
