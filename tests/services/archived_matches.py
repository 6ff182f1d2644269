"""Two matches of robots on a server, for the tests of commands that archive tables and read archived ones."""

from typer.testing import CliRunner, Result

from poolrummy.cli import app_of
from poolrummy.runtime.redis_store import RedisStore
from poolrummy_contracts import streams

from .archived_tables import recorded
from .played_logs import follow
from .signed_matches import match

FIRST, SECOND = match(1, 4, "61"), match(2, 3, "101")
TABLE, OTHER = FIRST.table, SECOND.table


def run(word: str, *words: str, **environment: str) -> Result:
    clean = {"COLUMNS": "220", "REDIS_URL": "", "POOLRUMMY_REDIS_URL": None, "POOLRUMMY_ARCHIVE": None, **environment}
    return CliRunner().invoke(app_of(word), list(words), env=clean)


async def stored_matches(url: str) -> None:
    """Both tables, closed and projected."""
    store = RedisStore.at(url)
    for evidence in (FIRST, SECOND):
        await recorded(store, evidence.table, evidence.lines)
        await follow(store, [500] * 10, partition=streams.partition_of(evidence.table))
    await store.aclose()
