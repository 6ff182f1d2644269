"""Groupings of a hand by position: saved ones, declared ones, and what lies open of them (rules 6.6 and 6.7)."""

from collections.abc import Iterable

from poolrummy.rules.permits import in_deal, late, place, playing
from poolrummy.rules.recorder import Recorder
from poolrummy.rules.state import DealSeat
from poolrummy_contracts.cards import Card, Position
from poolrummy_contracts.commands import SaveGroups
from poolrummy_contracts.events import ShownCard
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.seat_lines import GroupingSaved

Groups = tuple[tuple[Position, ...], ...]


def save(rec: Recorder, command: SaveGroups) -> Refused | None:
    """Keep a grouping, privately; cards may be left out of it (rule 6.7)."""
    refused = in_deal(rec.table, command, command.deal)
    if refused is not None:
        return refused
    deal = playing(rec.table)
    shown = command.seat in (deal.finisher, deal.winner) and rec.table.phase != "finishing"
    if rec.table.phase == "counting" or shown:
        return Refused(Refusal.NOT_NOW)
    own_clock = rec.table.phase == "declaring" or deal.finisher == command.seat
    if own_clock and late(rec.table, rec.at):
        return Refused(Refusal.TOO_LATE)
    cards = [card for group in command.groups for card in group]
    held = place(rec.table, command.seat).hand
    if not set(cards) <= set(held):
        return Refused(Refusal.CARD_NOT_HELD)
    if len(set(cards)) != len(cards):
        return Refused(Refusal.CARDS_MISMATCH, "A card lies in two groups.")
    rec.tell(GroupingSaved(**rec.line(), seat=command.seat, groups=command.groups))
    return None


def holds_exactly(groups: Groups, hand: tuple[Position, ...]) -> bool:
    """Whether the groups are made of exactly these cards."""
    return sorted(card for group in groups for card in group) == sorted(hand)


def current_groups(rec: Recorder, one: DealSeat) -> Groups:
    """The grouping that the seat saved last, without cards that it does not hold any more (rule 6.7)."""
    saved = rec.just_saved(one.seat) or rec.hidden.saved(one.seat) or ()
    held = set(one.hand)
    kept = (tuple(card for card in group if card in held) for group in saved)
    return tuple(group for group in kept if group)


def with_lone_cards(groups: Groups, hand: tuple[Position, ...]) -> Groups:
    """The groups, and every card that lies in none as a group of its own (rule 6.8)."""
    placed = {card for group in groups for card in group}
    return (*groups, *((card,) for card in hand if card not in placed))


def shown(rec: Recorder, groups: Groups) -> tuple[tuple[ShownCard, ...], ...]:
    """The groups, laid open."""
    return tuple(shown_cards(rec, group) for group in groups)


def shown_cards(rec: Recorder, cards: Iterable[Position]) -> tuple[ShownCard, ...]:
    """These cards, laid open."""
    return tuple(ShownCard(rec.hidden.face(card), card) for card in cards)


def faces_of(rec: Recorder, cards: Iterable[Position]) -> tuple[Card, ...]:
    """The faces of these cards, for a count that nobody sees."""
    return tuple(rec.hidden.face(card) for card in cards)
