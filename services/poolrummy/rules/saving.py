"""The most points that groups can take out of a hand, for each thing that a way of counting asks for (rule 8.2).

Here a hand becomes keys of the suit tables, and the terms become an engine of the search.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from poolrummy.rules import few_jokers, fold_any, fold_few
from poolrummy.rules.any_jokers import SuitTables, plain_of
from poolrummy.rules.meld_rules import MeldRules
from poolrummy.rules.packed import (
    ALL_SUITS,
    HIGH_ACES,
    JOKERS_SHIFT,
    LOW_ACES,
    ONES,
    POINTS_MASK,
    POINTS_SHIFT,
    SHIFTS,
    SUIT_MASK,
    Wild,
)
from poolrummy.rules.search import Engine, Fold, Keys, Node, Search, Vector
from poolrummy.rules.windows import LONGEST
from poolrummy_contracts.cards import SUITS, Card

Need = Literal["any", "pure", "second"]

FEW: Final = Engine(few_jokers.records.get, few_jokers.record, fold_few.fold, fold_few.add, 4)


class Tables(NamedTuple):
    """The tables of the suits for terms of one shape, and the engines that work with them."""

    suits: SuitTables
    engines: dict[Need, Engine]
    few: bool
    """Whether the fast engine may be used for a pure and a second sequence with up to three jokers."""
    joker_group: bool
    """Whether any three jokers are a sequence by themselves (rule 5.6)."""
    wild_group: bool
    """Whether three jokers are one if a wild card among them stands for itself."""


def tables_for(rules: MeldRules) -> Tables:
    """The tables for these rules; rules that differ only in what no table asks for share them."""
    return _tables(
        min(rules.max_sequence_length, 13),
        min(rules.max_jokers_per_group, 3),
        rules.wild_natural_pure,
        rules.joker_only_group,
    )


@lru_cache(4)
def _tables(longest: int, most_jokers: int, wild_pure: bool, joker_only: str) -> Tables:
    suits = SuitTables(longest=longest, most_jokers=most_jokers, wild_pure=wild_pure)
    joker_group = joker_only == "allowed" and most_jokers >= 3
    second = fold_any.with_second_or_jokers if joker_group else fold_any.with_second

    def engine(fold: Fold) -> Engine:
        return Engine(suits.records.get, suits.record, fold, fold_any.add, 0)

    return Tables(
        suits=suits,
        engines={"any": engine(fold_any.any_groups), "pure": engine(fold_any.with_pure), "second": engine(second)},
        few=joker_group and longest >= LONGEST,
        joker_group=joker_group,
        wild_group=not joker_group and joker_only != "refused" and most_jokers >= 2,
    )


class Packed(NamedTuple):
    """A hand of cards as numbers."""

    code: int
    total: int
    jokers: int
    runs: int
    """Where a pure sequence begins; 0 where none can be formed."""


def pack(hand: Sequence[str], wild: Wild, tables: Tables) -> Packed:
    """The hand as numbers (see ``packed``)."""
    return _unpacked(sum(map(wild.code, hand)), wild, tables)


def _unpacked(code: int, wild: Wild, tables: Tables) -> Packed:
    present = (code | code >> 1) & ONES
    if not tables.suits.wild_pure:
        present &= ~wild.mask_all
    runs = present & present >> 2 & present >> 4
    return Packed(code, code >> POINTS_SHIFT & POINTS_MASK, code >> JOKERS_SHIFT, runs)


def most_saved(hand: Packed, wild: Wild, tables: Tables, need: Need, *, alone: bool = False) -> Search:
    """The search for the most points saved; its ``best`` is below 0 where what is needed cannot be formed."""
    few = tables.few and need == "second" and hand.jokers <= 3
    search = Search(FEW if few else tables.engines[need], hand.total, -1)
    search.run(_keys(hand, wild, tables, need), hand.jokers, hand.code & ALL_SUITS & ~wild.mask_all, alone=alone)
    return search


def _keys(hand: Packed, wild: Wild, tables: Tables, need: Need) -> Keys:
    """The keys of the four suits: cards that can be in no sequence left out, wild cards only where they may matter."""
    held = hand.code & ALL_SUITS
    runs = hand.runs
    if hand.jokers <= 1:
        # No joker: only runs matter. One joker: only cards with a neighbour at most two places away.
        present = (held | held >> 1) & ONES
        if hand.jokers:
            near = present & (present << 2 | present >> 2 | present << 4 | present >> 4)
        else:
            near = runs | runs << 2 | runs << 4
        near |= (near & LOW_ACES) << 26 | (near & HIGH_ACES) >> 26
        held &= near | near << 1
    if tables.suits.limited:
        spades, hearts, diamonds, clubs = (held >> shift & SUIT_MASK for shift in SHIFTS)
        mask, tag = wild.mask, wild.tag
        return (
            spades | tag if spades & mask else spades,
            hearts | tag if hearts & mask else hearts,
            diamonds | tag if diamonds & mask else diamonds,
            clubs | tag if clubs & mask else clubs,
        )
    in_runs = (runs | runs << 2 | runs << 4) & wild.mask_all if need != "any" else 0
    if not in_runs:
        held &= ~wild.mask_all
        return held & SUIT_MASK, held >> 30 & SUIT_MASK, held >> 60 & SUIT_MASK, held >> 90
    # A wild card stays in its place only in the suits where it can be part of a pure sequence.
    return tuple(
        (held >> shift & SUIT_MASK) | wild.tag
        if in_runs >> shift & SUIT_MASK
        else held >> shift & SUIT_MASK & ~wild.mask
        for shift in SHIFTS
    )


class Plan(NamedTuple):
    """What was found: points saved, and where in the search; for ``layout`` to turn into groups."""

    saved: int
    need: Need
    keys: Keys
    leaf: Node | None
    """None: the heaviest pure sequence alone."""
    vector: Callable[[int], Vector]
    wild_in_group: Card | None = None
    """The wild card that stands for itself in a group of jokers only, where the second sequence is such a group."""


def plan(hand: Sequence[Card], wild: Wild, tables: Tables, need: Need, *, alone: bool = False) -> Plan | None:
    """The plan that saves most; None where what is needed cannot be formed (rules 6.2 and 8.2)."""
    packed = pack(hand, wild, tables)
    if need != "any" and not packed.runs:
        return None
    best = _plan_of(packed, wild, tables, need, alone=alone)
    if need == "second" and tables.wild_group and packed.jokers >= 3 and best.saved < packed.total:
        for suit in SUITS:
            card = Card(wild.rank + suit)
            if card in hand:
                # The wild card stands for itself in a group of three jokers, which is the second sequence.
                code = packed.code - wild.code(card) - (2 << JOKERS_SHIFT)
                found = _plan_of(_unpacked(code, wild, tables), wild, tables, "pure")
                if found.saved > best.saved:
                    best = found._replace(wild_in_group=card)
    return best if best.saved >= 0 else None


def _plan_of(packed: Packed, wild: Wild, tables: Tables, need: Need, *, alone: bool = False) -> Plan:
    search = most_saved(packed, wild, tables, need, alone=alone)
    vector = _few_vector if search.engine is FEW else tables.suits.vector
    return Plan(search.best, need, search.keys, search.leaf, vector)


def _few_vector(key: int) -> Vector:
    cards = plain_of(key)
    return few_jokers.vectors.get(cards) or few_jokers.vector(cards)
