"""Deals and matches that count for nobody (rules 13.2 and 13.3)."""

from poolrummy.rules import prizes, seeds
from poolrummy.rules.permits import on_record
from poolrummy.rules.recorder import Recorder, Stamp
from poolrummy_contracts.commands import VoidDeal, VoidMatch
from poolrummy_contracts.events import DealVoided, MatchVoided
from poolrummy_contracts.refusals import Refusal, Refused


def void_deal(rec: Recorder, command: VoidDeal) -> Refused | None:
    """An operator voids the running deal (rule 13.2)."""
    refused = on_record(command)
    if refused is not None:
        return refused
    if rec.table.deal is None:
        return Refused(Refusal.NO_DEAL)
    record_void_deal(rec, rec.own("13.2"), command.reason, command.operator)
    return None


def void_match(rec: Recorder, command: VoidMatch) -> Refused | None:
    """An operator voids the match: what was paid goes back, a running deal is laid bare (rule 13.3)."""
    refused = on_record(command)
    if refused is not None:
        return refused
    table = rec.table
    deal = None if table.deal is None else table.deal.number
    owed = () if table.standings is None else prizes.refunds(table.standings)
    rec.record(MatchVoided(**rec.own("13.3"), reason=command.reason, obligations=owed, operator=command.operator))
    if deal is not None:
        seeds.reveal(rec, deal, "13.3")
    return None


def record_void_deal(rec: Recorder, stamp: Stamp, reason: str, operator: str | None) -> None:
    """No points for anybody; the pack is laid bare, since no hand of it is played any more (rule 13.2)."""
    deal = rec.deal.number
    rec.record(DealVoided(**stamp, reason=reason, operator=operator))
    seeds.reveal(rec, deal, "13.2")
