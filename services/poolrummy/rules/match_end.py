"""When a match is over (chapter 12)."""

from poolrummy.rules.standings import Standings, playing
from poolrummy_contracts.events import MatchEnd


def over(standings: Standings, *, rejoin_to_come: bool = False) -> MatchEnd | None:
    """How the match is over, if it is.

    ``rejoin_to_come`` says that a seat holds an offer that is not yet answered: with ``window_first`` the last seat
    has to wait for it (rule 10.8). Where nobody is in any more, nobody can come back either.
    """
    left = len(playing(standings))
    waits = rejoin_to_come and standings.terms.rejoin_when_one_survivor == "window_first"
    if left == 0 or (left == 1 and not waits):
        return "last-seat"
    if left == 1 or not isinstance(standings.terms.deals, int):
        return None
    return _by_deals(standings, standings.terms.deals)


def _by_deals(standings: Standings, deals: int) -> MatchEnd | None:
    """The end of a match with a fixed number of deals (rules 12.2 to 12.4)."""
    leader, second, *_ = sorted(one.total for one in standings.seats if one.state == "playing")
    if standings.scored >= deals:
        return "deals" if leader < second else None
    lead = standings.terms.early_end_lead
    if standings.scored == deals - 1 and isinstance(lead, int) and second - leader > lead:
        return "lead"
    return None
