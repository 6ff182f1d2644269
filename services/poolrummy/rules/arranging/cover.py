"""Whether all 13 cards of a hand can be laid in groups that may be declared, where terms limit the groups (rule 6.2).

The slow and general way: used only when the search has left over nothing but jokers and the terms limit groups.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations

from poolrummy.rules.meld_rules import MeldRules
from poolrummy.rules.melds import read
from poolrummy.rules.placed import declares
from poolrummy_contracts.cards import Card
from poolrummy_contracts.verdicts import Group


def cover(hand: tuple[Card, ...], rank: str, rules: MeldRules) -> tuple[Group, ...] | None:
    """Groups that hold the whole hand and make a valid show, or None (rule 6.2)."""
    cards = tuple(sorted(hand, key=lambda card: (card == "JK", card[0] == rank, card)))

    @lru_cache(None)
    def legal(chosen: tuple[Card, ...]) -> Group:
        return read(chosen, rank, rules)

    def extend(left: tuple[Card, ...], groups: tuple[Group, ...]) -> tuple[Group, ...] | None:
        if not left:
            return groups if declares(groups, rules) else None
        if len(left) < 3:
            return None
        seen: set[tuple[Card, ...]] = set()
        for size in range(3, len(left) + 1):
            for rest in combinations(left[1:], size - 1):
                chosen = (left[0], *rest)
                if chosen in seen:
                    continue
                seen.add(chosen)
                group = legal(chosen)
                if group.kind == "none":
                    continue
                remaining = Counter(left) - Counter(chosen)
                found = extend(tuple(card for card in remaining.elements()), (*groups, group))
                if found is not None:
                    return found
        return None

    return extend(cards, ())
