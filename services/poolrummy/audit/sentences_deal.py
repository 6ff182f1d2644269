"""The events of a deal, as sentences."""

from typing import assert_never

from poolrummy.audit.wording import Names, by, face, faces, read, seconds, shown
from poolrummy_contracts import events as e

OfTurns = (
    e.DealStarted
    | e.TurnStarted
    | e.CardDrawn
    | e.CardDiscarded
    | e.CardReturned
    | e.TurnMissed
    | e.SeatDropped
    | e.StockReshuffled
)


def of_turns(event: OfTurns, names: Names) -> str:  # noqa: PLR0911 - one sentence an event
    """What happens in the turns of a deal."""
    match event:
        case e.DealStarted():
            wild = "aces" if event.wild_rank == "A" else f"{event.wild_rank.replace('T', '10')}s"
            return (
                f"deal {event.deal}: wild card {face(event.wild.card)} ({wild} are wild), open card "
                f"{face(event.open.card)}, {len(event.stock)} in the stock; order of play: {names.all(event.order)}; "
                f"pack {event.pack.root[:16]}…"
            )
        case e.TurnStarted():
            return f"is on turn for {seconds(event.ends_at - event.at)}, time bank {seconds(event.bank_ms)}"
        case e.CardDrawn():
            if event.card is None:
                return f"draws from the stock ({event.position})"
            return f"takes {face(event.card)} from the open pile"
        case e.CardDiscarded():
            return f"discards {face(event.card)}"
        case e.CardReturned():
            return f"the turn ran out: {face(event.card)} goes back to the open pile"
        case e.TurnMissed():
            return f"misses the turn ({event.misses} in a row)"
        case e.SeatDropped():
            return f"drops ({event.kind}): {event.points} points"
        case e.StockReshuffled():
            return f"{len(event.stock)} cards become the new stock (generation {event.generation})"
        case _:
            assert_never(event)


OfShow = (
    e.FinishCalled
    | e.ShowDeclared
    | e.ShowJudged
    | e.ShowForfeited
    | e.DeclareWindowOpened
    | e.HandDeclared
    | e.HandLaidOpen
    | e.HandCounted
    | e.DealScored
    | e.DealVoided
    | e.SeedRevealed
)


def of_show(event: OfShow, names: Names) -> str:  # noqa: C901, PLR0911, PLR0912 - one sentence an event
    """A show, its verdict, and what the hands count."""
    match event:
        case e.FinishCalled():
            return f"lays a card face down and has {seconds(event.ends_at - event.at)} to show"
        case e.ShowDeclared():
            late = " (what was grouped when the time ran out)" if event.timed_out else ""
            return f"shows{late} {shown(event.groups)}"
        case e.ShowJudged():
            if event.valid:
                return f"the show is valid: {read(event.groups)}"
            better = "" if event.arrangement is None else f"; valid would have been {read(event.arrangement)}"
            group = "" if event.group is None else f", group {event.group + 1}"
            return f"wrong show ({event.reason}{group}): {event.points} points{better}"
        case e.ShowForfeited():
            return f"did not show in time: a wrong show, {event.points} points"
        case e.DeclareWindowOpened():
            return f"{names.all(event.seats)} may arrange their hands for {seconds(event.ends_at - event.at)}"
        case e.HandDeclared():
            return "lays out the hand"
        case e.HandLaidOpen():
            late = ", late" if event.late else ""
            return f"is counted ({event.basis}{late}): {faces(card.card for card in event.hand)}"
        case e.HandCounted():
            groups = f"{read(event.groups)}, " if event.groups else ""
            return f"{groups}left over {faces(event.leftover) or 'nothing'}: {event.points} points"
        case e.DealScored():
            scores = ", ".join(
                f"{names.of(score.seat)} +{score.points} = {score.total} ({score.reason})" for score in event.scores
            )
            return f"deal won by {names.of(event.winner)} ({event.how}): {scores}"
        case e.DealVoided():
            return f"the deal is void{by(event.operator)}: {event.reason}"
        case e.SeedRevealed():
            return f"the seed of deal {event.of_deal} is laid open: {event.seed[:16]}…"
        case _:
            assert_never(event)
