"""What a platform, a player or an operator asks for: imperative, refused or carried out, never both.

Every command has an ``id`` chosen by its sender (1 to 64 characters). Sending it again gives the stored
answer and does nothing. A player's command names ``player``, which must be who sits in ``seat``, and the
moment it was meant for: ``deal``, and ``turn`` or ``window``, so that a late tap never lands on another turn.
"""

from typing import Annotated, Literal, dataclass_transform

import msgspec

from poolrummy_contracts.cards import Position
from poolrummy_contracts.terms import Seat, Terms, Variant

CommandId = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
PlayerId = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Hex = Annotated[str, msgspec.Meta(max_length=128)]
Reason = Annotated[str, msgspec.Meta(max_length=500)]
Groups = Annotated[tuple[tuple[Position, ...], ...], msgspec.Meta(max_length=14)]
SettingValue = bool | int | str | list[int] | dict[str, int | str]


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """Base of every command; concrete commands carry the literal tag."""

    id: CommandId
    table: str


class SeatCommand(Command):
    """Base of what a player asks for: who, and in which seat."""

    player: PlayerId
    seat: Seat


class OpenTable(Command, tag="open-table"):
    """Open a table with a profile (and overrides), or with complete terms of one's own (rule 1.1)."""

    profile: str | None = None
    variant: Variant | None = None
    seats: int | None = None
    entry_fee: int | None = None
    currency: str | None = None
    rake_bp: int | None = None
    rejoin_payment: Literal["none", "cashier"] | None = None
    overrides: dict[str, SettingValue] = {}
    terms: Terms | None = None


class Sit(SeatCommand, tag="sit"):
    """Take a seat (rule 1.2), or with 0 a free one that is drawn (rule 3.12); robots are marked (rule 1.6).

    ``seed_commitment`` promises a seed of one's own at once (rule 3.8). To ``channel_key``, an age recipient, the
    seat's private lines are sealed; where money is played for it must be there (rule 3.10).
    """

    kind: Literal["person", "robot"] = "person"
    seed_commitment: Hex | None = None
    channel_key: Hex | None = None


class CommitSeed(SeatCommand, tag="commit-seed"):
    """Promise a seed of one's own for the shuffles of the match: its hash, in hex (rule 3.8)."""

    commitment: Hex


class RevealSeed(SeatCommand, tag="reveal-seed"):
    """Lay the promised seed open: 32 bytes in hex (rule 3.8)."""

    seed: Hex


class Leave(SeatCommand, tag="leave"):
    """Leave: free before the start (rule 1.4), a drop and the end of the match for this seat after it (rule 13.1)."""


class SetAway(SeatCommand, tag="set-away"):
    """Say that the player is away; everybody sees it (rule 13.4)."""


class SetBack(SeatCommand, tag="set-back"):
    """Say that the player is back (rule 13.4)."""


class TurnCommand(SeatCommand):
    """Base of the moves of a turn."""

    deal: int
    turn: int


class Draw(TurnCommand, tag="draw"):
    """Draw the top card of the stock, or take the top card of the open pile (rule 4.2)."""

    source: Literal["stock", "open"]


class Discard(TurnCommand, tag="discard"):
    """Lay a card on the open pile and end the turn (rule 4.4)."""

    position: Position


class Drop(SeatCommand, tag="drop"):
    """Drop out of the deal: now on one's own turn, else when it comes (rules 7.1 and 7.6)."""

    deal: int


class WithdrawDrop(SeatCommand, tag="withdraw-drop"):
    """Take back a drop that was asked in advance (rule 7.6)."""

    deal: int


class Finish(TurnCommand, tag="finish"):
    """Lay a card face down on the finish slot and claim a show (rule 6.1)."""

    position: Position


class SaveGroups(SeatCommand, tag="save-groups"):
    """Keep a grouping, privately; rules that need one use the last (rule 6.7)."""

    deal: int
    groups: Groups


class Declare(SeatCommand, tag="declare"):
    """Lay out the 13 cards in groups: the finisher's show, or a loser's hand after a valid one (rules 6.2 and 6.6)."""

    deal: int
    groups: Groups


class AskRejoin(SeatCommand, tag="ask-rejoin"):
    """Come back after elimination, for the price of a rejoin (rule 10.1)."""

    window: int


class RefuseRejoin(SeatCommand, tag="refuse-rejoin"):
    """Say no to the offer, so that nobody has to wait (rule 10.7)."""

    window: int


class SplitAmount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat would get, in minor units."""

    seat: Seat
    amount: int


class AskSplit(SeatCommand, tag="ask-split"):
    """Ask to split the prize among the seats that are left (rule 11.4); amounts only where they are agreed (11.7)."""

    window: int
    amounts: tuple[SplitAmount, ...] = ()


class VoteSplit(SeatCommand, tag="vote-split"):
    """Accept or refuse a split (rule 11.5)."""

    window: int
    accept: bool


class OperatorCommand(Command):
    """Base of an operator's acts: none without a name and a reason."""

    operator: PlayerId
    reason: Reason


class FreezeTable(OperatorCommand, tag="freeze-table"):
    """Stop all clocks and moves of a table (rule 13.5)."""


class UnfreezeTable(OperatorCommand, tag="unfreeze-table"):
    """Let a frozen table play on; its clocks get back what they had left (rule 13.5)."""


class VoidDeal(OperatorCommand, tag="void-deal"):
    """Void the running deal: no points for anybody, a new pack (rule 13.2)."""


class VoidMatch(OperatorCommand, tag="void-match"):
    """Void the match: every seat gets back the larger of its stake and what it had won (rule 13.3)."""


class UnsealSeeds(OperatorCommand, tag="unseal-seeds"):
    """Record that two persons join the auditor's key to open the sealed seeds of a table (rule 3.11)."""

    second_operator: PlayerId


PlayerCommand = (
    Sit
    | CommitSeed
    | RevealSeed
    | Leave
    | SetAway
    | SetBack
    | Draw
    | Discard
    | Drop
    | WithdrawDrop
    | Finish
    | SaveGroups
    | Declare
    | AskRejoin
    | RefuseRejoin
    | AskSplit
    | VoteSplit
)
PlatformCommand = OpenTable | PlayerCommand | FreezeTable | UnfreezeTable | VoidDeal | VoidMatch | UnsealSeeds


class RunClock(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="run-clock"):
    """A deadline of the table has passed. Made by the dealer, never read from the inbox (rule 4.7)."""

    table: str
    deadline: int
    """Which one: the ``number`` that the deadline carries in the state; any other number does nothing."""


class ShiftClocks(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="shift-clocks"):
    """The partition had no owner for so long: all running deadlines move (rule 4.9). Made by the dealer."""

    table: str
    ms: int
    reason: str


class FreezeFault(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="freeze-fault"):
    """Our own code raised on a command: the table stops until an operator looked (rule 13.5). Made by the dealer."""

    table: str
    reason: str


SystemCommand = RunClock | ShiftClocks | FreezeFault
