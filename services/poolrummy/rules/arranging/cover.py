"""Whether all 13 cards can be laid in groups that may be declared, where the terms limit the groups (rule 6.2).

Asked only where the search leaves over nothing but jokers, or makes an extra group too large. A hand has four groups at
most: the first card goes into one of the groups that can hold it, then the first card that is left, and so on; at the
end the jokers are shared out (``shares``).
"""

from collections.abc import Iterator, Sequence

from poolrummy.rules.arranging.shares import Part, share_jokers
from poolrummy.rules.meld_rules import MeldRules, is_joker
from poolrummy.rules.melds import PLACES, read
from poolrummy.rules.placed import declares
from poolrummy_contracts.cards import PRINTED_JOKER, RANKS, SUITS, Card
from poolrummy_contracts.verdicts import Group

MOST_GROUPS = 4


def cover(hand: Sequence[Card], rank: str, rules: MeldRules) -> tuple[Group, ...] | None:
    """Groups that hold the whole hand and make a valid show, or None (rule 6.2); the first in a fixed order."""
    plain = sorted((card for card in hand if not is_joker(card, rank)), key=_by_suit)
    wilds = sorted((card for card in hand if card != PRINTED_JOKER and card[0] == rank), key=_by_suit)
    printed = hand.count(PRINTED_JOKER)
    for parts in _partitions(plain, wilds, len(wilds) + printed, rank, rules):
        dealt = share_jokers(parts, wilds, printed, rules)
        if dealt is not None:
            groups = tuple(read(cards, rank, rules) for cards in dealt)
            assert declares(groups, rules), f"{groups} was found as a show and is none"
            return groups
    return None


def _partitions(
    plain: list[Card], wilds: list[Card], jokers: int, rank: str, rules: MeldRules
) -> Iterator[tuple[Part, ...]]:
    """Every way to put the cards that are no jokers into at most four groups, as far as jokers and terms allow."""
    longest = min(13, rules.max_sequence_length)
    longest_extra = max(longest, min(4, rules.max_set_size))
    by_first: dict[int, list[Part]] = {}

    def extend(left: int, spare: int, parts: tuple[Part, ...], large: int) -> Iterator[tuple[Part, ...]]:
        if not left:
            yield parts
            return
        groups = MOST_GROUPS - len(parts)
        long = min(groups, 2 - large)
        if left.bit_count() > long * longest + (groups - long) * min(longest_extra, rules.max_extra_group_size):
            return
        first = (left & -left).bit_length() - 1
        if first not in by_first:
            by_first[first] = _parts_of(first, plain, wilds, jokers, rank, rules)
        for part in by_first[first]:
            needed = part.least + (part.own is not None)
            if part.mask & left != part.mask or needed > spare:
                continue
            is_large = len(part.cards) + needed > rules.max_extra_group_size
            if is_large and (not part.sequence or large == 2):
                continue
            if part.own is not None and wilds.count(part.own) == sum(one.own == part.own for one in parts):
                continue
            yield from extend(left ^ part.mask, spare - needed, (*parts, part), large + is_large)

    yield from extend((1 << len(plain)) - 1, jokers, (), 0)


def _parts_of(index: int, plain: list[Card], wilds: list[Card], jokers: int, rank: str, rules: MeldRules) -> list[Part]:
    """The groups whose first card this is: sequences, then sets, each with most cards first."""
    found = [*_sequences(index, plain, wilds, jokers, rank, rules), *_sets(index, plain, jokers, rules)]
    return sorted(found, key=lambda part: -part.mask.bit_count())


def _sequences(
    index: int, plain: list[Card], wilds: list[Card], jokers: int, rank: str, rules: MeldRules
) -> Iterator[Part]:
    suit = plain[index][1]
    longest = min(13, rules.max_sequence_length)
    most = min(jokers, rules.max_jokers_per_group)
    same = [(at, card) for at, card in enumerate(plain) if card[1] == suit and at > index]
    own_card = Card(rank + suit) if Card(rank + suit) in wilds else None

    def grow(start: int, chosen: list[int], gaps: int) -> Iterator[list[int]]:
        yield chosen
        last = RANKS.index(plain[chosen[-1]][0])
        for step in range(start, len(same)):
            at, card = same[step]
            here = RANKS.index(card[0])
            # Cards come in order, so a gap is never filled later; the one above an ace counts only if the ace is low.
            more = gaps + here - last - 1 if last else gaps
            if here > last and more <= jokers:
                yield from grow(step + 1, [*chosen, at], more)

    for chosen in grow(0, [index], 0):
        cards = tuple(plain[at] for at in chosen)
        for own in (None, own_card) if own_card else (None,):
            held = (*cards, own) if own else cards
            span = _span(held)
            acting = max(span, 3) - len(held)
            room = min(most, longest - len(held))
            if span <= longest and acting <= room and acting + (own is not None) <= jokers:
                pure = not acting and (own is None or rules.wild_natural_pure)
                yield Part(sum(1 << at for at in chosen), cards, own, acting, room, sequence=True, pure=pure)


def _sets(index: int, plain: list[Card], jokers: int, rules: MeldRules) -> Iterator[Part]:
    rank = plain[index][0]
    others = [at for at, card in enumerate(plain) if card[0] == rank and at > index]
    most = min(jokers, rules.max_jokers_per_group)
    for bits in range(1 << len(others)):
        chosen = [index, *(at for bit, at in enumerate(others) if bits >> bit & 1)]
        cards = tuple(plain[at] for at in chosen)
        if len(set(cards)) == len(cards):
            least = max(0, 3 - len(cards))
            room = min(most, rules.max_set_size - len(cards))
            if least <= room:
                yield Part(sum(1 << at for at in chosen), cards, None, least, room, sequence=False, pure=False)


def _span(cards: Sequence[Card]) -> int:
    """How many places the cards of one suit span, the ace low or high as suits."""
    low = [RANKS.index(card[0]) for card in cards]
    high = [place or len(PLACES) - 1 for place in low]
    return min(max(low) - min(low), max(high) - min(high)) + 1


def _by_suit(card: Card) -> tuple[int, int]:
    return SUITS.index(card[1]), RANKS.index(card[0])
