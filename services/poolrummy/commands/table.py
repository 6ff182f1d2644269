"""`poolrummy table freeze|unfreeze|void-deal|void-match TABLE`: an operator acts on one table, on the record (R22).

`poolrummy table list` names the tables.
"""

import asyncio
import time
from pathlib import Path
from typing import Annotated, Final

import typer

from poolrummy.commands.reaching import AsJson, Data, Url, reached
from poolrummy.commands.table_list import show_tables
from poolrummy.runtime.errors import RuntimeFault
from poolrummy.runtime.redis_store import RedisStore
from poolrummy_contracts import codec
from poolrummy_contracts.commands import FreezeTable, UnfreezeTable, VoidDeal, VoidMatch
from poolrummy_contracts.replies import CommandAccepted, ReplyMessage
from poolrummy_contracts.streams import is_table_id, partition_of

EXIT_REFUSED: Final = 1
EXIT_USAGE: Final = 2
PATIENCE_S: Final = 10.0
POLL_S: Final = 0.05
PAGE: Final = 500
NAME_MAX: Final = 64
REASON_MAX: Final = 500

Act = type[FreezeTable] | type[UnfreezeTable] | type[VoidDeal] | type[VoidMatch]
Table = Annotated[str, typer.Argument(help="Id of the table, such as p07-9f2c.")]
Operator = Annotated[str, typer.Option("--operator", help="Who does it; it stands in the log for ever.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; it stands in the log for ever.")]

app = typer.Typer(
    help="Name the tables; freeze one, let it play on, void its deal or its match.",
    add_completion=False,
    no_args_is_help=True,
)
app.command("list")(show_tables)


class NotDone(Exception):
    """The act was not sent, or nobody has answered; the message says what to do."""


@app.command("freeze")
def freeze(
    table: Table, operator: Operator, reason: Reason, url: Url = None, data: Data = None, *, as_json: AsJson = False
) -> None:
    """Stop all clocks and moves of the table (rule 13.5). 0: recorded, 1: refused, 2: not sent or not answered."""
    _do(FreezeTable, table, operator, reason, url, data, as_json=as_json)


@app.command("unfreeze")
def unfreeze(
    table: Table, operator: Operator, reason: Reason, url: Url = None, data: Data = None, *, as_json: AsJson = False
) -> None:
    """Let a frozen table play on; its clocks have again what they had left (rule 13.5)."""
    _do(UnfreezeTable, table, operator, reason, url, data, as_json=as_json)


@app.command("void-deal")
def void_deal(
    table: Table, operator: Operator, reason: Reason, url: Url = None, data: Data = None, *, as_json: AsJson = False
) -> None:
    """Void the running deal: no points for anybody, a new pack (rule 13.2)."""
    _do(VoidDeal, table, operator, reason, url, data, as_json=as_json)


@app.command("void-match")
def void_match(
    table: Table, operator: Operator, reason: Reason, url: Url = None, data: Data = None, *, as_json: AsJson = False
) -> None:
    """Void the match: every seat gets back the larger of its stake and what it had won, and the table closes (13.3)."""
    _do(VoidMatch, table, operator, reason, url, data, as_json=as_json)


def _do(act: Act, table: str, operator: str, reason: str, url: str | None, data: Path | None, *, as_json: bool) -> None:
    """Ask, and say what the dealer answered: to a program its reply as it stands on the wire."""
    try:
        answer = asyncio.run(_asked(act, table, operator.strip(), reason.strip(), url, data))
    except (RuntimeFault, NotDone) as refused:
        typer.echo(f"poolrummy table: {refused}", err=True)
        raise typer.Exit(EXIT_USAGE) from refused
    name, accepted = act.__struct_config__.tag, isinstance(answer, CommandAccepted)
    if as_json:
        typer.echo(codec.encode(answer).decode())
    elif isinstance(answer, CommandAccepted):
        typer.echo(f"{table}: {name} recorded, the table is at version {answer.v}")
    else:
        typer.echo(f"{table}: {name} refused: {answer.sentence}", err=True)
    if not accepted:
        raise typer.Exit(EXIT_REFUSED)


async def _asked(act: Act, table: str, operator: str, reason: str, url: str | None, data: Path | None) -> ReplyMessage:
    if not is_table_id(table):
        raise NotDone(f"{table!r} is no table id: it looks like p07-9f2c")
    if not 0 < len(operator) <= NAME_MAX or not 0 < len(reason) <= REASON_MAX:
        raise NotDone(f"an act needs a name (to {NAME_MAX} characters) and a reason (to {REASON_MAX})")
    async with reached(url, data) as store:
        at = await store.now_ms()
        command = act(id=f"{act.__struct_config__.tag}-{at}", table=table, operator=operator, reason=reason)
        await store.send(partition_of(table), codec.encode(command))
        return await _answer(store, partition_of(table), command.id, table, after=f"{at - 1}-0")


async def _answer(store: RedisStore, partition: int, command: str, table: str, *, after: str) -> ReplyMessage:
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s:
        for line in await store.read_replies(partition, after, PAGE):
            after = line.id
            reply = codec.decode_reply(line.payload)
            if (reply.command, reply.table) == (command, table):
                return reply
        await asyncio.sleep(POLL_S)
    raise NotDone(
        f"no dealer has answered within {PATIENCE_S:.0f} s; {command} lies in the inbox and will be decided when one "
        f"runs: see poolrummy replay {table}"
    )
