"""Deals that were recorded by every version that was released: each gives itself again, byte for byte, for ever.

``tests/golden/records/<release>/`` holds deal records; a folder of a released version never changes again. Before a
release this writes the folder of the one in the making, and no other:
``RENEW_GOLDEN=1 python -m pytest tests/services/test_recorded_deals.py``. The matches of the corpus beside it
(``tests/golden/matches``) are told and recorded here too.
"""

import os
from importlib.metadata import version
from pathlib import Path

import pytest

from poolrummy.audit import bundle, deal_record
from poolrummy.audit.dossier.making import Asked, dossier_of
from poolrummy.audit.dossier.page import page_of
from poolrummy.audit.history import Moment, deals_of, moments_of
from poolrummy.audit.known_packs import Known, known_packs
from poolrummy.audit.recording import cut, projected, rebuilt, record_of
from poolrummy.audit.views import View
from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.runtime.records import TableEntry
from poolrummy.testing.robot_matches import robot_match
from poolrummy_contracts.terms import Seat, Variant

GOLDEN = Path(__file__).parents[1] / "golden"
RECORDS, MATCHES = GOLDEN / "records", sorted((GOLDEN / "matches").glob("*/*.jsonl"))
THIS = f"v{version('poolrummy')}"

RECORDED: tuple[tuple[int, int, Variant, str], ...] = (
    (1, 3, "101", "house"),
    (2, 2, "best_of_3", "house"),
    (3, 3, "61", "house"),
    (4, 2, "101", "rummypassion"),
    (6, 2, "101", "deccan"),
)
"""Number, seats, variant and profile of the matches of which the last deal is recorded."""


@pytest.fixture(scope="module", autouse=True)
def _renewed(tmp_path_factory: pytest.TempPathFactory) -> None:
    if "RENEW_GOLDEN" not in os.environ:
        return
    sealer = AgeSealer(load_or_create_keys(tmp_path_factory.mktemp("keys")))
    (RECORDS / THIS).mkdir(parents=True, exist_ok=True)
    for number, seats, variant, profile in RECORDED:
        match = robot_match(number, sealer, seats=seats, variant=variant, profile=profile)
        lines = match.play()
        entries = [TableEntry(version=v, payload=one.payload, chain=one.chain) for v, one in enumerate(lines, 1)]
        moments = moments_of(match.table, entries)
        known, deal = known_packs(moments, sealer), moments[-1].after.deal_number
        stretch = cut(moments, deal, cards=known.packs[deal], seed=known.seeds[deal])
        path = RECORDS / THIS / f"{profile}-{variant}-{seats}-seats.rdr.json"
        path.write_bytes(deal_record.write(record_of(stretch, View("auditor"))))


def names() -> list[str]:
    """Every kept record, as a path below the folder; those in the making are named before they are there."""
    kept = {path.relative_to(RECORDS).as_posix() for path in RECORDS.rglob("*.rdr.json")}
    made = {f"{THIS}/{profile}-{variant}-{seats}-seats.rdr.json" for _, seats, variant, profile in RECORDED}
    return sorted(kept | made)


@pytest.mark.parametrize("name", names())
def test_a_deal_that_was_ever_recorded_gives_itself_again(name: str) -> None:
    content = (RECORDS / name).read_bytes()
    record = deal_record.read(content)

    assert deal_record.write(rebuilt(record)) == content
    for view in (View("public"), View("seat", Seat(1))):
        narrow = deal_record.write(projected(record, view))
        assert deal_record.write(rebuilt(deal_record.read(narrow))) == narrow


def past_of(path: Path) -> tuple[tuple[Moment, ...], Known]:
    """What a bundle tells."""
    found = bundle.read(path.read_bytes(), str(path))
    entries = [TableEntry(version=v, payload=line.payload, chain=line.chain) for v, line in enumerate(found.lines, 1)]
    moments = moments_of(found.table, entries)
    return moments, known_packs(moments, None, opened_seeds=found.seeds)


def test_every_match_that_was_ever_recorded_can_be_told_and_recorded() -> None:
    for path in MATCHES:
        check(*past_of(path))


def check(moments: tuple[Moment, ...], known: Known) -> None:
    assert not known.troubles
    for view in (View("public"), View("auditor")):
        told = dossier_of(moments, Asked(view=view), known, book={})
        assert page_of(told).endswith("</html>\n")
        assert all(pack.openings == pack.openings_good and pack.seed_promised for pack in told.proofs.packs)
        for deal, _ in deals_of(moments):
            content = deal_record.write(record_of(cut(moments, deal, cards=known.packs.get(deal, {})), view))
            assert deal_record.write(rebuilt(deal_record.read(content))) == content
