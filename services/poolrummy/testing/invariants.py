"""What must hold at every version of every table, whatever was played (rules of all chapters)."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from poolrummy.rules import table as rules
from poolrummy.rules.hidden import Hidden
from poolrummy.rules.state import Deal, Table
from poolrummy.testing.packs import composition
from poolrummy_contracts import events as e

MOVES: Final = (e.TurnStarted, e.CardDrawn, e.CardDiscarded, e.CardReturned, e.FinishCalled, e.ShowDeclared)
EVENTS_OF_ONE_DECISION: Final = 64
_WAITS_FOR_AN_ANSWER: Final = ("judging", "counting", "closed")


def check_event(before: Table | None, event: e.TableEvent, after: Table, hidden: Hidden) -> None:
    """One event: versions, time, cards, points, and who may still act."""
    assert event.v == after.v == (1 if before is None else before.v + 1), "versions run without gaps"
    assert before is None or event.at >= before.at, "time never goes back"
    if after.deal is not None:
        check_cards(after.deal, after, hidden)
    if before is None:
        return
    if isinstance(event, MOVES):
        assert before.deal is not None, f"{event} is a move of no deal"
        one = before.deal.of(event.seat)
        assert one is not None, f"{event} is a move of a seat that was not dealt in"
        assert one.standing == "playing", f"{event} is a move of a seat that is out of the deal"
        assert _in_match(before, event.seat), f"{event} is a move of a seat that is out of the match"
    if isinstance(event, e.DealScored):
        check_scores(event)
    check_totals(before, event, after)
    if isinstance(event, e.MatchEnded):
        assert before.standings is not None, "a match that ends has begun"
        pool = before.standings.prize_pool
        assert sum(place.prize for place in event.places) == pool, "prizes are the prize pool"
        assert sum(one.amount for one in event.obligations) == pool, "so is what is owed"


def check_cards(deal: Deal, table: Table, hidden: Hidden) -> None:
    """Pack = hands + stock + open pile + out of play; 14 cards only on turn, after a draw."""
    places = [card for one in deal.seats for card in one.hand]
    places += [*deal.stock, *(card.position for card in deal.pile), *deal.aside]
    places += [] if deal.finish is None else [deal.finish]
    assert len(places) == len(set(places)) == deal.cards, f"{len(places)} cards of {deal.cards} at version {table.v}"
    assert Counter(map(hidden.face, places)) == Counter(composition(table.terms)), "every card is there once"
    for card in deal.pile:
        assert hidden.face(card.position) == card.card, "an open card shows its own face"
    for one in deal.seats:
        holds_14 = deal.drawn is not None and deal.on_turn == one.seat
        assert one.standing != "playing" or len(one.hand) == (14 if holds_14 else 13), f"seat {one.seat}: {one.hand}"


def check_scores(event: e.DealScored) -> None:
    """Exactly one winner of a deal, and he has 0; nobody has less."""
    won = [one for one in event.scores if one.reason == "won"]
    assert [(one.seat, one.points) for one in won] == [(event.winner, 0)], "one winner, with 0"
    assert all(one.points >= 0 for one in event.scores), "points only add"


def check_totals(before: Table, event: e.TableEvent, after: Table) -> None:
    """Totals change by a score, and otherwise only by a rejoin."""
    if before.standings is None or after.standings is None or before.standings is after.standings:
        return
    for old, new in zip(before.standings.seats, after.standings.seats, strict=True):
        if isinstance(event, e.DealScored):
            assert new.total >= old.total, "totals only grow"
        elif not (isinstance(event, e.RejoinGranted) and event.seat == new.seat):
            assert new.total == old.total, f"{event} changes no total"
        assert old.state != "left" or new.state == "left", "who has left stays out"


def check_rest(table: Table) -> None:
    """A table that has come to rest waits for somebody: a clock runs, or an answer is awaited."""
    assert table.phase not in ("between", "ended", "voided"), f"the table stopped in phase {table.phase}"
    awaits_payment = table.rejoin is not None and table.rejoin.payment is not None
    waits = table.phase in _WAITS_FOR_AN_ANSWER or table.frozen or awaits_payment
    assert (rules.next_clock(table) is None) == waits, f"phase {table.phase} with clock {table.clock}"


def check_replay(log: Sequence[e.TableEvent], middle: Table, table: Table) -> None:
    """The log alone gives the same table, from its first event on and from any version in between."""
    state: Table | None = None
    for event in log:
        state = rules.evolve(state, event)
    assert state == table, "the log gives another table"
    later = middle
    for event in log[middle.v :]:
        later = rules.evolve(later, event)
    assert later == table, f"from version {middle.v} on the log gives another table"


def check_snapshot(table: Table) -> None:
    """A snapshot holds the whole state: written and read again it is the same, in either form."""
    assert msgspec.json.decode(msgspec.json.encode(table), type=Table) == table
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(table), type=Table) == table


def _in_match(table: Table, seat: int) -> bool:
    standings = table.standings
    return standings is not None and any(one.seat == seat and one.state == "playing" for one in standings.seats)
