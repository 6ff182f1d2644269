"""Hands for the arranger to be tried on, by chance from a number that repeats them, and what each is held against."""

from collections.abc import Callable, Iterator
from random import Random

from poolrummy.rules.arranger import Arrangement, arrange, count
from poolrummy.rules.meld_rules import MeldRules
from poolrummy.rules.witness import objection, objection_to_show
from poolrummy_contracts.cards import RANKS, SUITS, Card

from .exhaustive import declarable, least_points

Hand = tuple[Card, ...]
Case = tuple[Hand, str]


def pack(decks: int = 2) -> list[Card]:
    return [Card(rank + suit) for rank in RANKS for suit in SUITS] * decks + [Card("JK")] * decks


def dealt(dice: Random, decks: int = 2) -> Case:
    """As it is dealt: 14 cards, the last one turned up."""
    *hand, wild = dice.sample(pack(decks), 14)
    return tuple(hand), wild if wild == "JK" else wild[0]


def near_complete(dice: Random, decks: int = 2) -> Case:
    """Groups of natural cards, then a few cards exchanged for others."""
    left, hand = pack(decks), list[Card]()
    for _ in range(30):
        group = _group(dice, min(13 - len(hand), 5))
        if all(left.count(card) >= group.count(card) for card in group):
            hand += group
            for card in group:
                left.remove(card)
        if len(hand) > 10:
            break
    dice.shuffle(hand)
    hand = hand[dice.randrange(3) :]
    hand += dice.sample(left, 13 - len(hand))
    dice.shuffle(hand)
    return tuple(hand), dice.choice(RANKS)


def _group(dice: Random, most: int) -> list[Card]:
    size = dice.randint(3, max(3, most))
    if dice.random() < 0.6:
        low, suit = dice.randint(0, 14 - size), dice.choice(SUITS)
        return [Card((RANKS + "A")[place] + suit) for place in range(low, low + size)]
    rank = dice.choice(RANKS)
    return [Card(rank + suit) for suit in dice.sample(SUITS, min(size, 4))]


def with_jokers(dice: Random, decks: int = 2) -> Case:
    """Four to eight jokers, as far as the decks have them."""
    wild = dice.choice(RANKS)
    jokers = [card for card in pack(decks) if card == "JK" or card[0] == wild]
    others = [card for card in pack(decks) if card not in jokers]
    number = min(dice.randint(4, 8), len(jokers))
    hand = dice.sample(jokers, number) + dice.sample(others, 13 - number)
    return tuple(hand), wild


def with_doubles(dice: Random, decks: int = 2) -> Case:
    """From few ranks and two suits, so that many cards are there twice."""
    low = dice.randint(0, 8)
    suits = dice.sample(SUITS, 2)
    few = [card for card in pack(decks) if card == "JK" or (card[0] in RANKS[low : low + 6] and card[1] in suits)]
    hand = dice.sample(few, min(13, len(few)))
    while len(hand) < 13:
        card = dice.choice(pack(decks))
        if hand.count(card) < decks:
            hand.append(card)
    return tuple(hand), dice.choice(RANKS)


def with_aces(dice: Random, decks: int = 2) -> Case:
    """From the ranks on both sides of the ace, which often is wild."""
    few = [card for card in pack(decks) if card == "JK" or card[0] in "A23JQK"]
    return tuple(dice.sample(few, 13)), dice.choice(["A", "2", "K", "JK", "7"])


def with_natural_wilds(dice: Random, decks: int = 2) -> Case:
    """Runs through the wild rank, and more wild cards beside them."""
    wild = dice.choice(RANKS)
    place = RANKS.index(wild)
    near = (RANKS + "A")[max(0, place - 2) : place + 3]
    few = [card for card in pack(decks) if card != "JK" and card[0] in near and card[1] in "SH"]
    hand = dice.sample(few, min(9, len(few)))
    while len(hand) < 13:
        card = dice.choice(pack(decks))
        if hand.count(card) < decks:
            hand.append(card)
    return tuple(hand), wild


KINDS: dict[str, Callable[[Random, int], Case]] = {
    "dealt": dealt,
    "near complete": near_complete,
    "jokers": with_jokers,
    "doubles": with_doubles,
    "aces": with_aces,
    "natural wilds": with_natural_wilds,
}


def cases(kind: str, number: int, seed: str, decks: int = 2) -> Iterator[Case]:
    dice = Random(f"{kind} {seed}")
    for _ in range(number):
        yield KINDS[kind](dice, decks)


def difference(hand: Hand, wild: str, rules: MeldRules) -> str | None:
    """What the arranger, the witness or the exhaustive search say differently; None where all agree."""
    found, rank = arrange(hand, wild, rules), "A" if wild == "JK" else wild
    wrong = objection(found.groups, found.leftover, hand, rank, rules, found.raw)
    if wrong is None and found.declarable:
        wrong = objection_to_show(found.groups, hand, rank, rules)
    least = least_points(hand, wild, rules)
    assert least is not None
    shown = least == 0 and declarable(hand, wild, rules)
    points = rules.full_count_cap if _flat(hand, rank, rules) else min(least, rules.full_count_cap)
    counted = count(hand, wild, rules)
    here = (found.raw, found.points, counted, found.declarable)
    if wrong is None and here == (least, points, points, shown):
        return None
    return f"{' '.join(hand)} wild {wild} {rules}: {here} is not {(least, points, points, shown)}; witness: {wrong}"


def _flat(hand: Hand, rank: str, rules: MeldRules) -> bool:
    """Whether the hand counts the full count because it holds no pure sequence (rule 8.3)."""
    if rules.no_pure_count != "flat_full" or rules.loser_count == "unmatched_always":
        return False
    held = {card for card in hand if rules.wild_natural_pure or card[0] != rank}
    ranks = RANKS + "A"
    return not any(
        {ranks[place + step] + suit for step in range(3)} <= held for suit in SUITS for place in range(len(ranks) - 2)
    )


def names(found: Arrangement) -> list[list[str]]:
    return [[group.kind, *group.cards, *group.stands_for] for group in found.groups] + [list(found.leftover)]
