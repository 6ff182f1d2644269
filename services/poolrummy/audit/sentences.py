"""Each event as a sentence, in the rulebook's words; who acted stands beside it and is left out here."""

from typing import assert_never

from poolrummy.audit.sentences_deal import of_show, of_turns
from poolrummy.audit.sentences_match import of_break, of_table
from poolrummy.audit.sentences_seeds import of_seeds
from poolrummy.audit.wording import Names
from poolrummy_contracts import events as e


def sentence(event: e.TableEvent, names: Names) -> str:
    """What the event says."""
    match event:
        case (
            e.TableOpened() | e.SeatTaken() | e.SeatVacated() | e.StartScheduled() | e.StartCancelled()
            | e.MatchStarted() | e.TossDrawn() | e.MatchEnded() | e.MatchVoided() | e.TableClosed()
            | e.SeatAway() | e.SeatBack() | e.TableFrozen() | e.TableUnfrozen() | e.ClocksShifted()
        ):  # fmt: skip
            return of_table(event, names)
        case (
            e.SeedsCommitted() | e.SeatSeedCommitted() | e.SeatSeedRevealed() | e.BatchClosed() | e.SeedsUnsealed()
        ):  # fmt: skip
            return of_seeds(event)
        case (
            e.DealStarted() | e.TurnStarted() | e.CardDrawn() | e.CardDiscarded() | e.CardReturned()
            | e.TurnMissed() | e.SeatDropped() | e.StockReshuffled()
        ):  # fmt: skip
            return of_turns(event, names)
        case (
            e.FinishCalled() | e.ShowDeclared() | e.ShowJudged() | e.ShowForfeited() | e.DeclareWindowOpened()
            | e.HandDeclared() | e.HandLaidOpen() | e.HandCounted() | e.DealScored() | e.DealVoided()
            | e.SeedRevealed()
        ):  # fmt: skip
            return of_show(event, names)
        case (
            e.SeatEliminated() | e.RejoinOffered() | e.RejoinAsked() | e.RejoinQueued() | e.RejoinGranted()
            | e.RejoinDeclined() | e.RejoinClosed() | e.SplitOffered() | e.SplitRequested() | e.SplitAsked()
            | e.SplitVoted() | e.SplitClosed() | e.SplitAgreed() | e.SeatForfeited()
        ):  # fmt: skip
            return of_break(event, names)
        case _:
            assert_never(event)
