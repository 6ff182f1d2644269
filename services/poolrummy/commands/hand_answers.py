"""One hand or one show answered at the command line: as pictures and sentences, or as JSON."""

from collections.abc import Sequence

import msgspec
import typer

from poolrummy.audit.wording import face
from poolrummy.commands import hand_pictures
from poolrummy.commands import hand_sentences as say
from poolrummy.rules.arranger import arrange
from poolrummy.rules.declaration import judge
from poolrummy.rules.discards import Discard, best_discard
from poolrummy.rules.meld_rules import MeldRules, wild_rank
from poolrummy_contracts.cards import Card, card_points
from poolrummy_contracts.verdicts import Group, ShowReason


class LeftOver(msgspec.Struct, frozen=True, kw_only=True):
    """A card in no group, and what it counts (rule 8.1)."""

    card: Card
    points: int


class HandTold(msgspec.Struct, frozen=True, kw_only=True):
    """What ``arrange --json`` prints of a hand."""

    wild: str
    raw: int
    points: int
    declarable: bool
    groups: tuple[Group, ...]
    leftover: tuple[LeftOver, ...]
    sentence: str


class DiscardsTold(msgspec.Struct, frozen=True, kw_only=True):
    """What ``arrange --discard --json`` prints; the discards in the order of the hand."""

    wild: str
    best: Card
    discards: tuple[Discard, ...]


class ShowTold(msgspec.Struct, frozen=True, kw_only=True):
    """What ``judge --json`` prints; ``group`` is counted from 0."""

    wild: str
    valid: bool
    reason: ShowReason
    group: int | None
    groups: tuple[Group, ...]
    arrangement: tuple[Group, ...] | None
    sentence: str


def tell_hand(cards: Sequence[Card], wild: str, rules: MeldRules, *, as_json: bool) -> None:
    """Tell how a hand is arranged, what it counts, and whether it can be shown (rules 6.2 and 8.2)."""
    found = arrange(cards, wild, rules)
    if not as_json:
        hand_pictures.show_arrangement(hand_pictures.console(), found, wild, rules)
        return
    rank = wild_rank(wild)
    told = HandTold(
        wild=wild,
        raw=found.raw,
        points=found.points,
        declarable=found.declarable,
        groups=found.groups,
        leftover=tuple(LeftOver(card=card, points=card_points(card, rank)) for card in found.leftover),
        sentence=say.of_hand(found, rules),
    )
    _print_json(told)


def tell_discards(cards: Sequence[Card], wild: str, rules: MeldRules, *, as_json: bool) -> None:
    """Tell for each of 14 cards what is left without it; then the hand without the best (rule 8.2)."""
    discards = best_discard(cards, wild, rules)
    best = min(discards, key=hand_pictures.by_worth)
    if as_json:
        _print_json(DiscardsTold(wild=wild, best=best.card, discards=discards))
        return
    out = hand_pictures.console()
    hand_pictures.show_discards(out, discards)
    hand_pictures.show_sentence(out, f"The best discard is {face(best.card)}; it leaves:", good=best.allows_show)
    stay = list(cards)
    stay.remove(best.card)
    hand_pictures.show_arrangement(out, arrange(stay, wild, rules), wild, rules)


def tell_show(placed: Sequence[Sequence[Card]], wild: str, rules: MeldRules, *, as_json: bool) -> None:
    """Tell whether groups that hold a whole hand are a valid show (rule 6.3)."""
    judged = judge(placed, [card for group in placed for card in group], wild, rules)
    sentence = say.of_show(judged, placed, rules)
    if as_json:
        told = ShowTold(
            wild=wild,
            valid=judged.valid,
            reason=judged.reason,
            group=judged.group,
            groups=judged.groups,
            arrangement=judged.arrangement,
            sentence=sentence,
        )
        _print_json(told)
        return
    out = hand_pictures.console()
    hand_pictures.show_groups(out, judged.groups, wild)
    hand_pictures.show_sentence(out, sentence, good=judged.valid)
    if judged.arrangement is not None:
        hand_pictures.show_groups(out, judged.arrangement, wild)


def _print_json(told: msgspec.Struct) -> None:
    typer.echo(msgspec.json.encode(told).decode())
