"""What each event makes of a table: the one fold of the table machine, total over everything ever recorded."""

from typing import assert_never

from poolrummy.rules import fold_break, fold_deal, fold_start
from poolrummy.rules.state import Table
from poolrummy_contracts import events as e


def evolve(table: Table | None, event: e.TableEvent) -> Table:
    """The table after one more event; everything that was ever recorded is accepted."""
    if table is None:
        assert isinstance(event, e.TableOpened), f"a log begins with table-opened, not with {event.v}"
        return fold_start.opened(event)
    return _after(table, event)


def _after(table: Table, event: e.TableEvent) -> Table:  # noqa: C901, PLR0911, PLR0912 - one case an event
    match event:
        case e.CardDrawn():
            return fold_deal.drawn(table, event)
        case e.CardDiscarded():
            return fold_deal.discarded(table, event)
        case e.TurnStarted():
            return fold_deal.turn_started(table, event)
        case e.TableOpened():
            return fold_start.opened(event)
        case e.SeatTaken():
            return fold_start.taken(table, event)
        case e.SeedsCommitted():
            return fold_start.seeds_committed(table, event)
        case e.SeatSeedCommitted() | e.SeatSeedRevealed():
            return fold_start.seat_seed(table, event)
        case e.SeatVacated():
            return fold_start.vacated(table, event)
        case e.StartScheduled():
            return fold_start.scheduled(table, event)
        case e.StartCancelled():
            return fold_start.cancelled(table, event)
        case e.MatchStarted():
            return fold_start.started(table, event)
        case e.TossDrawn():
            return fold_start.tossed(table, event)
        case e.DealStarted():
            return fold_deal.dealt(table, event)
        case e.CardReturned():
            return fold_deal.returned(table, event)
        case e.TurnMissed():
            return fold_deal.missed(table, event)
        case e.SeatDropped():
            return fold_deal.dropped(table, event)
        case e.StockReshuffled():
            return fold_deal.reshuffled(table, event)
        case e.FinishCalled():
            return fold_deal.finish_called(table, event)
        case e.ShowDeclared():
            return fold_deal.show_declared(table, event)
        case e.ShowJudged():
            return fold_deal.show_judged(table, event)
        case e.ShowForfeited():
            return fold_deal.show_forfeited(table, event)
        case e.DeclareWindowOpened():
            return fold_deal.window_opened(table, event)
        case e.HandDeclared():
            return fold_deal.hand_declared(table, event)
        case e.HandLaidOpen():
            return fold_deal.laid_open(table, event)
        case e.HandCounted():
            return fold_deal.counted(table, event)
        case e.DealScored():
            return fold_break.scored(table, event)
        case e.DealVoided():
            return fold_break.deal_voided(table, event)
        case e.SeatEliminated():
            return fold_break.eliminated(table, event)
        case e.RejoinOffered():
            return fold_break.rejoin_offered(table, event)
        case e.RejoinAsked():
            return fold_break.rejoin_asked(table, event)
        case e.RejoinQueued():
            return fold_break.rejoin_queued(table, event)
        case e.RejoinGranted():
            return fold_break.rejoin_granted(table, event)
        case e.RejoinDeclined():
            return fold_break.rejoin_declined(table, event)
        case e.RejoinClosed():
            return fold_break.rejoin_closed(table, event)
        case e.SplitOffered():
            return fold_break.split_offered(table, event)
        case e.SplitRequested():
            return fold_break.split_requested(table, event)
        case e.SplitAsked():
            return fold_break.split_asked(table, event)
        case e.SplitVoted():
            return fold_break.split_voted(table, event)
        case e.SplitClosed():
            return fold_break.split_closed(table, event)
        case e.SeatForfeited():
            return fold_break.forfeited(table, event)
        case e.MatchEnded() | e.MatchVoided():
            return fold_break.over(table, event)
        case e.TableClosed():
            return fold_break.closed(table, event)
        case e.SeatAway() | e.SeatBack():
            return fold_start.presence(table, event, away=isinstance(event, e.SeatAway))
        case e.TableFrozen():
            return fold_start.frozen(table, event)
        case e.TableUnfrozen() | e.ClocksShifted():
            return fold_start.clocks_moved(table, event, unfreezes=isinstance(event, e.TableUnfrozen))
        case e.SeedRevealed() | e.SplitAgreed() | e.BatchClosed() | e.SeedsUnsealed():
            return fold_start.noted(table, event)
        case _:
            assert_never(event)
