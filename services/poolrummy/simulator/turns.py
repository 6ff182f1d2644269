"""A robot's own turn: drop, draw, lay off, or claim a show."""

from collections.abc import Sequence
from typing import Literal

from poolrummy.rules.discards import best_discard
from poolrummy.rules.drop_price import may_drop
from poolrummy.rules.meld_rules import MeldRules, is_joker
from poolrummy.rules.standings import headroom, of
from poolrummy.rules.state import DealSeat
from poolrummy.simulator.hand_sense import makes_run, makes_set, promise, sense
from poolrummy.simulator.wishes import UNNAMED, Seen, Wish
from poolrummy_contracts.cards import Card, Position
from poolrummy_contracts.commands import Discard, Draw, Drop, Finish


def turn_moment(seen: Seen) -> str:
    """The name of this turn, before the draw or after it."""
    deal = seen.deal
    return f"d{deal.number}.t{deal.turn}.{'draw' if deal.drawn is None else 'lay'}"


def before_draw(seen: Seen, mine: DealSeat) -> Wish:
    """With 13 cards: drop, doze, or draw from one of the two piles (rules 4.2 and 7.1)."""
    deal, moment = seen.deal, turn_moment(seen)
    if seen.absent or seen.happens(f"{moment}.doze", seen.style.dozes_permille):
        return Wish(moment=moment, command=None)
    hand = seen.own.faces(mine.hand)
    if wants_drop(seen, mine, hand):
        drop = Drop(id=UNNAMED, table=seen.table.id, player=seen.player, seat=seen.seat, deal=deal.number)
        return Wish(moment=moment, command=drop, ease_percent=150)
    source: Literal["stock", "open"] = "open" if _takes_open(seen, hand) else "stock"
    draw = Draw(
        id=UNNAMED,
        table=seen.table.id,
        player=seen.player,
        seat=seen.seat,
        deal=deal.number,
        turn=deal.turn,
        source=source,
    )
    return Wish(moment=moment, command=draw, ease_percent=80)


def after_draw(seen: Seen, mine: DealSeat) -> Wish:
    """With 14 cards: claim a show, or lay one off (rules 4.4 and 6.1)."""
    deal, moment = seen.deal, turn_moment(seen)
    if seen.absent or seen.happens(f"{moment}.doze", seen.style.dozes_permille // 2):
        return Wish(moment=moment, command=None)
    hand = seen.own.faces(mine.hand)
    finish, laid_off = _laid_off(seen, mine, hand)
    kind = Finish if finish or seen.happens(f"{moment}.bluff", seen.style.wrong_show_permille) else Discard
    command = kind(
        id=UNNAMED,
        table=seen.table.id,
        player=seen.player,
        seat=seen.seat,
        deal=deal.number,
        turn=deal.turn,
        position=laid_off,
    )
    return Wish(moment=moment, command=command)


def wants_drop(seen: Seen, mine: DealSeat, hand: Sequence[Card]) -> bool:
    """Whether this robot gives the hand up, if it may and can afford to (chapter 7)."""
    if not drop_allowed(seen, mine, on_turn=True) or not affordable(seen, mine):
        return False
    if mine.drawn:
        lost_patience = seen.happens(f"{turn_moment(seen)}.patience", seen.style.middle_drops_permille)
        return lost_patience and not sense(hand, seen.deal.wild_rank).has_run
    return promise(hand, seen.deal.wild_rank) <= seen.style.drops_from


def drop_allowed(seen: Seen, mine: DealSeat, *, on_turn: bool) -> bool:
    """Whether the terms let this seat drop now."""
    first_turn = mine.turns <= 1
    return (
        may_drop(seen.table.terms, on_turn=on_turn, drawn_this_turn=False, has_drawn=mine.drawn, first_turn=first_turn)
        is None
    )


def affordable(seen: Seen, mine: DealSeat) -> bool:
    """Whether a drop leaves the seat in the match: who would be out by it rather plays."""
    terms, standings = seen.table.terms, seen.table.standings
    points = terms.middle_drop_points if mine.drawn else terms.first_drop_points
    if standings is None or not isinstance(points, int):
        return False
    room = headroom(of(standings, seen.seat).total, terms)
    return room is not None and points <= room


def _takes_open(seen: Seen, hand: Sequence[Card]) -> bool:
    deal, style = seen.deal, seen.style
    if not deal.pile:
        return False
    top = deal.pile[-1].card
    if is_joker(top, deal.wild_rank):
        return _open_joker_allowed(seen)
    if makes_run(top, hand) or (style.chases and makes_set(top, hand)):
        return True
    if not sense(hand, deal.wild_rank).near_show:
        return False
    rules = MeldRules.of(seen.table.terms)
    return any(left.allows_show for left in best_discard((*hand, top), deal.wild_rank, rules))


def _open_joker_allowed(seen: Seen) -> bool:
    """Whether a joker on the open pile may be taken (rule 4.3)."""
    match seen.table.terms.open_joker_pick:
        case "always":
            return True
        case "first_open_card":
            return seen.deal.uncovered
        case "first_open_card_first_turn":
            return seen.deal.uncovered and seen.deal.turn == 1
        case "never":
            return False


def _laid_off(seen: Seen, mine: DealSeat, hand: Sequence[Card]) -> tuple[bool, Position]:
    """Whether the hand can be shown, and which card goes."""
    wild = seen.deal.wild_rank
    felt = sense(hand, wild)
    costs = list(felt.worth)
    if felt.near_show:
        left = best_discard(hand, wild, MeldRules.of(seen.table.terms))
        for place, one in enumerate(left):
            if one.allows_show:
                return True, mine.hand[place]
        costs = [2 * one.raw + worth for one, worth in zip(left, felt.worth, strict=True)]
    place = min(range(len(hand)), key=lambda at: (costs[at], at))
    return False, mine.hand[place]
