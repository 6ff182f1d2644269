"""What comes after a deal: eliminations, rejoins, a split, the next deal or the end, in this order (D-33)."""

from poolrummy.rules import dealing, finale, rejoin, rejoin_window, split, split_window
from poolrummy.rules.match_end import over
from poolrummy.rules.recorder import Recorder
from poolrummy.rules.standings import reaches_limit
from poolrummy_contracts.events import RejoinOffer, SeatEliminated


def proceed(rec: Recorder) -> None:
    """Take the next step of the break, or deal."""
    if not rec.table.order:
        dealing.toss_up(rec)
        return
    if rec.table.scored:
        _eliminate(rec)
    offers = _offers(rec)
    how = over(rec.standings, rejoin_to_come=bool(offers))
    if how is not None:
        finale.end(rec, how)
    elif offers:
        rejoin_window.offer(rec, offers)
    elif not _split(rec):
        dealing.deal(rec)


def _eliminate(rec: Recorder) -> None:
    """Who has reached the limit is out of the match (rule 9.2)."""
    for one in rec.standings.seats:
        if one.state == "playing" and reaches_limit(one.total, rec.table.terms):
            rec.record(SeatEliminated(**rec.follow("9.2"), seat=one.seat, total=one.total))


def _offers(rec: Recorder) -> tuple[RejoinOffer, ...]:
    """What is offered in this break; nothing once the window has been open, or after a void deal (rule 10.1)."""
    if not rec.table.scored or rec.table.rejoin is not None:
        return ()
    return rejoin.offers(rec.standings, rejoin.totals(rec.standings))


def _split(rec: Recorder) -> bool:
    """Whether the prize is split, or may be asked to be, before the next deal (rules 11.4 and 11.8)."""
    if not rec.table.scored or rec.table.split is not None:
        return False
    if split.auto(rec.standings):
        split_window.split_unasked(rec)
        return True
    if split_window.take_up(rec):
        return True
    if rec.table.terms.split_ask_ms == 0 or not split_window.possible(rec):
        return False
    split_window.offer(rec)
    return True
