"""Whole matches of robots with real packs, signed as the notary signs them, and what an auditor holds of them."""

import atexit
from collections.abc import Sequence
from functools import cache
from hashlib import sha512
from itertools import count
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from poolrummy.audit import bundle
from poolrummy.audit.auditing import Means
from poolrummy.audit.bundling import opened
from poolrummy.audit.evidence import Evidence, StoredLine
from poolrummy.audit.notary import NotaryPartition
from poolrummy.audit.signed import Trust
from poolrummy.dealer.packs import FairPacks
from poolrummy.fairness.checkpoint import SIGNER
from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.fairness.notary_keys import written
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.fairness.signed_note import public_of
from poolrummy.keeping.checkpoint_folder import FolderKeeper, Keeper, kept
from poolrummy.runtime.store import FeedEntry, NewEvent
from poolrummy.testing.robot_matches import robot_match


def new_folder(purpose: str) -> Path:
    """A folder that is gone when the tests end."""
    made = Path(mkdtemp(prefix=f"poolrummy-{purpose}-"))
    atexit.register(rmtree, made, ignore_errors=True)
    return made


KEYS = new_folder("audit-keys")
SEALER = AgeSealer(load_or_create_keys(KEYS))
NOTARY = Ed25519PrivateKey.generate()
TRUSTED = public_of(NOTARY, SIGNER)
MEANS = Means(sealer=SEALER, trust=Trust(keys=(TRUSTED,), required=True))

SMALL = ((7, 4, "61"), (1, 4, "61"), (8, 2, "51"), (2, 3, "101"), (5, 3, "61"), (4, 2, "best_of_3"))
"""Number, seats and variant of short matches: together they hold drops, misses, rejoins, splits and a wrong show."""


class SeededPacks(FairPacks):
    """Fair packs whose seeds follow from a number: the same match every time."""

    def __init__(self, number: int) -> None:
        self._name, self._drawn = f"match {number}", count()

    def fresh_seed(self, decks: int) -> bytes:
        """The next seed of this match."""
        return sha512(f"{self._name}, seed {next(self._drawn)}".encode()).digest() + bytes(56 if decks > 2 else 16)


@cache
def match(number: int, seats: int = 3, variant: str = "61") -> Evidence:
    """The stored lines of a match, and the checkpoints that a notary has kept of it."""
    source = SeededPacks(number)
    played = robot_match(number, SEALER, seats=seats, variant=variant, source=source)
    stored = played.play()
    evidence = of_lines(played.table, stored)
    found = kept(notarised(played.table, stored), played.table)
    return replace(evidence, notes=found.notes, leaves=found.leaves)


def small_matches() -> list[Evidence]:
    """A handful of short matches of every kind."""
    return [match(number, seats, variant) for number, seats, variant in SMALL]


def of_lines(table: str, stored: Sequence[NewEvent]) -> Evidence:
    """The evidence that a store would give."""
    lines = tuple(StoredLine(one.payload, one.chain) for one in stored)
    head = lines[-1].chain
    return Evidence(source=f"{table}.jsonl", table=table, lines=lines, head_version=len(lines), head_chain=head)


def notarised(table: str, stored: Sequence[NewEvent | StoredLine], *, batch: int = 40) -> FolderKeeper:
    """What a notary keeps of a feed that holds only this table."""
    keeper = FolderKeeper(new_folder("checkpoints"))
    notary = NotaryPartition(0, keeper, NOTARY)
    feed = [
        FeedEntry(n=n, table=table, version=n, payload=one.payload, chain=one.chain, at_ms=0)
        for n, one in enumerate(stored, start=1)
    ]
    for start in range(0, len(feed), batch):
        notary.handle(feed[start : start + batch])
        keep_due(notary, keeper)
    return keeper


def keep_due(notary: NotaryPartition, keeper: Keeper) -> None:
    """What ``settle`` does, for those who have no event loop."""
    for one in notary.due:
        one.keep(keeper)
    notary.due.clear()


def bundled(evidence: Evidence, *, open_seeds: bool = False, proofs: bool = False) -> bytes:
    """The bundle that `poolrummy bundle` writes."""
    seeds, openings = opened(evidence, SEALER) if open_seeds or proofs else ((), ())
    return bundle.written(
        evidence,
        keys=[written(TRUSTED).strip()],
        seeds=seeds if open_seeds else (),
        openings=openings if proofs else (),
    )
