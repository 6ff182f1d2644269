"""Which moment of its table a robot is asked for, and what it wants there: the one entry to its judgement."""

from poolrummy.simulator import breaks, seating, shows, turns
from poolrummy.simulator.wishes import Seen, Wish


def wishes(seen: Seen) -> tuple[Wish, ...]:
    """What the robot wants now, most urgent first; nothing where the table does not wait for it."""
    table = seen.table
    if table.frozen:
        return ()
    found: Wish | None = None
    match table.phase:
        case "seating" | "starting":
            found = seating.seat_taken(seen)
        case "turn" | "finishing" | "declaring" | "judging" | "counting":
            return _in_a_deal(seen)
        case "rejoining":
            found = breaks.rejoin_answered(seen)
        case "splitting":
            found = breaks.split_asked(seen)
        case "voting":
            found = breaks.split_voted(seen)
        case _:
            return ()
    return () if found is None else (found,)


def waits_for_own_line(seen: Seen) -> bool:
    """Whether the robot holds a card that its channel has to tell it first."""
    mine = seen.mine
    return mine is not None and mine.standing == "playing" and not seen.own.knows(mine.hand)


def _in_a_deal(seen: Seen) -> tuple[Wish, ...]:
    deal, mine = seen.table.deal, seen.mine
    if deal is None or mine is None or mine.gone or not seen.own.knows(mine.hand):
        return ()
    if seen.table.phase == "finishing" and deal.finisher == seen.seat:
        return (shows.own_show(seen, mine),)
    if seen.table.phase == "declaring" and seen.seat in deal.waiting:
        return (shows.losing_hand(seen, mine),)
    if seen.table.phase != "turn":
        return ()
    aside = breaks.beside_the_game(seen, mine)
    beside = () if aside is None else (aside,)
    if deal.on_turn == seen.seat and mine.standing == "playing":
        now = turns.before_draw(seen, mine) if deal.drawn is None else turns.after_draw(seen, mine)
        # An absent player is about to let the turn pass; coming back in time is the better wish.
        return (*beside, now) if seen.absent else (now, *beside)
    if mine.drawn and mine.standing == "playing":
        kept = shows.kept_grouping(seen, mine)
        beside = beside if kept is None else (*beside, kept)
    return beside
