"""What stands in a dossier, whatever it is printed as: the page and the JSON are two forms of these structs.

Times are milliseconds, money is minor units, points are integers. A card without a face is one that the reader may
not see, or that is not known here.
"""

from typing import Final, Literal

from poolrummy.audit.dossier.part import Part
from poolrummy.audit.dossier.proof_content import Proofs
from poolrummy.audit.time_left import TimeLeft
from poolrummy.audit.views import Kind
from poolrummy_contracts.cards import Card, Position
from poolrummy_contracts.events import Actor, SeatKind
from poolrummy_contracts.terms import Seat
from poolrummy_contracts.verdicts import GroupKind

FORMAT: Final = "poolrummy-dossier-1"
About = Literal["charge", "move", "elimination", "rejoin", "split", "match"]


class CardSeen(Part):
    """A card as the reader sees it; without a face it lies with its back up."""

    position: Position | None = None
    card: Card | None = None
    wild: bool = False
    points: int | None = None
    stands_for: Card | None = None


class Statement(Part):
    """A sentence, and the paragraphs of the rulebook that it rests on."""

    text: str
    rules: tuple[str, ...] = ()


class Answer(Part):
    """The first screen: the question, the sentence that answers it, and what else happened to the seat in this deal."""

    about: About
    question: str
    sentence: str
    rules: tuple[str, ...]
    also: tuple[Statement, ...] = ()
    at_v: int | None = None
    """The step at which it was decided."""


class SeatInMatch(Part):
    """A seat of the match, as it stands at the end of the log."""

    seat: Seat
    player: str
    kind: SeatKind
    total: int
    state: str
    rejoins: int = 0
    place: int | None = None
    prize: int | None = None


class Match(Part):
    """The table, its rules in short, and who plays."""

    profile: str
    variant: str
    edition: int
    terms_hash: str
    limit: int | None
    currency: str
    entry_fee: int
    prize_pool: int
    opened_at: int
    phase: str
    how: str | None
    seats: tuple[SeatInMatch, ...]


class ScoreCell(Part):
    """What a deal cost a seat: the total after it, and the score of a rejoin in the break after it."""

    seat: Seat
    points: int
    reason: str
    total: int
    out: bool = False
    rejoined_on: int | None = None


class SheetRow(Part):
    """One deal on the score sheet; no cells for a void one."""

    deal: int
    how: str
    cells: tuple[ScoreCell, ...] = ()


class TotalBar(Part):
    """A seat against the limit at the end of the deal: what it had, what the deal cost, how much room is left."""

    seat: Seat
    player: str
    before: int
    points: int
    total: int
    reason: str
    headroom: int | None
    drops_left: int
    state: str
    arithmetic: str


class HandSeen(Part):
    """What a seat held at a moment, as the reader sees it."""

    seat: Seat
    player: str
    cards: tuple[CardSeen, ...]


class Step(Part):
    """One event: when, who acted by which rule, what happened, which cards it shows, what its seat held before it."""

    v: int
    at: int
    type: str
    actor: Actor
    rule: str
    text: str
    deal: int = 0
    turn: int = 0
    seat: Seat | None = None
    player: str | None = None
    cause: str | None = None
    cards: tuple[CardSeen, ...] = ()
    cards_left: int | None = None
    stock_left: int | None = None
    clock: TimeLeft | None = None
    held: tuple[HandSeen, ...] = ()
    open_top: CardSeen | None = None


class GroupSeen(Part):
    """A group with its reading; ``fault`` says what is wrong with it."""

    kind: GroupKind
    cards: tuple[CardSeen, ...]
    reading: str
    fault: str | None = None


class ShowSeen(Part):
    """A show: its groups, the verdict with its reason, and a valid arrangement of the same cards if there was one."""

    v: int
    seat: Seat
    player: str
    valid: bool
    verdict: Statement
    groups: tuple[GroupSeen, ...]
    timed_out: bool = False
    points: int = 0
    arrangement: tuple[GroupSeen, ...] | None = None
    possible: str = ""


class CountSeen(Part):
    """How a hand was counted: the arrangement, card by card what counts, and what its seat was charged."""

    v: int
    seat: Seat
    player: str
    basis: str
    late: bool
    groups: tuple[GroupSeen, ...]
    counting: tuple[CardSeen, ...]
    sum: str
    raw: int
    counted: int
    points: int
    explanation: Statement
    hand: tuple[CardSeen, ...] = ()


class Sum(Part):
    """Arithmetic line by line: what was computed, each line with its rule, and the result."""

    title: str
    lines: tuple[Statement, ...]
    seat: Seat | None = None
    v: int | None = None


class DealTold(Part):
    """One deal from the shuffle to the break after it."""

    deal: int
    order: tuple[Seat, ...]
    dealer: Seat
    wild: CardSeen
    wild_rank: str
    open: CardSeen
    ending: str
    first_v: int
    last_v: int
    hands: tuple[HandSeen, ...]
    steps: tuple[Step, ...]
    bars: tuple[TotalBar, ...] = ()
    shows: tuple[ShowSeen, ...] = ()
    counts: tuple[CountSeen, ...] = ()
    sums: tuple[Sum, ...] = ()


class RefusedCommand(Part):
    """A command that changed nothing: when it was answered, at which version, why; who asked, where that is known."""

    at: int
    v: int
    command: str
    code: str
    sentence: str
    what: str | None = None
    seat: Seat | None = None
    deal: int | None = None


class Paragraph(Part):
    """A paragraph of the rulebook that the dossier cites."""

    number: str
    title: str
    text: str


class Dossier(Part):
    """Everything that a reader of this view is told."""

    format: str
    table: str
    view: Kind
    view_seat: Seat | None
    deal: int | None
    seat: Seat | None
    answer: Answer
    match: Match
    sheet: tuple[SheetRow, ...]
    opening: tuple[Step, ...]
    deals: tuple[DealTold, ...]
    refused: tuple[RefusedCommand, ...]
    proofs: Proofs
    rules: tuple[Paragraph, ...]
    notes: tuple[str, ...]
