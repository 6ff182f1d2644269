"""What a table knows at one version: foldable from its log alone, and written to snapshots as it stands.

Hidden faces are not in it. A hand is a tuple of positions; only cards that everybody has seen carry a face. What
happens on a table lives in `table.py`; this module holds the shapes and what can be read off them.
"""

from typing import Literal

import msgspec

from poolrummy.rules.break_state import RejoinWindow, SplitWindow, SplitWish
from poolrummy.rules.standings import Standings
from poolrummy_contracts.cards import Position
from poolrummy_contracts.events import DropKind, SeatKind, SeatSeed, ShownCard
from poolrummy_contracts.terms import Seat, Terms

Phase = Literal[
    "seating",  # seats may be taken and left (chapter 1)
    "starting",  # enough seats are taken, the countdown runs (1.3)
    "turn",  # a seat is on turn, with 13 or 14 cards (chapter 4)
    "finishing",  # a seat called finish and arranges its show (6.1)
    "judging",  # a show lies open, the verdict is awaited (6.2)
    "declaring",  # after a valid show the others arrange their hands (6.6)
    "counting",  # hands lie open, their counts are awaited (chapter 8)
    "between",  # no deal is played; what comes next follows in the same step (D-33)
    "rejoining",  # eliminated seats may come back (chapter 10)
    "splitting",  # a split may be asked (11.4)
    "voting",  # a split is voted on (11.5)
    "ended",  # the match is decided (chapter 12)
    "voided",  # the match counts for nobody (13.3)
    "closed",  # nothing happens here any more
]
ClockName = Literal["fill", "start", "turn", "finish", "declare", "rejoin", "split", "vote"]
Standing = Literal["playing", "dropped", "wrong-show"]


class Chair(msgspec.Struct, frozen=True, kw_only=True):
    """A taken seat: who sits there, and whether the player said to be away (rules 1.2 and 13.4)."""

    seat: Seat
    player: str
    kind: SeatKind
    away: bool = False
    channel_key: str | None = None
    """What its private lines are sealed to (rule 3.10)."""
    commitment: str | None = None
    """The seed that it promised (rule 3.8)."""
    seed: str | None = None
    """That seed, once it lies open."""


class RunningClock(msgspec.Struct, frozen=True, kw_only=True):
    """The one deadline that runs (rule 4.7), armed by the event of version ``armed_by``."""

    what: ClockName
    armed_by: int
    armed_at: int
    ends_at: int
    bank_ms: int = 0


class DealSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat in a deal: its cards, whether it still plays, and what the rules ask about its turns so far."""

    seat: Seat
    hand: tuple[Position, ...]
    standing: Standing = "playing"
    kind: DropKind | None = None
    points: int = 0
    """Points that a drop or a wrong show has fixed (rule 7.1, 6.5)."""
    turns: int = 0
    drawn: bool = False
    """Whether it has drawn a card itself in this deal: the border between first and middle drop (rule 7.2)."""
    misses: int = 0
    """Turns that ran out, in a row (rule 4.5)."""
    gone: bool = False
    """It left the match during this deal (rule 13.1)."""


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """The 14th card, and where it came from; the face only where the card lay open (rule 4.2)."""

    source: Literal["stock", "open"]
    position: Position
    card: ShownCard | None = None


class RunOut(msgspec.Struct, frozen=True, kw_only=True):
    """The last turn that the clock ended, and the version at which it did (rule 4.5)."""

    seat: Seat
    turn: int
    v: int


class DeclaredHand(msgspec.Struct, frozen=True, kw_only=True):
    """How a loser grouped its hand (rule 6.6)."""

    seat: Seat
    groups: tuple[tuple[Position, ...], ...]


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A hand that lies open for its count; ``v`` is the version of the ask (rule 8.2)."""

    v: int
    seat: Seat


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """What a hand counts, whether all of it could be declared, and what it is charged (rule 8.2)."""

    seat: Seat
    counted: int
    complete: bool
    points: int


class Deal(msgspec.Struct, frozen=True, kw_only=True):
    """One deal: cards by position, turns, the show and the counts. ``seats`` stand in order of play."""

    number: int
    order: tuple[Seat, ...]
    dealer: Seat
    cards: int
    wild: ShownCard
    wild_rank: str
    seats: tuple[DealSeat, ...]
    stock: tuple[Position, ...]
    """The closed pile; the next card is the first."""
    pile: tuple[ShownCard, ...]
    """The open pile; the top is the last."""
    aside: tuple[Position, ...]
    """Out of play: the wild card, cards set aside before it, dead finish cards, hands of wrong shows."""
    uncovered: bool = True
    """Whether no card was laid on the first open card yet (rule 4.3)."""
    generation: int = 0
    turn: int = 0
    on_turn: Seat | None = None
    turn_of: Seat | None = None
    """Whose turn it is, or was last."""
    drawn: Drawn | None = None
    run_out: RunOut | None = None
    finisher: Seat | None = None
    finish: Position | None = None
    ask: int | None = None
    """Version of the show that is being judged."""
    timed_out: bool = False
    """Whether the finisher's clock laid that show out (rule 6.8)."""
    winner: Seat | None = None
    waiting: tuple[Seat, ...] = ()
    """Seats that have not declared after a valid show; once hands lie open, those that were late (rule 6.6)."""
    declared: tuple[DeclaredHand, ...] = ()
    asks: tuple[Ask, ...] = ()
    counts: tuple[Count, ...] = ()

    def of(self, seat: Seat) -> DealSeat | None:
        """The seat in this deal; None where it was not dealt in."""
        for one in self.seats:
            if one.seat == seat:
                return one
        return None

    def holder(self) -> DealSeat | None:
        """The seat on turn."""
        return None if self.on_turn is None else self.of(self.on_turn)

    def declaration(self, seat: Seat) -> DeclaredHand | None:
        """How the seat grouped its hand; None where it did not declare."""
        for one in self.declared:
            if one.seat == seat:
                return one
        return None

    def playing(self) -> tuple[Seat, ...]:
        """The seats that are not out of the deal, in order of play."""
        return tuple([one.seat for one in self.seats if one.standing == "playing"])

    @property
    def reshuffles(self) -> int:
        """How often the open pile has become the stock (rule 4.6): each time begins a generation."""
        return self.generation


class CommittedBatch(msgspec.Struct, frozen=True, kw_only=True):
    """Seeds that are promised (rule 3.6); ``used`` of them, from the first on, have shuffled a pack."""

    number: int
    count: int
    root: str
    used: int = 0

    @property
    def left(self) -> int:
        """How many packs it can still shuffle: its last seed is kept for the next batch."""
        return self.count - 1 - self.used


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table at one version."""

    id: str
    v: int
    at: int
    terms: Terms
    edition: int
    phase: Phase
    chairs: tuple[Chair, ...] = ()
    batches: tuple[CommittedBatch, ...] = ()
    seats_drawn: int = 0
    """How many seats were drawn so far (rule 3.12)."""
    seat_seeds: tuple[SeatSeed, ...] = ()
    """What each seat gave to the shuffles of the match; known from the start on (rule 3.8)."""
    standings: Standings | None = None
    """Who has which total; None before the match."""
    order: tuple[Seat, ...] = ()
    """The circle of all seats that started, turned so that who plays first in the last deal stands first (rule 2.5)."""
    deal_number: int = 0
    deal: Deal | None = None
    scored: bool = False
    """Whether the last deal was scored, so that the order moves on; after a void one it stays (rule 2.8)."""
    banks: tuple[tuple[Seat, int], ...] = ()
    """What each seat has left of its time bank, in milliseconds (rule 4.7)."""
    clock: RunningClock | None = None
    frozen_at: int | None = None
    """Since when the table is frozen (rule 13.5)."""
    windows: int = 0
    """How many rejoin and split windows were opened: the number of the last one."""
    rejoin: RejoinWindow | None = None
    split: SplitWindow | None = None
    wish: SplitWish | None = None
    software: str | None = None
    """The software that opened the table, or that dealt last if that is another one (rule 1.1)."""

    @property
    def frozen(self) -> bool:
        """Whether all clocks and moves are stopped (rule 13.5)."""
        return self.frozen_at is not None

    @property
    def closed(self) -> bool:
        """Whether the table has had its last event."""
        return self.phase == "closed"

    @property
    def started(self) -> bool:
        """Whether the match has begun (rule 1.3)."""
        return self.standings is not None

    def chair(self, seat: Seat) -> Chair | None:
        """Who sits there."""
        for one in self.chairs:
            if one.seat == seat:
                return one
        return None

    def bank_ms(self, seat: Seat) -> int:
        """What the seat has left of its time bank."""
        for one, left in self.banks:
            if one == seat:
                return left
        return 0


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """The earliest running deadline: ``ends_at`` is when it fires, time bank and grace included (rule 4.7)."""

    armed_by: int
    what: ClockName
    ends_at: int


def next_clock(table: Table) -> Clock | None:
    """The deadline that runs; none while the table is frozen or an answer is awaited (rule 4.7).

    A payment that is awaited holds the rejoin window open past its time (rule 10.6).
    """
    running = table.clock
    if running is None or table.frozen_at is not None:
        return None
    if table.rejoin is not None and table.rejoin.payment is not None:
        return None
    ends_at = running.ends_at + running.bank_ms + table.terms.late_grace_ms
    return Clock(armed_by=running.armed_by, what=running.what, ends_at=ends_at)
