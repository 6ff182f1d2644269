"""How Redis lets a table go: one script, whose keys all lie on the table's partition."""

from poolrummy.runtime.archiving import Archiving
from poolrummy.runtime.redis_calls import ScriptCall, script
from poolrummy.runtime.redis_reads import saved
from poolrummy.runtime.store import StoreIdentity
from poolrummy_contracts import streams

ARCHIVE = script("archive")


def archive_call(step: Archiving, identity: StoreIdentity) -> ScriptCall:
    """The keys and arguments of ``archive.lua``."""
    table = step.table
    stays = (
        streams.meta(step.partition),
        streams.open_tables(step.partition),
        streams.archive(step.partition),
        streams.head(table),
    )
    goes = [streams.table(table), streams.answers(table, "a"), streams.answers(table, "b"), streams.snapshot(table)]
    for seat in step.seats:
        goes += [streams.seat(table, seat), saved(table, seat)]
    args = (identity.store_id, table, step.version, step.chain.hex(), step.number, step.tally, step.place)
    return ScriptCall(ARCHIVE, (*stays, *goes, *step.views), args)
