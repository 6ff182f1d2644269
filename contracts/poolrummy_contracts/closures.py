"""What is closed to new play: everything, money, a profile, variant or player; who closed it, when and why (R23, R29).

A closure turns away new tables and whoever sits down; a match that runs is played to its end, and what an operator does
(voids, refunds) stays possible. Each partition keeps all closures and openings in one stream, chained like a table log:
nothing is ever taken out of it, and what holds now is folded from it.
"""

from collections.abc import Iterable
from typing import Annotated, Final, NamedTuple, dataclass_transform

import msgspec

from poolrummy_contracts.commands import PlayerId, Reason
from poolrummy_contracts.envelope import chain_start
from poolrummy_contracts.terms import Terms

KindName = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class Scope(NamedTuple):
    """What is closed: tables to which all of this applies. Nothing named is everything."""

    player: str | None = None
    profile: str | None = None
    variant: str | None = None
    money_only: bool = False

    def holds(self, terms: Terms, player: str | None) -> bool:
        """Whether a table with these terms is closed to this player (None: to whoever opens it)."""
        if self.player is not None and self.player != player:
            return False
        if self.profile not in {None, terms.profile} or self.variant not in {None, terms.variant}:
            return False
        return not self.money_only or terms.currency != "practice"


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class Act(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """Base of what an operator did to new play: none without a name and a reason."""

    n: int
    at: int
    operator: PlayerId
    reason: Reason
    player: PlayerId | None = None
    profile: KindName | None = None
    variant: KindName | None = None
    money_only: bool = False

    @property
    def scope(self) -> Scope:
        """What it closes or opens."""
        return Scope(self.player, self.profile, self.variant, self.money_only)


class PlayClosed(Act, tag="play-closed"):
    """No new play from now on, as far as the scope goes."""


class PlayOpened(Act, tag="play-opened"):
    """The closure of exactly this scope is over."""


ClosureAct = PlayClosed | PlayOpened
Closures = dict[Scope, PlayClosed]

_DECODER: Final = msgspec.json.Decoder(ClosureAct)
_ENCODER: Final = msgspec.json.Encoder(order="sorted")


def encode(act: ClosureAct) -> bytes:
    """The canonical bytes of an act."""
    return _ENCODER.encode(act)


def decode(stored: bytes) -> ClosureAct:
    """The act in these bytes; ``ValueError`` where there is none."""
    try:
        return _DECODER.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as unreadable:
        raise ValueError(f"this is no act on new play: {unreadable}") from unreadable


def chain_begin(partition: int) -> bytes:
    """The chain hash of a partition in which nothing was ever closed (32 bytes)."""
    return chain_start(f"closures of partition {partition}")


def evolve(closures: Closures, act: ClosureAct) -> Closures:
    """What is closed after one more act."""
    rest = {scope: closed for scope, closed in closures.items() if scope != act.scope}
    return {**rest, act.scope: act} if isinstance(act, PlayClosed) else rest


def against(closures: Closures, terms: Terms, player: str | None, *, playing: bool = False) -> PlayClosed | None:
    """The closure that turns this player away; None where nothing does.

    Who plays already (and wants to come back into the match) is turned away only by what is about that player.
    """
    found: Iterable[PlayClosed] = (
        closed for scope, closed in closures.items() if scope.holds(terms, player) and (scope.player or not playing)
    )
    return next(iter(found), None)
