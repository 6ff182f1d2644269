"""The cards of every deal that can be known: from seeds, laid open or unsealed, and from seats' channels."""

from collections.abc import Iterable, Mapping

import msgspec

from poolrummy.audit import packs
from poolrummy.audit.history import Moment, Moments, deals_of
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.sealing import Sealer
from poolrummy.rules.seeds import basis_at
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Position, position
from poolrummy_contracts.seat_lines import CardReceived, CardsDealt, PlainLine


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """Cards with their openings by deal, the seeds (hex) behind them, and what could not be had, as sentences."""

    packs: dict[int, dict[Position, e.OpenedCard]]
    seeds: dict[int, str] = {}
    troubles: tuple[str, ...] = ()


def nothing_known() -> Known:
    """Only what lies open in the log."""
    return Known(packs={})


def known_packs(
    moments: Moments,
    sealer: Sealer | None,
    *,
    lines: Iterable[PlainLine] = (),
    opened_seeds: Mapping[int, str] | None = None,
) -> Known:
    """Everything that these keys, channels and opened seeds (hex, by deal) tell of the packs."""
    seeds = packs.Seeds([one.event for one in moments], sealer, opened_seeds)
    found: dict[int, dict[Position, e.OpenedCard]] = {}
    opened: dict[int, str] = {}
    troubles: list[str] = []
    for deal, of_deal in deals_of(moments):
        try:
            dealt = _dealt_again(seeds, of_deal[0])
            if dealt is None:
                continue
            found[deal] = _all_cards(dealt, of_deal)
            opened[deal] = dealt.seed.hex()
        except FairnessError as broken:
            troubles.append(f"deal {deal}: {broken}")
    for line in lines:
        _add(found.setdefault(line.deal, {}), line)
    return Known(packs=found, seeds=opened, troubles=tuple(troubles))


class PackDiffers(FairnessError):
    """The seed does not lead to the pack that was committed to."""

    def __init__(self, generation: int, root: str) -> None:
        super().__init__(f"the seed gives root {root} for generation {generation}, which is not the recorded one")


def _dealt_again(seeds: packs.Seeds, begins: Moment) -> packs.DealtAgain | None:
    event = begins.event
    assert isinstance(event, e.DealStarted), "a deal begins with its start"
    seed = seeds.of(event)
    if seed is None:
        return None
    proof = event.proof
    basis = basis_at(begins.after, event.order, batch=proof.batch, index=proof.index)
    transcript = packs.Table(event.table, begins.after.terms).transcript(event.deal or 0, basis)
    dealt = packs.DealtAgain(seed, transcript, proof)
    if dealt.first.commitment.root != event.pack.root:
        raise PackDiffers(0, dealt.first.commitment.root)
    return dealt


def _all_cards(dealt: packs.DealtAgain, of_deal: Moments) -> dict[Position, e.OpenedCard]:
    cards = _of_generation(dealt.first, 0)
    for one in of_deal:
        if isinstance(one.event, e.StockReshuffled):
            faces = [card.card for where in one.event.taken if (card := cards.get(where)) is not None]
            again = dealt.reshuffled(one.event.generation, faces)
            if again.commitment.root != one.event.pack.root:
                raise PackDiffers(one.event.generation, again.commitment.root)
            cards |= _of_generation(again, one.event.generation)
    return cards


def _of_generation(pack: packs.KnownPack, generation: int) -> dict[Position, e.OpenedCard]:
    return {position(generation, place): pack.opened(place) for place in range(len(pack.faces))}


def _add(cards: dict[Position, e.OpenedCard], line: PlainLine) -> None:
    match line:
        case CardsDealt():
            cards.update({card.position: card for card in line.cards})
        case CardReceived():
            cards[line.card.position] = line.card
        case _:
            pass
