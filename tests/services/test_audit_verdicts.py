"""The audit's own judge against the validator's: two pieces of code that share nothing, one answer on every hand."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from poolrummy.audit.exhaustive import least_count_wrong, no_show_wrong
from poolrummy.audit.readings import Limits
from poolrummy.audit.verdicts import count_wrong, show_wrong
from poolrummy.fairness.pack import unshuffled
from poolrummy.rules.arranger import arrange
from poolrummy.rules.meld_rules import MeldRules
from poolrummy.testing.matches import terms_of
from poolrummy.validator.judging import count_hand, judge_show
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import RANKS, Card, Position
from poolrummy_contracts.terms import Seat, Terms

SETTINGS = {
    "loser_count": ("tiered", "unmatched_always", "unmatched_if_pure", "all_unless_two_sequences"),
    "no_pure_count": ("sum_capped", "flat_full"),
    "wild_natural_pure": (True, False),
    "joker_only_group": ("allowed", "printed_only_refused", "refused"),
    "max_jokers_per_group": ("none", 1, 2),
    "max_set_size": (4, "none"),
    "max_sequence_length": ("none", 4),
    "max_extra_group_size": ("none", 4),
    "declare_validation": ("player_groups", "best_arrangement"),
}
Case = tuple[e.ShowDeclared, e.HandLaidOpen, Terms]


def cases(count: int, seed: int) -> Iterator[Case]:
    """Hands with and without groups, grouped well and badly, under all sorts of terms."""
    dice = Random(seed)
    base = terms_of("house", "101")
    while count:
        hand = _hand(dice)
        wild = dice.choice(RANKS)
        if max(Counter(hand).values()) > 2:
            continue
        count -= 1
        terms = replace(base, **{name: dice.choice(values) for name, values in SETTINGS.items()})
        cards = tuple(e.ShownCard(card, Position(f"0-{place}")) for place, card in enumerate(hand))
        groups = _placed(cards, hand, wild, terms, dice)
        about = {"v": 5, "table": "p00-t", "at": 1, "actor": "player", "rule": "6.1", "seat": Seat(1)}
        show = e.ShowDeclared(**about, hand=cards, groups=groups, wild_rank=wild)
        basis = dice.choice(("best", "placed"))
        yield show, e.HandLaidOpen(**about, hand=cards, groups=groups, wild_rank=wild, basis=basis, late=False), terms


@pytest.mark.rule("6.3")
def test_two_judges_that_share_no_code_agree_on_every_show_and_count() -> None:
    reasons = Counter[str]()
    for show, laid, terms in cases(600, seed=4):
        limits, judged, counted = Limits(terms), _judged(show, terms), _counted(laid, terms)
        reasons[judged.reason] += 1

        assert show_wrong(show, judged, limits) is None, (show, judged)
        assert count_wrong(laid, counted, limits) is None, (laid, counted)
    assert len(reasons) >= 5


@pytest.mark.rule("8.2")
def test_a_full_search_finds_nothing_that_counts_less() -> None:
    for show, laid, terms in cases(20, seed=5):
        limits = Limits(terms)
        assert least_count_wrong(laid, _counted(laid, terms), limits) is None, laid
        assert no_show_wrong(show, _judged(show, terms), limits) is None, show


@pytest.mark.rule("8.2")
def test_a_count_that_is_a_point_too_high_is_found_by_full_search_only() -> None:
    fitting = (case for case in cases(50, seed=6) if case[1].basis == "best" and case[2].loser_count == "tiered")
    _, laid, terms = next(one for one in fitting if _counted(one[1], one[2]).counted < 80)
    leftover = tuple(card.card for card in laid.hand)
    worse = replace(_counted(laid, terms), groups=(), leftover=leftover, raw=130, counted=80, complete=False)

    assert least_count_wrong(laid, worse, Limits(terms)) is not None


@pytest.mark.rule("6.2")
def test_every_field_of_a_verdict_is_held_against_the_show() -> None:
    for show, _, terms in cases(60, seed=7):
        judged = _judged(show, terms)
        other = replace(judged, valid=not judged.valid)

        assert show_wrong(show, other, Limits(terms)) is not None


def _hand(dice: Random) -> list[str]:
    if dice.random() < 0.3:
        return dice.sample(unshuffled(2, 2), 13)
    hand: list[str] = []
    while len(hand) < 13:
        size, first, suit = dice.choice((3, 3, 4, 5)), dice.randrange(10), dice.choice("SHDC")
        line = [f"{rank}{suit}" for rank in "A23456789TJQKA"[first : first + size]]
        ranks = [f"{RANKS[first]}{other}" for other in dice.sample("SHDC", min(size, 4))]
        group = line if dice.random() < 0.6 else ranks
        if dice.random() < 0.4:
            group[dice.randrange(len(group))] = dice.choice(("JK", f"{dice.choice(RANKS)}{suit}"))
        hand += group
    return hand[:13]


def _placed(cards, hand, wild: str, terms: Terms, dice: Random):
    if dice.random() < 0.4:
        return tuple(cards[start:end] for start, end in ((0, 3), (3, 6), (6, 10), (10, 13)))
    left, groups = list(cards), []
    for group in arrange(tuple(map(Card, hand)), wild, MeldRules.of(terms)).groups:
        row = []
        for card in group.cards:
            found = next(one for one in left if one.card == card)
            left.remove(found)
            row.append(found)
        groups.append(tuple(row))
    if left:
        groups.append(tuple(left))
    dice.shuffle(groups)
    return tuple(groups)


def _judged(show: e.ShowDeclared, terms: Terms) -> e.ShowJudged:
    found = judge_show(show, terms)
    return e.ShowJudged(
        v=6,
        table=show.table,
        at=1,
        actor="system",
        rule="6.2",
        seat=show.seat,
        ask=5,
        edition=1,
        valid=found.valid,
        reason=found.reason,
        points=0,
        groups=found.groups,
        group=found.group,
        arrangement=found.arrangement,
    )


def _counted(laid: e.HandLaidOpen, terms: Terms) -> e.HandCounted:
    found = count_hand(laid, terms)
    return e.HandCounted(
        v=6,
        table=laid.table,
        at=1,
        actor="system",
        rule="8.2",
        seat=laid.seat,
        ask=5,
        edition=1,
        groups=found.groups,
        leftover=found.leftover,
        raw=found.raw,
        counted=found.points,
        points=found.points,
        complete=found.complete,
    )
