"""Record the signed corpus of a release: ``python -m tests.golden.record_matches v0.1.0 [DATA ...]``.

Once, before the release: the files are never written again, and every later release has to audit them as right. Beside
matches of robots it takes tables of data folders that `poolrummy run` has left, signed as a notary signs them.
"""

import asyncio
import sys
from pathlib import Path

from tests.services.signed_matches import NOTARY, SEALER, notarised, of_lines

from poolrummy.audit import bundle
from poolrummy.audit.bundling import opened
from poolrummy.audit.evidence import Evidence, from_store
from poolrummy.commands.reaching import reached
from poolrummy.fairness.checkpoint import SIGNER
from poolrummy.fairness.keys import load_opening_keys
from poolrummy.fairness.notary_keys import written
from poolrummy.fairness.sealing import AgeSealer, Sealer
from poolrummy.fairness.signed_note import public_of
from poolrummy.keeping.checkpoint_folder import kept
from poolrummy.testing.robot_matches import robot_match

MATCHES = (
    (1, 2, "51", "house"),
    (2, 3, "61", "house"),
    (3, 6, "101", "house"),
    (4, 4, "201", "house"),
    (5, 2, "best_of_3", "house"),
    (6, 6, "101", "rummypassion"),
    (7, 6, "101", "deccan"),
    (8, 3, "101", "classic"),
    (9, 4, "101", "scorekeeper"),
)

TABLES_OF_A_RUN = 3


def main(release: str, *folders: str) -> None:
    """Write the corpus of this release."""
    corpus = Path(__file__).parent / "signed" / release
    corpus.mkdir(parents=True)
    line = written(public_of(NOTARY, SIGNER))
    (corpus / "notary.pub").write_text(line)
    for number, seats, variant, profile in MATCHES:
        played = robot_match(number, SEALER, seats=seats, variant=variant, profile=profile)
        evidence = of_lines(f"{played.table}", played.play())
        keep(corpus, f"{profile}-{variant}-{seats}", evidence, SEALER, line)
    for folder in map(Path, folders):
        sealer = AgeSealer(load_opening_keys(folder / "keys"))
        for evidence in asyncio.run(tables_of(folder))[:TABLES_OF_A_RUN]:
            keep(corpus, f"run-{evidence.table}", evidence, sealer, line)


def keep(corpus: Path, name: str, evidence: Evidence, sealer: Sealer, line: str) -> None:
    """One table, with its seeds laid open: nobody's cards are secret in a corpus."""
    found = kept(notarised(evidence.table, evidence.lines), evidence.table)
    signed = Evidence(source=name, table=evidence.table, lines=evidence.lines, notes=found.notes, leaves=found.leaves)
    seeds, _ = opened(signed, sealer)
    (corpus / f"{name}.jsonl").write_bytes(bundle.written(signed, keys=[line.strip()], seeds=seeds))


async def tables_of(folder: Path) -> list[Evidence]:
    """The tables that a run has left in its data folder."""
    async with reached(None, folder) as store:
        assert store.identity is not None
        tables: set[str] = set()
        for partition in range(store.identity.partitions):
            n = 0
            while page := await store.read_feed(partition, n, 1000):
                tables |= {entry.table for entry in page}
                n = page[-1].n
        found = [await from_store(table, store) for table in sorted(tables)]
    return [one for one in found if one is not None]


if __name__ == "__main__":
    main(*sys.argv[1:])
