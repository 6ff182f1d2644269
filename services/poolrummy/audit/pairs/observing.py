"""From one scored deal to counts: every chance that one player had to help another, and whether it was used."""

from collections.abc import Mapping, Sequence
from typing import Final

from poolrummy.audit.pairs.card_sense import could_show, fits, gives_up
from poolrummy.audit.pairs.deal_log import DealLog, Looked
from poolrummy.audit.pairs.signals import Name
from poolrummy.audit.pairs.sums import Moment, PairSums, count, keep, key_of
from poolrummy.rules.arranger import count as points_of
from poolrummy.rules.meld_rules import MeldRules, is_joker
from poolrummy_contracts.cards import Card, Position
from poolrummy_contracts.terms import Seat

CLOSE_POINTS: Final = 30
"""A hand that counts no more than this is near its show, and loses little by somebody else's."""

FIT: Final = 2
GIVEN_UP: Final = 3
"""What a moment weighs more if the card fitted, and if a tie was given up."""
MANY: Final = 6
"""As many cards that fit, or more, are taken together."""


def _choice(card: Card, rest: Sequence[Card] | None, hand: Sequence[Card], wild: str) -> str | None:
    """How many of the cards that the giver could lay fitted the taker, of how many; nothing if there was no choice."""
    if rest is None:
        return "unknown"
    could = [other for other in (card, *rest) if not is_joker(other, wild)]
    fitting = sum(1 for other in could if fits(other, hand))
    if fitting in {0, len(could)}:
        return None
    return str(min(fitting, MANY))


class Observer:
    """Counts the deals of one table into the sums."""

    def __init__(self, sums: PairSums, table: str, players: Mapping[Seat, str], rules: MeldRules) -> None:
        self._sums = sums
        self._table = table
        self._players = players
        self._rules = rules

    def deal(self, log: DealLog) -> None:
        """Count a deal."""
        self._sums.deals += 1
        for giver in log.seats:
            for taker in log.seats:
                if giver != taker:
                    self._sums.direction(self._players[giver], self._players[taker]).deals += 1
        for looked in log.looked:
            self._looked(log, looked)
        for seat in log.seats:
            self._held_back(log, seat)
        self._drops(log)
        self._won(log)

    def _looked(self, log: DealLog, looked: Looked) -> None:
        """A draw with somebody's discard on top: was it fed, and did the giver break its own hand for it?"""
        laid = looked.laid
        if is_joker(laid.card, log.wild):
            return
        hand, rest = log.known(looked.hand, but=1), log.known(laid.rest, but=1)
        fitted = None if hand is None else fits(laid.card, hand)
        given_up = rest is not None and gives_up(laid.card, rest, log.wild)
        weight = 1 + FIT * bool(fitted) + GIVEN_UP * given_up
        where = (laid.v, looked.v)
        # What was laid, why it was hard to part with, and whether it was taken: each given what stands before it, so
        # that nothing is counted twice.
        known = "unknown" if fitted is None else "fits" if fitted else "other"
        choice = None if hand is None else _choice(laid.card, rest, hand, log.wild)
        if choice is not None:
            self._both(log, "fitted", choice, laid.seat, looked.seat, where, hit=bool(fitted), weight=weight)
        if rest is not None and fitted is not False:
            self._both(log, "gave-up", known, laid.seat, looked.seat, where, hit=given_up, weight=weight)
        self._both(log, "took", known, laid.seat, looked.seat, where, hit=looked.taken, weight=weight)

    def _held_back(self, log: DealLog, seat: Seat) -> None:
        """Whether a seat that could have shown laid off first, and who was in then: for whose sake did it wait?

        A deal counts once, for a hand that can be shown stays so.
        """
        shows = [(laid, rest) for laid in log.laid if laid.seat == seat and (rest := log.known(laid.rest)) is not None]
        waited = [laid for laid, rest in shows if could_show(rest, log.wild, self._rules)]
        finished = [one for one in log.finished if one.seat == seat]
        if not waited and not finished:
            return
        count(self._sums.person(self._players[seat]).gives, key_of("held-back", ""), hit=bool(waited))
        moments = waited or finished
        for other in log.seats:
            spared = [one.v for one in moments if other in one.others and not self._close(log, one.others[other])]
            if spared:
                self._pair(log, "held-back", "", seat, other, tuple(spared), hit=bool(waited))

    def _close(self, log: DealLog, hand: tuple[Position, ...]) -> bool | None:
        """Whether a hand was close to a show, as far as it is known."""
        known = log.known(hand, but=1)
        return None if known is None else points_of(known, log.wild, self._rules) <= CLOSE_POINTS

    def _drops(self, log: DealLog) -> None:
        """Who dropped while the winner was close to its show, and who played on?"""
        winner = log.winner
        if winner is None:
            return
        for seat in log.seats:
            if seat != winner:
                points = log.points.get(seat, 0)
                self._sums.person(self._players[seat]).lost.add(1, points)
                self._sums.direction(self._players[seat], self._players[winner]).points.add(1, points)
        for turn in log.turns:
            if winner in turn.others and self._close(log, turn.others[winner]) is True:
                what: Name = "left-in-time" if turn.drew else "stood-aside"
                self._both(log, what, "", turn.seat, winner, (turn.v, log.ends), hit=turn.dropped)

    def _won(self, log: DealLog) -> None:
        dealt_in = str(len(log.seats))
        for taker in log.seats:
            hit = taker == log.winner
            count(self._sums.person(self._players[taker]).takes, key_of("won-beside", dealt_in), hit=hit)
            for giver in log.seats:
                if giver != taker:
                    count(self._sums.person(self._players[giver]).gives, key_of("won-beside", dealt_in), hit=hit)
                    self._pair(log, "won-beside", dealt_in, giver, taker, (log.ends,), hit=hit)

    def _both(
        self,
        log: DealLog,
        what: Name,
        stratum: str,
        giver: Seat,
        taker: Seat,
        where: tuple[int, ...],
        *,
        hit: bool,
        weight: int = 1,
    ) -> None:
        """A chance of one giver and one taker: it is in the habits of both."""
        key = key_of(what, stratum)
        count(self._sums.person(self._players[giver]).gives, key, hit=hit)
        count(self._sums.person(self._players[taker]).takes, key, hit=hit)
        self._pair(log, what, stratum, giver, taker, where, hit=hit, weight=weight)

    def _pair(
        self,
        log: DealLog,
        what: Name,
        stratum: str,
        giver: Seat,
        taker: Seat,
        where: tuple[int, ...],
        *,
        hit: bool,
        weight: int = 1,
    ) -> None:
        direction = self._sums.direction(self._players[giver], self._players[taker])
        count(direction.tallies, key_of(what, stratum), hit=hit)
        if hit:
            keep(direction, Moment(weight, self._table, log.number, where, what))
