"""Packs that a test writes down: handed in by the tests' composition only, no shipped process can be told one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha512
from itertools import count

import msgspec

from poolrummy.fairness.pack import DealtPack, deal_pack, in_this_order, reshuffled, toss_pack, unshuffled
from poolrummy.fairness.transcript import Transcript
from poolrummy.rules.deal_out import deal_out
from poolrummy_contracts.cards import Card, parse_cards
from poolrummy_contracts.terms import Seat, Terms


class ScriptedDeal(msgspec.Struct, frozen=True, kw_only=True):
    """What a deal shall look like: hands by seat, the wild card, the open card, and what the stock begins with."""

    hands: dict[str, str]
    wild: str
    open: str
    stock: str = ""


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """The packs of one table: the toss cards in the order of drawing, and the deals by number; others are shuffled."""

    toss: str = ""
    deals: dict[str, ScriptedDeal] = {}


class ScriptedPacks:
    """A ``PackSource`` of the dealer that follows scripts by table, and shuffles what they leave out."""

    def __init__(self, scripts: Mapping[str, Script], terms: Mapping[str, Terms]) -> None:
        self._scripts = scripts
        self._terms = terms
        self._numbers = count()

    def fresh_seed(self, decks: int) -> bytes:
        """One seed after the other: nothing here is secret, and a restarted dealer finds them in the log."""
        return sha512(b"a scripted seed %d" % next(self._numbers)).digest() + bytes(56 if decks > 2 else 16)

    def shuffled(self, seed: bytes, transcript: Transcript) -> DealtPack:
        """The scripted order if there is one for this toss or deal, else the shuffled one."""
        script = self._scripts.get(transcript.table, Script())
        if transcript.purpose == "toss":
            listed = parse_cards(script.toss)
            if not listed:
                return deal_pack(seed, transcript)
            return laid(seed, transcript, listed + rest(toss_pack(transcript.deck.decks), listed))
        deal = script.deals.get(str(transcript.deal))
        if deal is None:
            return deal_pack(seed, transcript)
        order = [Seat(int(place.seat)) for place in transcript.seats]
        return laid(seed, transcript, faces_of(deal, self._terms[transcript.table], order))

    def reshuffled(self, seed: bytes, transcript: Transcript, faces: Sequence[str]) -> DealtPack:
        """Always shuffled."""
        return reshuffled(seed, transcript, faces)


def faces_of(deal: ScriptedDeal, terms: Terms, order: Sequence[Seat]) -> tuple[Card, ...]:
    """The faces by place that give these hands, wild card, open card and stock."""
    pack = unshuffled(terms.decks, terms.printed_jokers_per_deck)
    wild, opened = parse_cards(deal.wild)[0], parse_cards(deal.open)[0]
    # Only the turned-up card matters for the layout, and only if printed jokers are laid aside.
    layout = deal_out(terms, order, (wild,) * len(pack))
    faces: dict[int, Card] = {layout.wild: wild, layout.open: opened}
    for seat, places in zip(order, layout.hands, strict=True):
        hand = parse_cards(deal.hands[str(seat)])
        assert len(hand) == len(places), f"seat {seat} holds {len(hand)} cards in the script"
        faces.update(zip(places, hand, strict=True))
    faces.update(zip(layout.stock, parse_cards(deal.stock), strict=False))
    others = iter(rest(pack, tuple(faces.values())))
    return tuple(faces[place] if place in faces else next(others) for place in range(len(pack)))


def rest(pack: Sequence[str], taken: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of the pack that are not taken yet, in its order; the pack must hold all that are."""
    left = Counter(pack)
    left.subtract(taken)
    short = [card for card, number in left.items() if number < 0]
    assert not short, f"the pack does not hold so many of {', '.join(short)}"
    return tuple(Card(card) for card in left.elements())


def laid(seed: bytes, transcript: Transcript, faces: Sequence[Card]) -> DealtPack:
    """A committed pack in this very order."""
    return in_this_order(seed, transcript, faces)
