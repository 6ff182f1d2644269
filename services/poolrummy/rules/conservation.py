"""No card is lost and none appears: held after every event of a deal (rule 3.5).

A breach is a mistake of our own, so that it raises: whoever runs the table freezes it (rule 13.5).
"""

from collections import Counter
from collections.abc import Sequence

from poolrummy.rules.state import Deal
from poolrummy_contracts.cards import FACES, PRINTED_JOKER, Card
from poolrummy_contracts.terms import Terms


def check_pack(faces: Sequence[Card], terms: Terms) -> None:
    """A pack holds every card of its decks exactly once, and no other (rule 3.1)."""
    whole = Counter(dict.fromkeys(FACES, terms.decks))
    whole[PRINTED_JOKER] = terms.decks * terms.printed_jokers_per_deck
    assert Counter(faces) == whole, "the pack is not made of the decks of the table"


def check_places(deal: Deal) -> None:
    """After a deal or a reshuffle every card lies in one place, and in one only."""
    places = [*deal.stock, *(card.position for card in deal.pile), *deal.aside]
    places += [card for one in deal.seats for card in one.hand]
    places += [] if deal.finish is None else [deal.finish]
    assert len(set(places)) == len(places) == deal.cards, f"{len(set(places))} places hold {deal.cards} cards"


def check_count(deal: Deal) -> None:
    """After every other event there are as many cards as before."""
    count = len(deal.pile) if deal.finish is None else len(deal.pile) + 1
    for one in deal.seats:
        count += len(one.hand)
    count += len(deal.stock) + len(deal.aside)
    assert count == deal.cards, f"{count} of {deal.cards} cards are left in deal {deal.number}"
