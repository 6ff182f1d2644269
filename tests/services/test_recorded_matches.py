"""Matches that were recorded by every version that was released: each audits, is told and is recorded for ever.

``tests/golden/matches/<version>/`` holds bundles with opened seeds, and a deal record of each. A folder of a released
version never changes again. Before a release, this writes the folder of the version in the making, and no other:
``RENEW_GOLDEN=1 python -m pytest tests/services/test_recorded_matches.py``.
"""

import os
from importlib.metadata import version
from pathlib import Path

import pytest

from poolrummy.audit import bundle, deal_record
from poolrummy.audit.bundling import opened
from poolrummy.audit.dossier.making import Asked, dossier_of
from poolrummy.audit.dossier.page import page_of
from poolrummy.audit.evidence import Evidence, StoredLine
from poolrummy.audit.history import Moment, deals_of, moments_of
from poolrummy.audit.known_packs import Known, known_packs
from poolrummy.audit.many import Asked as AuditAsked
from poolrummy.audit.many import Failed, file_audited
from poolrummy.audit.recording import cut, rebuilt, record_of
from poolrummy.audit.views import View
from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.runtime.records import TableEntry
from poolrummy.testing.robot_matches import robot_match
from poolrummy_contracts.terms import Seat, Variant

FOLDER = Path(__file__).parents[1] / "golden/matches"
THIS: Path = FOLDER / version("poolrummy")

MATCHES: tuple[tuple[int, int, Variant, str], ...] = (
    (1, 3, "101", "house"),
    (2, 2, "best_of_3", "house"),
    (3, 3, "61", "house"),
    (4, 2, "101", "rummypassion"),
    (6, 2, "101", "deccan"),
)
"""Number, seats, variant and profile of what is recorded."""


@pytest.fixture(scope="module", autouse=True)
def _renewed(tmp_path_factory: pytest.TempPathFactory) -> None:
    if "RENEW_GOLDEN" not in os.environ:
        return
    sealer = AgeSealer(load_or_create_keys(tmp_path_factory.mktemp("keys")))
    THIS.mkdir(parents=True, exist_ok=True)
    for number, seats, variant, profile in MATCHES:
        match = robot_match(number, sealer, seats=seats, variant=variant, profile=profile)
        lines = tuple(StoredLine(one.payload, one.chain) for one in match.play())
        evidence = Evidence(source=match.table, table=match.table, lines=lines)
        seeds, openings = opened(evidence, sealer)
        name = f"{profile}-{variant}-{seats}-seats"
        (THIS / f"{name}.jsonl").write_bytes(bundle.written(evidence, seeds=seeds, openings=openings))
        moments, known = past_of(THIS / f"{name}.jsonl")
        stretch = cut(moments, 1, cards=known.packs[1], seed=known.seeds[1])
        (THIS / f"{name}.rdr.json").write_bytes(deal_record.write(record_of(stretch, View("seat", Seat(1)))))


def past_of(path: Path) -> tuple[tuple[Moment, ...], Known]:
    """What a bundle tells."""
    found = bundle.read(path.read_bytes(), str(path))
    entries = [TableEntry(version=v, payload=line.payload, chain=line.chain) for v, line in enumerate(found.lines, 1)]
    moments = moments_of(found.table, entries)
    return moments, known_packs(moments, None, opened_seeds=found.seeds)


def names(ending: str) -> list[str]:
    """Every kept file, as a path below the folder; those in the making are named before they are there."""
    kept = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob(f"*{ending}")}
    made = {f"{THIS.name}/{profile}-{variant}-{seats}-seats{ending}" for _, seats, variant, profile in MATCHES}
    return sorted(kept | made)


@pytest.mark.parametrize("name", names(".jsonl"))
def test_a_match_that_was_ever_recorded_audits(name: str) -> None:
    found = file_audited(str(FOLDER / name), AuditAsked())

    assert not isinstance(found, Failed), found
    assert found.exit_code == 0, list(found.findings)


@pytest.mark.parametrize("name", names(".jsonl"))
def test_a_match_that_was_ever_recorded_can_be_told_and_recorded(name: str) -> None:
    moments, known = past_of(FOLDER / name)
    assert not known.troubles

    for view in (View("public"), View("seat", Seat(1)), View("auditor")):
        told = dossier_of(moments, Asked(view=view), known, book={})
        assert page_of(told).endswith("</html>\n")
        assert all(pack.openings == pack.openings_good and pack.seed_promised for pack in told.proofs.packs)
        for deal, _ in deals_of(moments):
            content = deal_record.write(record_of(cut(moments, deal, cards=known.packs[deal]), view))
            assert deal_record.write(rebuilt(deal_record.read(content))) == content


@pytest.mark.parametrize("name", names(".rdr.json"))
def test_a_deal_record_that_was_ever_written_gives_itself_again(name: str) -> None:
    content = (FOLDER / name).read_bytes()

    assert deal_record.write(rebuilt(deal_record.read(content))) == content
