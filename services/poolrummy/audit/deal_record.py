"""The deal record (`.rdr.json`): one deal and the break after it, complete enough to be played again by anybody.

`contracts/DEAL_RECORD.md` describes it. Canonical JSON: a record that is read and written again has the same bytes.
Events stand in it as they were stored, so that their chain can be followed; what is beside them is computed from them.
"""

from typing import Final, Literal, dataclass_transform

import msgspec

from poolrummy.audit.views import Kind
from poolrummy_contracts import codec
from poolrummy_contracts.cards import Card
from poolrummy_contracts.events import MatchEnd, Obligation, OpenedCard, SeatKind, SeatSeed
from poolrummy_contracts.terms import Seat

FORMAT: Final = "poolrummy-deal-record-1"
SUFFIX: Final = ".rdr.json"


class Unrecorded(ValueError):
    """The bytes are no deal record, or one that contradicts itself; the message says what and where."""


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base of everything in a record."""


class Reader(Part):
    """Whose view the record is: closed cards are in it as far as that reader may see them."""

    kind: Kind
    seat: Seat | None = None


class Batch(Part):
    """Seeds that were promised before a seat was filled, and how many of them were used before this deal."""

    batch: int
    count: int
    root: str
    used: int


class SeatStands(Part):
    """A seat at a moment of the match; ``headroom`` is absent where there is no limit."""

    seat: Seat
    player: str
    kind: SeatKind
    total: int
    state: Literal["playing", "eliminated", "left"]
    rejoins: int = 0
    out_in_deal: int | None = None
    headroom: int | None = None
    drops_left: int = 0
    bank_ms: int = 0
    away: bool = False


class Border(Part):
    """The match just before the deal, or after the last event of the record."""

    v: int
    at: int
    chain: str
    """Chain hash up to this version (hex)."""
    deals_scored: int
    windows: int
    prize_pool: int
    seats: tuple[SeatStands, ...]
    obligations: tuple[Obligation, ...]
    order: tuple[Seat, ...]
    last_scored: bool = False
    last_in: Seat | None = None


class Move(Part):
    """An event; beside it the time left at it, the cards in hand and in the stock after it, its closed card."""

    event: msgspec.Raw
    left_ms: int | None = None
    bank_left_ms: int | None = None
    cards_left: int | None = None
    stock_left: int | None = None
    card: Card | None = None


class Outcome(Part):
    """What came of the deal, in short: it follows from the events."""

    how: Literal["show", "last-seat", "lowest-count", "void", "open"]
    winner: Seat | None = None
    eliminated: tuple[Seat, ...] = ()
    rejoined: tuple[Seat, ...] = ()
    postings: tuple[Obligation, ...] = ()
    match_ended: MatchEnd | Literal["void"] | None = None


class DealRecord(Part):
    """One deal as a reader may know it."""

    format: Literal["poolrummy-deal-record-1"]
    table: str
    deal: int
    view: Reader
    edition: int
    terms_hash: str
    started: int
    """How many seats began the match."""
    opened: msgspec.Raw
    """The event `table-opened`: it holds the terms."""
    match: tuple[msgspec.Raw, ...]
    """The events `match-started` and `toss-drawn`."""
    batches: tuple[Batch, ...]
    seat_seeds: tuple[SeatSeed, ...]
    before: Border
    moves: tuple[Move, ...]
    outcome: Outcome
    after: Border
    cards: tuple[OpenedCard, ...] = ()
    """Cards that did not lie open to everybody, by position, with their openings."""
    seed: str | None = None
    """The seed of the deal (hex), in the auditor's view."""
    checkpoints: tuple[str, ...] = ()
    """Signed checkpoints of the log, byte for byte."""
    software: str | None = None
    """Digest of the software that dealt, where the log names it."""


_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_DECODER: Final = msgspec.json.Decoder(DealRecord)


def write(record: DealRecord) -> bytes:
    """The canonical bytes of a record."""
    return _ENCODER.encode(record)


def read(content: bytes) -> DealRecord:
    """The record in these bytes; ``Unrecorded`` where they are none, or not in the one form that a record has."""
    try:
        codec.canonical(content)
        record = _DECODER.decode(content)
    except (codec.WireError, msgspec.DecodeError) as broken:
        raise Unrecorded(f"this is no deal record of format {FORMAT}: {broken}") from broken
    if write(record) != content:
        raise Unrecorded("the record writes out a default, or is not in canonical form")
    return record
