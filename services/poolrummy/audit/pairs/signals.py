"""What is looked at between two players, how often it happens anyway, and what innocent reasons it has."""

from typing import Final, Literal

import msgspec

Name = Literal[
    "fitted", "gave-up", "took", "held-back", "left-in-time", "stood-aside", "won-beside", "prize-beside", "split"
]
Base = Literal["giver", "taker", "both"]


class Signal(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of evidence from a giver to a taker: of ``n`` chances, ``k`` were used.

    ``odds_permille`` are the alternatives: how many times the usual odds it would be if there were a pact.
    """

    name: Name
    chance: str
    hit: str
    base: Base
    """Whose habit elsewhere the base rate comes from."""
    odds_permille: tuple[int, ...]
    innocent: str


SIGNALS: Final[tuple[Signal, ...]] = (
    Signal(
        name="fitted",
        chance="draws of the taker, its hand known, with a discard on top for which the giver had a choice",
        hit="the discard made three of a suit or of a rank with cards of the taker",
        base="both",
        odds_permille=(1500, 2500),
        innocent="chance, or a player who does not watch what is picked up",
    ),
    Signal(
        name="gave-up",
        chance="such discards that fitted the taker, or may have; the giver's hand known",
        hit="the discard was tied in the giver's hand while a card without any tie stayed",
        base="giver",
        odds_permille=(2500, 6000),
        innocent="a beginner, or a player who counts what is gone",
    ),
    Signal(
        name="took",
        chance="draws of the taker with the giver's discard on top",
        hit="the taker took it",
        base="both",
        odds_permille=(1300, 2000),
        innocent="the giver plays by another plan than most and lays off what others need",
    ),
    Signal(
        name="held-back",
        chance="deals in which the giver could have shown while the taker was in and not close to a show",
        hit="the giver laid off instead",
        base="giver",
        odds_permille=(3000, 10_000),
        innocent="the show was overlooked",
    ),
    Signal(
        name="left-in-time",
        chance="turns of the giver, who had drawn before, with the taker close to the show that won it the deal",
        hit="the giver took a middle drop",
        base="both",
        odds_permille=(4000, 12_000),
        innocent="the taker's play gives away that a show is near",
    ),
    Signal(
        name="stood-aside",
        chance="first turns of the giver with the taker close to the show that won it the deal",
        hit="the giver took a first drop",
        base="both",
        odds_permille=(2000, 5000),
        innocent="a poor hand, or a high total that asks for care",
    ),
    Signal(
        name="won-beside",
        chance="deals in which both were dealt in",
        hit="the taker won the deal",
        base="both",
        odds_permille=(1200, 1600),
        innocent="the taker plays better when they meet: other stakes, other hours, weaker tables",
    ),
    Signal(
        name="prize-beside",
        chance="matches that both started",
        hit="the taker had the highest prize",
        base="taker",
        odds_permille=(1300, 2000),
        innocent="as with deals; and few matches say little",
    ),
    Signal(
        name="split",
        chance="the giver's votes on a split that the taker asked",
        hit="the giver accepted",
        base="giver",
        odds_permille=(3000,),
        innocent="the offer was fair",
    ),
)

BY_NAME: Final[dict[str, Signal]] = {signal.name: signal for signal in SIGNALS}
