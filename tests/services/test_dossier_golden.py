"""Golden dossiers: one for each kind of dispute, byte for byte; beside them pictures of how a browser shows them.

After a wanted change: ``RENEW_GOLDEN=1 python -m pytest tests/services/test_dossier_golden.py``, then look at the
difference and at the pages. The paragraphs that they quote are kept in ``rules.json``, so that a rulebook which is
reworded does not move them; the same command renews these too.
"""

import os
from pathlib import Path

import msgspec
import pytest

from poolrummy.audit.dossier.making import dossier_of
from poolrummy.audit.dossier.page import page_of
from poolrummy.commands.rulebook import read_book

from .disputes import GOLDEN

FOLDER = Path(__file__).parents[1] / "golden/dossiers"
RENEW = "RENEW_GOLDEN" in os.environ


def paragraphs() -> dict[str, tuple[str, str]]:
    path = FOLDER / "rules.json"
    if RENEW:
        book = {one.number: (one.title, one.text) for one in read_book()}
        path.write_bytes(msgspec.json.format(msgspec.json.encode(book), indent=1))
    return msgspec.json.decode(path.read_bytes(), type=dict[str, tuple[str, str]])


@pytest.mark.parametrize("name", GOLDEN)
def test_the_dossier_is_the_golden_one(name: str) -> None:
    golden, path = GOLDEN[name], FOLDER / f"{name}.html"
    table = golden.play()
    dossier = dossier_of(table.moments(), golden.asked, table.known(), book=paragraphs(), refused=table.refused)
    page = page_of(dossier).encode()
    if RENEW:
        path.write_bytes(page)

    assert path.read_bytes() == page, f"{path.name} is another one now; see the top of {Path(__file__).name}"


def test_no_golden_dossier_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.html")} == set(GOLDEN)
