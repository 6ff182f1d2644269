"""`poolrummy play close|open|list`: turn new play away, let it in again, and say who did so when and why (R23, R29)."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, TypeVar

import msgspec
import typer
from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from poolrummy.audit.dossier.names import visible
from poolrummy.commands.reaching import AsJson, Data, Url, reached
from poolrummy.dealer.loading import log_of
from poolrummy.runtime.errors import RuntimeFault
from poolrummy.runtime.redis_store import RedisStore
from poolrummy_contracts import closures, codec
from poolrummy_contracts.closures import ClosureAct, PlayClosed, PlayOpened, Scope
from poolrummy_contracts.commands import VoidMatch
from poolrummy_contracts.envelope import chain_next
from poolrummy_contracts.events import MatchStarted, MatchVoided, TableOpened
from poolrummy_contracts.streams import partition_of

Answer = TypeVar("Answer")

EXIT_WRONG: Final = 1
EXIT_USAGE: Final = 2
NAME_MAX: Final = 64
REASON_MAX: Final = 500
PAGE: Final = 500

Operator = Annotated[str, typer.Option("--operator", help="Who does it.")]
Reason = Annotated[str, typer.Option("--reason", help="Why.")]
Player = Annotated[str | None, typer.Option("--player", help="This player alone.")]
Profile = Annotated[str | None, typer.Option("--profile", help="Tables of this rule profile alone.")]
Variant = Annotated[str | None, typer.Option("--variant", help="Tables of this variant alone, such as 101.")]
MoneyOnly = Annotated[bool, typer.Option("--money", help="Tables for money alone; practice goes on.")]

app = typer.Typer(help="Close new play, open it again, or list what is closed.", add_completion=False)


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """What was closed and opened on the partitions of a store."""

    closed: tuple[PlayClosed, ...]
    """What is closed now, on whatever partition."""
    acts: tuple[ClosureAct, ...]
    """Every act ever, of the partition that has most of them."""
    partitions: int
    unlike: tuple[int, ...]
    """Partitions on which something else is closed: an act has not reached them. Close or open again."""
    changed: tuple[int, ...]
    """Partitions whose acts are not what was written."""


@app.command("close")
def close(  # noqa: PLR0913 - the options of the command
    operator: Operator,
    reason: Reason,
    player: Player = None,
    profile: Profile = None,
    variant: Variant = None,
    url: Url = None,
    data: Data = None,
    *,
    money: MoneyOnly = False,
    as_json: AsJson = False,
    keep_waiting: Annotated[
        bool, typer.Option("--keep-waiting", help="Leave tables alone that have not started; else they are voided.")
    ] = False,
) -> None:
    """Turn away new tables and whoever sits down, at once; without an option all of it.

    Matches that run are played to their end, and voids and refunds stay possible. Tables that have not started yet are
    voided (nobody has paid), except where the closure is about a player. The same act closes every partition.
    """
    scope = Scope(player, profile, variant, money)
    done = _done(_close(scope, operator, reason, url, data, void=not keep_waiting and player is None))
    also = f"; tables that had not started, now voided: {len(done.voided)}" if done.voided else ""
    _tell_act(done, f"closed: {_of(scope)}{also}", as_json=as_json)


@app.command("open")
def reopen(  # noqa: PLR0913 - the options of the command
    operator: Operator,
    reason: Reason,
    player: Player = None,
    profile: Profile = None,
    variant: Variant = None,
    url: Url = None,
    data: Data = None,
    *,
    money: MoneyOnly = False,
    as_json: AsJson = False,
) -> None:
    """End the closure that was made with the same options."""
    scope = Scope(player, profile, variant, money)
    _tell_act(_done(_open(scope, operator, reason, url, data)), f"open again: {_of(scope)}", as_json=as_json)


@app.command("list")
def tell(url: Url = None, data: Data = None, *, as_json: AsJson = False) -> None:
    """What is closed now, and every act so far; 1 if a record was changed or the partitions do not agree."""
    listed = _done(_list(url, data))
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(listed), indent=2).decode())
    else:
        _show(Console(highlight=False), listed)
    raise typer.Exit(EXIT_WRONG if listed.changed or listed.unlike else 0)


class Acted(msgspec.Struct, frozen=True, kw_only=True):
    """What was written on every partition, and which tables are voided for it."""

    act: ClosureAct
    voided: tuple[str, ...] = ()


def _tell_act(done: Acted, sentence: str, *, as_json: bool) -> None:
    typer.echo(msgspec.json.encode(done) if as_json else sentence)


async def _close(scope: Scope, operator: str, reason: str, url: str | None, data: Path | None, *, void: bool) -> Acted:
    async with reached(url, data) as store:
        act = await _write(store, PlayClosed, scope, operator, reason)
        voided: list[str] = []
        if void:
            # Sent as each is found: where a countdown ends before the last log is read, that match plays on.
            async for table in _waiting(store, scope):
                voiding = VoidMatch(id=f"close-play-{act.at}", table=table, operator=operator, reason=reason)
                await store.send(partition_of(table), codec.encode(voiding))
                voided.append(table)
    return Acted(act=act, voided=tuple(voided))


async def _open(scope: Scope, operator: str, reason: str, url: str | None, data: Path | None) -> Acted:
    async with reached(url, data) as store:
        kept = [await _read(store, partition) for partition in range(_partitions(store))]
        if not any(scope in one.closed for one in kept):
            raise _Refused(f"nothing of this kind is closed: {_of(scope)}; see poolrummy play list")
        return Acted(act=await _write(store, PlayOpened, scope, operator, reason))


async def _list(url: str | None, data: Path | None) -> Listed:
    async with reached(url, data) as store:
        kept = [await _read(store, partition) for partition in range(_partitions(store))]
    closed = {scope: one for each in kept for scope, one in each.closed.items()}
    return Listed(
        closed=tuple(closed.values()),
        acts=max((one.acts for one in kept), key=len, default=()),
        partitions=len(kept),
        unlike=tuple(number for number, one in enumerate(kept) if one.closed.keys() != closed.keys()),
        changed=tuple(number for number, one in enumerate(kept) if not one.whole),
    )


async def _write(
    store: RedisStore, kind: type[PlayClosed | PlayOpened], scope: Scope, operator: str, reason: str
) -> ClosureAct:
    """Write the act on every partition, by the server's clock; as it stands on the last. Again it does no harm."""
    if not 0 < len(operator.strip()) <= NAME_MAX or not 0 < len(reason.strip()) <= REASON_MAX:
        raise _Refused(f"an act needs a name (to {NAME_MAX} characters) and a reason (to {REASON_MAX})")
    if any(name is not None and not 0 < len(name) <= NAME_MAX for name in (scope.player, scope.profile, scope.variant)):
        raise _Refused(f"a player, a profile or a variant has a name of 1 to {NAME_MAX} characters")
    act: ClosureAct = kind(
        n=0,
        at=await store.now_ms(),
        operator=operator,
        reason=reason,
        player=scope.player,
        profile=scope.profile,
        variant=scope.variant,
        money_only=scope.money_only,
    )
    for partition in range(_partitions(store)):
        written = False
        while not written:
            kept = await _read(store, partition)
            act = replace(act, n=kept.n + 1)
            payload = closures.encode(act)
            written = await store.close_play(partition, act.n, payload, chain_next(kept.chain, payload))
    return act


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    """The acts of one partition, what they leave closed, and whether they are what was written."""

    n: int
    chain: bytes
    acts: tuple[ClosureAct, ...]
    closed: closures.Closures
    whole: bool


async def _read(store: RedisStore, partition: int) -> _Kept:
    n, chain, whole = 0, closures.chain_begin(partition), True
    acts: list[ClosureAct] = []
    closed: closures.Closures = {}
    while page := await store.read_closures(partition, n, PAGE):
        for entry in page:
            whole = whole and entry.version == n + 1 and entry.chain == chain_next(chain, entry.payload)
            n, chain = entry.version, entry.chain
            try:
                act = closures.decode(entry.payload)
            except ValueError:
                whole = False
                continue
            acts.append(act)
            closed = closures.evolve(closed, act)
    return _Kept(n=n, chain=chain, acts=tuple(acts), closed=closed, whole=whole)


async def _waiting(store: RedisStore, scope: Scope) -> AsyncIterator[str]:
    """The open tables of this scope at which no match has begun."""
    for partition in range(_partitions(store)):
        for table in await store.open_tables(partition):
            opened: TableOpened | None = None
            async for entry in log_of(table, store):
                event = codec.decode_event(entry.payload)
                if isinstance(event, TableOpened):
                    opened = event
                if isinstance(event, MatchStarted | MatchVoided):
                    break
            else:
                if opened is not None and scope.holds(opened.terms, None):
                    yield table


def _partitions(store: RedisStore) -> int:
    assert store.identity is not None, "a store that was reached is open"
    return store.identity.partitions


def _of(scope: Scope) -> str:
    where = "tables for money" if scope.money_only else "all tables"
    where += "" if scope.profile is None else f" of profile {visible(scope.profile)}"
    where += "" if scope.variant is None else f" of variant {visible(scope.variant)}"
    return where if scope.player is None else f"{where}, to {visible(scope.player)}"


def _show(console: Console, listed: Listed) -> None:
    if not listed.closed:
        console.print(Text("nothing is closed to new play", "green"))
    for one in listed.closed:
        console.print(Text(f"closed: {_of(one.scope)}, {_by(one)}", "yellow"))
    for act in listed.acts:
        console.print(
            Text(f"{act.n:>4} {'closed' if isinstance(act, PlayClosed) else 'opened'}: {_of(act.scope)}, {_by(act)}")
        )
    for number in listed.unlike:
        console.print(Text(f"partition {number} has not had every act: close or open again", "bold red"))
    for number in listed.changed:
        console.print(Text(f"the acts of partition {number} are not what was written", "bold red"))


def _by(act: ClosureAct) -> str:
    when = datetime.fromtimestamp(act.at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    return f"{when} UTC by {visible(act.operator)}: {visible(act.reason)}"


class _Refused(Exception):
    """What was asked cannot be done; the message says why."""


def _done(work: Coroutine[None, None, Answer]) -> Answer:
    try:
        return asyncio.run(work)
    except (RuntimeFault, _Refused) as refused:
        typer.echo(f"poolrummy play: {refused}", err=True)
        raise typer.Exit(EXIT_USAGE) from refused
