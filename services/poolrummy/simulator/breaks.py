"""A robot between deals, and beside the game: rejoin, split, vote, go away, leave."""

from poolrummy.rules import split
from poolrummy.rules.state import DealSeat
from poolrummy.simulator.hand_sense import promise
from poolrummy.simulator.turns import affordable, drop_allowed
from poolrummy.simulator.wishes import UNNAMED, Seen, Wish
from poolrummy_contracts.commands import (
    AskRejoin,
    AskSplit,
    Drop,
    Leave,
    RefuseRejoin,
    SetAway,
    SetBack,
    SplitAmount,
    VoteSplit,
    WithdrawDrop,
)


def rejoin_answered(seen: Seen) -> Wish | None:
    """Come back for the price, or say no so that nobody waits (rules 10.1 and 10.7)."""
    window = seen.table.rejoin
    if window is None or seen.seat not in window.offered:
        return None
    moment = f"w{window.number}.rejoin"
    if seen.absent:
        return Wish(moment=moment, command=None)
    kind = AskRejoin if seen.happens(moment, seen.style.rejoins_percent * 10) else RefuseRejoin
    answer = kind(id=UNNAMED, table=seen.table.id, player=seen.player, seat=seen.seat, window=window.number)
    return Wish(moment=moment, command=answer, ease_percent=200)


def split_asked(seen: Seen) -> Wish | None:
    """Ask for a split where one is possible (rule 11.4)."""
    table = seen.table
    if table.split is None or table.standings is None or not _plays_on(seen):
        return None
    moment = f"w{table.split.number}.split"
    if not seen.happens(moment, seen.style.asks_split_percent * 10) or split.refusal(table.standings) is not None:
        return None
    amounts: tuple[SplitAmount, ...] = ()
    if table.terms.split_formula == "agreed":
        left = [one.seat for one in table.standings.seats if one.state == "playing"]
        each, odd = divmod(table.standings.prize_pool, len(left))
        amounts = tuple(SplitAmount(seat=seat, amount=each + (odd if seat == left[0] else 0)) for seat in left)
    ask = AskSplit(
        id=UNNAMED,
        table=table.id,
        player=seen.player,
        seat=seen.seat,
        window=table.split.number,
        amounts=amounts,
    )
    return Wish(moment=moment, command=ask, ease_percent=30)


def split_voted(seen: Seen) -> Wish | None:
    """Accept or refuse the split that is proposed (rule 11.5)."""
    voting = seen.table.split
    if voting is None or voting.asker == seen.seat or seen.seat in voting.accepted or not _plays_on(seen):
        return None
    moment = f"w{voting.number}.vote"
    if seen.absent:
        return Wish(moment=moment, command=None)
    vote = VoteSplit(
        id=UNNAMED,
        table=seen.table.id,
        player=seen.player,
        seat=seen.seat,
        window=voting.number,
        accept=seen.happens(moment, seen.style.accepts_split_percent * 10),
    )
    return Wish(moment=moment, command=vote, ease_percent=150)


def beside_the_game(seen: Seen, mine: DealSeat) -> Wish | None:
    """Off turn: leave, go away, come back, or note a drop and take it back (rules 13.1, 13.4 and 7.6)."""
    deal, style = seen.deal, seen.style
    start = f"d{deal.number}"
    addressed = {"id": UNNAMED, "table": seen.table.id, "player": seen.player}
    goes_away = seen.happens(f"{start}.away", style.goes_away_permille)
    if seen.absent and not goes_away:
        return Wish(moment=f"{start}.back", command=SetBack(seat=seen.seat, **addressed), ease_percent=0)
    if mine.standing != "playing":
        return None
    if seen.happens(f"{start}.leave", style.leaves_permille):
        return Wish(moment=f"{start}.leave", command=Leave(seat=seen.seat, **addressed))
    if goes_away and not seen.absent:
        return Wish(moment=f"{start}.away", command=SetAway(seat=seen.seat, **addressed), ease_percent=50)
    return _noted_drop(seen, mine)


def _noted_drop(seen: Seen, mine: DealSeat) -> Wish | None:
    """Ask for a drop before the own turn where the hand is hopeless; every third of them is taken back."""
    if mine.drawn or mine.turns or not drop_allowed(seen, mine, on_turn=False) or not affordable(seen, mine):
        return None
    moment = f"d{seen.deal.number}.advance"
    if not seen.happens(moment, seen.style.drops_in_advance_percent * 10):
        return None
    addressed = {"id": UNNAMED, "table": seen.table.id, "player": seen.player}
    if seen.own.drop_noted:
        if not seen.happens(f"{moment}.again", 333):
            return None
        withdraw = WithdrawDrop(seat=seen.seat, deal=seen.deal.number, **addressed)
        return Wish(moment=f"{moment}.withdraw", command=withdraw)
    if promise(seen.own.faces(mine.hand), seen.deal.wild_rank) > seen.style.drops_from:
        return None
    return Wish(moment=moment, command=Drop(seat=seen.seat, deal=seen.deal.number, **addressed), ease_percent=30)


def _plays_on(seen: Seen) -> bool:
    standings = seen.table.standings
    return standings is not None and any(one.seat == seen.seat and one.state == "playing" for one in standings.seats)
