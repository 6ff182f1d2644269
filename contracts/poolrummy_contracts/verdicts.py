"""What a validator answers, and later the cashier: into the inbox, accepted only while the table waits for it.

The command id of a verdict is ``judge:<table>:<version of the ask>``: a second, late or after-void answer
changes nothing. One that cannot be right is parked (``answer-wrong``), and the true one still counts.
"""

from typing import Annotated, Literal, dataclass_transform

import msgspec

from poolrummy_contracts.cards import Card
from poolrummy_contracts.terms import Seat

VerdictId = Annotated[str, msgspec.Meta(min_length=1, max_length=96)]

GroupKind = Literal["pure_sequence", "sequence", "set", "none"]
ShowReason = Literal[
    "ok",
    "wrong_hand_size",
    "cards_mismatch",
    "group_too_small",
    "invalid_group",
    "extra_group_too_large",
    "no_pure_sequence",
    "too_few_sequences",
    "not_declared_in_time",
]


class Group(msgspec.Struct, frozen=True):
    """A group and its reading: ``stands_for`` says, card by card, which card each one is taken for."""

    kind: GroupKind
    cards: tuple[Card, ...]
    stands_for: tuple[Card, ...]


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class Verdict(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """Base of the answers; ``ask`` is the version of the event that asked."""

    id: VerdictId
    table: str
    ask: int


class ShowVerdict(Verdict, tag="show-verdict"):
    """Whether a show is valid; if not, the first reason and the group it concerns (rules 6.2 and 6.3)."""

    edition: int
    valid: bool
    reason: ShowReason
    group: int | None
    groups: tuple[Group, ...]
    arrangement: tuple[Group, ...] | None
    """For an invalid show: a valid arrangement of the same cards, if there was one (rule 6.3)."""


class HandVerdict(Verdict, tag="hand-verdict"):
    """What a hand counts, with the arrangement that shows it (rule 8.2)."""

    edition: int
    groups: tuple[Group, ...]
    leftover: tuple[Card, ...]
    raw: int
    """Points before the cap of the full count (rule 8.4)."""
    points: int
    complete: bool
    """Whether all 13 cards could be declared."""


class RejoinPayment(Verdict, tag="rejoin-payment"):
    """The cashier's answer to an ask for a rejoin: paid, or declined with the reason (rule 10.6)."""

    seat: Seat
    paid: bool
    reason: str = ""


VerdictMessage = ShowVerdict | HandVerdict | RejoinPayment


def verdict_id(table: str, ask: int) -> str:
    """The command id of the answer to an ask.

    >>> verdict_id("p07-9f2c", 112)
    'judge:p07-9f2c:112'
    """
    return f"judge:{table}:{ask}"
