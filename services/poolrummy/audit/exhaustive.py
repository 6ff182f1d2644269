"""Whether any arrangement of a hand counts less than was written: every subset of the 13 cards is tried (rule 8.2).

Slow and plain on purpose, some tenths of a second a hand. It knows nothing of which groups are worth trying.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from poolrummy.audit.readings import Limits, is_joker, kind_of, same_cards, worth
from poolrummy.audit.verdicts import faces, shows
from poolrummy_contracts.cards import Card
from poolrummy_contracts.events import HandCounted, HandLaidOpen, ShowDeclared, ShowJudged
from poolrummy_contracts.verdicts import Group, GroupKind

NOTHING: Final = -1

Formed = dict[int, GroupKind]
"""Every subset of a hand (a bit a card) that is a group, and its kind."""


def least_count_wrong(ask: HandLaidOpen, verdict: HandCounted, limits: Limits) -> str | None:
    """What a full search finds against a count; None where nothing counts less."""
    if ask.basis == "placed":
        return None
    hand = Search(faces(ask.hand), ask.wild_rank, limits)
    least, complete = hand.least(), hand.declarable() is not None
    if complete:
        least = 0
    if (least, complete) == (verdict.counted, verdict.complete):
        return None
    return (
        f"a full search finds {least} points, {'' if complete else 'not '}complete; written are {verdict.counted}, "
        f"{'' if verdict.complete else 'not '}complete"
    )


def no_show_wrong(ask: ShowDeclared, verdict: ShowJudged, limits: Limits) -> str | None:
    """Whether a show that was judged wrong, without an arrangement named, could have been arranged after all."""
    hand = faces(ask.hand)
    if verdict.valid or verdict.arrangement is not None or len(hand) != 13:
        return None
    if verdict.reason == "cards_mismatch" and not same_cards([c for g in ask.groups for c in faces(g)], hand):
        return None
    found = Search(hand, ask.wild_rank, limits).declarable()
    return None if found is None else f"a full search finds a valid arrangement: {' / '.join(map(' '.join, found))}"


class Search:
    """All groups that can be formed of one hand, and what can be made of them."""

    def __init__(self, hand: Sequence[Card], wild: str, limits: Limits) -> None:
        self._hand = tuple(hand)
        self._wild = wild
        self._limits = limits
        self._formed: Formed = dict(_formed(self._hand, wild, limits))
        self._by_lowest: list[list[int]] = [[] for _ in hand]
        for mask in self._formed:
            self._by_lowest[(mask & -mask).bit_length() - 1].append(mask)

    def least(self) -> int:
        """The least points of the hand, after the cap (rules 8.2 to 8.4)."""
        terms = self._limits.terms
        total = worth(self._hand, self._wild)
        saved = self._most_saved()
        if terms.loser_count == "unmatched_always":
            return min(total - max(saved.values()), terms.full_count_cap)
        pure = [one for state, one in saved.items() if state[0]]
        if not pure:
            return terms.full_count_cap if terms.no_pure_count == "flat_full" else min(total, terms.full_count_cap)
        two = [one for (has_pure, sequences), one in saved.items() if has_pure and sequences == 2]
        if terms.loser_count == "unmatched_if_pure":
            most = max(pure)
        else:
            most = max([self._heaviest_pure() if terms.loser_count == "tiered" else 0, *two])
        return min(total - most, terms.full_count_cap)

    def declarable(self) -> tuple[tuple[Card, ...], ...] | None:
        """Groups that hold the whole hand and may be declared, if there are any (rule 6.2)."""
        return self._covered((1 << len(self._hand)) - 1, ()) if len(self._hand) == 13 else None

    def _most_saved(self) -> dict[tuple[bool, int], int]:
        """The most points that groups take out, by whether one is a pure sequence and how many are sequences."""

        @cache
        def best(left: int) -> dict[tuple[bool, int], int]:
            if not left:
                return {(False, 0): 0}
            lowest = left & -left
            found = dict(best(left ^ lowest))
            for mask in self._by_lowest[lowest.bit_length() - 1]:
                if mask & left != mask:
                    continue
                kind = self._formed[mask]
                points = self._worth(mask)
                for (pure, sequences), saved in best(left ^ mask).items():
                    state = (pure or kind == "pure_sequence", min(2, sequences + (kind != "set")))
                    found[state] = max(found.get(state, NOTHING), saved + points)
            return found

        return best((1 << len(self._hand)) - 1)

    def _heaviest_pure(self) -> int:
        return max(self._worth(mask) for mask, kind in self._formed.items() if kind == "pure_sequence")

    def _worth(self, mask: int) -> int:
        return worth(_cards(self._hand, mask), self._wild)

    def _covered(self, left: int, groups: tuple[int, ...]) -> tuple[tuple[Card, ...], ...] | None:
        if not left:
            laid = tuple(_cards(self._hand, mask) for mask in groups)
            kinds: list[GroupKind] = [self._formed[mask] for mask in groups]
            as_groups = [
                Group(kind=kind, cards=cards, stands_for=cards) for kind, cards in zip(kinds, laid, strict=True)
            ]
            return laid if shows(kinds, as_groups, self._limits) else None
        for mask in self._by_lowest[(left & -left).bit_length() - 1]:
            if mask & left == mask:
                found = self._covered(left ^ mask, (*groups, mask))
                if found is not None:
                    return found
        return None


def _formed(hand: tuple[Card, ...], wild: str, limits: Limits) -> Iterator[tuple[int, GroupKind]]:
    known: dict[tuple[Card, ...], GroupKind] = {}
    for mask in range(1 << len(hand)):
        if mask.bit_count() < 3:
            continue
        cards = tuple(sorted(_cards(hand, mask)))
        fixed = [card for card in cards if not is_joker(card, wild)]
        if len({card[0] for card in fixed}) > 1 and len({card[1] for card in fixed}) > 1:
            continue
        kind = known.get(cards)
        if kind is None:
            kind = known[cards] = kind_of(cards, wild, limits)
        if kind != "none":
            yield mask, kind


def _cards(hand: tuple[Card, ...], mask: int) -> tuple[Card, ...]:
    return tuple(card for number, card in enumerate(hand) if mask >> number & 1)
