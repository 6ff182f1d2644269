"""Stopping a table and letting it play on (rule 13.5); moving its clocks after a pause of the platform (rule 4.9)."""

from poolrummy.rules.permits import on_record
from poolrummy.rules.recorder import Recorder
from poolrummy_contracts.commands import FreezeFault, FreezeTable, ShiftClocks, UnfreezeTable
from poolrummy_contracts.events import ClocksShifted, TableFrozen, TableUnfrozen
from poolrummy_contracts.refusals import Refusal, Refused


def freeze(rec: Recorder, command: FreezeTable) -> Refused | None:
    """An operator stops all clocks and moves (rule 13.5)."""
    if rec.table.frozen:
        return Refused(Refusal.TABLE_FROZEN)
    refused = on_record(command)
    if refused is not None:
        return refused
    rec.record(TableFrozen(**rec.own("13.5"), reason=command.reason, operator=command.operator))
    return None


def unfreeze(rec: Recorder, command: UnfreezeTable) -> Refused | None:
    """The table plays on; what its clock had left when everything stopped, it has again (rule 13.5)."""
    frozen_at = rec.table.frozen_at
    if frozen_at is None:
        return Refused(Refusal.TABLE_NOT_FROZEN)
    refused = on_record(command)
    if refused is not None:
        return refused
    clock = rec.table.clock
    # An answer that was awaited may have armed a clock meanwhile: that one has stood still only since then.
    since = frozen_at if clock is None else max(frozen_at, clock.armed_at)
    rec.record(TableUnfrozen(**rec.own("13.5"), reason=command.reason, operator=command.operator, ms=rec.at - since))
    return None


def freeze_for_fault(rec: Recorder, command: FreezeFault) -> None:
    """Our own code raised on a command: nothing moves until an operator has looked (rule 13.5)."""
    if not rec.table.frozen:
        rec.record(TableFrozen(**rec.follow("13.5"), reason=command.reason))


def shift_clocks(rec: Recorder, command: ShiftClocks) -> None:
    """The partition had no owner for so long: the running deadline moves (rule 4.9)."""
    if rec.table.clock is not None and not rec.table.frozen and command.ms > 0:
        rec.record(ClocksShifted(**rec.follow("4.9"), ms=command.ms, reason=command.reason))
