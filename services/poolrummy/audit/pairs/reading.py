"""From the evidence of one table to what the projection needs: its events, and the cards that a key opens."""

import msgspec

from poolrummy.audit.derivation import Derivation
from poolrummy.audit.evidence import Evidence
from poolrummy.audit.oracle import Oracle
from poolrummy.audit.packs import Seeds
from poolrummy.audit.pairs.deal_log import Faces
from poolrummy.audit.pairs.folding import fold, nothing_opened
from poolrummy.audit.pairs.sums import PairSums
from poolrummy.audit.reading import read_log
from poolrummy.fairness.sealing import Sealer
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Card, Position


class Skipped(msgspec.Struct, frozen=True, kw_only=True):
    """A table or file that was not counted, and why."""

    source: str
    why: str


def add(sums: PairSums, evidence: Evidence, sealer: Sealer | None = None) -> Skipped | None:
    """Count this table; why it was not counted, if its log is not what was written or was counted before."""
    if evidence.table in sums.tables:
        return Skipped(source=evidence.source, why=f"{evidence.table} is counted already, from another place")
    log = read_log(evidence)
    wrong = [f"version {one.v}: {one.what}" for one in (*evidence.faults, *log.findings)]
    if wrong or log.newer:
        return Skipped(source=evidence.source, why=f"{wrong[0] if wrong else log.newer}; audit it first")
    fold(sums, log.events, opened_faces(log.events, evidence, sealer))
    return None


def opened_faces(events: tuple[e.TableEvent, ...], evidence: Evidence, sealer: Sealer | None) -> Faces:
    """The faces of every card of every pack that can be dealt again; nothing without a key or an opened bundle."""
    if sealer is None and not evidence.seeds:
        return nothing_opened
    oracle = Oracle(events, Seeds(events, sealer, evidence.seeds))
    Derivation(events, oracle).run()

    def face(deal: int, where: Position) -> Card | None:
        dealt = oracle.dealt.get(deal)
        return None if dealt is None else dealt.face(where)

    return face
