"""Which command a recorded step answers: read off the first event of the step, and off the table before it.

A step is what one command or one deadline led to. Its first event names who acted and what for; the rest follows by the
rules. ``None`` where no command begins with such an event.
"""

from typing import Literal, TypedDict

from poolrummy.rules.seating import ANY_SEAT
from poolrummy.rules.state import Table, next_clock
from poolrummy_contracts import commands as c
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat
from poolrummy_contracts.verdicts import HandVerdict, RejoinPayment, ShowVerdict, VerdictMessage

Command = c.PlatformCommand | VerdictMessage | c.SystemCommand

NO_CLOCK = -1
"""The number of no deadline: a step of the clock where none runs."""


def command_behind(table: Table | None, event: e.TableEvent, following: e.TableEvent | None = None) -> Command | None:
    """The command whose step begins with this event; some of it may stand in the one that follows."""
    if isinstance(event, e.TableOpened) and event.cause is not None:
        return c.OpenTable(id=event.cause, table=event.table, terms=event.terms)
    if table is None or isinstance(event, e.TableOpened):
        return None
    if event.cause is None:
        return _of_the_system(table, event)
    if event.actor == "player":
        return _of_a_player(table, event, event.cause, following)
    return _of_others(table, event, event.cause)


def _of_others(table: Table, event: e.TableEvent, cause: str) -> Command | None:
    match event.actor:
        case "operator":
            return _of_an_operator(event, cause)
        case "system":
            return _of_an_answer(table, event, cause)
        case _:
            return None


def _of_the_system(table: Table, event: e.TableEvent) -> c.SystemCommand:
    """Nobody asked: the platform moved or stopped the clocks, or one of them ran out."""
    match event:
        case e.ClocksShifted():
            return c.ShiftClocks(table=event.table, ms=event.ms, reason=event.reason)
        case e.TableFrozen():
            return c.FreezeFault(table=event.table, reason=event.reason)
        case _:
            clock = next_clock(table)
            return c.RunClock(table=event.table, deadline=NO_CLOCK if clock is None else clock.armed_by)


def _of_an_operator(event: e.TableEvent, cause: str) -> Command | None:
    match event:
        case e.TableFrozen(operator=str(operator)):
            return c.FreezeTable(id=cause, table=event.table, operator=operator, reason=event.reason)
        case e.TableUnfrozen():
            return c.UnfreezeTable(id=cause, table=event.table, operator=event.operator, reason=event.reason)
        case e.DealVoided(operator=str(operator)):
            return c.VoidDeal(id=cause, table=event.table, operator=operator, reason=event.reason)
        case e.MatchVoided(operator=str(operator)):
            return c.VoidMatch(id=cause, table=event.table, operator=operator, reason=event.reason)
        case e.SeedsUnsealed(operators=(first, second)):
            return c.UnsealSeeds(
                id=cause, table=event.table, operator=first, second_operator=second, reason=event.reason
            )
        case _:
            return None


def _of_an_answer(table: Table, event: e.TableEvent, cause: str) -> Command | None:
    """A verdict, a payment, or a draw from a stock that was empty: what follows it is the platform's act."""
    match event:
        case e.ShowJudged():
            return ShowVerdict(
                id=cause,
                table=event.table,
                ask=event.ask,
                edition=event.edition,
                valid=event.valid,
                reason=event.reason,
                group=event.group,
                groups=event.groups,
                arrangement=event.arrangement,
            )
        case e.HandCounted():
            return HandVerdict(
                id=cause,
                table=event.table,
                ask=event.ask,
                edition=event.edition,
                groups=event.groups,
                leftover=event.leftover,
                raw=event.raw,
                points=event.counted,
                complete=event.complete,
            )
        case e.RejoinGranted() | e.RejoinDeclined():
            return _payment(table, event, cause)
        case e.StockReshuffled() | e.HandLaidOpen() | e.DealVoided():
            return _draw(table, cause, "stock")
        case _:
            return None


def _payment(table: Table, event: e.RejoinGranted | e.RejoinDeclined, cause: str) -> RejoinPayment | None:
    awaited = None if table.rejoin is None else table.rejoin.payment
    if awaited is None:
        return None
    refused = isinstance(event, e.RejoinDeclined) and event.why == "payment"
    reason = event.detail if isinstance(event, e.RejoinDeclined) and refused else ""
    return RejoinPayment(id=cause, table=event.table, ask=awaited.v, seat=event.seat, paid=not refused, reason=reason)


def _of_a_player(table: Table, event: e.TableEvent, cause: str, following: e.TableEvent | None) -> Command | None:  # noqa: C901, PLR0911, PLR0912 - one case an event
    match event:
        case e.CardDrawn():
            return _draw(table, cause, event.source, event.seat)
        case e.CardDiscarded(rule="4.4"):
            return c.Discard(**_turn(table, event.seat, cause), position=event.position)
        case e.FinishCalled():
            return c.Finish(**_turn(table, event.seat, cause), position=event.position)
        case e.CardDiscarded(rule="13.1") | e.CardReturned(rule="13.1") | e.SeatDropped(rule="13.1"):
            return c.Leave(**_who(table, event.seat, cause))
        case e.SeatForfeited():
            return c.Leave(id=cause, table=event.table, player=event.player, seat=event.seat)
        case e.CardDiscarded() | e.CardReturned() | e.SeatDropped():
            return c.Drop(**_who(table, event.seat, cause), deal=table.deal_number)
        case e.ShowDeclared():
            groups = tuple(tuple(card.position for card in group) for group in event.groups)
            return c.Declare(**_who(table, event.seat, cause), deal=table.deal_number, groups=groups)
        case e.HandDeclared():
            return c.Declare(**_who(table, event.seat, cause), deal=table.deal_number, groups=event.groups)
        case e.SeatTaken():
            return _sit(event, cause, following)
        case e.SeatSeedCommitted():
            return c.CommitSeed(**_who(table, event.seat, cause), commitment=event.commitment)
        case e.SeatSeedRevealed():
            return c.RevealSeed(**_who(table, event.seat, cause), seed=event.seed)
        case e.SeatVacated():
            return c.Leave(id=cause, table=event.table, player=event.player, seat=event.seat)
        case e.SeatAway():
            return c.SetAway(**_who(table, event.seat, cause))
        case e.SeatBack():
            return c.SetBack(**_who(table, event.seat, cause))
        case e.RejoinAsked() | e.RejoinQueued():
            return c.AskRejoin(**_who(table, event.seat, cause), window=event.window)
        case e.RejoinDeclined():
            return c.RefuseRejoin(**_who(table, event.seat, cause), window=event.window)
        case e.SplitRequested():
            return c.AskSplit(**_who(table, event.seat, cause), window=event.window, amounts=event.amounts)
        case e.SplitAsked():
            named = tuple(c.SplitAmount(seat=one.seat, amount=one.amount) for one in event.shares)
            amounts = named if table.terms.split_formula == "agreed" else ()
            return c.AskSplit(**_who(table, event.seat, cause), window=event.window, amounts=amounts)
        case e.SplitVoted():
            return c.VoteSplit(**_who(table, event.seat, cause), window=event.window, accept=event.accept)
        case _:
            return None


def _sit(event: e.SeatTaken, cause: str, following: e.TableEvent | None) -> c.Sit:
    """A seat that is taken with a promise is followed by that promise in the same step."""
    promised = following if isinstance(following, e.SeatSeedCommitted) and following.cause == cause else None
    return c.Sit(
        id=cause,
        table=event.table,
        player=event.player,
        seat=event.seat if event.drawn is None else ANY_SEAT,
        kind=event.kind,
        seed_commitment=None if promised is None else promised.commitment,
        channel_key=event.channel_key,
    )


class _Who(TypedDict):
    id: str
    table: str
    player: str
    seat: Seat


class _Turn(_Who):
    deal: int
    turn: int


def _who(table: Table, seat: Seat, cause: str) -> _Who:
    chair = table.chair(seat)
    return {"id": cause, "table": table.id, "player": "" if chair is None else chair.player, "seat": seat}


def _turn(table: Table, seat: Seat, cause: str) -> _Turn:
    turn = 0 if table.deal is None else table.deal.turn
    return {**_who(table, seat, cause), "deal": table.deal_number, "turn": turn}


def _draw(table: Table, cause: str, source: Literal["stock", "open"], seat: Seat | None = None) -> c.Draw | None:
    """A draw by the seat that the event names, or else by the one on turn."""
    on_turn = None if table.deal is None else table.deal.on_turn
    drawer = on_turn if seat is None else seat
    return None if drawer is None else c.Draw(**_turn(table, drawer, cause), source=source)
