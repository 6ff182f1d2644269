"""What happened, for ever: past tense, literal tags, outcomes and not recipes.

``v`` is the version (place in the table's log, from 1), ``at`` the time in milliseconds, ``actor`` who did it: no
move without an author. ``rule`` is the paragraph of RULEBOOK.md that made it so, ``cause`` the id of the command
that led to it (absent where a clock did). No hidden card stands in an event: a card that nobody may see is a
:data:`Position`. Points are integers, money is minor units, times are milliseconds.
"""

from typing import Literal, dataclass_transform

import msgspec

from poolrummy_contracts.cards import Card, Position
from poolrummy_contracts.commands import SplitAmount
from poolrummy_contracts.terms import Seat, Terms
from poolrummy_contracts.verdicts import Group, ShowReason

Actor = Literal["player", "timer", "system", "operator"]
SeatKind = Literal["person", "robot"]
DropKind = Literal["first", "middle", "misses", "policy", "left"]
CountBasis = Literal["best", "placed"]
ScoreReason = Literal["won", "dropped", "wrong-show", "no-turn", "late", "counted", "left"]
DealEnd = Literal["show", "last-seat", "lowest-count"]
MatchEnd = Literal["last-seat", "split", "auto-split", "lead", "deals"]
DeclineReason = Literal["player", "threshold", "payment"]
SeatSeedState = Literal["none", "revealed", "withheld"]


class ShownCard(msgspec.Struct, frozen=True):
    """A card that everybody may see, and which one of the pack it is."""

    card: Card
    position: Position


class OpenedCard(msgspec.Struct, frozen=True):
    """A card with its opening: salt and Merkle path (hex) that lead to the root of its pack."""

    card: Card
    position: Position
    salt: str
    path: tuple[str, ...]


class PackCommitment(msgspec.Struct, frozen=True):
    """The promise about a generation of the pack: Merkle root and transcript hash (hex), number of cards."""

    cards: int
    root: str
    transcript: str


class Sealed(msgspec.Struct, frozen=True):
    """Bytes sealed to the keys named here (age format, base64)."""

    keys: tuple[str, ...]
    blob: str


class SeedProof(msgspec.Struct, frozen=True):
    """Which seed of which batch a pack is shuffled by: the seed's hash, and its Merkle path to the batch's root."""

    batch: int
    index: int
    leaf: str
    path: tuple[str, ...]


class BatchSeed(msgspec.Struct, frozen=True):
    """A seed of a batch (hex), laid open."""

    index: int
    seed: str


class SeatSeed(msgspec.Struct, frozen=True):
    """What a seat gave to the shuffles of its match: nothing, a seed, or a promise that it did not keep."""

    seat: Seat
    state: SeatSeedState
    commitment: str | None = None
    seed: str | None = None


class DealtHand(msgspec.Struct, frozen=True):
    """The 13 positions that a seat was dealt."""

    seat: Seat
    positions: tuple[Position, ...]


class TossCard(msgspec.Struct, frozen=True):
    """What a seat drew in the toss."""

    seat: Seat
    card: Card


class SeatedPlayer(msgspec.Struct, frozen=True):
    """Who sits where."""

    seat: Seat
    player: str
    kind: SeatKind


class Obligation(msgspec.Struct, frozen=True):
    """Money that is owed: who, what for, how much (minor units). Moving it is the cashier's work."""

    seat: Seat
    player: str
    kind: Literal["entry", "entry-fee", "rejoin", "rejoin-fee", "prize", "refund"]
    amount: int


class SeatScore(msgspec.Struct, frozen=True):
    """What a deal cost a seat, why, and its total after it."""

    seat: Seat
    points: int
    reason: ScoreReason
    total: int


class RejoinOffer(msgspec.Struct, frozen=True):
    """What a rejoin would cost now, and the score it gives now."""

    seat: Seat
    score: int
    price: int


class SplitShare(msgspec.Struct, frozen=True):
    """How a seat's part of a split came about (rule 11.6)."""

    seat: Seat
    drops_left: int
    bonus: int
    share: int
    amount: int


class Place(msgspec.Struct, frozen=True):
    """Where a seat ended in the match, and its prize in minor units."""

    place: int
    seat: Seat
    player: str
    total: int
    prize: int


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """Base of every recorded event; concrete events carry the literal tag."""

    v: int
    table: str
    at: int
    actor: Actor
    rule: str
    cause: str | None = None
    deal: int | None = None
    turn: int | None = None


# -- the table before the match -------------------------------------------------------------------------------


class TableOpened(Event, tag="table-opened"):
    """A table was opened with these terms; without enough seats taken by ``fill_until`` it is void.

    ``software`` names the dealer's software: the digest of its files (``poolrummy identity``).
    """

    terms: Terms
    terms_hash: str
    edition: int
    fill_until: int
    software: str | None = None


class SeedsCommitted(Event, tag="seeds-committed"):
    """A batch of server seeds was drawn: ``root`` is the promise about all of them, ``sealed`` holds them.

    The sealed bytes are the seeds one after the other, all of one length. The last one is never dealt with: the next
    batch is drawn from it, so that all seeds of a match are promised before anybody sits down.
    """

    batch: int
    count: int
    root: str
    sealed: Sealed


class SeatTaken(Event, tag="seat-taken"):
    """A person or a marked robot sat down; with a ``channel_key`` its private lines are sealed to that key.

    ``drawn`` numbers the draws of a table: the seat was drawn among the free ones.
    """

    seat: Seat
    player: str
    kind: SeatKind
    channel_key: str | None = None
    drawn: int | None = None


class SeatSeedCommitted(Event, tag="seat-seed-committed"):
    """A seat promised a seed of its own."""

    seat: Seat
    commitment: str


class SeatSeedRevealed(Event, tag="seat-seed-revealed"):
    """A seat laid its own seed (hex) open; it keeps its promise."""

    seat: Seat
    seed: str


class SeatVacated(Event, tag="seat-vacated"):
    """A player left before the start, free of charge."""

    seat: Seat
    player: str


class StartScheduled(Event, tag="start-scheduled"):
    """Enough seats are taken: the match starts at ``starts_at``, or as soon as the table is full."""

    starts_at: int


class StartCancelled(Event, tag="start-cancelled"):
    """Too few seats are left: the countdown stopped."""

    fill_until: int


class MatchStarted(Event, tag="match-started"):
    """The match began with these seats; entries are owed, the prize pool is what they add to it.

    ``seat_seeds`` says for every seat whether it gave a seed of its own: that is closed now.
    """

    seats: tuple[SeatedPlayer, ...]
    obligations: tuple[Obligation, ...]
    prize_pool: int
    seat_seeds: tuple[SeatSeed, ...] = ()


class TossDrawn(Event, tag="toss-drawn"):
    """The toss: what each seat drew, round by round (a tie of equal cards draws again), and the order of play."""

    pack: PackCommitment
    proof: SeedProof
    seed: str
    rounds: tuple[tuple[TossCard, ...], ...]
    order: tuple[Seat, ...]


# -- a deal ---------------------------------------------------------------------------------------------------


class DealStarted(Event, tag="deal-started"):
    """A pack was committed to and dealt; ``order`` is the order of play, the dealer plays last.

    ``software`` names the dealer's software where it is another one than the table's last.
    """

    pack: PackCommitment
    proof: SeedProof
    order: tuple[Seat, ...]
    dealer: Seat
    hands: tuple[DealtHand, ...]
    wild: OpenedCard
    wild_rank: str
    open: OpenedCard
    stock: tuple[Position, ...]
    set_aside: tuple[OpenedCard, ...] = ()
    software: str | None = None


class TurnStarted(Event, tag="turn-started"):
    """A seat is on turn until ``ends_at``, and then as long as its time bank lasts."""

    seat: Seat
    ends_at: int
    bank_ms: int


class CardDrawn(Event, tag="card-drawn"):
    """A seat drew; the face is told only where the card lay open."""

    seat: Seat
    source: Literal["stock", "open"]
    position: Position
    card: Card | None = None


class CardDiscarded(Event, tag="card-discarded"):
    """A card went to the open pile."""

    seat: Seat
    position: Position
    card: Card


class CardReturned(Event, tag="card-returned"):
    """A card taken from the open pile went back to it as it was, for its turn ran out."""

    seat: Seat
    position: Position
    card: Card


class TurnMissed(Event, tag="turn-missed"):
    """A turn ran out; ``misses`` counts how many in a row."""

    seat: Seat
    misses: int


class SeatDropped(Event, tag="seat-dropped"):
    """A seat is out of the deal at this price."""

    seat: Seat
    kind: DropKind
    points: int


class StockReshuffled(Event, tag="stock-reshuffled"):
    """The open cards but the top became a new stock: generation ``generation`` of the pack, with its own root."""

    pack: PackCommitment
    generation: int
    taken: tuple[Position, ...]
    stock: tuple[Position, ...]


class FinishCalled(Event, tag="finish-called"):
    """A seat laid a card face down on the finish slot; it declares until ``ends_at``."""

    seat: Seat
    position: Position
    ends_at: int


class ShowDeclared(Event, tag="show-declared"):
    """A show was laid out: the validator is asked whether it is valid; ``hand`` is what the seat holds."""

    seat: Seat
    hand: tuple[ShownCard, ...]
    groups: tuple[tuple[ShownCard, ...], ...]
    wild_rank: str
    timed_out: bool = False


class ShowJudged(Event, tag="show-judged"):
    """The verdict on a show. A wrong one costs ``points`` and its seat is out of the deal."""

    seat: Seat
    ask: int
    edition: int
    valid: bool
    reason: ShowReason
    points: int
    groups: tuple[Group, ...]
    group: int | None = None
    arrangement: tuple[Group, ...] | None = None
    finish_card: ShownCard | None = None


class ShowForfeited(Event, tag="show-forfeited"):
    """The finisher did not declare in time and the terms call that a wrong show; the hand stays closed."""

    seat: Seat
    points: int
    finish_card: ShownCard | None = None


class DeclareWindowOpened(Event, tag="declare-window-opened"):
    """A valid show: these seats arrange their hands until ``ends_at``."""

    winner: Seat
    seats: tuple[Seat, ...]
    ends_at: int


class HandDeclared(Event, tag="hand-declared"):
    """A loser grouped the hand; it is laid open when the window closes."""

    seat: Seat
    groups: tuple[tuple[Position, ...], ...]


class HandLaidOpen(Event, tag="hand-laid-open"):
    """A hand that is to be counted: the validator is asked what it counts."""

    seat: Seat
    hand: tuple[ShownCard, ...]
    groups: tuple[tuple[ShownCard, ...], ...]
    wild_rank: str
    basis: CountBasis
    late: bool


class HandCounted(Event, tag="hand-counted"):
    """What a hand counts, and what its seat is charged for it."""

    seat: Seat
    ask: int
    edition: int
    groups: tuple[Group, ...]
    leftover: tuple[Card, ...]
    raw: int
    counted: int
    points: int
    complete: bool


class DealScored(Event, tag="deal-scored"):
    """The deal is over: exactly one winner, who has 0, and what it cost everybody who was dealt in."""

    how: DealEnd
    winner: Seat
    scores: tuple[SeatScore, ...]


class DealVoided(Event, tag="deal-voided"):
    """The deal counts for nobody."""

    reason: str
    operator: str | None = None


class SeedRevealed(Event, tag="seed-revealed"):
    """The seed (hex) of a pack was laid open: anybody can deal it again."""

    of_deal: int
    seed: str


# -- between deals --------------------------------------------------------------------------------------------


class SeatEliminated(Event, tag="seat-eliminated"):
    """A seat's total reached the limit."""

    seat: Seat
    total: int


class RejoinOffered(Event, tag="rejoin-offered"):
    """Eliminated seats may come back until ``ends_at``."""

    window: int
    ends_at: int
    offers: tuple[RejoinOffer, ...]


class RejoinAsked(Event, tag="rejoin-asked"):
    """A seat wants to come back; with a cashier the answer is awaited."""

    window: int
    seat: Seat
    price: int
    payment: Literal["none", "cashier"]


class RejoinQueued(Event, tag="rejoin-queued"):
    """A seat wants to come back; an earlier ask is settled first, so that nobody pays for a score that is gone."""

    window: int
    seat: Seat


class RejoinGranted(Event, tag="rejoin-granted"):
    """A seat came back at this score; the prize pool is what it is now."""

    window: int
    seat: Seat
    score: int
    price: int
    obligations: tuple[Obligation, ...]
    prize_pool: int


class RejoinDeclined(Event, tag="rejoin-declined"):
    """An offer was refused: by the player, by the threshold, or by the cashier."""

    window: int
    seat: Seat
    why: DeclineReason
    detail: str = ""


class RejoinClosed(Event, tag="rejoin-closed"):
    """The window is over; who has not come back stays out."""

    window: int


class SplitOffered(Event, tag="split-offered"):
    """The seats that are left may ask for a split until ``ends_at``."""

    window: int
    ends_at: int


class SplitRequested(Event, tag="split-requested"):
    """A split was asked while eliminated seats may still come back: it waits for the close of that window."""

    window: int
    seat: Seat
    amounts: tuple[SplitAmount, ...] = ()


class SplitAsked(Event, tag="split-asked"):
    """A split is proposed; the others vote until ``ends_at``, silence is a no."""

    window: int
    seat: Seat
    shares: tuple[SplitShare, ...]
    ends_at: int


class SplitVoted(Event, tag="split-voted"):
    """A seat accepted or refused."""

    window: int
    seat: Seat
    accept: bool


class SplitClosed(Event, tag="split-closed"):
    """No split: nobody asked, or somebody refused or kept silent."""

    window: int
    why: Literal["not-asked", "refused", "silence"]


class SplitAgreed(Event, tag="split-agreed"):
    """All seats that are left accepted these amounts."""

    window: int
    amounts: tuple[SplitAmount, ...]


class SeatForfeited(Event, tag="seat-forfeited"):
    """A player left the running match: out without a rejoin, the entry stays in the pool."""

    seat: Seat
    player: str


# -- the end --------------------------------------------------------------------------------------------------


class MatchEnded(Event, tag="match-ended"):
    """The match is decided; prizes are owed and sum to the pool."""

    how: MatchEnd
    places: tuple[Place, ...]
    obligations: tuple[Obligation, ...]


class MatchVoided(Event, tag="match-voided"):
    """The match counts for nobody; refunds are owed."""

    reason: str
    obligations: tuple[Obligation, ...]
    operator: str | None = None


class BatchClosed(Event, tag="batch-closed"):
    """Every seed of a batch is accounted for: used in a toss, a deal or for the next batch, or never used.

    ``seeds`` holds those that no other event laid open, where the terms lay seeds open to the public.
    """

    batch: int
    used: tuple[int, ...]
    unused: tuple[int, ...]
    seeds: tuple[BatchSeed, ...] = ()


class TableClosed(Event, tag="table-closed"):
    """The last event of every table."""


# -- at any time ----------------------------------------------------------------------------------------------


class SeatAway(Event, tag="seat-away"):
    """A player said that he is away."""

    seat: Seat


class SeatBack(Event, tag="seat-back"):
    """A player is back."""

    seat: Seat


class TableFrozen(Event, tag="table-frozen"):
    """All clocks and moves stopped: by an operator, or by a fault of our own."""

    reason: str
    operator: str | None = None


class TableUnfrozen(Event, tag="table-unfrozen"):
    """The table plays on; its clocks moved by ``ms``."""

    reason: str
    operator: str
    ms: int


class ClocksShifted(Event, tag="clocks-shifted"):
    """All running deadlines moved: nobody is punished for a pause of the platform."""

    ms: int
    reason: str


class SeedsUnsealed(Event, tag="seeds-unsealed"):
    """Two persons joined the auditor's key to open the sealed seeds of this table, for this reason."""

    operators: tuple[str, ...]
    reason: str


TableEvent = (
    TableOpened
    | SeedsCommitted
    | SeatTaken
    | SeatSeedCommitted
    | SeatSeedRevealed
    | SeatVacated
    | StartScheduled
    | StartCancelled
    | MatchStarted
    | TossDrawn
    | DealStarted
    | TurnStarted
    | CardDrawn
    | CardDiscarded
    | CardReturned
    | TurnMissed
    | SeatDropped
    | StockReshuffled
    | FinishCalled
    | ShowDeclared
    | ShowJudged
    | ShowForfeited
    | DeclareWindowOpened
    | HandDeclared
    | HandLaidOpen
    | HandCounted
    | DealScored
    | DealVoided
    | SeedRevealed
    | SeatEliminated
    | RejoinOffered
    | RejoinAsked
    | RejoinQueued
    | RejoinGranted
    | RejoinDeclined
    | RejoinClosed
    | SplitOffered
    | SplitRequested
    | SplitAsked
    | SplitVoted
    | SplitClosed
    | SplitAgreed
    | SeatForfeited
    | MatchEnded
    | MatchVoided
    | BatchClosed
    | TableClosed
    | SeatAway
    | SeatBack
    | TableFrozen
    | TableUnfrozen
    | ClocksShifted
    | SeedsUnsealed
)
