"""The most points that groups can take out of a hand, for each thing that a way of counting asks for (rule 8.2).

Here a hand becomes keys of the suit tables, and the terms become an engine of the search.
"""

from functools import lru_cache
from typing import Final, Literal, NamedTuple

from poolrummy.rules.arranging import few_jokers, fold_any, fold_few
from poolrummy.rules.arranging.any_jokers import SuitTables
from poolrummy.rules.arranging.packed import (
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
from poolrummy.rules.arranging.search import Engine, Fold, Keys, Node, Record, Vector, most_saved
from poolrummy.rules.arranging.sequences_found import Kept, Ways
from poolrummy.rules.arranging.windows import LONGEST
from poolrummy.rules.meld_rules import MeldRules
from poolrummy_contracts.cards import SUITS, Card

Need = Literal["any", "pure", "second"]
"""Any groups at all, a pure sequence among them, or a pure sequence and a second one."""

FEW: Final = Engine(few_jokers.records.get, few_jokers.record, fold_few.fold, fold_few.add, few=True)


class Tables(NamedTuple):
    """The tables of the suits for terms of one shape, and the engines that work with them."""

    suits: SuitTables
    ways: Ways
    engines: dict[Need, Engine]
    few: bool
    """Whether the fast engine may be used for a pure and a second sequence with up to three jokers."""
    joker_group: bool
    """Whether any three jokers are a sequence by themselves (rule 5.6)."""
    wild_group: bool
    """Whether three jokers are one if a wild card among them stands for itself."""


class Plan(NamedTuple):
    """What was found, for ``layout`` to turn into groups."""

    saved: int
    need: Need
    few: bool
    keys: Keys
    node: Node | None
    """None: the heaviest pure sequence alone."""
    wild_in_group: Card | None = None
    """The wild card that stands for itself in a group of jokers only, where the second sequence is such a group."""


@lru_cache(64)
def tables_for(rules: MeldRules) -> Tables:
    """The tables for these rules; rules that differ only in what no table asks for share them."""
    return _tables(
        longest=min(rules.max_sequence_length, 13),
        most_jokers=min(rules.max_jokers_per_group, 3),
        wild_pure=rules.wild_natural_pure,
        joker_only=rules.joker_only_group,
    )


@lru_cache(8)
def _tables(*, longest: int, most_jokers: int, wild_pure: bool, joker_only: str) -> Tables:
    suits = SuitTables(longest=longest, most_jokers=most_jokers, wild_pure=wild_pure)
    joker_group = joker_only == "allowed" and most_jokers >= 3

    def engine(fold: Fold) -> Engine:
        return Engine(suits.records.get, suits.record, fold, fold_any.add, few=False)

    return Tables(
        suits=suits,
        ways=Ways(suits),
        engines={
            "any": engine(fold_any.any_groups),
            "pure": engine(fold_any.with_pure),
            "second": engine(fold_any.with_second_or_jokers if joker_group else fold_any.with_second),
        },
        few=joker_group and longest >= LONGEST,
        joker_group=joker_group,
        wild_group=not joker_group and joker_only != "refused" and most_jokers >= 2,
    )


def plan(code: int, wild: Wild, tables: Tables, need: Need, *, alone: bool = False) -> Plan | None:
    """The plan that saves most; None where what is needed cannot be formed (rules 6.2 and 8.2).

    ``code`` is the hand as one number. With ``alone`` a pure sequence counts also where no second one can be formed.
    """
    best = _plan(code, wild, tables, need, alone=alone)
    if best is not None and tables.wild_group and need == "second" and code >> JOKERS_SHIFT >= 3:
        best = _with_wild_group(best, code, wild, tables)
    return None if best is None or best.saved < 0 else best


def _plan(code: int, wild: Wild, tables: Tables, need: Need, *, alone: bool = False) -> Plan | None:
    asked = question(code, wild, tables, need)
    if asked is None:
        return None
    engine, keys, jokers, held = asked
    saved, node = most_saved(engine, keys, jokers, held, code >> POINTS_SHIFT & POINTS_MASK, alone=alone)
    return Plan(saved, need, engine.few, keys, node)


def _with_wild_group(best: Plan, code: int, wild: Wild, tables: Tables) -> Plan:
    """The better of this plan and those with a wild card that stands for itself and two jokers as second sequence."""
    for suit, shift in zip(SUITS, SHIFTS, strict=True):
        if code >> shift & wild.mask:
            card = Card(wild.rank + suit)
            found = _plan(code - wild.code(card) - (2 << JOKERS_SHIFT), wild, tables, "pure")
            if found is not None and found.saved > best.saved:
                best = found._replace(wild_in_group=card)
    return best


Question = tuple[Engine, Keys, int, int]
"""What ``most_saved`` is asked: the engine, the keys of the suits, the jokers, and the cards that sets may take."""


def question(code: int, wild: Wild, tables: Tables, need: Need) -> Question | None:
    """The hand in the form that the search wants; None where a pure sequence is needed and there is none."""
    suits = tables.suits
    present = (code | code >> 1) & ONES
    pure = present if suits.wild_pure else present & ~wild.mask_all
    runs = pure & pure >> 2 & pure >> 4
    if not runs and need != "any":
        return None
    jokers = code >> JOKERS_SHIFT
    held = code & ALL_SUITS
    plain = held & ~wild.mask_all
    if jokers <= 1:
        # Cards that can be in no sequence are left out, so that fewer different suits are met.
        held &= _in_reach(present if jokers else runs, jokers)
    if suits.limited:
        keys = _tagged(held, held & wild.mask_all, wild)
    else:
        # A wild card stays in its place only in the suits where it can be part of a pure sequence.
        natural = (runs | runs << 2 | runs << 4) & wild.mask_all
        if natural and need != "any":
            keys = _tagged(held, natural, wild)
        else:
            held &= plain
            keys = (held & SUIT_MASK, held >> 30 & SUIT_MASK, held >> 60 & SUIT_MASK, held >> 90)
    few = tables.few and jokers <= 3 and need == "second"
    return FEW if few else tables.engines[need], keys, jokers, plain


def kept(plan: Plan, tables: Tables) -> Kept:
    """The tables in which the search has found a plan."""
    return KEPT_FEW if plan.few else Kept(tables.suits.vector, tables.suits.kept_record)


def _vector_of_few(key: int) -> Vector:
    """What the sequences of a suit save with 0 to 3 jokers, from the tables of the fast engine."""
    return few_jokers.vectors.get(key) or few_jokers.vector(key)


def _record_of_few(key: int) -> Record:
    return few_jokers.records.get(key) or few_jokers.record(key)


KEPT_FEW: Final = Kept(_vector_of_few, _record_of_few)


def _in_reach(places: int, jokers: int) -> int:
    """The bits of cards in a run, given where runs begin; with a joker, of cards with a neighbour two places away."""
    if jokers:
        near = places & (places << 2 | places >> 2 | places << 4 | places >> 4)
    else:
        near = places | places << 2 | places << 4
    near |= (near & LOW_ACES) << 26 | (near & HIGH_ACES) >> 26
    return near | near << 1


def _tagged(held: int, natural: int, wild: Wild) -> Keys:
    """The keys of the suits, with the wild cards and their tag only in suits that have one of these bits."""
    mask, tag = wild.mask, wild.tag
    spades, hearts, diamonds, clubs = held & SUIT_MASK, held >> 30 & SUIT_MASK, held >> 60 & SUIT_MASK, held >> 90
    return (
        spades | tag if natural & mask else spades & ~mask,
        hearts | tag if natural >> 30 & mask else hearts & ~mask,
        diamonds | tag if natural >> 60 & mask else diamonds & ~mask,
        clubs | tag if natural >> 90 & mask else clubs & ~mask,
    )
