"""Which settings of the terms touch groups and their count, and nothing else of the terms (rulebook 5, 6, 8)."""

import sys
from typing import Final, Literal

import msgspec

from poolrummy_contracts.cards import PRINTED_JOKER, Card
from poolrummy_contracts.terms import Terms

JokerOnly = Literal["allowed", "printed_only_refused", "refused"]
LoserCount = Literal["tiered", "unmatched_always", "unmatched_if_pure", "all_unless_two_sequences"]
NoPureCount = Literal["sum_capped", "flat_full"]

UNLIMITED: Final = sys.maxsize
"""Stands for the word ``none`` of a setting that limits a number."""


class MeldRules(msgspec.Struct, frozen=True, kw_only=True):
    """What the arranger has to know of the terms; the defaults are those of the profile ``house``.

    >>> MeldRules() == HOUSE
    True
    """

    wild_natural_pure: bool = True
    joker_only_group: JokerOnly = "allowed"
    max_jokers_per_group: int = UNLIMITED
    max_set_size: int = 4
    max_sequence_length: int = UNLIMITED
    max_extra_group_size: int = UNLIMITED
    loser_count: LoserCount = "tiered"
    no_pure_count: NoPureCount = "sum_capped"
    full_count_cap: int = 80
    best_arrangement: bool = False

    @property
    def any_number_fits(self) -> bool:
        """Whether a sequence takes any number of jokers, so that none is left over beside a second sequence."""
        return self.max_jokers_per_group == self.max_sequence_length == self.max_extra_group_size == UNLIMITED

    @staticmethod
    def of(terms: Terms) -> "MeldRules":
        """The part of the terms of a table that the arranger reads."""
        return MeldRules(
            wild_natural_pure=terms.wild_natural_pure,
            joker_only_group=terms.joker_only_group,
            max_jokers_per_group=_limit(terms.max_jokers_per_group),
            max_set_size=_limit(terms.max_set_size),
            max_sequence_length=_limit(terms.max_sequence_length),
            max_extra_group_size=_limit(terms.max_extra_group_size),
            loser_count=terms.loser_count,
            no_pure_count=terms.no_pure_count,
            full_count_cap=terms.full_count_cap,
            best_arrangement=terms.declare_validation == "best_arrangement",
        )


HOUSE: Final = MeldRules()


def wild_rank(wild: str) -> str:
    """The wild rank, where a turned-up card or its rank is given: aces for a printed joker (rule 3.4).

    >>> wild_rank("4"), wild_rank("4S"), wild_rank("JK")
    ('4', '4', 'A')
    """
    return "A" if wild == PRINTED_JOKER else wild[0]


def is_joker(card: Card, wild: str) -> bool:
    """Whether a card can act as a joker: a printed one, or a card of the wild rank (rule 5.3)."""
    return card == PRINTED_JOKER or card[0] == wild


def _limit(setting: int | Literal["none"]) -> int:
    return UNLIMITED if setting == "none" else setting
