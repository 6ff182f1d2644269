"""Splitting the prize instead of playing on: when it may be, and what each seat gets (rules 11.4 to 11.9)."""

from collections.abc import Callable, Sequence

from poolrummy.rules import prizes
from poolrummy.rules.standings import SeatStanding, Standings, drops_left, headroom
from poolrummy_contracts.commands import SplitAmount
from poolrummy_contracts.events import SplitShare
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.terms import Seat, Terms


def refusal(standings: Standings) -> Refusal | None:
    """Why these seats may not ask for a split, if they may not (rule 11.4)."""
    if standings.terms.split_formula == "off":
        return Refusal.SPLIT_OFF
    return None if _enough_seats(standings) else Refusal.SPLIT_NOT_POSSIBLE


def proposed(standings: Standings, amounts: Sequence[SplitAmount]) -> tuple[SplitShare, ...] | Refusal:
    """What an ask for a split proposes: the amounts that it names, or those of the formula (rule 11.4)."""
    if standings.terms.split_formula == "agreed":
        return agreed(standings, amounts)
    result = shares(standings)
    return Refusal.SPLIT_AMOUNTS_WRONG if amounts and not isinstance(result, Refusal) else result


def shares(standings: Standings) -> tuple[SplitShare, ...] | Refusal:
    """The parts by drops left (rule 11.6), or equal parts (rule 11.9)."""
    why_not = refusal(standings)
    if why_not is not None:
        return why_not
    if standings.terms.split_formula == "agreed":
        return Refusal.SPLIT_AMOUNTS_WRONG
    if standings.terms.split_formula == "equal":
        return _equal(standings)
    return _by_drops(standings)


def agreed(standings: Standings, amounts: Sequence[SplitAmount]) -> tuple[SplitShare, ...] | Refusal:
    """The parts as proposed: an amount of 0 or more for every seat that is in, the sum is the pool (rule 11.7)."""
    why_not = refusal(standings)
    if why_not is not None:
        return why_not
    named = {one.seat: one.amount for one in amounts}
    complete = len(named) == len(amounts) and set(named) == {one.seat for one in _left(standings)}
    if not complete or min(named.values()) < 0 or sum(named.values()) != standings.prize_pool:
        return Refusal.SPLIT_AMOUNTS_WRONG
    return _shares(standings, dict.fromkeys(named, 0), named)


def auto(standings: Standings) -> bool:
    """Whether the prize is split without asking: no seat that is in could take one more drop (rule 11.8)."""
    terms = standings.terms
    drop = terms.first_drop_points
    if terms.auto_split == "off" or not isinstance(drop, int) or not _enough_seats(standings):
        return False
    rooms = [headroom(one.total, terms) for one in _left(standings)]
    allowed = drop if terms.auto_split == "at_or_above" else drop - 1
    return all(room is not None and room <= allowed for room in rooms)


def auto_shares(standings: Standings) -> tuple[SplitShare, ...]:
    """The equal parts of an auto split (rule 11.8)."""
    assert auto(standings), "the prize is not to be split without asking"
    return _equal(standings)


def amounts_of(parts: Sequence[SplitShare]) -> tuple[SplitAmount, ...]:
    """What each seat gets, without how it came about."""
    return tuple(SplitAmount(seat=part.seat, amount=part.amount) for part in parts)


def _left(standings: Standings) -> tuple[SeatStanding, ...]:
    return tuple(one for one in standings.seats if one.state == "playing")


def _enough_seats(standings: Standings) -> bool:
    """The seats that started and those that are left (rule 11.4)."""
    terms, left = standings.terms, len(_left(standings))
    needed = terms.split_min_started if left < 3 else max(terms.split_min_started, terms.split_three_left_needs_started)
    return 2 <= left <= terms.split_max_left and standings.started >= needed


def _drop_value(terms: Terms) -> int:
    net = terms.entry_fee - prizes.rake(terms.entry_fee, terms)
    return terms.entry_fee if terms.split_drop_value == "gross_entry" else net


def _by_drops(standings: Standings) -> tuple[SplitShare, ...] | Refusal:
    terms = standings.terms
    drops = {one.seat: drops_left(one.total, terms) for one in _left(standings)}
    fewest = min(drops.values())
    bonus = {seat: (count - fewest) * _drop_value(terms) for seat, count in drops.items()}
    rest = standings.prize_pool - sum(bonus.values())
    enough = rest >= terms.entry_fee if terms.split_rest_cmp == "gte" else rest > terms.entry_fee
    if rest < 0 or not enough:
        return Refusal.SPLIT_REST_TOO_SMALL
    return _shares(standings, bonus, _parts(standings, bonus, rest))


def _equal(standings: Standings) -> tuple[SplitShare, ...]:
    bonus = {one.seat: 0 for one in _left(standings)}
    return _shares(standings, bonus, _parts(standings, bonus, standings.prize_pool))


def _parts(standings: Standings, bonus: dict[Seat, int], rest: int) -> dict[Seat, int]:
    """The rest in equal parts; the terms say who gets the odd minor units (rule 11.6)."""
    left, terms = _left(standings), standings.terms
    each, odd = divmod(rest, len(left))
    if terms.split_residue == "leader_absorbs":
        leader = min(left, key=lambda one: (one.total, one.seat)).seat
        nearest = (2 * rest + len(left)) // (2 * len(left))
        parts = {one.seat: nearest for one in left}
        return parts | {leader: rest - nearest * (len(left) - 1)}
    orders: dict[str, Callable[[SeatStanding], tuple[int, int, int]]] = {
        "fewest_drops_first": lambda one: (drops_left(one.total, terms), -one.total, -one.seat),
        "lowest_payout_first": lambda one: (bonus[one.seat], -one.total, -one.seat),
        "last_seat_first": lambda one: (0, 0, -one.seat),
    }
    served = sorted(left, key=orders[terms.split_residue])
    return {one.seat: each + (1 if number < odd else 0) for number, one in enumerate(served)}


def _shares(standings: Standings, bonus: dict[Seat, int], parts: dict[Seat, int]) -> tuple[SplitShare, ...]:
    result = tuple(
        SplitShare(
            seat=one.seat,
            drops_left=drops_left(one.total, standings.terms),
            bonus=bonus[one.seat],
            share=parts[one.seat],
            amount=bonus[one.seat] + parts[one.seat],
        )
        for one in _left(standings)
    )
    assert sum(part.amount for part in result) == standings.prize_pool, "the parts are not the prize pool"
    assert all(part.share >= 0 for part in result), "a seat would have to pay for a split"
    return result
