"""A robot lays its cards out: its own show, its hand after somebody else's, the grouping that it keeps."""

from poolrummy.rules.arranger import arrange
from poolrummy.rules.meld_rules import MeldRules
from poolrummy.rules.state import DealSeat
from poolrummy.simulator.wishes import UNNAMED, Seen, Wish
from poolrummy_contracts.cards import Position
from poolrummy_contracts.commands import Declare, SaveGroups


def own_show(seen: Seen, mine: DealSeat) -> Wish:
    """Lay out the show that was claimed (rule 6.2)."""
    return Wish(moment=f"d{seen.deal.number}.t{seen.deal.turn}.show", command=_declare(seen, mine), ease_percent=150)


def losing_hand(seen: Seen, mine: DealSeat) -> Wish:
    """Lay out the hand after a valid show of another seat, or forget to (rule 6.6)."""
    moment = f"d{seen.deal.number}.declare"
    if seen.absent or seen.happens(f"{moment}.late", seen.style.declares_late_permille):
        return Wish(moment=moment, command=None)
    return Wish(moment=moment, command=_declare(seen, mine), ease_percent=150)


def kept_grouping(seen: Seen, mine: DealSeat) -> Wish | None:
    """Keep the grouping after a turn now and then (rule 6.7)."""
    moment = f"d{seen.deal.number}.n{mine.turns}.save"
    if not seen.happens(moment, seen.style.saves_percent * 10):
        return None
    save = SaveGroups(
        id=UNNAMED,
        table=seen.table.id,
        player=seen.player,
        seat=seen.seat,
        deal=seen.deal.number,
        groups=_groups(seen, mine),
    )
    return Wish(moment=moment, command=save, ease_percent=50)


def _declare(seen: Seen, mine: DealSeat) -> Declare:
    return Declare(
        id=UNNAMED,
        table=seen.table.id,
        player=seen.player,
        seat=seen.seat,
        deal=seen.deal.number,
        groups=_groups(seen, mine),
    )


def _groups(seen: Seen, mine: DealSeat) -> tuple[tuple[Position, ...], ...]:
    found = arrange(seen.own.faces(mine.hand), seen.deal.wild_rank, MeldRules.of(seen.table.terms))
    return seen.own.placed(found.groups, mine.hand)
