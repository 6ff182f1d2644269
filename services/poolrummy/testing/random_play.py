"""Players that do whatever comes to their mind, right or wrong: for the invariants, and to see every path reached.

Chance follows from a number, so that a match that breaks something can be played again.
"""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Final

from msgspec.structs import replace

from poolrummy.rules import table as rules
from poolrummy.rules.state import Deal, DealSeat, Table
from poolrummy.testing.invariants import EVENTS_OF_ONE_DECISION, check_event, check_replay, check_rest, check_snapshot
from poolrummy.testing.nonsense import made_up_verdict, nonsense, openings, operated, seed_of_a_seat
from poolrummy.testing.packs import DealScript, Groups, Script
from poolrummy.testing.tables import CHANNEL_KEY, TABLE, Command, TestTable
from poolrummy_contracts import commands as c
from poolrummy_contracts.cards import Position
from poolrummy_contracts.refusals import Refused
from poolrummy_contracts.terms import EDITION, Seat, Terms
from poolrummy_contracts.verdicts import RejoinPayment

COMPLETE: Final = "3H 4H 5H 9C TC JC 8S 8H 8D 8C QS QH QD"


class RandomMatch:
    """One match, played until its table closes or the steps are used up."""

    def __init__(self, terms: Terms, number: int, *, rude: float = 0.1) -> None:
        self.random = Random(number)  # noqa: S311 - repeatable on purpose
        self.table = TestTable(terms, Script(terms))
        self.rude = rude
        self.reached: Counter[str] = Counter()
        self._number = number
        # Patient players keep a deal going until the stock runs out.
        self._haste = self.random.choice((0.1, 0.5, 1.0))
        self._middle: Table | None = None

    def play(self, steps: int = 4000) -> None:
        """Play, and check after every event what must hold."""
        for command in openings(self.table):
            self._send(command)
        for _ in range(steps):
            if self.table.table.closed:
                break
            self._script_next_deal()
            if self.random.random() < 0.02:
                self._middle = self.table.table
                check_snapshot(self._middle)
            self.table.now_ms += self.random.choice((0, 1, 50, 900, 4000))
            if self.random.random() < 0.12 * self._haste:
                self.table.now_ms = self._past_the_clock()
            self._send(self._command())
        if self.table.table.closed:
            self._send(nonsense(self.random, self.table))
        check_replay(self.table.log, self._middle or self.table.table, self.table.table)

    def _send(self, command: Command) -> None:
        before, seen = self.table.state, len(self.table.log)
        decided = rules.decide(before, command, self.table.now_ms, self.table.script)
        if isinstance(decided, Refused):
            self.reached[f"refused {decided.refusal.value}"] += 1
            return
        assert len(decided.events) < EVENTS_OF_ONE_DECISION, "one step of the store holds it"
        state = before
        for event in decided.events:
            self.table.script.follow((event,), ())
            after = rules.evolve(state, event)
            check_event(state, event, after, self.table.script)
            self.reached[f"{type(event).__name__} {event.rule} {event.actor}"] += 1
            state = after
        self.table.script.follow((), decided.lines)
        self.table.state = state
        self.table.log.extend(decided.events)
        if len(self.table.log) > seen:
            check_rest(self.table.table)

    def _past_the_clock(self) -> int:
        clock = None if self.table.state is None else self.table.state.clock
        if clock is None:
            return self.table.now_ms
        late = self.random.choice((0, clock.bank_ms // 2, clock.bank_ms, clock.bank_ms + 1))
        return max(self.table.now_ms, clock.ends_at + late)

    def _script_next_deal(self) -> None:
        """Some deals give one seat a complete hand, so that somebody can show."""
        table = self.table.table
        number = table.deal_number + 1
        holder = self.random.randint(1, table.terms.seats)
        one_deck = table.terms.decks == 1
        lucky = self.random.random() < 0.6 and not one_deck
        hands = {holder: COMPLETE} if lucky else {}
        wild = "JK" if self.random.random() < 0.1 else ""
        self.table.script.script(number, DealScript(hands=hands, wild=wild, order=self._number * 1000 + number))

    # -- what somebody does

    def _command(self) -> Command:
        table = self.table.table
        if self.random.random() < self.rude:
            return nonsense(self.random, self.table)
        if table.frozen:
            return self._operator(c.UnfreezeTable if self.random.random() < 0.7 else c.VoidMatch)
        clock = rules.next_clock(table)
        # Now and then the clock fires only after commands that came too late for it.
        if clock is not None and self.table.now_ms >= clock.ends_at and self.random.random() < 0.8:
            return c.RunClock(table=TABLE, deadline=clock.armed_by)
        acts: dict[str, Callable[[], Command]] = {
            "seating": self._at_the_door,
            "starting": self._at_the_door,
            "turn": self._on_turn,
            "finishing": self._finisher,
            "judging": self._verdict,
            "counting": self._verdict,
            "declaring": self._loser,
            "rejoining": self._rejoin,
            "splitting": self._split,
            "voting": self._split,
        }
        return acts[table.phase]()

    def _at_the_door(self) -> Command:
        seat = self.random.randint(1, self.table.terms.seats)
        if self.random.random() < 0.05:
            return c.Leave(**self.table.who(seat))
        if self.random.random() < 0.4:
            return seed_of_a_seat(self.random, seat, self.table.who(seat))
        key = None if self.table.terms.currency == "practice" or self.random.random() < 0.1 else CHANNEL_KEY
        return c.Sit(**self.table.who(seat), kind=self.random.choice(("person", "robot")), channel_key=key)

    def _on_turn(self) -> Command:
        deal = self.table.deal
        roll = self.random.random()
        if roll < 0.04:
            return self._aside(deal)
        if deal.drawn is None:
            if roll < 0.04 + 0.06 * self._haste:
                return c.Drop(**self.table.who(self.table.on_turn), deal=deal.number)
            return c.Draw(**self.table.turn(), source="open" if roll < 0.25 else "stock")
        hand = self.table.of(self.table.on_turn).hand
        if roll < 0.04 + 0.15 * self._haste:
            return c.Finish(**self.table.turn(), position=self._lone_card(hand, deal))
        return c.Discard(**self.table.turn(), position=self.random.choice(hand))

    def _lone_card(self, hand: tuple[Position, ...], deal: Deal) -> Position:
        return deal.drawn.position if deal.drawn is not None and self.random.random() < 0.7 else hand[0]

    def _aside(self, deal: Deal) -> Command:
        """Something beside the moves: presence, groupings, drops in advance, leaving, an operator."""
        one = self.random.choice(deal.seats)
        who = self.table.who(one.seat)
        number = deal.number
        acts: list[tuple[int, Callable[[], Command]]] = [
            (30, lambda: c.SaveGroups(**who, deal=number, groups=self._groups(one))),
            (30, lambda: c.Drop(**who, deal=number)),
            (10, lambda: c.WithdrawDrop(**who, deal=number)),
            (5, lambda: c.SetAway(**who)),
            (5, lambda: c.SetBack(**who)),
            (6, lambda: c.Leave(**who)),
            (6, lambda: c.ShiftClocks(table=TABLE, ms=self.random.randint(0, 9000), reason="takeover")),
            (3, lambda: self._operator(self.random.choice((c.FreezeTable, c.VoidDeal)))),
            (2, lambda: c.FreezeFault(table=TABLE, reason="our own code raised")),
        ]
        weights = [weight for weight, _ in acts]
        return self.random.choices([act for _, act in acts], weights)[0]()

    def _finisher(self) -> Command:
        deal = self.table.deal
        if self.random.random() < 0.15:
            return self._aside(deal)
        assert deal.finisher is not None, "somebody called finish"
        one = self.table.of(self.random.choice(deal.seats).seat if self.random.random() < 0.1 else deal.finisher)
        return c.Declare(**self.table.who(one.seat), deal=deal.number, groups=self._groups(one))

    def _loser(self) -> Command:
        deal = self.table.deal
        if self.random.random() < 0.1:
            return self._aside(deal)
        one = self.random.choice(deal.seats)
        return c.Declare(**self.table.who(one.seat), deal=deal.number, groups=self._groups(one))

    def _groups(self, one: DealSeat) -> Groups:
        cards = list(one.hand)
        if self.random.random() < 0.2:
            self.random.shuffle(cards)
        return tuple(tuple(cards[start:end]) for start, end in ((0, 3), (3, 6), (6, 10), (10, 14)))

    def _verdict(self) -> Command:
        if self.random.random() < 0.05:
            return self._aside(self.table.deal)
        verdict = self.table.verdict() if self.random.random() < 0.05 else made_up_verdict(self.random, self.table)
        if self.random.random() < 0.03:
            return replace(verdict, ask=verdict.ask - 1)
        return replace(verdict, edition=EDITION - 1) if self.random.random() < 0.03 else verdict

    def _rejoin(self) -> Command:
        table = self.table.table
        window = table.rejoin
        assert window is not None, "a window is open"
        if window.payment is not None and self.random.random() < 0.5:
            paid = self.random.random() < 0.8
            seat, v = window.payment.seat, window.payment.v
            return RejoinPayment(id=f"judge:{TABLE}:{v}", table=TABLE, ask=v, seat=seat, paid=paid)
        if self.random.random() < 0.2:
            return self._split()
        seat = self.random.choice(window.offered or window.invited)
        who = self.table.who(seat)
        if self.random.random() < 0.06:
            return c.Leave(**who)
        if self.random.random() < 0.2:
            return c.RefuseRejoin(**who, window=window.number)
        return c.AskRejoin(**who, window=window.number)

    def _split(self) -> Command:
        table = self.table.table
        assert table.standings is not None, "a match is played"
        playing = [one.seat for one in table.standings.seats if one.state == "playing"] or [Seat(1)]
        who = self.table.who(self.random.choice(playing))
        if self.random.random() < 0.05:
            return c.Leave(**who)
        if table.phase == "voting":
            return c.VoteSplit(**who, window=table.windows, accept=self.random.random() < 0.8)
        amounts: tuple[c.SplitAmount, ...] = ()
        if table.terms.split_formula == "agreed":
            each, odd = divmod(table.standings.prize_pool, len(playing))
            wrong = self.random.randint(0, 1)
            amounts = tuple(c.SplitAmount(seat, each + (odd + wrong if seat == playing[0] else 0)) for seat in playing)
        return c.AskSplit(**who, window=table.windows, amounts=amounts)

    def _operator(self, kind: type[c.FreezeTable | c.UnfreezeTable | c.VoidDeal | c.VoidMatch]) -> Command:
        return operated(self.random, kind)


def played(terms: Terms, number: int) -> RandomMatch:
    """A match played to its end by chance, with every invariant checked."""
    match = RandomMatch(terms, number)
    match.play()
    return match
