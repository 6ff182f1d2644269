"""Shows with their verdicts, and hands with their counts: the groups, the reason, the sum card by card (6 and 8)."""

from collections.abc import Sequence

from poolrummy.audit.dossier.content import CountSeen, GroupSeen, ShowSeen, Statement
from poolrummy.audit.dossier.names import Who, joined, span
from poolrummy.audit.dossier.readings import counting_cards, group_seen, in_hand_order, sum_of, why_none
from poolrummy.audit.dossier.steps import card_seen
from poolrummy.audit.history import Moment, Moments
from poolrummy.audit.wording import face, faces
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Terms
from poolrummy_contracts.verdicts import Group

REASON_RULE = "6.3"


def shows_of(moments: Moments, who: Who) -> tuple[ShowSeen, ...]:
    """Every show of the deal, with its verdict as soon as there is one."""
    asks: dict[int, e.ShowDeclared] = {}
    found: list[ShowSeen] = []
    for one in moments:
        match one.event:
            case e.ShowDeclared():
                asks[one.event.v] = one.event
            case e.ShowJudged():
                found.append(_judged(one, one.event, asks.get(one.event.ask), who))
            case e.ShowForfeited():
                found.append(_forfeited(one, one.event, who))
            case _:
                pass
    return tuple(found)


def counts_of(moments: Moments, who: Who) -> tuple[CountSeen, ...]:
    """Every hand that was counted."""
    asks: dict[int, e.HandLaidOpen] = {}
    found: list[CountSeen] = []
    for one in moments:
        match one.event:
            case e.HandLaidOpen():
                asks[one.event.v] = one.event
            case e.HandCounted():
                found.append(_counted(one, one.event, asks[one.event.ask], who))
            case _:
                pass
    return tuple(found)


def why_wrong(event: e.ShowJudged, wild_rank: str, terms: Terms) -> str:  # noqa: PLR0911 - one sentence a reason
    """The first reason against a show, in words that follow "because" (rule 6.3)."""
    group = None if event.group is None else event.groups[event.group]
    named = "a group" if event.group is None else f"group {event.group + 1}"
    shown = "" if group is None else f" ({faces(group.cards)})"
    match event.reason:
        case "invalid_group" | "group_too_small":
            why = "" if group is None else f": {why_none(group.cards, wild_rank)}"
            return f"{named}{shown} is neither a sequence nor a set{why}"
        case "no_pure_sequence":
            return "none of its groups is a pure sequence" + _nearly_pure(event.groups)
        case "too_few_sequences":
            return "it has one sequence, and a show needs at least two"
        case "extra_group_too_large":
            return f"{named}{shown} has more cards than an extra group may have, which is {terms.max_extra_group_size}"
        case "wrong_hand_size":
            return "it does not hold 13 cards"
        case "cards_mismatch":
            return "its groups do not hold exactly the 13 cards of the hand"
        case "not_declared_in_time":
            return "it was not laid out in time"
        case "ok":
            return "the platform found no reason against it"


def _nearly_pure(groups: Sequence[Group]) -> str:
    """What the jokers do in the sequences that are there."""
    spoilt = [
        f"{faces(group.cards)} uses {face(card)} as {face(stands)}"
        for group in groups
        if group.kind == "sequence"
        for card, stands in zip(group.cards, group.stands_for, strict=True)
        if card != stands
    ]
    return f" ({joined(spoilt)})" if spoilt else ""


def _judged(one: Moment, event: e.ShowJudged, ask: e.ShowDeclared | None, who: Who) -> ShowSeen:
    wild_rank = "" if ask is None else ask.wild_rank
    terms = one.after.terms
    groups = tuple(group_seen(group, wild_rank) for group in event.groups)
    if event.valid:
        text = f"The show is valid: {_why_valid(event.groups)}."
        verdict = Statement(text=text, rules=("6.2",))
    else:
        text = f"The show is not valid, because {why_wrong(event, wild_rank, terms)}. It costs {event.points} points."
        verdict = Statement(text=text, rules=(REASON_RULE, event.rule))
    better = None if event.arrangement is None else tuple(group_seen(one, wild_rank) for one in event.arrangement)
    return ShowSeen(
        v=event.v,
        seat=event.seat,
        player=who.players.get(event.seat, ""),
        valid=event.valid,
        verdict=verdict,
        groups=_faulty(groups, event.group),
        timed_out=ask is not None and ask.timed_out,
        points=event.points,
        arrangement=better,
        possible=_possible(event),
    )


def _possible(event: e.ShowJudged) -> str:
    if event.valid:
        return "The groups as laid were not valid, but the hand can be arranged validly." if event.arrangement else ""
    if event.arrangement is None:
        return "The same 13 cards could not be arranged validly in any way."
    return "The same 13 cards could have been shown validly like this; the player's own groups are what counts."


def _faulty(groups: tuple[GroupSeen, ...], at: int | None) -> tuple[GroupSeen, ...]:
    """Only the group that the verdict names is marked, where it names one."""
    if at is None:
        return groups
    return tuple(
        group if place == at else GroupSeen(kind=group.kind, cards=group.cards, reading=group.reading, fault=None)
        for place, group in enumerate(groups)
    )


def _why_valid(groups: Sequence[Group]) -> str:
    kinds = [group.kind for group in groups]
    pure, impure, sets = kinds.count("pure_sequence"), kinds.count("sequence"), kinds.count("set")
    said = [
        f"{number} {name}{'s' if number > 1 else ''}"
        for number, name in ((pure, "pure sequence"), (impure, "sequence with a joker"), (sets, "set"))
        if number
    ]
    return joined(said).replace("sequence with a jokers", "sequences with a joker")


def _forfeited(one: Moment, event: e.ShowForfeited, who: Who) -> ShowSeen:
    time = span(one.after.terms.declare_ms)
    text = (
        f"Finish was called and nothing was laid out within {time}; at this table that is a wrong show. "
        f"It costs {event.points} points."
    )
    return ShowSeen(
        v=event.v,
        seat=event.seat,
        player=who.players.get(event.seat, ""),
        valid=False,
        verdict=Statement(text=text, rules=("6.8", "6.5")),
        groups=(),
        timed_out=True,
        points=event.points,
    )


def _counted(one: Moment, event: e.HandCounted, ask: e.HandLaidOpen, who: Who) -> CountSeen:
    terms, wild_rank = one.after.terms, ask.wild_rank
    counting = counting_cards(event.groups, event.leftover, wild_rank, terms)
    hand = tuple(card_seen(card.position, card.card, wild_rank) for card in ask.hand)
    return CountSeen(
        v=event.v,
        seat=event.seat,
        player=who.players.get(event.seat, ""),
        basis="the best arrangement of the hand" if ask.basis == "best" else "the groups as the player placed them",
        late=ask.late,
        groups=tuple(group_seen(group, wild_rank) for group in event.groups),
        counting=counting,
        sum=sum_of(counting, event.raw, event.counted, terms.full_count_cap),
        raw=event.raw,
        counted=event.counted,
        points=event.points,
        explanation=Statement(text=why_counted(event, terms), rules=_rules_of_count(event)),
        hand=in_hand_order(hand),
    )


def why_counted(event: e.HandCounted, terms: Terms) -> str:
    """Which cards of a hand count, and why (rules 8.2 to 8.9)."""
    kinds = [group.kind for group in event.groups]
    sequences = kinds.count("pure_sequence") + kinds.count("sequence")
    if event.complete and not event.counted:
        said = "All 13 cards lie in groups: nothing counts."
    elif "pure_sequence" not in kinds and terms.loser_count != "unmatched_always":
        said = "There is no pure sequence in the hand, so no group frees its cards: all cards count."
    elif sequences < 2 and terms.loser_count == "tiered":
        said = "There is one sequence only, the pure one: its cards are free, all others count."
    elif sequences < 2 and terms.loser_count == "all_unless_two_sequences":
        said = "There are fewer than two sequences, so no group frees its cards: all cards count."
    else:
        said = "The cards that lie in no group count, the others are free."
    if event.points != event.counted:
        said += f" The count is {event.counted}; the seat is charged {event.points}."
    return said


def _rules_of_count(event: e.HandCounted) -> tuple[str, ...]:
    return ("8.2", "8.4") if event.counted < event.raw else ("8.2",)
