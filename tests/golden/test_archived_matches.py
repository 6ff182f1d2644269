"""Archives of every released version: each file has to be read and found right for ever (R11, R45)."""

from pathlib import Path

import pytest

from poolrummy.archive.archived_reads import entries_of
from poolrummy.archive.filing import Archive
from poolrummy.archive.judging import judged
from poolrummy.audit import bundle, packed, second_verifier
from poolrummy.audit.auditing import Means, audited
from poolrummy.audit.replay import replay
from poolrummy.audit.signed import Trust
from poolrummy.fairness.keys import load_opening_keys
from poolrummy.fairness.notary_keys import load_trusted_keys
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.keeping.checkpoint_folder import FolderKeeper
from poolrummy.runtime.store import Head

CORPUS = Path(__file__).parent / "archived"
RECORDED = sorted(CORPUS.glob("*/p*/*.jsonl.gz"))


def test_every_release_has_an_archive() -> None:
    assert {path.parents[1].name for path in RECORDED} >= {"v0.1.0"}


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parents[1].name}/{path.name}")
def test_an_archived_table_is_read_and_audits_as_right_for_ever(path: Path) -> None:
    archive, keys = Archive(FolderKeeper(path.parents[1]), "golden"), path.parents[1] / "keys"
    held = bundle.read(path.read_bytes(), path.name)
    head = Head(version=len(held.lines), chain=held.lines[-1].chain, archived=1)

    evidence = archive.evidence(held.table, head, "golden")
    means = Means(sealer=AgeSealer(load_opening_keys(keys)), trust=Trust(keys=load_trusted_keys(keys), required=True))
    result = audited(evidence, means)
    told = replay(held.table, entries_of(evidence, "golden"))

    assert result.first is None
    assert result.exit_code == 0, result
    assert told is not None
    assert told.table.closed
    assert judged(evidence).tally.counts().counts["matches"]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parents[1].name}/{path.name}")
def test_the_second_verifier_finds_nothing_wrong_in_an_archived_table(path: Path) -> None:
    trusted = (path.parents[1] / "keys" / "notary.pub").read_text().splitlines()

    report = second_verifier.verify(packed.unpacked(path.read_bytes(), path.name), trusted)

    assert not report.faults
    assert report.counted["checkpoints"]
