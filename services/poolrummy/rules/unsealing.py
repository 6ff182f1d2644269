"""Opening the sealed seeds of a table is an act of two persons, and it stands in the log (rule 3.11)."""

from poolrummy.rules.permits import on_record
from poolrummy.rules.recorder import Recorder
from poolrummy_contracts.commands import UnsealSeeds
from poolrummy_contracts.events import SeedsUnsealed
from poolrummy_contracts.refusals import Refusal, Refused


def unseal(rec: Recorder, command: UnsealSeeds) -> Refused | None:
    """Record who joins the auditor's key, and why; whoever has the key opens what is sealed (rule 3.11)."""
    refused = on_record(command)
    if refused is not None:
        return refused
    both = command.operator, command.second_operator
    if both[0].strip().casefold() == both[1].strip().casefold() or not both[1].strip():
        return Refused(Refusal.REASON_MISSING, "Two different persons are needed.")
    rec.record(SeedsUnsealed(**rec.own("3.11"), operators=both, reason=command.reason))
    return None
