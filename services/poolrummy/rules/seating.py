"""Opening a table, taking and leaving seats, and the start of the match (chapter 1)."""

from poolrummy.rules import prizes, seat_seeds
from poolrummy.rules.permits import in_seat
from poolrummy.rules.recorder import Recorder, Stamp
from poolrummy.rules.state import Chair, Table
from poolrummy_contracts.commands import Leave, OpenTable, Sit
from poolrummy_contracts.events import (
    MatchStarted,
    MatchVoided,
    SeatedPlayer,
    SeatTaken,
    SeatVacated,
    StartCancelled,
    StartScheduled,
    TableOpened,
)
from poolrummy_contracts.profiles import check
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.terms import EDITION, Seat, Terms, terms_hash

ANY_SEAT = Seat(0)
"""A seat that is to be drawn (rule 3.12)."""


def open_table(command: OpenTable, now_ms: int, software: str | None) -> TableOpened | Refused:
    """Open a table with complete terms: whoever calls has resolved the profile before (rule 1.1)."""
    terms = command.terms
    if terms is None:
        return Refused(Refusal.PROFILE_UNKNOWN, "" if command.profile is None else f"It was {command.profile!r}.")
    findings = check(terms)
    if findings:
        return Refused(Refusal.TERMS_REFUSED, " ".join(finding.sentence for finding in findings))
    return TableOpened(
        v=1,
        table=command.table,
        at=now_ms,
        actor="player",
        rule="1.1",
        cause=command.id,
        terms=terms,
        terms_hash=terms_hash(terms),
        edition=EDITION,
        fill_until=now_ms + terms.fill_timeout_ms,
        software=software,
    )


def sit(rec: Recorder, command: Sit) -> Refused | None:
    """Take a seat; with enough of them the countdown begins (rules 1.2, 1.3 and 1.6)."""
    table, terms = rec.table, rec.table.terms
    if table.started:
        return Refused(Refusal.MATCH_RUNNING)
    if not 0 <= command.seat <= terms.seats:
        return Refused(Refusal.SEAT_UNKNOWN, f"It has seats 1 to {terms.seats}; 0 is any of them.")
    free = free_seats(table)
    if command.seat not in {ANY_SEAT, *free} or not free:
        return Refused(Refusal.SEAT_TAKEN)
    if any(chair.player == command.player for chair in table.chairs):
        return Refused(Refusal.ALREADY_SEATED)
    refused = _may_sit_so(rec, command)
    if refused is not None:
        return refused
    drawn = table.seats_drawn + 1 if command.seat == ANY_SEAT else None
    seat = command.seat if drawn is None else rec.hidden.drawn_seat(drawn, free)
    rec.record(
        SeatTaken(
            **rec.own("1.2" if drawn is None else "3.12"),
            seat=seat,
            player=command.player,
            kind=command.kind,
            channel_key=command.channel_key,
            drawn=drawn,
        )
    )
    if command.seed_commitment is not None:
        seat_seeds.record_commitment(rec, seat, command.seed_commitment)
    taken = len(rec.table.chairs)
    if rec.table.phase == "seating" and terms.min_to_start <= taken < terms.seats:
        rec.record(StartScheduled(**rec.follow("1.3"), starts_at=rec.at + terms.start_countdown_ms))
    return None


def free_seats(table: Table) -> tuple[Seat, ...]:
    """The seats that nobody has taken, in seat order."""
    taken = {chair.seat for chair in table.chairs}
    return tuple(Seat(number) for number in range(1, table.terms.seats + 1) if number not in taken)


def _may_sit_so(rec: Recorder, command: Sit) -> Refused | None:
    """Whether such a player may sit here, with this key and this promise (rules 1.6, 3.8 and 3.10)."""
    terms, key = rec.table.terms, command.channel_key
    if command.kind == "robot" and not _robots_may_sit(terms):
        return Refused(Refusal.ROBOTS_NOT_ALLOWED)
    if key is None and terms.currency != "practice":
        return Refused(Refusal.CHANNEL_KEY_MISSING)
    if key is not None and not rec.hidden.can_seal(key):
        return Refused(Refusal.CHANNEL_KEY_UNUSABLE)
    return None if command.seed_commitment is None else seat_seeds.may_commit(rec.table, command.seed_commitment)


def vacate(rec: Recorder, command: Leave) -> Refused | None:
    """Leave before the start, free of charge; the countdown stops where too few are left (rule 1.4)."""
    refused = in_seat(rec.table, command)
    if refused is not None:
        return refused
    terms = rec.table.terms
    rec.record(SeatVacated(**rec.own("1.4"), seat=command.seat, player=command.player))
    if rec.table.phase == "starting" and len(rec.table.chairs) < terms.min_to_start:
        rec.record(StartCancelled(**rec.follow("1.4"), fill_until=rec.at + terms.fill_timeout_ms))
    return None


def start_if_full(rec: Recorder) -> bool:
    """A full table starts at once (rule 1.3), or as soon as promised seeds lie open (rule 3.8)."""
    if len(rec.table.chairs) < rec.table.terms.seats:
        return False
    waits = seat_seeds.hurry(rec)
    if waits is not None:
        return waits
    start(rec, rec.follow("1.3"))
    return True


def start(rec: Recorder, stamp: Stamp) -> None:
    """The match begins with the seats that are taken; each owes its entry (rules 1.3 and 11.1)."""
    seats = tuple(_seated(chair) for chair in rec.table.chairs)
    owed, pool = prizes.entries(rec.table.terms, seats)
    given = seat_seeds.closed(rec.table)
    rec.record(MatchStarted(**stamp, seats=seats, obligations=owed, prize_pool=pool, seat_seeds=given))


def not_filled(rec: Recorder) -> None:
    """Too few seats were taken in time: the table is void, and nobody owes anything (rule 1.5)."""
    reason = f"fewer than {rec.table.terms.min_to_start} seats were taken in time"
    rec.record(MatchVoided(**rec.own("1.5"), reason=reason, obligations=()))


def _robots_may_sit(terms: Terms) -> bool:
    return terms.robots == "practice_only" and terms.currency == "practice"


def _seated(chair: Chair) -> SeatedPlayer:
    return SeatedPlayer(seat=chair.seat, player=chair.player, kind=chair.kind)
