"""At the end of a run: everything that it played is audited with the keys and checkpoints of its own data folder."""

from collections.abc import Callable, Sequence

from poolrummy.audit.evidence import from_store
from poolrummy.audit.many import Asked, evidence_audited
from poolrummy.fairness.errors import FairnessError
from poolrummy.runtime.redis_store import RedisStore


async def faults(store: RedisStore, tables: Sequence[str], asked: Asked, done: Callable[[int], None]) -> list[str]:
    """What the audit finds wrong or could not check, in sentences; empty if every check of every table is right."""
    found: list[str] = []
    for number, table in enumerate(tables, start=1):
        evidence = await from_store(table, store)
        if evidence is None:
            found.append(f"{table}: there is no log to audit")
            continue
        try:
            result = evidence_audited(evidence, asked)
        except FairnessError as missing:
            return [*found, f"{table} cannot be audited: {missing}"]
        if result.first is not None:
            found.append(f"{table}: {result.first.sentence}")
        elif result.exit_code:
            found.append(f"{table} could not be checked in full: {result.mend}")
        done(number)
    return found
