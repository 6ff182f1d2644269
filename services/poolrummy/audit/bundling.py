"""What the auditor's key adds to a bundle: the seeds of the deals, and the proof of every card that was laid open."""

from poolrummy.audit.bundle_lines import OpeningLine, SeedLine
from poolrummy.audit.derivation import Derivation
from poolrummy.audit.evidence import Evidence
from poolrummy.audit.laid_open import laid_open
from poolrummy.audit.oracle import Oracle
from poolrummy.audit.packs import Seeds
from poolrummy.audit.reading import read_log
from poolrummy.fairness.sealing import Sealer


def opened(evidence: Evidence, sealer: Sealer) -> tuple[tuple[SeedLine, ...], tuple[OpeningLine, ...]]:
    """Seeds and proofs, as far as the log is what the rules give and this key opens its seeds."""
    events = read_log(evidence).events
    oracle = Oracle(events, Seeds(events, sealer, evidence.seeds))
    reached = Derivation(events, oracle).run().reached
    seeds = tuple(SeedLine(deal=deal, seed=dealt.seed.hex()) for deal, dealt in sorted(oracle.dealt.items()))
    proofs: dict[tuple[int, str], OpeningLine] = {}
    for event in events[:reached]:
        dealt = oracle.dealt.get(event.deal or 0)
        if dealt is None or event.deal is None:
            continue
        for where, card in laid_open(event):
            proof = dealt.opened(where)
            proofs[event.deal, where] = OpeningLine(
                deal=event.deal, position=where, card=card, salt=proof.salt, path=proof.path
            )
    return seeds, tuple(proofs.values())
