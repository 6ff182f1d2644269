"""A turn that ran out: the card in hand, the missed turn, automatic turns, and the drop at the end (4.5 and 4.8)."""

from poolrummy.rules import drops, stock, turns
from poolrummy.rules.drop_price import missed_points, policy_points
from poolrummy.rules.meld_rules import MeldRules
from poolrummy.rules.permits import place
from poolrummy.rules.placed import points_of_placed
from poolrummy.rules.placing import current_groups, faces_of
from poolrummy.rules.recorder import Recorder
from poolrummy.rules.state import DealSeat
from poolrummy_contracts.events import SeatDropped, TurnMissed
from poolrummy_contracts.terms import AutoTurns, SavedOrMiddleDrop, Seat


def turn_ran_out(rec: Recorder) -> None:
    """The clock ends a turn (rules 4.5, 4.8 and 7.4)."""
    seat = rec.deal.on_turn
    assert seat is not None, "a turn that runs out is a seat's"
    _settle_cards(rec, seat)
    misses = place(rec.table, seat).misses + 1
    rec.record(TurnMissed(**rec.own("4.5"), seat=seat, misses=misses))
    _drop_if_too_many(rec, place(rec.table, seat))


def _settle_cards(rec: Recorder, seat: Seat) -> None:
    """A 14th card goes back; an absent seat that has drawn before gets an automatic turn instead (rule 4.8)."""
    if rec.deal.drawn is not None:
        drops.lay_back(rec, seat, rec.own("4.5"))
    elif rec.table.terms.disconnection_policy != "none" and place(rec.table, seat).drawn and stock.has_card(rec):
        turns.draw_from_stock(rec, seat, "4.8")
        drops.lay_back(rec, seat, rec.own("4.8"))


def _drop_if_too_many(rec: Recorder, one: DealSeat) -> None:
    terms = rec.table.terms
    policy = terms.disconnection_policy
    if policy == "none":
        limit = terms.auto_drop_after_misses
        if isinstance(limit, int) and one.misses >= limit:
            points = missed_points(terms, has_drawn=one.drawn, first_turn=one.turns == 1)
            rec.record(SeatDropped(**rec.own("7.4"), seat=one.seat, kind="misses", points=points))
        return
    if one.drawn and (one.misses < policy.n or _protected(rec, one, policy)):
        return
    points = policy_points(terms, has_drawn=one.drawn)
    rec.record(SeatDropped(**rec.own("4.8"), seat=one.seat, kind="policy", points=points))


def _protected(rec: Recorder, one: DealSeat, policy: AutoTurns | SavedOrMiddleDrop) -> bool:
    """Whether the groups that the seat saved count less than the drop: it stays in automatic play (rule 4.8)."""
    if isinstance(policy, AutoTurns):
        return False
    groups = [faces_of(rec, group) for group in current_groups(rec, one)]
    hand = faces_of(rec, one.hand)
    counted = points_of_placed(groups, hand, rec.deal.wild_rank, MeldRules.of(rec.table.terms))
    return counted < policy_points(rec.table.terms, has_drawn=True)
