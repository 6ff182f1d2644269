"""A table from its opening to its close: ``decide`` says what a command leads to, ``evolve`` folds what happened.

Both are pure and total: no clock, no dice, no exception on anything that decodes. What an act leads to by the rules
alone (the next turn, the end of the deal, the next deal) is part of the same decision.
"""

from typing import assert_never

import msgspec

from poolrummy.rules import (
    clocks,
    drops,
    finish,
    flow,
    freezing,
    leaving,
    losers,
    placing,
    presence,
    rejoin_window,
    seat_seeds,
    seating,
    seeds,
    show,
    split_window,
    turns,
    unsealing,
    voids,
)
from poolrummy.rules.fold import evolve
from poolrummy.rules.hidden import Hidden
from poolrummy.rules.permits import at_table, in_deal
from poolrummy.rules.recorder import Recorder
from poolrummy.rules.state import Clock, Table, next_clock
from poolrummy_contracts import commands as c
from poolrummy_contracts.events import Actor, TableEvent
from poolrummy_contracts.refusals import Refusal, Refused
from poolrummy_contracts.seat_lines import PlainLine
from poolrummy_contracts.verdicts import HandVerdict, RejoinPayment, ShowVerdict, VerdictMessage

__all__ = ["Clock", "Decided", "Hidden", "Table", "decide", "evolve", "next_clock"]


class Decided(msgspec.Struct, frozen=True):
    """What happens: events in order, each already stamped with its version, and lines for single seats."""

    events: tuple[TableEvent, ...]
    lines: tuple[PlainLine, ...] = ()
    after: Table | None = None
    """The table after these events, as they were folded while they were decided."""


def decide(
    table: Table | None, command: c.PlatformCommand | VerdictMessage | c.SystemCommand, now_ms: int, hidden: Hidden
) -> Decided | Refused:
    """What the command leads to at this moment, or the first reason against it; never raises."""
    # Players' commands first: they are most of what there is.
    if isinstance(command, c.SeatCommand):
        return _by_player(table, command, now_ms, hidden)
    if isinstance(command, c.OpenTable):
        return _opened(table, command, now_ms, hidden)
    if isinstance(command, c.RunClock | c.ShiftClocks | c.FreezeFault):
        return _by_system(table, command, now_ms, hidden)
    refused = at_table(table, frozen_too=True)
    if refused is not None or table is None:
        return refused or Refused(Refusal.TABLE_UNKNOWN)
    if isinstance(command, ShowVerdict | HandVerdict | RejoinPayment):
        rec = Recorder(table, now_ms, hidden, actor="system", cause=command.id)
        refused = _answered(rec, command)
    else:
        rec = Recorder(table, now_ms, hidden, actor="operator", cause=command.id)
        refused = _operated(rec, command)
    return _all_of(rec) if refused is None else refused


def _by_player(table: Table | None, command: c.PlayerCommand, now_ms: int, hidden: Hidden) -> Decided | Refused:
    refused = at_table(table)
    if refused is not None or table is None:
        return refused or Refused(Refusal.TABLE_UNKNOWN)
    rec = Recorder(table, now_ms, hidden, actor="player", cause=command.id)
    refused = _played(rec, command)
    return _all_of(rec) if refused is None else refused


def _opened(table: Table | None, command: c.OpenTable, now_ms: int, hidden: Hidden) -> Decided | Refused:
    """A table opens, and the seeds of its match are promised in the same step, before a seat is filled (rule 3.6)."""
    if table is not None:
        return Refused(Refusal.TABLE_EXISTS)
    event = seating.open_table(command, now_ms, hidden.software)
    if isinstance(event, Refused):
        return event
    rec = Recorder(evolve(None, event), now_ms, hidden, actor="player", cause=command.id)
    seeds.commit(rec)
    return Decided((event, *rec.events), after=rec.table)


def _by_system(table: Table | None, command: c.SystemCommand, now_ms: int, hidden: Hidden) -> Decided:
    """What the dealer asks for has no author, is never refused, and may lead to nothing."""
    if table is None or table.closed:
        return Decided(())
    actor: Actor = "timer" if isinstance(command, c.RunClock) else "system"
    rec = Recorder(table, now_ms, hidden, actor=actor, cause=None)
    match command:
        case c.RunClock():
            clocks.run(rec, command)
        case c.ShiftClocks():
            freezing.shift_clocks(rec, command)
        case c.FreezeFault():
            freezing.freeze_for_fault(rec, command)
        case _:
            assert_never(command)
    return _all_of(rec)


def _all_of(rec: Recorder) -> Decided:
    if rec.events:
        flow.proceed(rec)
    return Decided(tuple(rec.events), tuple(rec.lines), rec.table)


def _played(rec: Recorder, command: c.PlayerCommand) -> Refused | None:  # noqa: C901, PLR0911, PLR0912 - one case a command
    match command:
        case c.Draw():
            return turns.draw(rec, command)
        case c.Discard():
            return turns.discard(rec, command)
        case c.Sit():
            return seating.sit(rec, command)
        case c.CommitSeed():
            return seat_seeds.commit(rec, command)
        case c.RevealSeed():
            return seat_seeds.reveal(rec, command)
        case c.Leave():
            return leaving.leave(rec, command) if rec.table.started else seating.vacate(rec, command)
        case c.SetAway() | c.SetBack():
            return presence.set_presence(rec, command)
        case c.Drop():
            return drops.drop(rec, command)
        case c.WithdrawDrop():
            return drops.withdraw(rec, command)
        case c.Finish():
            return finish.finish(rec, command)
        case c.SaveGroups():
            return placing.save(rec, command)
        case c.Declare():
            return _declared(rec, command)
        case c.AskRejoin():
            return rejoin_window.ask(rec, command)
        case c.RefuseRejoin():
            return rejoin_window.refuse(rec, command)
        case c.AskSplit():
            return split_window.ask(rec, command)
        case c.VoteSplit():
            return split_window.vote(rec, command)
        case _:
            assert_never(command)


def _declared(rec: Recorder, command: c.Declare) -> Refused | None:
    """A declaration is the finisher's show, or a loser's hand after a valid one (rules 6.1 and 6.6)."""
    refused = in_deal(rec.table, command, command.deal)
    if refused is not None:
        return refused
    match rec.table.phase:
        case "finishing":
            return finish.declare_show(rec, command)
        case "judging":
            return finish.declared_again(rec, command)
        case "declaring" | "counting":
            return losers.declare_hand(rec, command)
        case _:
            return Refused(Refusal.NOT_NOW)


def _operated(
    rec: Recorder, command: c.FreezeTable | c.UnfreezeTable | c.VoidDeal | c.VoidMatch | c.UnsealSeeds
) -> Refused | None:
    match command:
        case c.FreezeTable():
            return freezing.freeze(rec, command)
        case c.UnfreezeTable():
            return freezing.unfreeze(rec, command)
        case c.VoidDeal():
            return voids.void_deal(rec, command)
        case c.VoidMatch():
            return voids.void_match(rec, command)
        case c.UnsealSeeds():
            return unsealing.unseal(rec, command)
        case _:
            assert_never(command)


def _answered(rec: Recorder, answer: VerdictMessage) -> Refused | None:
    match answer:
        case ShowVerdict():
            return show.judged(rec, answer)
        case HandVerdict():
            return losers.counted(rec, answer)
        case RejoinPayment():
            return rejoin_window.paid(rec, answer)
        case _:
            assert_never(answer)
