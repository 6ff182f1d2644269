"""Signed matches of every released version: each has to audit as right, for ever."""

from pathlib import Path

import pytest

from poolrummy.audit import bundle, second_verifier
from poolrummy.audit.auditing import Means, audited
from poolrummy.audit.signed import Trust
from poolrummy.fairness.notary_keys import load_trusted_keys

CORPUS = Path(__file__).parent / "signed"
RECORDED = sorted(CORPUS.glob("*/*.jsonl"))


def test_every_release_has_recorded_matches() -> None:
    assert {path.parent.name for path in RECORDED} >= {"v0.1.0"}


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_recorded_match_audits_as_right_for_ever(path: Path) -> None:
    trust = Trust(keys=load_trusted_keys(path.parent), required=True)
    result = audited(bundle.read(path.read_bytes(), path.name), Means(trust=trust))

    assert result.first is None
    assert result.exit_code == 0


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_second_verifier_finds_nothing_wrong_in_a_recorded_match(path: Path) -> None:
    trusted = [line for line in (path.parent / "notary.pub").read_text().splitlines() if line]
    report = second_verifier.verify(path.read_bytes(), trusted)

    assert not report.faults
    if path.stem.startswith(("house", "run")):
        assert report.exit_code == 0, report.text()
