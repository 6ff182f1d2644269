"""The events of a match around its deals, as sentences."""

from typing import assert_never

from poolrummy.audit.wording import Names, by, face, seconds
from poolrummy_contracts import events as e

OfTable = (
    e.TableOpened
    | e.SeatTaken
    | e.SeatVacated
    | e.StartScheduled
    | e.StartCancelled
    | e.MatchStarted
    | e.TossDrawn
    | e.MatchEnded
    | e.MatchVoided
    | e.TableClosed
    | e.SeatAway
    | e.SeatBack
    | e.TableFrozen
    | e.TableUnfrozen
    | e.ClocksShifted
)


def of_table(event: OfTable, names: Names) -> str:  # noqa: C901, PLR0911, PLR0912 - one sentence an event
    """What happens to a table before and after its deals, or at any time."""
    match event:
        case e.TableOpened():
            terms = event.terms
            return (
                f"table opened: {terms.variant} pool, {terms.profile} rules (edition {event.edition}), {terms.seats} "
                f"seats, entry {names.money(terms.entry_fee)}"
            )
        case e.SeatTaken():
            return "sits down" + (" (a robot)" if event.kind == "robot" else "")
        case e.SeatVacated():
            return "leaves before the start, free of charge"
        case e.StartScheduled():
            return f"enough seats are taken: the match starts in {seconds(event.starts_at - event.at)}"
        case e.StartCancelled():
            return "too few seats are left: the countdown stops"
        case e.MatchStarted():
            pool = names.money(event.prize_pool)
            return f"the match starts with {names.all(one.seat for one in event.seats)}; prize pool {pool}"
        case e.TossDrawn():
            rounds = "; then ".join(
                ", ".join(f"{names.of(drawn.seat)} {face(drawn.card)}" for drawn in drawn_round)
                for drawn_round in event.rounds
            )
            return f"toss: {rounds}; order of play: {names.all(event.order)}"
        case e.MatchEnded():
            places = "; ".join(
                f"{place.place}. {place.player} ({place.seat}) on {place.total}, prize {names.money(place.prize)}"
                for place in event.places
            )
            return f"the match is over ({event.how}): {places}"
        case e.MatchVoided():
            back = ", ".join(f"{owed.player} {names.money(owed.amount)}" for owed in event.obligations) or "nothing"
            return f"the match is void{by(event.operator)}: {event.reason}; back to {back}"
        case e.TableClosed():
            return "the table is closed"
        case e.SeatAway():
            return "is away"
        case e.SeatBack():
            return "is back"
        case e.TableFrozen():
            return f"the table is frozen{by(event.operator)}: {event.reason}"
        case e.TableUnfrozen():
            return f"the table plays on{by(event.operator)}: {event.reason}; clocks moved by {seconds(event.ms)}"
        case e.ClocksShifted():
            return f"clocks moved by {seconds(event.ms)}: {event.reason}"
        case _:
            assert_never(event)


OfBreak = (
    e.SeatEliminated
    | e.RejoinOffered
    | e.RejoinAsked
    | e.RejoinQueued
    | e.RejoinGranted
    | e.RejoinDeclined
    | e.RejoinClosed
    | e.SplitOffered
    | e.SplitRequested
    | e.SplitAsked
    | e.SplitVoted
    | e.SplitClosed
    | e.SplitAgreed
    | e.SeatForfeited
)


def of_break(event: OfBreak, names: Names) -> str:  # noqa: C901, PLR0911, PLR0912 - one sentence an event
    """Who goes out, who comes back, and how a prize is split."""
    match event:
        case e.SeatEliminated():
            return f"is out with {event.total}"
        case e.RejoinOffered():
            offers = ", ".join(
                f"{names.of(one.seat)} on {one.score} for {names.money(one.price)}" for one in event.offers
            )
            return f"rejoin offered for {seconds(event.ends_at - event.at)}: {offers}"
        case e.RejoinAsked():
            return f"asks to come back for {names.money(event.price)}"
        case e.RejoinQueued():
            return "asks to come back; an earlier ask is settled first"
        case e.RejoinGranted():
            return f"comes back on {event.score}; prize pool {names.money(event.prize_pool)}"
        case e.RejoinDeclined():
            return f"does not come back ({event.why}{': ' + event.detail if event.detail else ''})"
        case e.RejoinClosed():
            return "the rejoin window is closed"
        case e.SplitOffered():
            return f"a split may be asked for {seconds(event.ends_at - event.at)}"
        case e.SplitRequested():
            return "asks for a split; it waits for the rejoin window"
        case e.SplitAsked():
            shares = ", ".join(f"{names.of(share.seat)} {names.money(share.amount)}" for share in event.shares)
            return f"proposes a split: {shares}"
        case e.SplitVoted():
            return "accepts the split" if event.accept else "refuses the split"
        case e.SplitClosed():
            return f"no split ({event.why})"
        case e.SplitAgreed():
            return "split: " + ", ".join(f"{names.of(one.seat)} {names.money(one.amount)}" for one in event.amounts)
        case e.SeatForfeited():
            return "has left the match; the entry stays in the pool"
        case _:
            assert_never(event)
