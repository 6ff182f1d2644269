"""Whole deals played by a script through the running platform: who shows, and what each loser's hand counts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
from random import Random
from typing import Final

from poolrummy.fairness.pack import unshuffled
from poolrummy.rules.arranger import arrange
from poolrummy.rules.meld_rules import MeldRules
from poolrummy.rules.state import Table
from poolrummy.testing.live_platform import LivePlatform
from poolrummy.testing.scripted_packs import ScriptedDeal
from poolrummy_contracts.cards import Card, parse_cards, wild_rank_of
from poolrummy_contracts.commands import Declare, Discard, Draw, Finish, PlatformCommand
from poolrummy_contracts.replies import CommandAccepted, ReplyMessage
from poolrummy_contracts.terms import Seat, Terms

WINNING: Final = ("5H 6H 7H", "9C TC JC", "8S 8H 8D", "QS QD QH QC")
WILD: Final = "2S"
OPEN: Final = "3S"
STOCK: Final = "4S 4D 4C 7S 7D 6C"
"""A hand that can be declared as it lies, and the cards around it in every scripted deal: one deck holds them all."""


def scripted_deal(
    terms: Terms, winner: int, losers: Mapping[int, int | str], *, winning: Sequence[str] = WINNING, seed: int = 1
) -> ScriptedDeal:
    """A deal in which the winner can show at once; a loser's hand counts so much before the cap, or is given."""
    pack = Counter(map(Card, unshuffled(terms.decks, terms.printed_jokers_per_deck)))
    shown, stock = parse_cards(" ".join(winning)), parse_cards(STOCK)
    pack.subtract((*shown, *stock, Card(WILD), Card(OPEN)))
    hands = {str(winner): " ".join(shown)}
    dice = Random(seed)  # noqa: S311 - the cards of a test are no secret
    for seat, wanted in losers.items():
        hand = parse_cards(wanted) if isinstance(wanted, str) else hand_counting(wanted, pack, terms, dice)
        pack.subtract(hand)
        hands[str(seat)] = " ".join(hand)
    return ScriptedDeal(hands=hands, wild=WILD, open=OPEN, stock=STOCK)


def hand_counting(points: int, pack: Counter[Card], terms: Terms, dice: Random) -> tuple[Card, ...]:
    """Thirteen cards of the pack that count exactly so much before the cap, found by trying."""
    rules, wild = MeldRules.of(terms), wild_rank_of(Card(WILD))
    cards = sorted(pack.elements())
    for _ in range(200_000):
        hand = tuple(dice.sample(cards, 13))
        if arrange(hand, wild, rules).raw == points:
            return hand
        # A low count is rare among random hands: keep the better half of a pure sequence in it.
        start = parse_cards(dice.choice(("3D 4D 5D", "6C 7C 8C", "9D TD JD", "JS QS KS")))
        if points < 45 and all(pack[card] for card in start):
            kept = list(cards)
            for card in start:
                kept.remove(card)
            hand = (*start, *sorted(dice.sample(kept, 10)))
            if arrange(hand, wild, rules).raw == points:
                return hand
    raise AssertionError(f"found no hand that counts {points}")


class Players:
    """The players of one table: each does what the test says, through commands alone."""

    def __init__(self, platform: LivePlatform, table: str) -> None:
        self.platform = platform
        self.table = table
        self._numbers = count(1)

    @property
    def state(self) -> Table:
        """The public state now."""
        return self.platform.table(self.table)

    def id(self) -> str:
        """A fresh command id."""
        return f"{self.table[-8:]}-{next(self._numbers)}"

    def player(self, seat: int) -> str:
        """Who sits there."""
        chair = self.state.chair(Seat(seat))
        assert chair is not None, f"nobody sits in seat {seat}"
        return chair.player

    def who(self, seat: int) -> dict[str, object]:
        """The fields that every command of a seat has."""
        return {"id": self.id(), "table": self.table, "player": self.player(seat), "seat": Seat(seat)}

    def say(self, command: PlatformCommand) -> ReplyMessage:
        """Send a command, and have its answer."""
        return self.platform.ask(command)

    def do(self, command: PlatformCommand) -> None:
        """Send a command that must be accepted."""
        answer = self.say(command)
        assert isinstance(answer, CommandAccepted), answer

    def until_phase(self, *phases: str, deal: int | None = None) -> Table:
        """Wait until the table is in one of these phases (of this deal)."""

        def look() -> Table | None:
            state = self.state
            return state if state.phase in phases and deal in {None, state.deal_number} else None

        return self.platform.until(look, f"{self.table} in {phases} of deal {deal}, it is in {self.state.phase}")

    # -- moves

    def draw(self, seat: int, source: str = "stock") -> str:
        """Draw a card; its position."""
        turn = self._turn()
        self.do(Draw(**self.who(seat), **turn, source=source))  # type: ignore[arg-type]  # a test may say nonsense
        drawn = self.state.deal and self.state.deal.drawn
        assert drawn, "the card that was drawn is in the state"
        return drawn.position

    def throw(self, seat: int, position: str) -> None:
        """Discard a card."""
        self.do(Discard(**self.who(seat), **self._turn(), position=position))  # type: ignore[arg-type]  # from a test

    def pass_turn(self, seat: int) -> None:
        """Draw a card and throw it away."""
        self.throw(seat, self.draw(seat))

    def show(self, seat: int, groups: Sequence[str]) -> None:
        """Draw, finish with the drawn card, and declare these groups."""
        self.finish(seat, self.draw(seat))
        self.declare(seat, groups)

    def finish(self, seat: int, position: str) -> None:
        """Lay this card on the finish slot."""
        self.do(Finish(**self.who(seat), **self._turn(), position=position))  # type: ignore[arg-type]  # from a test

    def declare(self, seat: int, groups: Sequence[str]) -> None:
        """Declare these groups of cards."""
        state = self.state
        self.do(Declare(**self.who(seat), deal=state.deal_number, groups=self.positions(seat, groups)))  # type: ignore[arg-type]  # from a test

    def positions(self, seat: int, groups: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """The groups as positions: for each face, one of the seat's cards that is not used yet."""
        deal = self.state.deal
        assert deal, "a deal is running"
        holder = deal.of(Seat(seat))
        assert holder, f"seat {seat} is in the deal"
        known = self.platform.cards(self.table, seat)
        faces = {shown.position: shown.card for shown in deal.pile}
        held = {p: known[p].card if p in known else faces.get(p, "") for p in holder.hand}
        laid: list[tuple[str, ...]] = []
        for group in groups:
            taken: list[str] = []
            for card in parse_cards(group):
                where = next(p for p, face in held.items() if face == card)
                del held[where]
                taken.append(where)
            laid.append(tuple(taken))
        return tuple(laid)

    def declare_as_dealt(self, seat: int) -> None:
        """Declare the hand in one heap: a loser is counted by the best arrangement anyway."""
        state = self.state
        holder = state.deal and state.deal.of(Seat(seat))
        assert holder, f"seat {seat} is in the deal"
        self.do(Declare(**self.who(seat), deal=state.deal_number, groups=(holder.hand,)))  # type: ignore[arg-type]  # from a test

    def play_deal(self, winner: int, groups: Sequence[str] = WINNING) -> Table:
        """Everybody draws and throws until the winner is on turn and shows; the others declare; the deal is over."""
        state = self.until_phase("turn")
        number = state.deal_number
        while (on_turn := self.on_turn()) != winner:
            self.pass_turn(on_turn)
        self.show(winner, groups)
        self.until_phase("declaring")
        deal = self.state.deal
        for seat in deal.waiting if deal else ():
            self.declare_as_dealt(seat)

        def over() -> Table | None:
            state = self.state
            return state if state.deal_number != number or state.phase not in {"declaring", "counting"} else None

        return self.platform.until(over, f"the end of deal {number} of {self.table}")

    def on_turn(self) -> int:
        """The seat on turn."""
        deal = self.state.deal
        assert deal, "a deal is running"
        assert deal.on_turn is not None, "somebody is on turn"
        return deal.on_turn

    def totals(self) -> dict[int, int]:
        """The totals by seat."""
        standings = self.state.standings
        assert standings, "the match has begun"
        return {one.seat: one.total for one in standings.seats}

    def _turn(self) -> dict[str, int]:
        state = self.state
        return {"deal": state.deal_number, "turn": state.deal.turn if state.deal else 0}
