"""Who is away (rule 13.4): everybody sees it, and nothing else follows from it."""

from poolrummy.rules.permits import in_seat
from poolrummy.rules.recorder import Recorder
from poolrummy_contracts.commands import SetAway, SetBack
from poolrummy_contracts.events import SeatAway, SeatBack
from poolrummy_contracts.refusals import Refusal, Refused


def set_presence(rec: Recorder, command: SetAway | SetBack) -> Refused | None:
    """Say that the player is away, or back (rule 13.4)."""
    refused = in_seat(rec.table, command)
    if refused is not None:
        return refused
    chair = rec.table.chair(command.seat)
    goes = isinstance(command, SetAway)
    if chair is None or chair.away == goes:
        return Refused(Refusal.PRESENCE_UNCHANGED)
    event = SeatAway if goes else SeatBack
    rec.record(event(**rec.own("13.4"), seat=command.seat))
    return None
