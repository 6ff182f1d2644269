"""Two robots that play into each other's hands: what the pair evidence is tried against (R28).

A pact has a strength: the chance, in permille, that a member uses what the partner told it, at each moment at which it
could. At all other moments a member plays as its style says. They talk outside of the platform: a member sees its
partner's cards, and does nothing that a player could not do.

Honest players are no machines either: a club player lays off a wrong card now and then, or does not see its show.
"""

from typing import Final

import msgspec

from poolrummy.rules.arranger import count
from poolrummy.rules.meld_rules import MeldRules, is_joker
from poolrummy.rules.state import DealSeat, Table
from poolrummy.simulator.hand_sense import GROUPED, makes_run, makes_set, sense
from poolrummy.simulator.robot import Robot
from poolrummy.simulator.turns import affordable, drop_allowed
from poolrummy.simulator.wishes import Seen
from poolrummy_contracts.cards import Card, Position
from poolrummy_contracts.commands import Discard, Draw, Drop, Finish, PlayerCommand, VoteSplit

SPARES_FROM_POINTS: Final = 25
"""A show waits while it would cost the partner at least this much."""

HOLDS_BACK_MAX: Final = 2
"""So often in a deal, at most: each turn may be the one in which somebody else shows."""


class Clumsiness(msgspec.Struct, frozen=True, kw_only=True):
    """How often a player does by mistake what a colluder does on purpose."""

    slips_permille: int = 0
    """A discard that is any card but a joker."""
    overlooks_permille: int = 0
    """A show that it does not see for a turn."""


CAREFUL_HANDS: Final = Clumsiness()


class Pact:
    """Two players who agreed to help each other, or one to help the other."""

    def __init__(self, *, strength_permille: int, mutual: bool) -> None:
        self.strength_permille = strength_permille
        self.mutual = mutual
        self.members: list[ClubPlayer] = []
        self.fed: tuple[int, Position] | None = None
        """The deal and the card that one of them laid last for the other."""

    def partner_of(self, member: "ClubPlayer") -> "ClubPlayer | None":
        """The other one, where both sit at the table."""
        return next((one for one in self.members if one is not member), None)

    def helps(self, member: "ClubPlayer") -> bool:
        """Whether this member gives: both of a mutual pact, else the first one alone."""
        return self.mutual or self.members[0] is member


class ClubPlayer(Robot):
    """A robot that makes mistakes, and whose commands bend towards its partner if it has one."""

    clumsiness: Clumsiness = CAREFUL_HANDS
    _pact: Pact | None = None
    _held_back: tuple[int, int] = (0, 0)
    """The last deal in which it held a show back, and how often."""

    def join(self, pact: Pact) -> None:
        """Enter the pact; the first who does is the one who helps."""
        self._pact = pact
        pact.members.append(self)

    def look(self, table: Table, now_ms: int) -> PlayerCommand | int | None:
        """As a robot does; a new command may be another one for the partner's sake."""
        before = self.spoken
        said = super().look(table, now_ms)
        if self.spoken is None or self.spoken is before or isinstance(said, int | None):
            return said
        seen, moment = self.seen(table), self.spoken.moment
        slipped = self._slipped(seen, said, moment)
        self.spoken.command = slipped if self._pact is None else self._bent(self._pact, seen, slipped, moment)
        return self.spoken.command

    def _slipped(self, seen: Seen, said: PlayerCommand, moment: str) -> PlayerCommand:
        """What comes out where the player means this."""
        mine = seen.mine
        if isinstance(said, Finish) and seen.happens(f"{moment}.overlooked", self.clumsiness.overlooks_permille):
            return _laid_off_instead(said)
        if mine is None or not isinstance(said, Discard):
            return said
        if not seen.happens(f"{moment}.slip", self.clumsiness.slips_permille):
            return said
        faces = seen.own.faces(mine.hand)
        others = [
            where for where, card in zip(mine.hand, faces, strict=True) if not is_joker(card, seen.deal.wild_rank)
        ]
        return msgspec.structs.replace(said, position=others[seen.dice(f"{moment}.slips to") % len(others)])

    def _bent(  # noqa: PLR0911 - one return a way to help
        self, pact: Pact, seen: Seen, said: PlayerCommand, moment: str
    ) -> PlayerCommand:
        table, partner = seen.table, pact.partner_of(self)
        if partner is None or not seen.happens(f"{moment}.pact", pact.strength_permille):
            return said
        if isinstance(said, VoteSplit) and table.split is not None and table.split.asker == partner.seat:
            return msgspec.structs.replace(said, accept=True)
        theirs = partner.hand_at(table)
        mine = seen.mine
        if theirs is None or mine is None:
            return said
        match said:
            case Draw():
                dropped = _in_time(seen, mine, theirs, said) if pact.helps(self) else None
                return dropped or _taken(seen, pact, said)
            case Discard() if pact.helps(self) and _next_playing(seen, mine) == partner.seat:
                fed = _fitting(seen, mine, theirs)
                pact.fed = None if fed is None else (seen.deal.number, fed)
                return said if fed is None else msgspec.structs.replace(said, position=fed)
            case Finish() if pact.helps(self):
                return self._held(seen, theirs, said)
            case _:
                return said

    def hand_at(self, table: Table) -> tuple[Card, ...] | None:
        """What this robot tells its partner: its cards, as long as it plays the deal."""
        mine = None if table.deal is None else table.deal.of(self.seat)
        if mine is None or mine.standing != "playing" or not self.own.knows(mine.hand):
            return None
        return self.own.faces(mine.hand)

    def _held(self, seen: Seen, theirs: tuple[Card, ...], said: Finish) -> PlayerCommand:
        """Lay the card off instead of showing, while the show would cost the partner much."""
        deal, held = self._held_back
        held = held if deal == seen.deal.number else 0
        points = count(theirs, seen.deal.wild_rank, MeldRules.of(seen.table.terms))
        if held >= HOLDS_BACK_MAX or points < SPARES_FROM_POINTS:
            return said
        self._held_back = seen.deal.number, held + 1
        return _laid_off_instead(said)


def _in_time(seen: Seen, mine: DealSeat, theirs: tuple[Card, ...], said: Draw) -> Drop | None:
    """Give up a poor hand, since the partner is about to show: the cheap way out of a lost deal."""
    terms, wild = seen.table.terms, seen.deal.wild_rank
    price = terms.middle_drop_points if mine.drawn else terms.first_drop_points
    if not isinstance(price, int) or not sense(theirs, wild).near_show:
        return None
    if not drop_allowed(seen, mine, on_turn=True) or not affordable(seen, mine):
        return None
    if count(seen.own.faces(mine.hand), wild, MeldRules.of(terms)) <= price:
        return None
    return Drop(id=said.id, table=said.table, player=said.player, seat=said.seat, deal=said.deal)


def _taken(seen: Seen, pact: Pact, said: Draw) -> Draw:
    """Take what the partner laid on purpose."""
    pile = seen.deal.pile
    if not pile or pact.fed != (seen.deal.number, pile[-1].position):
        return said
    return msgspec.structs.replace(said, source="open")


def _fitting(seen: Seen, mine: DealSeat, theirs: tuple[Card, ...]) -> Position | None:
    """The cheapest own card that the partner can lay into a run or a set; never one of an own group."""
    wild, hand = seen.deal.wild_rank, seen.own.faces(mine.hand)
    worth = sense(hand, wild).worth
    found = [
        (worth[at], at)
        for at, card in enumerate(hand)
        if not is_joker(card, wild) and worth[at] < GROUPED and _fits(card, theirs)
    ]
    return mine.hand[min(found)[1]] if found else None


def _laid_off_instead(said: Finish) -> Discard:
    """The same card, to the open pile: the hand stays as good as it is."""
    return Discard(
        id=said.id,
        table=said.table,
        player=said.player,
        seat=said.seat,
        deal=said.deal,
        turn=said.turn,
        position=said.position,
    )


def _fits(card: Card, hand: tuple[Card, ...]) -> bool:
    return makes_run(card, hand) or makes_set(card, hand)


def _next_playing(seen: Seen, mine: DealSeat) -> int | None:
    """Who acts after this seat."""
    seats = [one for one in seen.deal.seats if one.standing == "playing"]
    places = [at for at, one in enumerate(seats) if one.seat == mine.seat]
    return seats[(places[0] + 1) % len(seats)].seat if places else None
